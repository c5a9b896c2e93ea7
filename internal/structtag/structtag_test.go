package structtag_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/internal/structtag"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, tag string
		want      []structtag.Pair
		mistake   string
	}{
		{"nothing", ``, nil, ""},
		{"two", `json:"a,omitempty"  gate:"x(1)"`, []structtag.Pair{{"json", "a,omitempty"}, {"gate", "x(1)"}}, ""},
		{"an escape", `mcp:"pattern='\\d'"`, []structtag.Pair{{"mcp", `pattern='\d'`}}, ""},
		{"a blank behind the colon", `json:"a" gate: "x(1)"`, nil, `malformed at "gate: `},
		{"no quotes", `json:a`, nil, "malformed"},
		{"a back quote", "json:`a`", nil, "malformed"},
		{"an open quote", `json:"a`, nil, "malformed"},
		{"no key", `:"a"`, nil, "malformed"},
		{"twice", `gate:"a(1)" gate:"b(2)"`, []structtag.Pair{{"gate", "a(1)"}, {"gate", "b(2)"}}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := structtag.Parse(reflect.StructTag(tt.tag))
			if (err == nil) != (tt.mistake == "") || err != nil && !strings.Contains(err.Error(), tt.mistake) {
				t.Fatalf("error %v, want one about %q", err, tt.mistake)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
