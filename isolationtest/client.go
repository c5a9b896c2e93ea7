package isolationtest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
)

// request is one JSON-RPC request.
type request struct {
	Method string         `json:"method"`
	Params map[string]any `json:"params"`

	modern bool // of the revision without sessions
}

// tool is the call of a tool.
func (k *kit) tool(name string, arguments map[string]any) request {
	return request{Method: "tools/call", Params: map[string]any{"name": k.app.Prefix + name, "arguments": arguments}}
}

// arguments are those of a tool's call, or nil.
func (r request) arguments() map[string]any {
	args, _ := r.Params["arguments"].(map[string]any)
	return args
}

// with is the call with other arguments.
func (r request) with(arguments map[string]any) request {
	r.Params = map[string]any{"name": r.Params["name"], "arguments": arguments}
	return r
}

func (r request) String() string { return redacted(string(encode(r))) }

// reply is what came back.
type reply struct {
	status int
	header http.Header
	body   []byte
	sent   []byte
}

// answer is the structured content of a tool's reply.
func (r reply) answer() (doc map[string]any, isError bool) {
	var rpc struct {
		Result struct {
			IsError    bool
			Structured json.RawMessage `json:"structuredContent"`
			Content    []struct{ Text string }
		}
	}
	if json.Unmarshal(r.body, &rpc) != nil {
		return nil, true
	}
	text := []byte(rpc.Result.Structured)
	if text == nil && len(rpc.Result.Content) > 0 {
		text = []byte(rpc.Result.Content[0].Text)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if dec.Decode(&doc) != nil {
		return nil, true
	}
	return doc, rpc.Result.IsError
}

// unknown reports whether the server failed at the call, or would not look at it: nothing is known then of what it asks.
func (r reply) unknown() bool {
	if r.status != http.StatusOK && r.status != http.StatusNotFound && r.status != http.StatusBadRequest {
		return true
	}
	var rpc struct{ Error struct{ Code int } }
	const internalError = -32603 // of JSON-RPC
	if json.Unmarshal(r.body, &rpc) != nil || rpc.Error.Code == internalError {
		return true
	}
	doc, _ := r.answer()
	e, _ := doc["error"].(map[string]any)
	switch e["code"] {
	case "internal", "unavailable", "timeout", "rate_limited", "unauthenticated":
		return true
	}
	return false
}

// headers are those of the reply as one text.
func (r reply) headers() []byte {
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(r.header)) {
		if name != "Date" {
			b.WriteString(name + ": " + strings.Join(r.header[name], ",") + "\n")
		}
	}
	return b.Bytes()
}

var volatile = regexp.MustCompile(`next_cursor\\?":\\?"[\w-]+|reference: [0-9a-f]{16}`)

// stable is the reply without what is different each time: sealed cursors and references to a log.
func (r reply) stable() string {
	header := r.header.Clone()
	header.Del("Content-Length")
	r.header, r.body = header, volatile.ReplaceAll(r.body, []byte("…"))
	return strings.Join([]string{http.StatusText(r.status), string(r.headers()), string(r.body)}, "\n")
}

const (
	modernVersion = "2026-07-28"
	metaPrefix    = "io.modelcontextprotocol/"
)

// send runs one request over HTTP. Its failures are the test's own, and end it.
func (k *kit) send(token string, r request) reply {
	k.report.Calls++
	params := map[string]any{}
	maps.Copy(params, r.Params)
	header := http.Header{
		"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
	}
	if r.modern {
		params["_meta"] = map[string]any{
			metaPrefix + "protocolVersion": modernVersion, metaPrefix + "clientCapabilities": map[string]any{},
			metaPrefix + "clientInfo": map[string]any{"name": "isolationtest", "version": "1"},
		}
		header.Set("Mcp-Protocol-Version", modernVersion)
		header.Set("Mcp-Method", r.Method)
		for _, name := range []string{"name", "uri"} {
			if text, ok := r.Params[name].(string); ok {
				header.Set("Mcp-Name", text)
			}
		}
	}
	body := encode(map[string]any{"jsonrpc": "2.0", "id": 1, "method": r.Method, "params": params})
	got := k.post(header, body)
	if got.unknown() {
		if k.report.Internal++; k.report.Internal == 1 {
			k.report.FirstInternal = k.shown(r)
		}
	}
	return got
}

func (k *kit) post(header http.Header, body []byte) reply {
	req, err := http.NewRequestWithContext(k.ctx, http.MethodPost, k.server.URL, bytes.NewReader(body))
	if err != nil {
		k.fail(err)
		return reply{}
	}
	req.Header = header
	if k.app.Host != "" {
		req.Host = k.app.Host
	}
	res, err := k.server.Client().Do(req)
	if err != nil {
		k.fail(err)
		return reply{}
	}
	text, err := io.ReadAll(res.Body)
	if err := cmp.Or(err, res.Body.Close()); err != nil {
		k.fail(err)
	}
	return reply{status: res.StatusCode, header: res.Header, body: text, sent: body}
}

// encode is JSON that keeps every character.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // values of our own, and of decoded JSON
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// newKit starts a listener for the endpoint.
func newKit(ctx context.Context, app App) *kit {
	k := &kit{ctx: ctx, app: app, oracle: NewOracle(app.Registry), report: &Report{}, server: httptest.NewServer(app.Handler)}
	k.sides = [2]*side{
		{tenant: app.One, mark: MarkOf(1), known: map[string]*known{}}, {tenant: app.Two, mark: MarkOf(2), known: map[string]*known{}},
	}
	return k
}
