package resource_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/resource"
)

var kinds = []resource.Kind{
	resource.SmallInt, resource.Integer, resource.BigInt, resource.Numeric, resource.Real, resource.Double, resource.Boolean,
	resource.Text, resource.VarChar, resource.CIText, resource.Char, resource.UUID, resource.Enum, resource.Date,
	resource.Timestamp, resource.TimestampTZ, resource.Bytea, resource.XML, resource.JSON, resource.JSONB, resource.Array, resource.Printed,
}

// TestOperators is the table of section 3 of the contract.
func TestOperators(t *testing.T) {
	t.Parallel()
	const (
		ordered  = "eq not_eq in not_in gt gteq lt lteq is_null"
		searched = "eq not_eq in not_in matches does_not_match starts_with ends_with is_null"
		equal    = "eq not_eq in not_in is_null"
	)
	want := map[resource.Kind]string{
		resource.SmallInt: ordered, resource.Integer: ordered, resource.BigInt: ordered, resource.Numeric: ordered,
		resource.Real: ordered, resource.Double: ordered, resource.Date: ordered, resource.Timestamp: ordered, resource.TimestampTZ: ordered,
		resource.Text: searched, resource.VarChar: searched, resource.CIText: searched,
		resource.Boolean: "eq not_eq is_null",
		resource.UUID:    equal, resource.Enum: equal, resource.Char: equal, resource.Printed: equal,
		resource.JSONB: "eq not_eq contains has_key is_null",
		resource.Bytea: "", resource.XML: "", resource.JSON: "", resource.Array: "",
	}
	for _, k := range kinds {
		if diff := cmp.Diff(want[k], words(resource.Plain(k))); diff != "" {
			t.Errorf("%s: %s", k, diff)
		}
	}
	for name, tc := range map[string]struct {
		t    resource.Type
		want string
	}{
		"text of a collation that cannot search": {resource.Type{Kind: resource.Text, NoMatch: true}, equal},
		"an array":                               {resource.ArrayOf(resource.Plain(resource.Text)), "eq not_eq contains overlaps is_null"},
		"an array of what cannot be filtered":    {resource.ArrayOf(resource.Plain(resource.JSON)), ""},
		"an array without an element":            {resource.Type{Kind: resource.Array}, ""},
		"no type":                                {resource.Type{}, ""},
	} {
		if diff := cmp.Diff(tc.want, words(tc.t)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func words(t resource.Type) string {
	var out []string
	for _, op := range t.Operators() {
		out = append(out, string(op))
	}
	return strings.Join(out, " ")
}

func TestSortableAndTextual(t *testing.T) {
	t.Parallel()
	unsortable := map[resource.Kind]bool{
		resource.Bytea: true, resource.XML: true, resource.JSON: true, resource.JSONB: true, resource.Array: true, resource.Printed: true, "": true,
	}
	textual := map[resource.Kind]bool{resource.Text: true, resource.VarChar: true, resource.CIText: true, resource.Char: true}
	for _, k := range append(kinds, "") {
		if resource.Plain(k).Sortable() == unsortable[k] {
			t.Errorf("%q: Sortable() = %v", k, unsortable[k])
		}
		if resource.Plain(k).Textual() != textual[k] {
			t.Errorf("%q: Textual() = %v", k, !textual[k])
		}
	}
}

func TestTypeNames(t *testing.T) {
	t.Parallel()
	if got := resource.ArrayOf(resource.Plain(resource.Text)).Name; got != "text[]" {
		t.Error(got)
	}
	if got := resource.Plain(resource.TimestampTZ).Name; got != "timestamptz" {
		t.Error(got)
	}
}
