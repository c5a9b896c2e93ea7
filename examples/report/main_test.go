package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// bearer puts a token into every request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// connect is the official SDK's client with a token.
func connect(t *testing.T, url, token string) *mcp.ClientSession {
	t.Helper()
	transport := &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: bearer(token)}}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

func endpoint(t *testing.T) string {
	t.Helper()
	handler, err := serve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL + "/mcp"
}

// call returns the text of an answer, which is its JSON.
func call(t *testing.T, session *mcp.ClientSession, arguments string) (text string, isError bool) {
	t.Helper()
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "sales", Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatal(err)
	}
	return res.Content[0].(*mcp.TextContent).Text, res.IsError
}

// One question, and each tenant is answered of its own.
func TestReport(t *testing.T) {
	t.Parallel()
	url := endpoint(t)
	acme, globex := connect(t, url, "acme"), connect(t, url, "globex")
	for _, tt := range []struct {
		name      string
		session   *mcp.ClientSession
		arguments string
		want      string
	}{
		{
			"defaults", acme, `{"from":"2026-07-01","to":"2026-07-31"}`,
			`{"orders":3,"total":"1220.00","largest":[{"customer":"Bo","total":"1200.05"},{"customer":"Ada","total":"19.90"}]}`,
		},
		{
			"the other tenant", globex, `{"from":"2026-07-01","to":"2026-07-31"}`,
			`{"orders":1,"total":"3.33","largest":[{"customer":"Zoe","total":"3.33"}]}`,
		},
		{
			"everything said", acme, `{"from":"2026-07-03","to":"2026-07-03","state":"open","limit":1}`,
			`{"orders":1,"total":"7.00","largest":[{"customer":"Bo","total":"7.00"}]}`,
		},
		{"nothing", globex, `{"from":"2026-08-01","to":"2026-08-31"}`, `{"orders":0,"total":"0.00","largest":[]}`},
	} {
		got, isError := call(t, tt.session, tt.arguments)
		if isError || got != tt.want {
			t.Errorf("%s:\n%s", tt.name, cmp.Diff(tt.want, got))
		}
	}
}

// All mistakes of one call are told at once, each with its place and what to send instead.
func TestMistakes(t *testing.T) {
	t.Parallel()
	session := connect(t, endpoint(t), "acme")
	for arguments, want := range map[string]string{
		`{"from":"2026-02-30","state":"lost","limit":0,"top":3}`: `{"error":{"code":"invalid_argument","message":"from must be a date such as 2026-07-01","path":"/from"},"errors":[` +
			`{"code":"invalid_argument","message":"from must be a date such as 2026-07-01","path":"/from"},` +
			`{"code":"invalid_argument","message":"state must be open or paid","path":"/state","allowed":["open","paid"]},` +
			`{"code":"invalid_argument","message":"limit must be at least 1","path":"/limit"},` +
			`{"code":"unknown_argument","message":"\"top\" is no member here: leave it out; it takes from, to, state, limit",` +
			`"path":"/top","allowed":["from","to","state","limit"],"suggestions":["to"]},` +
			`{"code":"invalid_argument","message":"to is missing: send a date such as 2026-07-01","path":"/to"}]}`,
		`{"from":"2026-07-31","to":"2026-07-01"}`: `{"error":{"code":"invalid_argument","message":"to is a day before from: send one that is not","path":"/to"}}`,
	} {
		got, isError := call(t, session, arguments)
		if diff := cmp.Diff(want, got); !isError || diff != "" {
			t.Errorf("%s: %s", arguments, diff)
		}
	}
}

// The structs are what an agent is told. Bounds are not advertised, since some hosts refuse them: descriptions tell.
func TestListing(t *testing.T) {
	t.Parallel()
	const want = `{"additionalProperties":false,"properties":{` +
		`"from":{"description":"The first day.","format":"date","type":"string"},` +
		`"limit":{"default":2,"description":"How many orders to list, at most 20.","type":"integer"},` +
		`"state":{"default":"paid","description":"Which orders count.","enum":["open","paid"],"type":"string"},` +
		`"to":{"description":"The last day.","format":"date","type":"string"}},` +
		`"required":["from","to"],"type":"object"}`
	for tool, err := range connect(t, endpoint(t), "acme").Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if tool.Name != "sales" {
			continue
		}
		got, err := json.Marshal(tool.InputSchema)
		if diff := cmp.Diff(want, string(got)); diff != "" || err != nil {
			t.Error(err, diff)
		}
		return
	}
	t.Error("there is no sales")
}
