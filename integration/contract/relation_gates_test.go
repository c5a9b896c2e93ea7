package contract_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
)

// What one caller may see is never what another one was shown before, however far the relation is away on which
// they differ.
func TestCallersInTurn(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.startRelated(t, cross)
		calls := [][2]string{
			{"list", `{"resource":"items","filter":{"purchase.customer.email":"a@x"}}`},
			{"resource_schema", `{"resource":"items"}`},
			{"list", `{"resource":"purchases","filter":{"customer.email":"a@x"}}`},
			{"list", `{"resource":"purchases"}`},
			{"list", `{"resource":"purchases","include":["customer"]}`},
			{"list", `{"resource":"purchases","include":["parent"]}`},
			{"resource_schema", `{"resource":"purchases"}`},
			{"resource_schema", `{"resource":"firms"}`},
			{"list", `{"resource":"labels","filter":{"purchases.customer.id":1}}`},
		}
		first := map[string]string{} // by caller and call, each caller on a server of its own
		for _, key := range []string{keyOne, keyOneLow} {
			alone := db.serve(t, settings{}, relatedSpecs()...)
			for _, c := range calls {
				first[key+c[1]+c[0]] = string(alone.call(t, key, c[0], c[1]).body)
			}
		}
		for _, order := range [][]string{{keyOne, keyOneLow}, {keyOneLow, keyOne}, {keyOne, keyOneLow}} {
			for _, c := range calls {
				for _, key := range order {
					if diff := cmp.Diff(first[key+c[1]+c[0]], string(s.call(t, key, c[0], c[1]).body)); diff != "" {
						t.Errorf("%s %s of %s (-alone +in turn):\n%s", c[0], c[1], key, diff)
					}
				}
			}
		}
	})
}

// A foreign key that only a field with a permission shows, on either side, hides the relation with it.
func TestRelationsOfGatedForeignKeys(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.related(t)
		db.exec(t, cross)
		specs := relatedSpecs()
		for i := range specs {
			switch specs[i].Name {
			case "items":
				specs[i].Serializer = serializer.Fields(serializer.Field{Name: "id"}, serializer.Field{Name: "purchase_id", Requires: "customers:read"})
				specs[i].Filterable = resource.Columns{"id": "id"}
			case "purchases":
				specs[i].Serializer = serializer.Fields(serializer.Field{Name: "id"}, serializer.Field{Name: "parent_id", Requires: "customers:read"})
				specs[i].Filterable, specs[i].Sortable = resource.Columns{"id": "id"}, nil
			}
		}
		s := db.serve(t, settings{}, specs...)
		for _, name := range []string{"items", "parent"} {
			for _, arguments := range []string{
				`{"resource":"purchases","fields":["id",%q]}`, `{"resource":"purchases","include":[%q]}`, `{"resource":"purchases","filter":{"%s.id":1}}`,
			} {
				arguments = fmt.Sprintf(arguments, name)
				low, high := s.call(t, keyOneLow, "list", arguments), s.call(t, keyOne, "list", arguments)
				if high.isError || !low.isError || !strings.HasPrefix(low.refused(t).Code, "unknown_") {
					t.Errorf("%s: with the permission %.100s, without %s", arguments, high.body, low.body)
				}
			}
		}
		if body := string(s.call(t, keyOneLow, "resource_schema", `{"resource":"purchases"}`).body); strings.Contains(body, `"items`) || strings.Contains(body, `"parent`) {
			t.Errorf("the schema tells of them: %s", body)
		}
	})
}

// A cursor ends with the meaning of the relations that its filter goes through.
func TestCursorsEndWithTheirRelations(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.related(t)
		db.exec(t, cross)
		shared := settings{}
		shared.executor.CursorKeys = [][]byte{[]byte("a key that both servers have, of 32")}
		const arguments = `{"resource":"purchases","limit":1,"filter":{"not":{"customer.firm.name":"Bolt"}},"cursor":%q}`
		before := db.serve(t, shared, relatedSpecs()...)
		cursor := before.call(t, keyOne, "list", fmt.Sprintf(arguments, "")).page(t).Meta.NextCursor
		for name, change := range map[string]func(*resource.Spec){
			"none":               nil,
			"of another column":  onSpec("purchases", func(s *resource.Spec) { s.Relations[0].Columns = []string{"ship_to"} }),
			"the next one":       onSpec("clients", func(s *resource.Spec) { s.Relations[0].Columns = []string{"id"} }),
			"rows left out":      onSpec("clients", func(s *resource.Spec) { s.Narrow = nil }),
			"rows left out next": onSpec("firms", func(s *resource.Spec) { s.Narrow = resource.Conditions{"name": "Bolt"} }),
			"the key's column":   onSpec("firms", func(s *resource.Spec) { s.Filterable = resource.Columns{"id": "id", "name": "id"} }),
		} {
			specs := relatedSpecs()
			for i := range specs {
				if change != nil {
					change(&specs[i])
				}
			}
			if name == "the key's column" { // whose type the filter's value does not fit any more
				specs[0].Filterable = resource.Columns{"id": "id", "name": "name", "again": "name"}
			}
			a := db.serve(t, shared, specs...).call(t, keyOne, "list", fmt.Sprintf(arguments, cursor))
			if good := change == nil; a.isError == good || !good && a.refused(t).Code != "invalid_cursor" {
				t.Errorf("%s: %s", name, a.body)
			}
		}
	})
}

func onSpec(name string, change func(*resource.Spec)) func(*resource.Spec) {
	return func(s *resource.Spec) {
		if s.Name == name {
			s.Relations = slices.Clone(s.Relations)
			change(s)
		}
	}
}

// A relation that is named twice is embedded once.
func TestIncludeTwice(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.startRelated(t, cross)
		for _, include := range []string{`["items","items"]`, `"items, items"`, `"[\"items\",\"items\"]"`} {
			once := s.call(t, keyOne, "list", `{"resource":"purchases","include":["items"]}`)
			twice := s.call(t, keyOne, "list", `{"resource":"purchases","include":`+include+`}`)
			if diff := cmp.Diff(string(once.body), string(twice.body)); diff != "" {
				t.Errorf("%s: %s", include, diff)
			}
		}
	})
}
