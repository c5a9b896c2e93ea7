package mcpserver

import (
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// buffers holds the bodies of results while they are written.
var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 16<<10); return &b }}

// maxPooled keeps one giant answer from staying in memory for good.
const maxPooled = 1 << 20

// writeResult writes the result of tools/call. The answer's bytes go out as they are, once as they stand
// and once as text.
func (s *Server) writeResult(w http.ResponseWriter, id []byte, r reply, revision string) {
	buf := buffers.Get().(*[]byte)
	body := s.appendReply((*buf)[:0], id, r, revision)
	writeJSON(w, http.StatusOK, body)
	if cap(body) <= maxPooled {
		*buf = body
		buffers.Put(buf)
	}
}

// appendReply appends the JSON-RPC response, member by member as the SDK writes it.
func (s *Server) appendReply(dst, id []byte, r reply, revision string) []byte {
	if r.fault != nil {
		return r.fault.append(dst, id)
	}
	modern := revision >= sessionless
	dst = append(appendID(dst, id), `"result":{`...)
	if modern {
		dst = append(dst, s.about...)
	}
	if r.asks != nil {
		return append(r.asks.append(dst, revision), "}}"...)
	}
	dst = append(dst, `"content":[`...)
	if s.opts.Content != ContentStructured || r.textOnly {
		dst = append(appendQuoted(append(dst, `{"type":"text","text":`...), r.body), '}')
	}
	dst = append(dst, ']')
	if s.opts.Content != ContentText && !r.textOnly {
		dst = append(append(dst, `,"structuredContent":`...), r.body...)
	}
	if r.isError {
		dst = append(dst, `,"isError":true`...)
	}
	if modern {
		dst = append(dst, `,"resultType":"complete"`...)
	}
	return append(dst, "}}"...)
}

// appendResult appends the JSON-RPC response around a result of the SDK.
func appendResult(dst, id, result []byte) []byte {
	dst = append(appendID(dst, id), `"result":`...)
	return append(append(dst, result...), '}')
}

// writeStream writes what subscriptions/listen answers, which is a stream even when, as here, nothing can
// be subscribed to and it ends at once.
func (x *exchange) writeStream(w http.ResponseWriter, id []byte) {
	var body []byte
	for _, n := range x.messages {
		if data, err := jsonrpc.EncodeMessage(n); err == nil {
			body = appendEvent(body, data)
		}
	}
	body = appendEvent(body, appendResult(nil, id, x.answer.Result))
	w.Header().Set("Content-Type", mediaStream)
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(body) // the client is gone when this fails
}
