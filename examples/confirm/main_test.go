package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tenantry/tenantry/mcpserver"
)

// wire puts a token into every request, and keeps the answers.
type wire struct {
	token  string
	bodies []string
}

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+w.token)
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	w.bodies = append(w.bodies, string(body))
	res.Body = io.NopCloser(bytes.NewReader(body))
	return res, err
}

// results are the types of the results that came in, in order.
func (w *wire) results(t *testing.T) string {
	t.Helper()
	var types []string
	for _, body := range w.bodies {
		var message struct{ Result struct{ ResultType string } }
		if err := json.Unmarshal([]byte(body), &message); err != nil {
			t.Fatalf("%v in %s", err, body)
		}
		types = append(types, message.Result.ResultType)
	}
	return strings.Join(types, " ")
}

// person answers every form alike, and keeps what it was shown.
type person struct {
	says  *mcp.ElicitResult
	shown []string
}

func (p *person) answer(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	form, err := json.Marshal(req.Params.RequestedSchema)
	p.shown = append(p.shown, req.Params.Message+" "+string(form))
	return p.says, err
}

// overHTTP and overStdio are the client's end of a transport for the token acme.
func overHTTP(t *testing.T, s *mcpserver.Server, w *wire) mcp.Transport {
	t.Helper()
	known, err := tokens()
	if err != nil {
		t.Fatal(err)
	}
	handler, err := s.HTTP(known)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return &mcp.StreamableClientTransport{Endpoint: server.URL + "/mcp", HTTPClient: &http.Client{Transport: w}}
}

func overStdio(t *testing.T, s *mcpserver.Server) mcp.Transport {
	t.Helper()
	known, err := tokens()
	if err != nil {
		t.Fatal(err)
	}
	p, err := known.Verify(t.Context(), "acme", nil)
	if err != nil {
		t.Fatal(err)
	}
	in, clientOut := io.Pipe()
	clientIn, out := io.Pipe()
	go func() { _ = s.ServeStdio(context.WithoutCancel(t.Context()), p, in, out) }()
	return &mcp.IOTransport{Reader: clientIn, Writer: clientOut}
}

// connect is the official SDK's client, which shows forms where there is a person.
func connect(t *testing.T, over mcp.Transport, revision string, p *person) *mcp.ClientSession {
	t.Helper()
	opts := &mcp.ClientOptions{}
	if p != nil {
		opts.ElicitationHandler = p.answer
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, opts).
		Connect(t.Context(), over, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// call returns the text of an answer, which is its JSON.
func call(t *testing.T, session *mcp.ClientSession, arguments string) string {
	t.Helper()
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "refund", Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatal(err)
	}
	text := res.Content[0].(*mcp.TextContent).Text
	if res.IsError != strings.HasPrefix(text, `{"error":`) {
		t.Errorf("isError is %t: %s", res.IsError, text)
	}
	return text
}

const (
	newest = "2026-07-28"
	stable = "2025-11-25"

	refunded = `{"outcome":"refunded","entry":"19.90 to Ada, damaged: Sorry!"}`
	again    = `{"error":{"code":"invalid_argument","message":"this order is refunded already","path":"/id"}}`
	shown    = `Refund 19.90 to Ada? {"properties":{` +
		`"note":{"description":"What the customer is told.","maxLength":200,"title":"Note","type":"string"},` +
		`"reason":{"oneOf":[{"const":"damaged","title":"It came damaged"},{"const":"late","title":"It came too late"}],"title":"Reason","type":"string"}},` +
		`"required":["reason","note"],"type":"object"}`
)

// A person is asked in the same form whatever way the client can be asked, and nothing changes unless it agrees.
func TestConfirm(t *testing.T) {
	t.Parallel()
	for _, over := range []string{"HTTP", "stdio"} {
		t.Run(over, func(t *testing.T) {
			t.Parallel()
			s, err := serve(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			p, w := &person{}, &wire{token: "acme"}
			var session *mcp.ClientSession
			if over == "HTTP" {
				session = connect(t, overHTTP(t, s, w), newest, p)
			} else {
				session = connect(t, overStdio(t, s), stable, p)
			}
			for _, tt := range []struct {
				action  string
				content map[string]any
				want    string
			}{
				{"decline", nil, `{"outcome":"decline"}`},
				{"cancel", nil, `{"outcome":"cancel"}`},
				{"accept", map[string]any{"reason": "damaged", "note": "Sorry!"}, refunded},
				{"accept", map[string]any{"reason": "late", "note": "Twice."}, again},
			} {
				p.says, p.shown, w.bodies = &mcp.ElicitResult{Action: tt.action, Content: tt.content}, nil, nil
				got := call(t, session, `{"id":1}`)
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("%s %v: %s", tt.action, tt.content, diff)
				}
				if diff := cmp.Diff([]string{shown}, p.shown); diff != "" {
					t.Error(diff)
				}
				if got := w.results(t); over == "HTTP" && got != "input_required complete" {
					t.Errorf("%s: the results are %s", tt.action, got)
				}
			}
		})
	}
}

// A client that cannot ask is told so, and nothing changes.
func TestCannotAsk(t *testing.T) {
	t.Parallel()
	const want = `{"error":{"code":"forbidden","message":"this call asks the person behind the client, and this client cannot be asked: ` +
		`use one that declares the elicitation capability, over HTTP with protocol revision 2026-07-28"}}`
	s, err := serve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	yes := &person{says: &mcp.ElicitResult{Action: "accept", Content: map[string]any{"reason": "damaged", "note": "Sorry!"}}}
	for name, session := range map[string]*mcp.ClientSession{
		"HTTP, no forms":            connect(t, overHTTP(t, s, &wire{token: "acme"}), newest, nil),
		"stdio, no forms":           connect(t, overStdio(t, s), stable, nil),
		"HTTP of an older revision": connect(t, overHTTP(t, s, &wire{token: "acme"}), stable, yes),
	} {
		if diff := cmp.Diff(want, call(t, session, `{"id":1}`)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if got := call(t, connect(t, overStdio(t, s), stable, yes), `{"id":1}`); got != refunded {
		t.Errorf("something changed before: %s", got)
	}
}

// Nobody is asked about an order of another account.
func TestForeignOrder(t *testing.T) {
	t.Parallel()
	s, err := serve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p := &person{}
	got := call(t, connect(t, overStdio(t, s), stable, p), `{"id":2}`)
	want := `{"error":{"code":"not_found","message":"orders has no row with the id \"2\": send an id that a listing of it shows"}}`
	if diff := cmp.Diff(want, got); diff != "" || p.shown != nil {
		t.Error(diff, p.shown)
	}
}
