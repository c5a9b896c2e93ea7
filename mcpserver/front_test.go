package mcpserver_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/mcpserver"
)

// Every refusal before a tool runs: the status, the JSON-RPC code and the id, always as JSON.
func TestRefusals(t *testing.T) {
	t.Parallel()
	url := serve(t, newShop(), quiet())
	ping := request("ping", "{}")
	modern := []string{"Mcp-Protocol-Version", newest, "Mcp-Method", "tools/call", "Mcp-Name", "list"}
	modernCall := request("tools/call", `{"name":"list","arguments":{"resource":"orders"},`+modernMeta+`}`)
	tests := []struct {
		name, body string
		headers    []string
		status     int
		want       rpcError
	}{
		{name: "empty body", status: 400, want: rpcError{"null", -32700}},
		{name: "bad JSON", body: `{"id":1,`, status: 400, want: rpcError{"null", -32700}},
		{name: "two documents", body: ping + ping, status: 400, want: rpcError{"null", -32700}},
		{name: "batch", body: "[" + ping + "]", status: 400, want: rpcError{"null", -32600}},
		{name: "batch with a version", body: "[" + ping + "]", headers: []string{"Mcp-Protocol-Version", "2025-03-26"}, status: 400, want: rpcError{"null", -32600}},
		{name: "large batch", body: "[" + strings.Repeat("{},", 9_999) + "{}]", status: 400, want: rpcError{"null", -32600}},
		{name: "no version", body: `{"id":"a","method":"ping"}`, status: 400, want: rpcError{`"a"`, -32600}},
		{name: "id null", body: `{"jsonrpc":"2.0","id":null,"method":"ping"}`, status: 400, want: rpcError{"null", -32600}},
		{name: "unknown method", body: request("rows/list", "{}"), status: 200, want: rpcError{"1", -32601}},
		{name: "empty method", body: request("", "{}"), status: 200, want: rpcError{"1", -32601}},
		{name: "notification with an id", body: request("notifications/initialized", "{}"), status: 200, want: rpcError{"1", -32600}},
		{name: "unknown tool", body: toolCall("drop", `{}`), status: 200, want: rpcError{"1", -32602}},
		{name: "tool in another case", body: toolCall("List", `{}`), status: 200, want: rpcError{"1", -32602}},
		{name: "no params", body: `{"jsonrpc":"2.0","id":0,"method":"tools/call"}`, status: 200, want: rpcError{"0", -32602}},
		{name: "no name", body: request("tools/call", `{"arguments":{}}`), status: 200, want: rpcError{"1", -32602}},
		{name: "params a list", body: request("tools/call", `["list"]`), status: 200, want: rpcError{"1", -32602}},
		{name: "initialize without params", body: `{"jsonrpc":"2.0","id":1,"method":"initialize"}`, status: 200, want: rpcError{"1", -32600}},
		{name: "initialize of a wrong form", body: request("initialize", `{"protocolVersion":5}`), status: 200, want: rpcError{"1", -32600}},
		{name: "tools/list of a wrong form", body: request("tools/list", `{"cursor":5}`), status: 200, want: rpcError{"1", -32602}},
		{name: "tools/list with a foreign cursor", body: request("tools/list", `{"cursor":"AAAA"}`), status: 200, want: rpcError{"1", -32602}},
		{name: "unknown revision", body: ping, headers: []string{"Mcp-Protocol-Version", "2099-01-01"}, status: 400, want: rpcError{"1", -32022}},
		{name: "not a revision", body: ping, headers: []string{"Mcp-Protocol-Version", "x"}, status: 400, want: rpcError{"1", -32022}},
		{name: "GET", headers: []string{"method", "GET"}, status: 405, want: rpcError{"null", -32000}},
		{name: "DELETE", headers: []string{"method", "DELETE", "Mcp-Session-Id", "x"}, status: 405, want: rpcError{"null", -32000}},
		{name: "PUT", headers: []string{"method", "PUT"}, status: 405, want: rpcError{"null", -32000}},
		{name: "OPTIONS of no browser", headers: []string{"method", "OPTIONS"}, status: 405, want: rpcError{"null", -32000}},
		{name: "text", body: ping, headers: []string{"Content-Type", "text/plain"}, status: 415, want: rpcError{"null", -32000}},
		{name: "no type", body: ping, headers: []string{"Content-Type", ""}, status: 415, want: rpcError{"null", -32000}},
		{name: "other charset", body: ping, headers: []string{"Content-Type", "application/json; charset=latin1"}, status: 415, want: rpcError{"null", -32000}},
		{name: "gzip", body: ping, headers: []string{"Content-Encoding", "gzip"}, status: 415, want: rpcError{"null", -32000}},
		{name: "too large", body: strings.Repeat(" ", 256<<10+1), status: 413, want: rpcError{"null", -32000}},
		{name: "too large, of nobody", body: strings.Repeat(" ", 256<<10+1), headers: []string{"Authorization", ""}, status: 413, want: rpcError{"null", -32000}},
		{name: "stream only", body: ping, headers: []string{"Accept", "text/event-stream"}, status: 406, want: rpcError{"null", -32000}},
		{name: "quality 0", body: ping, headers: []string{"Accept", "application/json;q=0, text/event-stream"}, status: 406, want: rpcError{"null", -32000}},
		{name: "anything but JSON", body: ping, headers: []string{"Accept", "application/json;q=0, */*"}, status: 406, want: rpcError{"null", -32000}},
		{name: "HTML", body: ping, headers: []string{"Accept", "text/html"}, status: 406, want: rpcError{"null", -32000}},
		{name: "new revision, no method", body: modernCall, headers: modern[:2], status: 400, want: rpcError{"1", -32020}},
		{name: "new revision, no name", body: modernCall, headers: modern[:4], status: 400, want: rpcError{"1", -32020}},
		{name: "new revision, other name", body: modernCall, headers: append(modern[:5:5], "get"), status: 400, want: rpcError{"1", -32020}},
		{name: "new revision, no meta", body: toolCall("list", `{"resource":"orders"}`), headers: modern, status: 400, want: rpcError{"1", -32602}},
		{name: "new meta, no header", body: modernCall, status: 400, want: rpcError{"1", -32020}},
		{name: "new meta, old header", body: modernCall, headers: []string{"Mcp-Protocol-Version", stable}, status: 400, want: rpcError{"1", -32020}},
		{
			name: "no capabilities", body: strings.Replace(modernCall, `"io.modelcontextprotocol/clientCapabilities":{}`, `"x":1`, 1), headers: modern,
			status: 400, want: rpcError{"1", -32602},
		},
		{
			name: "new revision, unknown tool", body: strings.ReplaceAll(modernCall, `"list"`, `"drop"`), headers: append(modern[:5:5], "drop"),
			status: 400, want: rpcError{"1", -32602},
		},
		{
			name: "new revision, unknown method", body: request("rows/list", "{"+modernMeta+"}"), headers: []string{"Mcp-Protocol-Version", newest, "Mcp-Method", "rows/list"},
			status: 404, want: rpcError{"1", -32601},
		},
		{
			name: "new revision, removed method", body: request("ping", "{"+modernMeta+"}"), headers: []string{"Mcp-Protocol-Version", newest, "Mcp-Method", "ping"},
			status: 404, want: rpcError{"1", -32601},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			method, headers := http.MethodPost, tt.headers
			if len(headers) > 0 && headers[0] == "method" {
				method, headers = headers[1], headers[2:]
			}
			res := send(t, method, url, strings.NewReader(tt.body), headers...)
			if res.Status != tt.status {
				t.Errorf("status %d, want %d: %s", res.Status, tt.status, res.Body)
			}
			if got := res.Header.Get("Content-Type"); got != "application/json" {
				t.Errorf("Content-Type %q", got)
			}
			if diff := cmp.Diff(tt.want, faultOf(t, res.Body)); diff != "" {
				t.Errorf("%s\n%s", diff, res.Body)
			}
			for _, leak := range []string{"mcp.", "jsonrpc2", "unmarshal", "*", "goroutine"} {
				if strings.Contains(res.Body, leak) {
					t.Errorf("the body names %q: %s", leak, res.Body)
				}
			}
		})
	}
}

