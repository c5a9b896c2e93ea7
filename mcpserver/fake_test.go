package mcpserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/tenant"
)

// shop stands in for an executor: a few resources that answer, fail, crash or wait. It keeps the requests
// it was asked.
type shop struct {
	started chan struct{} // told when a call of the resource "slow" begins
	ended   chan error    // and how its context ended

	plain bool // no resource takes part in aggregate

	mu   sync.Mutex
	asks []any
}

func newShop() *shop {
	return &shop{started: make(chan struct{}, 8), ended: make(chan error, 8)}
}

func (s *shop) asked(req any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asks = append(s.asks, req)
}

func (s *shop) last(t *testing.T) any {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.asks) == 0 {
		t.Fatal("the reader was not asked")
	}
	return s.asks[len(s.asks)-1]
}

func (s *shop) calls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.asks)
}

var visible = []string{"orders", "customers", "slow", "crash", "broken", "away", "huge"}

func (s *shop) lookup(name string, mistakes resource.Errors) resource.Errors {
	if slices.Contains(visible, name) {
		return mistakes
	}
	err := resource.Errorf(resource.UnknownResource, "/resource", "there is no resource %s: send a name from the list of resources", resource.Echo(name))
	err.Allowed, err.Suggestions = visible, resource.Nearest(name, visible)
	return append(mistakes, err)
}

func (s *shop) List(ctx context.Context, p *auth.Principal, req executors.ListRequest) (*executors.Answer, error) {
	s.asked(req)
	if mistakes := s.lookup(req.Resource, req.Mistakes); len(mistakes) > 0 {
		return nil, mistakes
	}
	switch req.Resource {
	case "crash":
		panic("SECRET of another tenant")
	case "broken":
		return nil, errors.New(`ERROR: relation "secret_table" does not exist (SQLSTATE 42P01) host=10.0.0.7`)
	case "away":
		return nil, resource.Errorf(resource.Unavailable, "", "the database cannot be reached now: send the same call later").
			Caused(errors.New("dial tcp 10.0.0.7:5432: refused"))
	case "slow":
		s.started <- struct{}{}
		<-ctx.Done()
		s.ended <- context.Cause(ctx)
		return nil, ctx.Err()
	case "huge":
		return answer(`{"resource":"huge","rows":["%s"],"meta":{}}`, strings.Repeat("x<>&\u2028é", 10_000)), nil
	}
	return answer(`{"resource":%q,"rows":[{"id":7,"tenant":%q,"note":"a \"quoted\" <b>\\n\u2028é"}],"meta":{"limit":25,"returned":1,"has_more":false}}`,
		req.Resource, p.Tenant().Key()), nil
}

func (s *shop) Get(_ context.Context, p *auth.Principal, req executors.GetRequest) (*executors.Answer, error) {
	s.asked(req)
	if mistakes := s.lookup(req.Resource, req.Mistakes); len(mistakes) > 0 {
		return nil, mistakes
	}
	if string(req.ID) != "7" && string(req.ID) != `"7"` {
		return nil, resource.Errorf(resource.NotFound, "", "there is no row %s of %s", resource.Clip(string(req.ID)), req.Resource)
	}
	return answer(`{"resource":%q,"row":{"id":7,"tenant":%q}}`, req.Resource, p.Tenant().Key()), nil
}

func (s *shop) Aggregate(_ context.Context, p *auth.Principal, req executors.AggregateRequest) (*executors.Answer, error) {
	s.asked(req)
	if mistakes := s.lookup(req.Resource, req.Mistakes); len(mistakes) > 0 {
		return nil, mistakes
	}
	return answer(`{"resource":%q,"groups":[{"tenant":%q,"count":3}],"meta":{"limit":25,"returned":1,"has_more":false}}`, req.Resource, p.Tenant().Key()), nil
}

func (s *shop) Aggregates() bool { return !s.plain }

func (s *shop) Resources(*auth.Principal) *executors.Answer {
	return answer(`{"resources":[{"name":"orders","description":"Orders.","filterable":true}]}`)
}

func (s *shop) Schema(_ context.Context, _ *auth.Principal, name string, mistakes resource.Errors) (*executors.Answer, error) {
	s.asked(name)
	if mistakes = s.lookup(name, mistakes); len(mistakes) > 0 {
		return nil, mistakes
	}
	return answer(`{"name":%q,"key":{"fields":["id"],"type":"bigint"}}`, name), nil
}

func (s *shop) TenantKind() tenant.Kind { return tenant.KindInt }

func answer(format string, args ...any) *executors.Answer {
	return &executors.Answer{JSON: fmt.Appendf(nil, format, args...), Rows: 1}
}

// Tokens of the fixture.
const (
	tokenOne  = "KEY_ONE"
	tokenTwo  = "KEY_TWO"
	tokenMany = "KEY_MANY"
	tokenDave = "KEY_DAVE"
)

