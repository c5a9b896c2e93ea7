package shop_test

import (
	"slices"
	"strings"
	"testing"
)

// described is what the tests read of resource_schema.
type described struct {
	Key        struct{ Fields []string }
	Attributes []struct {
		Name, Type string
		Filterable bool
		Sortable   bool
		Nullable   bool
		Operators  []string
		Enum       []string
	}
	Examples []map[string]any
}

// ordered are the contract's words of types whose rows can be sorted, and undivided those that no filter takes.
var (
	ordered = []string{
		"smallint", "integer", "bigint", "numeric", "real", "double", "boolean", "text", "varchar", "citext", "char", "uuid", "enum",
		"date", "timestamp", "timestamptz",
	}
	undivided = []string{"bytea", "xml", "json"}
)

// The file leaves nothing out: every field that has an order sorts, and every one that can be compared filters.
// What resource_schema says of a field holds: its examples are calls that succeed, and its type is a word that
// names no schema of the database.
func TestTheFileSaysEverything(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, spec := range s.specs {
		t.Run(spec.Name, func(t *testing.T) {
			t.Parallel()
			var d described
			decode(t, s.call(t, merchants[0].token, "resource_schema", map[string]any{"resource": spec.Name}).body, &d)
			if len(d.Attributes) == 0 {
				t.Error("there are no fields")
			}
			for _, a := range d.Attributes {
				if a.Sortable != slices.Contains(ordered, a.Type) {
					t.Errorf("%s of %s is sortable: %v", a.Name, a.Type, a.Sortable)
				}
				if a.Filterable == slices.Contains(undivided, a.Type) || a.Filterable != (len(a.Operators) > 0) {
					t.Errorf("%s of %s is filterable: %v", a.Name, a.Type, a.Filterable)
				}
				if strings.Contains(a.Type, ".") || strings.Contains(a.Type, "shop") || (a.Type == "enum" || a.Type == "enum[]") != (a.Enum != nil) {
					t.Errorf("%s is of type %s with the labels %v", a.Name, a.Type, a.Enum)
				}
			}
			for _, example := range d.Examples {
				if a := s.call(t, merchants[0].token, "list", example); a.isError {
					t.Errorf("the example %v: %s", example, a.body)
				}
			}
			if len(d.Examples) == 0 {
				t.Error("there are no examples")
			}
		})
	}
}

// Every value that a row of the shop shows finds the row under eq, with its companion where it needs one.
func TestEveryValueOfTheShopFindsItsRow(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, k := range knowns {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			spec, m := s.spec(t, k.name), merchants[1]
			for n, r := range s.walk(t, listing{token: m.token, resource: k.name, limit: 100}, 1000, func(page) {}) {
				if n > 15 {
					break
				}
				filter := map[string]any{}
				for name := range spec.Filterable {
					if string(r[name]) != "null" {
						filter[name] = map[string]any{"op": "eq", "value": r[name]}
					}
				}
				for name, companion := range spec.Companions {
					if filter[companion] == nil {
						delete(filter, name)
					}
				}
				id := k.id(t, r)
				found := func(other row) bool { return k.id(t, other) == id }
				p := s.call(t, m.token, "list", map[string]any{"resource": k.name, "limit": 100, "filter": filter}).page(t)
				if !slices.ContainsFunc(p.Rows, found) {
					t.Errorf("%v does not find %s", filter, encoded(t, r))
				}
			}
		})
	}
}
