package mcpserver_test

import (
	"os"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/mcpserver"
)

// The schema as a text to read.
func TestMarkdown(t *testing.T) {
	t.Parallel()
	schema, err := os.ReadFile("testdata/schema_orders.json")
	if err != nil {
		t.Fatal(err)
	}
	text, err := mcpserver.Markdown(schema, "acme_")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "schema_orders.md", text)
	if len(text) > len(schema) {
		t.Errorf("%d bytes say what %d bytes of JSON do", len(text), len(schema))
	}
}

func TestMarkdownOfKeys(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{
		`{"fields":["id"],"type":"uuid"}`:                    "Key: `id`. Read one row with `get` or at `tenantry://order%20lines/{id}`, many with `list`.",
		`{"fields":["order_id","no"],"type":"composite"}`:    "Key: `order_id`, `no`, joined by `:`, each with",
		`{"fields":[],"type":"bigint"}`:                      "Key: of type bigint, not among the fields.",
		`{"fields":["a` + "`" + `\nb"],"type":"text"}`:       "Key: `` a` b ``.",
		`{"fields":["id"],"type":"uuid"},"relationships":[]`: "Key: `id`.",
	} {
		text, err := mcpserver.Markdown([]byte(`{"name":"order lines","key":`+key+`}`), "")
		if err != nil || !strings.Contains(text, want) || strings.Contains(text, "Relations") || strings.Contains(text, "Further") {
			t.Errorf("%s: %v\n%s", key, err, text)
		}
	}
	if _, err := mcpserver.Markdown([]byte("{"), ""); err == nil {
		t.Error("half JSON became a text")
	}
}