func TestServed(t *testing.T) {
	t.Parallel()
	url := serve(t, newShop(), quiet())
	body := toolCall("list", `{"resource":"orders"}`)
	for name, headers := range map[string][]string{
		"no Accept":       {"Accept", ""},
		"both":            {"Accept", "application/json, text/event-stream"},
		"anything":        {"Accept", "*/*"},
		"JSON":            {"Accept", "application/json"},
		"a family":        {"Accept", "application/*;q=0.1"},
		"JSON alone":      {"Accept", "application/json;q=0.5, */*;q=0"},
		"JSON after all":  {"Accept", "*/*;q=0, application/json;q=0.5"},
		"charset":         {"Content-Type", "application/json; charset=UTF-8"},
		"a dead session":  {"Mcp-Session-Id", "gone-since-the-restart"},
		"identity":        {"Content-Encoding", "identity"},
		"oldest revision": {"Mcp-Protocol-Version", "2024-11-05"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res := post(t, url, body, headers...)
			if res.Status != http.StatusOK || resultOf(t, res.Body).IsError {
				t.Fatalf("%d: %s", res.Status, res.Body)
			}
			want := map[string]string{"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Mcp-Session-Id": ""}
			for header, value := range want {
				if got := res.Header.Get(header); got != value {
					t.Errorf("%s: %q, want %q", header, got, value)
				}
			}
			if res.Header.Get("Content-Length") == "" {
				t.Error("no Content-Length")
			}
		})
	}
}

