package executors_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
)

// schemaDoc is an answer of resource_schema, taken apart.
type schemaDoc struct {
	Attributes []struct{ Name string }
	Filters    []struct{ Key, Requires string }
	Sortable   []string
	Examples   []json.RawMessage
}

func (d schemaDoc) fields() (out []string) {
	for _, a := range d.Attributes {
		out = append(out, a.Name)
	}
	return out
}

func (d schemaDoc) keys() (out []string) {
	for _, f := range d.Filters {
		out = append(out, f.Key)
	}
	return out
}

func schemaOf(t *testing.T, x *executors.Executor, p *auth.Principal, name string) schemaDoc {
	t.Helper()
	a, err := x.Schema(t.Context(), p, name, nil)
	if err != nil {
		t.Fatal(err)
	}
	var doc schemaDoc
	if err := json.Unmarshal(a.JSON, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestSchemaGolden(t *testing.T) {
	t.Parallel()
	x, db := openShop(t)
	for _, tc := range []struct {
		name, resource string
		scopes         []string
	}{
		{"orders", "orders", staff},
		{"orders_bare", "orders", nil},
		{"customers", "customers", staff},
		{"documents", "documents", nil},
		{"lines", "lines", nil},
		{"summary", "summary", nil},
	} {
		a, err := x.Schema(t.Context(), caller(t, 42, tc.scopes...), tc.resource, nil)
		if err != nil {
			t.Fatal(err)
		}
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, a.JSON, "", "  "); err != nil {
			t.Fatal(err)
		}
		golden(t, "schema/"+tc.name, pretty.String()+"\n")
	}
	golden(t, "schema/resources", string(x.Resources(caller(t, 42, staff...)).JSON)+"\n")
	db.silent(t)
}

// Every example of every schema, for every caller, is a call that succeeds.
func TestSchemaExamplesSucceed(t *testing.T) {
	t.Parallel()
	x, _ := openShop(t)
	things := open(t, &fakeDB{tables: kindTables(), count: "0"}, quiet(), kindSpecs()...)
	for _, scopes := range [][]string{nil, staff, {"orders:audit"}, {"orders:money"}} {
		p := caller(t, 42, scopes...)
		for _, x := range []*executors.Executor{x, things} {
			var names struct{ Resources []struct{ Name string } }
			if err := json.Unmarshal(x.Resources(p).JSON, &names); err != nil {
				t.Fatal(err)
			}
			for _, r := range names.Resources {
				for _, example := range schemaOf(t, x, p, r.Name).Examples {
					var req executors.ListRequest
					if err := json.Unmarshal(example, &req); err != nil {
						t.Fatalf("%s: %v", example, err)
					}
					if _, err := x.List(t.Context(), p, req); err != nil {
						t.Errorf("%s: %v", example, err)
					}
				}
			}
		}
	}
}

// kindSpecs has a resource for every kind, whose only filter keys are a column and a custom filter of it.
func kindSpecs() []resource.Spec {
	var out []resource.Spec
	for _, kind := range filterKinds {
		name := strings.NewReplacer("[]", "_list").Replace(kind)
		plain := resource.Spec{
			Name: name, Table: name, Scope: ordersSpec().Scope, Serializer: serializer.Columns("id"), Filterable: resource.Columns{"v": "v"},
		}
		out = append(out, plain)
		if k := resource.Kind(kind); k == resource.JSONB || kind == "text[]" || kind == "enum" || kind == "interval" {
			continue
		}
		custom := plain
		custom.Name, custom.Filterable = name+"_custom", nil
		custom.Filters = []resource.Filter{{Name: "v", Type: resource.Kind(kind), Condition: ordersSpec().Filters[1].Condition}}
		out = append(out, custom)
	}
	return out
}

var filterKinds = []string{
	"smallint", "integer", "bigint", "numeric", "real", "double", "boolean", "text", "varchar", "char", "uuid", "enum", "date",
	"timestamp", "timestamptz", "jsonb", "text[]", "interval",
}

func kindTables() map[executors.TableName]*executors.Table {
	out := map[executors.TableName]*executors.Table{}
	for _, kind := range filterKinds {
		t := table(strings.NewReplacer("[]", "_list").Replace(kind), "id", "id bigint", "account_id bigint", "v "+kind+"?")
		out[t.Name] = t
	}
	return out
}
