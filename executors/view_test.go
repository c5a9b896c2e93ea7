package executors_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

// withoutSecrets is the shop as a caller without any permission scope sees it: what it may not see was
// never declared.
func withoutSecrets() []resource.Spec {
	specs := shop()
	orders := &specs[1]
	fields, err := orders.Serializer.Fields()
	must(err)
	fields = slices.DeleteFunc(fields, func(f resource.Field) bool { return f.Name == "total" || f.Name == "worth" })
	orders.Serializer = declared{orders.Serializer, fields}
	delete(orders.Filterable, "total")
	orders.Filters = orders.Filters[:1]
	orders.Sortable = slices.DeleteFunc(orders.Sortable, func(s string) bool { return s == "total" })
	orders.Relations = orders.Relations[1:]
	return slices.DeleteFunc(specs, func(s resource.Spec) bool { return s.Name == "customers" || s.Name == "secret" })
}

// declared is a serializer with other fields.
type declared struct {
	resource.Serializer
	fields []resource.Field
}

func (d declared) Fields() ([]resource.Field, error) { return d.fields, nil }

// outcome is all that a caller learns from a call, and what was asked of the database.
func outcome(a *executors.Answer, err error, db *fakeDB) string {
	var out strings.Builder
	var all resource.Errors
	for _, e := range all.Add(err) {
		body, err := json.Marshal(e)
		must(err)
		out.Write(append(body, '\n'))
	}
	if a != nil {
		out.Write(a.JSON)
	}
	for _, call := range db.calls {
		out.WriteString("\n" + show(call))
	}
	db.calls = nil
	return out.String()
}

// What a caller may not see answers with the very bytes of a server that never had it.
func TestHiddenIsAbsent(t *testing.T) {
	t.Parallel()
	secretDB, neverDB := &fakeDB{tables: shopTables()}, &fakeDB{tables: shopTables()}
	secret, never := open(t, secretDB, quiet(), shop()...), open(t, neverDB, quiet(), withoutSecrets()...)
	p := caller(t, 42)
	requests := []executors.ListRequest{
		{Resource: "customers"},
		{Resource: "customer"},
		{Resource: "secret"},
		{Resource: "orders"},
		{Resource: "lines"},
		{Resource: "customers", Sort: []string{"nothing"}, Filter: json.RawMessage(`{`)},
	}
	for _, name := range []string{"total", "worth", "customer", "tota", "wort", "customers", "changed_after", "subject", "nothing", "Total"} {
		filter, err := json.Marshal(map[string]any{name: 1})
		must(err)
		dotted, err := json.Marshal(map[string]any{name + ".id": 1, "not": map[string]any{name: map[string]any{"op": "eq"}}})
		must(err)
		requests = append(requests,
			executors.ListRequest{Resource: "orders", Fields: []string{name}}, executors.ListRequest{Resource: "orders", Fields: []string{"id", name, name + "x"}},
			executors.ListRequest{Resource: "orders", Sort: []string{name}}, executors.ListRequest{Resource: "orders", Sort: []string{"-" + name}},
			executors.ListRequest{Resource: "orders", Include: []string{name}}, executors.ListRequest{Resource: "orders", Filter: filter},
			executors.ListRequest{Resource: "orders", Filter: dotted}, executors.ListRequest{Resource: "orders", Filter: filter, Sort: []string{name}, Fields: []string{name}},
		)
	}
	for _, req := range requests {
		a, err := secret.List(t.Context(), p, req)
		b, wantErr := never.List(t.Context(), p, req)
		if diff := cmp.Diff(outcome(b, wantErr, neverDB), outcome(a, err, secretDB)); diff != "" {
			t.Errorf("%+v: %s", req, diff)
		}
		a, err = secret.Get(t.Context(), p, executors.GetRequest{Resource: req.Resource, ID: json.RawMessage(`1`), Fields: req.Fields, Include: req.Include})
		b, wantErr = never.Get(t.Context(), p, executors.GetRequest{Resource: req.Resource, ID: json.RawMessage(`1`), Fields: req.Fields, Include: req.Include})
		if diff := cmp.Diff(outcome(b, wantErr, neverDB), outcome(a, err, secretDB)); diff != "" {
			t.Errorf("get %+v: %s", req, diff)
		}
	}
	for _, name := range []string{"orders", "customers", "secret", "lines", "order", ""} {
		a, err := secret.Schema(t.Context(), p, name, nil)
		b, wantErr := never.Schema(t.Context(), p, name, nil)
		if diff := cmp.Diff(outcome(b, wantErr, neverDB), outcome(a, err, secretDB)); diff != "" {
			t.Errorf("schema of %s: %s", name, diff)
		}
	}
	if diff := cmp.Diff(string(never.Resources(p).JSON), string(secret.Resources(p).JSON)); diff != "" {
		t.Error(diff)
	}
}