// The id comes back as the client wrote it, whatever the SDK makes of it inside.
func TestIDs(t *testing.T) {
	t.Parallel()
	url := serve(t, newShop(), quiet())
	for _, id := range []string{`0`, `""`, `1.5`, `"x"`, `-7`, `9007199254740993`, `1e2`, `"\u00e9\n"`} {
		for _, rest := range []string{
			`"method":"tools/call","params":{"name":"list","arguments":{"resource":"orders"}}`,
			`"method":"tools/list"`, `"method":"ping"`, `"method":"nothing"`, `"method":"tools/call","params":{"name":"drop"}`,
		} {
			res := post(t, url, `{"jsonrpc":"2.0","id":`+id+`,`+rest+`}`)
			if !strings.HasPrefix(res.Body, `{"jsonrpc":"2.0","id":`+id+`,`) {
				t.Errorf("id %s, %s: %s", id, rest, res.Body)
			}
		}
	}
}

func TestNotifications(t *testing.T) {
	t.Parallel()
	url := serve(t, newShop(), quiet())
	for _, body := range []string{
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","method":"notifications/unheard"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`,
	} {
		if res := post(t, url, body); res.Status != http.StatusAccepted || res.Body != "" {
			t.Errorf("%s: %d %s", body, res.Status, res.Body)
		}
	}
}

func TestPath(t *testing.T) {
	t.Parallel()
	opts := quiet()
	opts.Path = "/mcp"
	url := serve(t, newShop(), opts)
	if res := post(t, url+"/mcp", request("ping", "{}")); res.Status != http.StatusOK {
		t.Errorf("at its path: %d %s", res.Status, res.Body)
	}
	if res := post(t, url+"/.well-known/oauth-protected-resource", ""); res.Status != http.StatusNotFound || faultOf(t, res.Body).Code == 0 {
		t.Errorf("elsewhere: %d %s", res.Status, res.Body)
	}
}

// endless is a body that never ends and counts what was taken of it.
type endless struct{ taken atomic.Int64 }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	e.taken.Add(int64(len(p)))
	return len(p), nil
}

// A body without end is refused early, and nothing about it is an error of ours.
func TestEndlessBody(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	opts := quiet()
	opts.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	url := serve(t, newShop(), opts)
	e := &endless{}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, e)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+tokenOne)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err == nil {
		_ = res.Body.Close()
		if res.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("status %d", res.StatusCode)
		}
	}
	if n := e.taken.Load(); n > 16<<20 {
		t.Errorf("%d bytes were taken", n)
	}
	if log.Len() > 0 {
		t.Errorf("logged: %s", log.String())
	}
}

// An upload that breaks off is the client's affair.
func TestAbortedUpload(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	events := make(chan mcpserver.Event, 1)
	opts := quiet()
	opts.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	opts.Events = func(_ context.Context, e mcpserver.Event) { events <- e }
	url := serve(t, newShop(), opts)
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	host := strings.TrimPrefix(url, "http://")
	if _, err := io.WriteString(conn, "POST / HTTP/1.1\r\nHost: "+host+"\r\nAuthorization: Bearer KEY_ONE\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"json"); err != nil {
		t.Fatal(err)
	}
	_ = conn.Close()
	if e := <-events; e.Outcome != mcpserver.OutcomeInvalid {
		t.Errorf("outcome %s", e.Outcome)
	}
	if log.Len() > 0 {
		t.Errorf("logged: %s", log.String())
	}
}
