package executors_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
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
		a, err := secret.Schema(p, name, nil)
		b, wantErr := never.Schema(p, name, nil)
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
		a, err := x.Schema(p, "things", nil)
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
	a, err := x.Schema(p, name, nil)
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
		a, err := x.Schema(caller(t, 42, tc.scopes...), tc.resource, nil)
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

// Mistakes that the decoder found are told with those found here, in one answer, and cost no statement.
func TestMistakesTogether(t *testing.T) {
	t.Parallel()
	x, db := openShop(t)
	told := resource.Errors{resource.Errorf(resource.UnknownArgument, "/wat", "no")}
	_, err := x.List(t.Context(), caller(t, 42), executors.ListRequest{
		Resource: "orders", Mistakes: told, Filter: json.RawMessage(`{"nope":1,"paid":"maybe"}`), IDs: json.RawMessage(`["x",1,"y"]`),
		UpdatedSince: "yesterday", Sort: []string{"nope", "number", "-number"}, Limit: new(-1), Offset: -1, Fields: []string{"id", "nope"},
		Include: []string{"nope"}, Count: "all", Cursor: "x",
	})
	want := []string{
		"unknown_argument /wat", "unknown_filter /filter/nope", "invalid_filter /filter/paid", "invalid_argument /ids/0", "invalid_argument /ids/2",
		"invalid_argument /updated_since", "unknown_field /sort/0", "invalid_argument /sort/2", "unknown_field /fields/1",
		"invalid_argument /count", "invalid_argument /limit", "invalid_argument /offset", "unknown_field /include/0",
	}
	if diff := cmp.Diff(want, codes(err)); diff != "" {
		t.Error(diff)
	}
	_, err = x.Get(t.Context(), caller(t, 42), executors.GetRequest{Resource: "orders", ID: json.RawMessage(`"x"`), Fields: []string{"nope"}, Include: []string{"nope"}, Mistakes: told})
	if diff := cmp.Diff([]string{"unknown_argument /wat", "invalid_argument /id", "unknown_field /fields/0", "unknown_field /include/0"}, codes(err)); diff != "" {
		t.Error(diff)
	}
	_, err = x.Schema(caller(t, 42), "nope", told)
	if diff := cmp.Diff([]string{"unknown_argument /wat", "unknown_resource /resource"}, codes(err)); diff != "" {
		t.Error(diff)
	}
	db.silent(t)
}

func TestMissingArguments(t *testing.T) {
	t.Parallel()
	x, db := openShop(t)
	p := caller(t, 42)
	missing := resource.Errors{resource.Errorf(resource.InvalidArgument, "/resource", "resource is required")}
	noID := resource.Errors{resource.Errorf(resource.InvalidArgument, "/id", "id is required")}
	run := func(f func(context.Context, *auth.Principal) error) []string { return codes(f(t.Context(), p)) }
	for name, got := range map[string][]string{
		"list without a resource": run(func(ctx context.Context, p *auth.Principal) error {
			_, err := x.List(ctx, p, executors.ListRequest{Mistakes: missing})
			return err
		}),
		"get without a resource": run(func(ctx context.Context, p *auth.Principal) error {
			_, err := x.Get(ctx, p, executors.GetRequest{Mistakes: missing})
			return err
		}),
		"schema without a resource": run(func(_ context.Context, p *auth.Principal) error {
			_, err := x.Schema(p, "", missing)
			return err
		}),
	} {
		if diff := cmp.Diff([]string{"invalid_argument /resource"}, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for name, told := range map[string]resource.Errors{"told by the decoder": noID, "told by nobody": nil} {
		_, err := x.Get(t.Context(), p, executors.GetRequest{Resource: "orders", Mistakes: told})
		if diff := cmp.Diff([]string{"invalid_argument /id"}, codes(err)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	db.silent(t)
}

func TestCallerNeedsOneTenant(t *testing.T) {
	t.Parallel()
	x, db := openShop(t)
	several := grant(t, auth.Grant{Subject: "alice", Tenants: append(caller(t, 1).Granted(), caller(t, 2).Granted()...)})
	for _, tc := range []struct {
		name string
		p    *auth.Principal
		want string
	}{{"nobody", nil, "unauthenticated "}, {"no tenant chosen", several, "forbidden "}} {
		_, listed := x.List(t.Context(), tc.p, executors.ListRequest{Resource: "orders"})
		_, got := x.Get(t.Context(), tc.p, executors.GetRequest{Resource: "orders", ID: json.RawMessage(`1`)})
		for _, err := range []error{listed, got} {
			if diff := cmp.Diff([]string{tc.want}, codes(err)); diff != "" {
				t.Errorf("%s: %s", tc.name, diff)
			}
			if own, _ := errors.AsType[*resource.Error](err); tc.p != nil && !strings.Contains(own.Message, "1, 2") {
				t.Errorf("the granted tenants are not named: %s", own.Message)
			}
		}
	}
	db.silent(t)
}
