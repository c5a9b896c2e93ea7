package mcpserver

import (
	"net/http"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tenantry/tenantry/resource"
)

// A fault is a refusal before any tool ran: a JSON-RPC error with the HTTP status that carries it. Its
// message is ours and names nothing but what the client sent.
type fault struct {
	status  int
	code    int64
	message string
	data    []byte        // JSON, or nil
	reason  resource.Code // for the event; empty: a fault of the protocol
	headers []string      // names and values in turn
}

// codeRefused is the code of what HTTP refuses before JSON-RPC begins, out of the range that JSON-RPC
// leaves to servers.
const codeRefused = -32000

func parseFault(message string) *fault {
	return &fault{status: http.StatusBadRequest, code: jsonrpc.CodeParseError, message: message}
}

func requestFault(message string) *fault {
	return &fault{status: http.StatusBadRequest, code: jsonrpc.CodeInvalidRequest, message: message}
}

func paramsFault(message string) *fault {
	return &fault{status: http.StatusOK, code: jsonrpc.CodeInvalidParams, message: message}
}

func headerFault(message string) *fault {
	return &fault{status: http.StatusBadRequest, code: mcp.CodeHeaderMismatch, message: message}
}

// refusal is a fault of HTTP itself. A reason of the contract is named beside the message.
func refusal(status int, reason resource.Code, message string) *fault {
	f := &fault{status: status, code: codeRefused, message: message, reason: reason}
	if reason != "" {
		f.data = append(appendText([]byte(`{"code":`), string(reason)), '}')
	}
	return f
}

// with adds a header.
func (f *fault) with(name, value string) *fault {
	f.headers = append(f.headers, name, value)
	return f
}

// append appends the JSON-RPC error. A nil id is written as null.
func (f *fault) append(dst, id []byte) []byte {
	dst = append(appendID(dst, id), `"error":{"code":`...)
	dst = strconv.AppendInt(dst, f.code, 10)
	dst = appendText(append(dst, `,"message":`...), f.message)
	if f.data != nil {
		dst = append(append(dst, `,"data":`...), f.data...)
	}
	return append(dst, "}}"...)
}

// appendID begins an answer to the message with that id.
func appendID(dst, id []byte) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	if id == nil {
		return append(dst, `null,`...)
	}
	return append(append(dst, id...), ',')
}

// write answers with the fault.
func (f *fault) write(w http.ResponseWriter, id []byte) {
	for i := 0; i+1 < len(f.headers); i += 2 {
		w.Header().Set(f.headers[i], f.headers[i+1])
	}
	writeJSON(w, f.status, f.append(nil, id))
}

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client is gone when this fails
}
