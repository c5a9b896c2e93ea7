package mcpserver_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The SDK's own client, over HTTP and over a pair of pipes.
func TestSDKClient(t *testing.T) {
	t.Parallel()
	bearer := &http.Client{Transport: withToken{tokenOne}}
	in, clientOut := io.Pipe()
	clientIn, out := io.Pipe()
	s := newServer(t, newShop(), quiet())
	p := principal(t, tokenOne)
	go func() { _ = s.ServeStdio(context.WithoutCancel(t.Context()), p, in, out) }()
	for name, transport := range map[string]mcp.Transport{
		"HTTP":  &mcp.StreamableClientTransport{Endpoint: serve(t, newShop(), quiet()), HTTPClient: bearer},
		"stdio": &mcp.IOTransport{Reader: clientIn, Writer: clientOut},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
			session, err := client.Connect(t.Context(), transport, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = session.Close() }()
			useSession(t, session)
		})
	}
}

func useSession(t *testing.T, session *mcp.ClientSession) {
	t.Helper()
	listed, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range listed.Tools {
		names = append(names, tool.Name)
	}
	if diff := cmp.Diff([]string{"aggregate", "get", "list", "resource_schema", "resources"}, names); diff != "" {
		t.Error(diff)
	}
	good, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "list", Arguments: map[string]any{"resource": "orders"}})
	if err != nil {
		t.Fatal(err)
	}
	rows, _ := json.Marshal(good.StructuredContent)
	text, ok := good.Content[0].(*mcp.TextContent)
	if good.IsError || !ok || len(rows) < 10 || decodedText(t, text.Text) != decodedText(t, string(rows)) {
		t.Errorf("list answered %s", rows)
	}
	bad, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "list", Arguments: map[string]any{"resource": "order"}})
	if err != nil || !bad.IsError {
		t.Errorf("a mistake is a result: %v %+v", err, bad)
	}
	if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "drop"}); err == nil {
		t.Error("an unknown tool is no error")
	}
}

func decodedText(t *testing.T, text string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	out, _ := json.Marshal(v)
	return string(out)
}

type withToken struct{ token string }

func (w withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+w.token)
	return http.DefaultTransport.RoundTrip(r)
}
