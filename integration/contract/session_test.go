package contract_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

const sessionHeader = "Mcp-Session-Id"

// inSession sends a request with a session's id, unless that is nil, and returns what came back of it: the status, the
// session's id and the body.
func (s *server) inSession(t *testing.T, method, body, key string, id *string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	if id != nil {
		req.Header.Set(sessionHeader, *id)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	reply, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	quiet(t, reply, body)
	return fmt.Sprintf("%d, session %q: %s", res.StatusCode, res.Header.Values(sessionHeader), reply)
}

// inTurn are requests of one client, and how the answers to one who is known begin. What only a session has is refused
// to everybody.
var inTurn = []struct{ method, body, want string }{
	{http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`, `200, session []: {"jsonrpc":"2.0","id":1,"result":`},
	{http.MethodPost, listing("orders"), `200, session []: {"jsonrpc":"2.0","id":1,"result":`},
	{http.MethodPost, listing("customers"), `200, session []: {"jsonrpc":"2.0","id":1,"result":`},
	{http.MethodGet, "", `405, session []: `},
	{http.MethodDelete, "", `405, session []: `},
	{http.MethodPost, listing("orders"), `200, session []: {"jsonrpc":"2.0","id":1,"result":`}, // the DELETE has ended nothing
}

func listing(name string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"resource":"` + name + `","fields":["id"]}}}`
}

// There is no session to take over: whatever id is sent, the answer is that of the key of this very call, and no id is
// given out.
func TestASessionIDIsNobody(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.start(t, twins)
		const made = "1f0c4b5e9d7a48f2a1c3e5d7f9b1a3c5"
		ids := []string{made, "", strings.Repeat("x", 3000)}
		different := map[string]bool{}
		for _, key := range []string{keyOne, keyTwo, keyOneLow, "KEY_OF_NOBODY", ""} {
			for _, r := range inTurn {
				if r.method == http.MethodPost && (key == "" || key == "KEY_OF_NOBODY") {
					r.want = `401, session []: `
				}
				without := s.inSession(t, r.method, r.body, key, nil)
				if !strings.HasPrefix(without, r.want) {
					t.Errorf("%q: %s %s: want %s, got %s", key, r.method, r.body, r.want, without)
				}
				different[without] = true
				for _, id := range ids {
					if got := s.inSession(t, r.method, r.body, key, &id); got != without {
						t.Errorf("%q: %s %s in session %.40q: %s, and without %s", key, r.method, r.body, id, got, without)
					}
				}
			}
		}
		if strings.Contains(s.logs.String(), made) {
			t.Error("the log holds a session's id")
		}
		if len(different) < 7 { // two tenants' orders and customers, the refusal to show customers, initialize, 405 and 401
			t.Errorf("the keys are answered alike: %v", different)
		}
	})
}
