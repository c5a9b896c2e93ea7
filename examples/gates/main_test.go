package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
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

// connect is the official SDK's client with each of the tokens.
func connect(t *testing.T) (pro, free *mcp.ClientSession) {
	t.Helper()
	handler, err := serve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	session := func(token string) *mcp.ClientSession {
		transport := &mcp.StreamableClientTransport{Endpoint: server.URL + "/mcp", HTTPClient: &http.Client{Transport: bearer(token)}}
		s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), transport, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
	return session("pro"), session("free")
}

// call returns the text of an answer, which is its JSON.
func call(t *testing.T, session *mcp.ClientSession, tool, arguments string) (text string, isError bool) {
	t.Helper()
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatal(err)
	}
	return res.Content[0].(*mcp.TextContent).Text, res.IsError
}

// schemas returns what a caller is told of the tool.
func schemas(t *testing.T, session *mcp.ClientSession) (in, out string) {
	t.Helper()
	for tool, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if tool.Name == "quote" {
			return text(t, tool.InputSchema), text(t, tool.OutputSchema)
		}
	}
	t.Fatal("there is no quote")
	return "", ""
}

func text(t *testing.T, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// Each caller is told of what is there for it.
func TestListing(t *testing.T) {
	t.Parallel()
	pro, free := connect(t)
	const (
		head     = `{"additionalProperties":false,"properties":{`
		discount = `"discount":{"description":"Percent, 1 to 30.","type":"integer"},`
		rest     = `"id":{"description":"Of a product.","type":"integer"},"quantity":{"default":1,"type":"integer"}},"required":["id"],"type":"object"}`
		money    = `{"pattern":"^-?[0-9]+(\\.[0-9]+)?$","type":"string"}`
		product  = `"price":` + money + `,"product":{"type":"string"}},"required":["product","price"`
	)
	for _, tt := range []struct {
		name    string
		session *mcp.ClientSession
		in, out string
	}{
		{
			"pro", pro,
			head + `"delivery":{"default":"standard","enum":["standard","express","courier"],"type":"string"},` + discount + rest,
			head + `"margin":` + money + `,` + product + `,"margin"],"type":"object"}`,
		},
		{
			"free", free,
			head + `"delivery":{"default":"standard","enum":["standard","express"],"type":"string"},` + rest,
			head + product + `],"type":"object"}`,
		},
	} {
		in, out := schemas(t, tt.session)
		if diff := cmp.Diff(tt.in, in); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
		if diff := cmp.Diff(tt.out, out); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

// What a caller may do it gets, and only that comes back, of the tool as of the rows behind it.
func TestQuote(t *testing.T) {
	t.Parallel()
	pro, free := connect(t)
	for _, tt := range []struct {
		session               *mcp.ClientSession
		tool, arguments, want string
	}{
		{pro, "quote", `{"id":1,"quantity":2,"delivery":"courier","discount":10}`, `{"product":"Anvil","price":"115.00","margin":"27.00"}`},
		{pro, "quote", `{"id":1}`, `{"product":"Anvil","price":"50.00","margin":"18.50"}`},
		{free, "quote", `{"id":2,"quantity":2,"delivery":"express"}`, `{"product":"Birdseed","price":"14.90"}`},
		{pro, "get", `{"resource":"products","id":"1"}`, `{"resource":"products","row":{"id":1,"name":"Anvil","cents":5000,"cost":3150}}`},
		{free, "get", `{"resource":"products","id":"2"}`, `{"resource":"products","row":{"id":2,"name":"Birdseed","cents":250}}`},
	} {
		got, isError := call(t, tt.session, tt.tool, tt.arguments)
		if diff := cmp.Diff(tt.want, got); isError || diff != "" {
			t.Errorf("%s: %s", tt.arguments, diff)
		}
	}
}

// What is hidden is refused in the very bytes in which anything is refused that never was.
func TestHiddenIsUnknown(t *testing.T) {
	t.Parallel()
	_, free := connect(t)
	for _, tt := range []struct{ arguments, hidden, unknown, want string }{
		{
			`{"id":2,"discount":5}`, "discount", "discoumt",
			`{"error":{"code":"unknown_argument","message":"\"discount\" is no member here: leave it out; it takes id, quantity, delivery",` +
				`"path":"/discount","allowed":["id","quantity","delivery"]}}`,
		},
		{
			`{"id":2,"delivery":"courier"}`, "courier", "pigeons",
			`{"error":{"code":"invalid_argument","message":"delivery must be standard or express","path":"/delivery","allowed":["standard","express"]}}`,
		},
		{ // a product of the other account
			`{"id":1}`, "1", "7",
			`{"error":{"code":"not_found","message":"products has no row with the id \"1\": send an id that a listing of it shows"}}`,
		},
	} {
		hidden, isError := call(t, free, "quote", tt.arguments)
		unknown, isErrorToo := call(t, free, "quote", strings.ReplaceAll(tt.arguments, tt.hidden, tt.unknown))
		if diff := cmp.Diff(tt.want, hidden); !isError || diff != "" {
			t.Errorf("%s: %s", tt.arguments, diff)
		}
		if got := strings.ReplaceAll(unknown, tt.unknown, tt.hidden); !isErrorToo || got != hidden {
			t.Errorf("%s: hidden and unknown differ:\n%s\n%s", tt.arguments, hidden, unknown)
		}
	}
}