// The same names are good for a caller who may see them.
func TestVisibleIsUsable(t *testing.T) {
	t.Parallel()
	x, db := openShop(t)
	p := caller(t, 42, staff...)
	db.rows = []row{oneRow}
	req := executors.ListRequest{
		Resource: "orders", Fields: []string{"total", "worth", "customer"}, Sort: []string{"-total"},
		Filter: json.RawMessage(`{"total":1,"changed_after":"2026-07-01T00:00:00Z"}`),
	}
	if got := list(t, x, p, req); string(got.Rows[0]) != `{"total":"19.90","worth":true,"links":{"customer":null}}` {
		t.Errorf("%s", got.Rows[0])
	}
	list(t, x, p, executors.ListRequest{Resource: "customers"})
}

// A column that several fields show is as open as the most open of them; a computed member is as closed as
// the columns it reads; the time of changes is a column like any other.
func TestGates(t *testing.T) {
	t.Parallel()
	spec := resource.Spec{
		Name: "things", Table: "things", Scope: ordersSpec().Scope, UpdatedAt: "changed_at",
		Filterable: resource.Columns{"cost": "cost", "price": "price", "rate": "rate", "day": "changed_at"},
		Sortable:   []string{"cost", "price", "amount"},
		Serializer: declared{money{}, []resource.Field{
			{Name: "id", Column: "id"},
			{Name: "cost", Column: "cost", Requires: "cost", Description: "Secret description."},
			{Name: "price", Column: "price", Requires: "staff", Description: "What staff pays."},
			{Name: "amount", Column: "price", Requires: "audit"},
			{Name: "margin", Type: resource.Text, Reads: []string{"cost", "price"}},
			{Name: "markup", Type: resource.Text, Reads: []string{"price"}, Requires: "sales"},
			{Name: "changed", Column: "changed_at", Requires: "audit"},
		}},
	}
	db := &fakeDB{tables: tables(table("things", "id", "id bigint", "account_id bigint", "cost integer", "price integer", "rate integer", "changed_at timestamptz"))}
	x := open(t, db, quiet(), spec)
	for _, tc := range []struct {
		scopes                []string
		fields, keys, sorters string
		updated               bool
	}{
		{nil, "id", "rate", "", false},
		{[]string{"cost"}, "id cost", "cost rate", "cost", false},
		{[]string{"staff"}, "id price", "price rate", "price", false},
		{[]string{"audit"}, "id amount changed", "day price rate", "amount", true},
		{[]string{"sales"}, "id", "rate", "", false},
		{[]string{"sales", "staff"}, "id price markup", "price rate", "price", false},
		{[]string{"cost", "audit"}, "id cost amount margin changed", "cost day price rate", "cost amount", true},
		{[]string{"cost", "staff", "audit", "sales"}, "id cost price amount margin markup changed", "cost day price rate", "cost price amount", true},
	} {
		p := caller(t, 42, tc.scopes...)
		doc := schemaOf(t, x, p, "things")
		got := []string{strings.Join(doc.fields(), " "), strings.Join(doc.keys(), " "), strings.Join(doc.Sortable, " ")}
		if diff := cmp.Diff([]string{tc.fields, tc.keys, tc.sorters}, got); diff != "" {
			t.Errorf("%v: %s", tc.scopes, diff)
		}
		a, err := x.Schema(t.Context(), p, "things", nil)
		if err != nil {
			t.Fatal(err)
		}
		for scope, words := range map[string]string{"cost": "Secret description.", "staff": "What staff pays."} {
			if got, want := strings.Count(string(a.JSON), words), 2; got != want && slices.Contains(tc.scopes, scope) || got > 0 && !slices.Contains(tc.scopes, scope) {
				t.Errorf("%v: %q stands there %d times", tc.scopes, words, got)
			}
		}
		_, err = x.List(t.Context(), p, executors.ListRequest{Resource: "things", UpdatedSince: "2026-07-01"})
		if (err == nil) != tc.updated {
			t.Errorf("%v: updated_since: %v", tc.scopes, err)
		}
	}
}
