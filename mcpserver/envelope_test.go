package mcpserver_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/mcpserver"
)

func TestParse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, body string
		want       mcpserver.Message
		code       int64
	}{
		{name: "empty", code: -32700},
		{name: "blanks", body: " \n", code: -32700},
		{name: "half", body: `{"jsonrpc":"2.0","id":1`, code: -32700},
		{name: "two documents", body: `{"jsonrpc":"2.0","id":1,"method":"ping"}{}`, code: -32700},
		{name: "bad UTF-8", body: "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"p\xff\"}", code: -32700},
		{name: "byte order mark", body: "\ufeff" + request("ping", "{}"), code: -32700},
		{name: "NUL", body: "{\"jsonrpc\":\"2.0\",\x00\"id\":1,\"method\":\"ping\"}", code: -32700},
		{name: "too deep", body: request("ping", `{"a":`+strings.Repeat("[", 100)+strings.Repeat("]", 100)+`}`), code: -32700},
		{name: "batch", body: "[" + request("ping", "{}") + "]", code: -32600},
		{name: "empty batch", body: "[]", code: -32600},
		{name: "a string", body: `"ping"`, code: -32600},
		{name: "null", body: "null", code: -32600},
		{name: "no version", body: `{"id":1,"method":"ping"}`, want: mcpserver.Message{ID: "1"}, code: -32600},
		{name: "version 1", body: `{"jsonrpc":"1.0","id":1,"method":"ping"}`, want: mcpserver.Message{ID: "1"}, code: -32600},
		{name: "no method", body: `{"jsonrpc":"2.0","id":"x"}`, want: mcpserver.Message{ID: `"x"`}, code: -32600},
		{name: "method a number", body: `{"jsonrpc":"2.0","id":1.5,"method":7}`, want: mcpserver.Message{ID: "1.5"}, code: -32600},
		{name: "id null", body: `{"jsonrpc":"2.0","id":null,"method":"ping"}`, code: -32600},
		{name: "id an object", body: `{"jsonrpc":"2.0","id":{},"method":"ping"}`, code: -32600},
		{name: "id true", body: `{"jsonrpc":"2.0","id":true,"method":"ping"}`, code: -32600},
		{name: "id twice", body: `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, code: -32600},
		{name: "id too long", body: `{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 256) + `","method":"ping"}`, code: -32600},
		{name: "method twice", body: `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`, want: mcpserver.Message{ID: "1"}, code: -32600},
		{name: "escaped twin", body: `{"jsonrpc":"2.0","id":1,"method":"ping","\u006dethod":"tools/list"}`, want: mcpserver.Message{ID: "1"}, code: -32600},
		{name: "NUL in a name", body: `{"jsonrpc":"2.0","id":1,"method":"ping","method\u0000":"tools/list"}`, want: mcpserver.Message{ID: "1"}, code: -32600},
		{
			name: "params an array", body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}`, code: -32602,
			want: mcpserver.Message{ID: "1", Method: "ping"},
		},
		{
			name: "name twice", body: request("tools/call", `{"name":"list","name":"get"}`), code: -32602,
			want: mcpserver.Message{ID: "1", Method: "tools/call", Params: `{"name":"list","name":"get"}`},
		},
		{
			name: "meta twice", body: request("ping", `{"_meta":{"a":1,"a":2}}`), code: -32602,
			want: mcpserver.Message{ID: "1", Method: "ping", Params: `{"_meta":{"a":1,"a":2}}`},
		},
		{
			name: "meta a string", body: request("ping", `{"_meta":"x"}`), code: -32602,
			want: mcpserver.Message{ID: "1", Method: "ping", Params: `{"_meta":"x"}`},
		},
		{
			name: "no params", body: `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, code: -32602,
			want: mcpserver.Message{ID: "1", Method: "tools/call"},
		},
		{
			name: "name a number", body: request("tools/call", `{"name":5}`), code: -32602,
			want: mcpserver.Message{ID: "1", Method: "tools/call", Params: `{"name":5}`},
		},
		{
			name: "exact case decides", body: request("tools/call", `{"Name":"list","name":"resources","Arguments":{"x":1}}`),
			want: mcpserver.Message{
				ID: "1", Method: "tools/call", Name: "resources",
				Params: `{"Name":"list","name":"resources","Arguments":{"x":1}}`,
			},
		},
		{
			name: "call", body: " " + `{"jsonrpc" : "2.0", "params":{"name":"list","arguments":{"a":"\"}"}}, "method":"tools\/call","id":0}`,
			want: mcpserver.Message{
				ID: "0", Method: "tools/call", Name: "list", Arguments: `{"a":"\"}"}`,
				Params: `{"name":"list","arguments":{"a":"\"}"}}`,
			},
		},
		{name: "id empty", body: `{"jsonrpc":"2.0","id":"","method":"ping"}`, want: mcpserver.Message{ID: `""`, Method: "ping"}},
		{name: "notification", body: `{"jsonrpc":"2.0","method":"notifications/initialized"}`, want: mcpserver.Message{Method: "notifications/initialized"}},
		{name: "params null", body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":null}`, want: mcpserver.Message{ID: "1", Method: "ping"}},
		{name: "reply", body: `{"jsonrpc":"2.0","id":1,"result":{}}`, want: mcpserver.Message{ID: "1", Reply: true}},
		{name: "reply without id", body: `{"jsonrpc":"2.0","result":{}}`, want: mcpserver.Message{Reply: true}, code: -32600},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, code := mcpserver.Parse([]byte(tt.body))
			if code != tt.code {
				t.Errorf("code %d, want %d", code, tt.code)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What the front reads is what an exact reader of the whole document reads.
func FuzzParse(f *testing.F) {
	for _, body := range []string{
		toolCall("list", `{"resource":"orders","filter":{"a":[1,2.5e3,"x\"y"]}}`), request("ping", "{}"), "[]", "{}", `{"jsonrpc":"2.0","id":1.5,"method":"x"}`,
		`{"jsonrpc":"2.0","id":"\u0041","method":"tools/call","params":{"name":"a","_meta":{"k":[]}}}`, `{"a":1,"a":2}`, "\"", `{"jsonrpc":"2.0","id":null}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		m, code := mcpserver.Parse(body)
		switch code {
		case 0, -32700, -32600, -32602:
		default:
			t.Fatalf("code %d", code)
		}
		if m.ID != "" && !json.Valid([]byte(m.ID)) {
			t.Fatalf("the id %q is not JSON", m.ID)
		}
		if code != 0 {
			return
		}
		var exact map[string]json.RawMessage
		if err := json.Unmarshal(body, &exact); err != nil {
			t.Fatalf("accepted what is no object: %v", err)
		}
		var method string
		if !m.Reply && (json.Unmarshal(exact["method"], &method) != nil || method != m.Method) {
			t.Fatalf("method %q, the document says %s", m.Method, exact["method"])
		}
		if m.Arguments != "" && !json.Valid([]byte(m.Arguments)) {
			t.Fatalf("the arguments %q are not JSON", m.Arguments)
		}
	})
}

func FuzzMembers(f *testing.F) {
	for _, s := range []string{`{}`, `{ "a" : [1, {"b":"]}"}] , "c":-1e5}`, `[1,"a\\",[],{},null]`, `["\"",2]`, `{"a":true}`, "[[[]]]"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !mcpserver.WellFormed(raw) {
			return
		}
		if !json.Valid(raw) {
			t.Fatal("accepted what is not JSON")
		}
		var text string
		if err := json.Unmarshal([]byte(mcpserver.Quoted(raw)), &text); err != nil || !json.Valid([]byte(text)) {
			t.Fatalf("quoted as %s: %v", mcpserver.Quoted(raw), err)
		}
		var object map[string]json.RawMessage
		var array []json.RawMessage
		if json.Unmarshal(raw, &object) == nil && object != nil {
			checkMembers(t, raw, object)
		} else if json.Unmarshal(raw, &array) == nil && array != nil {
			var want []string
			for _, e := range array {
				want = append(want, string(e))
			}
			if diff := cmp.Diff(want, mcpserver.Elements(raw)); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

// checkMembers compares with the last of repeated names, which is what encoding/json keeps.
func checkMembers(t *testing.T, raw []byte, want map[string]json.RawMessage) {
	t.Helper()
	got := map[string]json.RawMessage{}
	flat := mcpserver.Members(raw)
	for i := 0; i < len(flat); i += 2 {
		got[flat[i]] = json.RawMessage(flat[i+1])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
}
