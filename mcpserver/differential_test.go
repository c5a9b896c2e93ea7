package mcpserver_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/mcpserver"
)

const (
	newest = "2026-07-28"
	stable = "2025-11-25"
)

// modernMeta is what every call of the sessionless revision carries.
const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

// The front answers calls itself. This test holds it to what the SDK answers.
func TestFrontAnswersAsTheSDK(t *testing.T) {
	t.Parallel()
	calls := map[string]string{
		"list":       `"name":"list","arguments":{"resource":"orders"}`,
		"get":        `"name":"get","arguments":{"resource":"orders","id":7}`,
		"resources":  `"name":"resources"`,
		"schema":     `"name":"resource_schema","arguments":{"resource":"orders"}`,
		"aggregate":  `"name":"aggregate","arguments":{"resource":"orders","group_by":"state"}`,
		"mistakes":   `"name":"list","arguments":{"resource":"ordrs","limit":-1,"colour":"red"}`,
		"text":       `"name":"list","arguments":"{\"resource\":\"orders\"}"`,
		"not found":  `"name":"get","arguments":{"resource":"orders","id":8}`,
		"large":      `"name":"list","arguments":{"resource":"huge"}`,
		"in meta":    `"name":"list","arguments":{"resource":"orders"},"_meta":{"tenantry/tenant":2}`,
		"no meaning": `"name":"list","arguments":[1]`,
	}
	for _, content := range []mcpserver.Content{mcpserver.ContentBoth, mcpserver.ContentText, mcpserver.ContentStructured} {
		opts := quiet()
		opts.Content = content
		s := newServer(t, newShop(), opts)
		for name, params := range calls {
			t.Run(string(content)+"/"+name, func(t *testing.T) {
				t.Parallel()
				compare(t, s, `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{`+params+`}}`, stable)
				if name != "in meta" {
					compare(t, s, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{`+params+`,`+modernMeta+`}}`, newest)
				}
			})
		}
	}
}

func compare(t *testing.T, s *mcpserver.Server, body, version string) {
	t.Helper()
	p := principal(t, tokenMany)
	p, err := p.Activate("2")
	if err != nil {
		t.Fatal(err)
	}
	viaSDK, err := s.ViaSDK(t.Context(), p, []byte(body), version)
	if err != nil {
		t.Fatal(err)
	}
	direct := s.Direct(t.Context(), p, []byte(body), version)
	if diff := cmp.Diff(decoded(t, viaSDK), decoded(t, direct)); diff != "" {
		t.Errorf("%s: the front differs from the SDK (-SDK +front):\n%s", version, diff)
	}
}

func decoded(t *testing.T, body []byte) (out any) {
	t.Helper()
	if err := json.Unmarshal(body, &out); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return out
}