func grants(t testing.TB) map[string]auth.Grant {
	t.Helper()
	one, two := intTenant(t, 1), intTenant(t, 2)
	return map[string]auth.Grant{
		tokenOne:   {Subject: "alice", Tenants: []tenant.ID{one}},
		tokenTwo:   {Subject: "bob", Tenants: []tenant.ID{two}},
		tokenMany:  {Subject: "carol", Tenants: []tenant.ID{one, two}},
		tokenAdmin: adminGrant(t),
		tokenDave:  {Subject: "dave", Tenants: []tenant.ID{one, two}},
	}
}

func intTenant(t testing.TB, n int64) tenant.ID {
	t.Helper()
	id, err := tenant.Int(n)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func principal(t testing.TB, token string) *auth.Principal {
	t.Helper()
	p, err := auth.NewPrincipal(grants(t)[token])
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// quiet are options that log nowhere.
func quiet() *mcpserver.Options {
	return &mcpserver.Options{
		Name: "acme", Version: "1.2.3",
		Logger: slog.New(slog.DiscardHandler),
		Events: func(context.Context, mcpserver.Event) {},
	}
}

func newServer(t testing.TB, r mcpserver.Source, opts *mcpserver.Options) *mcpserver.Server {
	t.Helper()
	s, err := mcpserver.NewServer(r, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func verifier(t testing.TB) *auth.Static {
	t.Helper()
	v, err := auth.NewStatic(grants(t))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// serve starts a real HTTP server and returns its URL.
func serve(t testing.TB, r mcpserver.Source, opts *mcpserver.Options) string {
	t.Helper()
	return served(t, newServer(t, r, opts))
}

// served is the URL of a server behind a real HTTP server.
func served(t testing.TB, s *mcpserver.Server) string {
	t.Helper()
	h, err := s.HTTP(verifier(t))
	if err != nil {
		t.Fatal(err)
	}
	ts := httptest.NewServer(h)
	t.Cleanup(ts.Close)
	return ts.URL
}

// response is what the tests look at.
type response struct {
	Status int
	Header http.Header
	Body   string
}

// post sends a body with a good token, a content type and the given headers; an empty value removes one.
func post(t testing.TB, url, body string, headers ...string) response {
	t.Helper()
	return send(t, http.MethodPost, url, strings.NewReader(body), headers...)
}

func send(t testing.TB, method, url string, body io.Reader, headers ...string) response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+tokenOne)
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		switch name, value := headers[i], headers[i+1]; {
		case name == "Host":
			req.Host = value
		case value == "":
			req.Header.Del(name)
		default:
			req.Header.Set(name, value)
		}
	}
	return do(t, req)
}

func do(t testing.TB, req *http.Request) response {
	t.Helper()
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response{res.StatusCode, res.Header, string(data)}
}

// request is a JSON-RPC request of a method.
func request(method, params string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
}

// toolCall is a JSON-RPC request of a tool.
func toolCall(tool, arguments string) string {
	return request("tools/call", `{"name":"`+tool+`","arguments":`+arguments+`}`)
}

// toolResult takes the result of a tool apart.
type toolResult struct {
	IsError    bool
	Structured string
	Text       string
}

func resultOf(t testing.TB, body string) toolResult {
	t.Helper()
	var wire struct {
		Result struct {
			IsError           bool            `json:"isError"`
			StructuredContent json.RawMessage `json:"structuredContent"`
			Content           []struct{ Text string }
		}
	}
	if err := json.Unmarshal([]byte(body), &wire); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	out := toolResult{IsError: wire.Result.IsError, Structured: string(wire.Result.StructuredContent)}
	if len(wire.Result.Content) == 1 {
		out.Text = wire.Result.Content[0].Text
	}
	return out
}

// mistakesOf returns the mistakes that an answer reports.
func mistakesOf(t testing.TB, body string) []resource.Error {
	t.Helper()
	var wire struct {
		Error  *resource.Error
		Errors []resource.Error
	}
	if err := json.Unmarshal([]byte(body), &wire); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	if wire.Error == nil {
		return nil
	}
	if wire.Errors == nil {
		return []resource.Error{*wire.Error}
	}
	return wire.Errors
}

// rpcError takes a JSON-RPC error apart.
type rpcError struct {
	ID   string
	Code int64
}

func faultOf(t testing.TB, body string) rpcError {
	t.Helper()
	var wire struct {
		JSONRPC string
		ID      json.RawMessage
		Error   struct {
			Code    int64
			Message string
		}
	}
	if err := json.Unmarshal([]byte(body), &wire); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	if wire.JSONRPC != "2.0" || wire.Error.Message == "" {
		t.Errorf("not a JSON-RPC error: %s", body)
	}
	return rpcError{string(wire.ID), wire.Error.Code}
}
