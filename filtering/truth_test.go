package filtering_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/resource"
)

// The cases on which filters of this kind have been seen to go wrong in silence: a value that is split,
// cast, dropped or ignored finds other rows than were asked for.
func TestTruthTable(t *testing.T) {
	t.Parallel()
	keys := filtering.NewKeys([]filtering.Key{
		column("name", resource.Plain(resource.Text)), column("price", resource.Plain(resource.Integer)),
		column("active", resource.Plain(resource.Boolean)), column("sold_at", resource.Plain(resource.TimestampTZ)),
		column("ref", resource.Plain(resource.UUID)), column("tag", resource.Plain(resource.CIText)),
		column("data", resource.Plain(resource.JSONB)),
	})
	const refused = "invalid_filter"
	for _, tt := range []struct{ name, filter, want string }{
		{"a comma is text", `{"name":"alpha,g_amma"}`, `(t."name" = ?) [alpha,g_amma]`},
		{"a set", `{"name":["alpha","g_amma"]}`, `(t."name" = ANY (?)) [[alpha g_amma]]`},
		{"nothing is trimmed", `{"name":"alpha, g_amma"}`, `(t."name" = ?) [alpha, g_amma]`},
		{"no empty elements", `{"name":"a,,b"}`, `(t."name" = ?) [a,,b]`},
		{"a lone comma", `{"name":","}`, `(t."name" = ?) [,]`},
		{"an empty set", `{"name":[]}`, refused},
		{"the word null", `{"name":"null"}`, `(t."name" = ?) [null]`},
		{"null", `{"name":null}`, `(t."name" IS NULL) []`},
		{"no value", `{"name":{"op":"eq"}}`, refused},
		{"an empty text", `{"name":""}`, `(t."name" = ?) []`},
		{"an empty text in a set", `{"name":[""]}`, `(t."name" = ANY (?)) [[]]`},
		{"eq of an empty text", `{"name":{"op":"eq","value":""}}`, `(t."name" = ?) []`},
		{"in of a text", `{"name":{"op":"in","value":""}}`, refused},
		{"null in a set", `{"name":["alpha",null]}`, `((t."name" = ANY (?)) OR (t."name" IS NULL)) [[alpha]]`},
		{"an object without op", `{"name":[{"value":"a"}]}`, refused},
		{"a nested list", `{"name":[[1]]}`, refused},
		{"matches", `{"name":{"op":"matches","value":"A"}}`, `(matches(t."name", ?)) [A]`},
		{"matches a percent sign", `{"name":{"op":"matches","value":"%"}}`, `(matches(t."name", ?)) [%]`},
		{"matches nothing", `{"name":{"op":"matches","value":""}}`, refused},
		{"does not match keeps nulls", `{"name":{"op":"does_not_match","value":"a"}}`, `((matches(t."name", ?)) IS NOT TRUE) [a]`},
		{"not_eq keeps nulls", `{"name":{"op":"not_eq","value":"alpha"}}`, `((t."name" = ?) IS NOT TRUE) [alpha]`},
		{"not_eq splits nothing", `{"name":{"op":"not_eq","value":"alpha,g_amma"}}`, `((t."name" = ?) IS NOT TRUE) [alpha,g_amma]`},
		{"not_eq of a list", `{"name":{"op":"not_eq","value":["alpha"]}}`, refused},
		{"an operator in capitals", `{"name":{"op":"EQ","value":"a"}}`, refused},
		{"an operator of another type", `{"name":{"op":"gt","value":"a"}}`, refused},
		{
			"a range", `{"price":[{"op":"gteq","value":100},{"op":"lt","value":300}]}`,
			`((t."price" >= ?) AND (t."price" < ?)) [100 300]`,
		},
		{"a number with letters", `{"price":"100abc"}`, refused},
		{"a fraction", `{"price":1.5}`, refused},
		{"true for a number", `{"price":true}`, refused},
		{"gt of a word", `{"price":{"op":"gt","value":"abc"}}`, refused},
		{"gt of a list", `{"price":{"op":"gt","value":[1,2]}}`, refused},
		{"gt of an object", `{"price":{"op":"gt","value":{"a":1}}}`, refused},
		{"a thousands separator", `{"price":{"op":"eq","value":"1,200"}}`, refused},
		{"in of numbers", `{"price":{"op":"in","value":[1]}}`, `(t."price" = ANY (?)) [[1]]`},
		{"out of range", `{"price":99999999999999999999}`, refused},
		{"false as text", `{"active":"false"}`, `(t."active" = ?) [false]`},
		{"0 for false", `{"active":0}`, refused},
		{"a word for a boolean", `{"active":"banana"}`, refused},
		{
			"an instant", `{"sold_at":{"op":"gteq","value":"2026-07-01T12:00:01Z"}}`,
			`(t."sold_at" >= ?) [2026-07-01T12:00:01.000000Z]`,
		},
		{"a word for an instant", `{"sold_at":{"op":"gt","value":"garbage"}}`, refused},
		{"not a uuid", `{"ref":"not-a-uuid"}`, refused},
		{"citext", `{"tag":"tag1"}`, `(t."tag" = ?) [tag1]`},
		{"matches on citext", `{"tag":{"op":"matches","value":"AG"}}`, `(matches(t."tag", ?)) [AG]`},
		{"jsonb text is a JSON string", `{"data":{"op":"eq","value":"{\"a\":1}"}}`, `(t."data" = ?) ["{\"a\":1}"]`},
		{"jsonb object", `{"data":{"op":"eq","value":{"a":1}}}`, `(t."data" = ?) [{"a":1}]`},
		{"unknown key", `{"nmae":"a"}`, "unknown_filter"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := ""
			f, err := filtering.Parse(json.RawMessage(tt.filter), keys)
			if errs, ok := err.(resource.Errors); ok {
				got = string(errs[0].Code)
			} else {
				text, args := sqlOf(t, f)
				got = fmt.Sprint(text, " ", args)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.filter, diff)
			}
		})
	}
}
