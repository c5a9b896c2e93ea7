package resource_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/resource"
)

func build(t *testing.T, s resource.Spec, requires string) *resource.Resource {
	t.Helper()
	r, err := resource.New(s, requires)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestResource(t *testing.T) {
	t.Parallel()
	s := orders()
	s.Description, s.Note, s.UpdatedAt, s.Internal = "Orders.", "Drafts too.", "changed_at", true
	s.Key, s.Sortable, s.Limits = []string{"id"}, []string{"number"}, resource.Limits{Default: 5, Max: 10}
	s.Narrow = resource.Conditions{"deleted_at": nil}
	r := build(t, s, "default:read")
	got := []any{
		r.Name(), r.Description(), r.Note(), r.Schema(), r.Table(), r.Key(), r.Narrow(), r.Internal(), r.Requires(),
		r.Filterable(), r.Sortable(), r.UpdatedAt(), r.Limits(), len(r.Fields()), r.Scope().Valid(), r.Serializer() != nil,
	}
	want := []any{
		"orders", "Orders.", "Drafts too.", "sales", "orders",
		[]string{"id"},
		resource.Conditions{"deleted_at": nil},
		true, "default:read",
		resource.Columns{"status": "status", "booking_id": "synced_booking_id"},
		[]string{"number"},
		"changed_at",
		resource.Limits{Default: 5, Max: 10},
		3, true, true,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if f, ok := r.Field("number"); !ok || f.Column != "number" {
		t.Errorf("Field: %v, %v", f, ok)
	}
	if _, ok := r.Field("total"); ok {
		t.Error("there is a field that was not declared")
	}
}

func TestRequires(t *testing.T) {
	t.Parallel()
	own := orders()
	own.Requires = "orders:read"
	for _, tc := range []struct {
		spec           resource.Spec
		standard, want string
	}{{orders(), "", ""}, {orders(), "any:read", "any:read"}, {own, "any:read", "orders:read"}, {own, "", "orders:read"}} {
		if got := build(t, tc.spec, tc.standard).Requires(); got != tc.want {
			t.Errorf("%q with the default %q requires %q", tc.spec.Requires, tc.standard, got)
		}
	}
}

// Neither who declared a resource nor who reads it can change it.
func TestResourceIsImmutable(t *testing.T) {
	t.Parallel()
	s := orders()
	s.Key, s.Sortable = []string{"id"}, []string{"number"}
	s.Filters = []resource.Filter{{Name: "x", Type: resource.Text, Condition: condition}}
	s.Relations = []resource.Relation{
		resource.BelongsTo("customer", "customers", "customer_id"),
		resource.ManyToMany("tags", "tags", "order_tags", []string{"order_id"}, []string{"tag_id"}),
	}
	s.Companions = map[string]string{"booking_id": "status"}
	s.Narrow = resource.Conditions{"deleted_at": nil}
	r := build(t, s, "")
	look := func() []any {
		return []any{r.Key(), r.Sortable(), r.Filters()[0].Name, r.Relations(), r.Companions(), r.Filterable(), r.Narrow()}
	}
	before := look()
	s.Key[0], s.Sortable[0], s.Filters[0].Name = "x", "x", "y"
	s.Relations[0].Columns[0], s.Relations[1].ThroughFK[0], s.Relations[1].TheirColumns[0] = "x", "x", "x"
	s.Relations[0].Name = "x"
	s.Companions["x"], s.Filterable["x"], s.Narrow["x"] = "x", "x", "x"
	if diff := cmp.Diff(before, look()); diff != "" {
		t.Error("the spec changed it:", diff)
	}
	r.Key()[0], r.Sortable()[0], r.Filters()[0].Name, r.Relations()[0].Name = "x", "x", "x", "x"
	r.Companions()["x"], r.Filterable()["x"] = "x", "x"
	if diff := cmp.Diff(before, look()); diff != "" {
		t.Error("a reader changed it:", diff)
	}
}

func TestGates(t *testing.T) {
	t.Parallel()
	s := orders()
	s.Serializer = fields{
		{Name: "id", Column: "id"},
		{Name: "total", Column: "total", Requires: "money"},
		{Name: "amount", Column: "total", Requires: "audit"},
		{Name: "note", Column: "note", Requires: "staff"},
		{Name: "remark", Column: "note"},
	}
	r := build(t, s, "")
	for column, want := range map[string][]string{"id": nil, "total": {"money", "audit"}, "note": nil, "shown_nowhere": nil} {
		if diff := cmp.Diff(want, r.Gates(column)); diff != "" {
			t.Errorf("%s: %s", column, diff)
		}
	}
}

func TestRelations(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		rel            resource.Relation
		toMany, linked bool
		local          []string
	}{
		{resource.BelongsTo("a", "b", "x", "y"), false, true, []string{"x", "y"}},
		{resource.HasOne("a", "b", "x"), false, false, nil},
		{resource.HasMany("a", "b", "x"), true, false, nil},
		{resource.ManyToMany("a", "b", "j", []string{"x"}, []string{"y"}), true, false, nil},
		{resource.Polymorphic("a", "x", "y"), false, true, []string{"x", "y"}},
		{resource.Relation{}, false, false, nil},
	} {
		if tc.rel.ToMany() != tc.toMany || tc.rel.Linked() != tc.linked {
			t.Errorf("%s: ToMany %v, Linked %v", tc.rel.Kind, tc.rel.ToMany(), tc.rel.Linked())
		}
		if diff := cmp.Diff(tc.local, tc.rel.LocalColumns()); diff != "" {
			t.Errorf("%s: %s", tc.rel.Kind, diff)
		}
	}
}

func TestSplitTable(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][2]string{"orders": {"", "orders"}, "sales.orders": {"sales", "orders"}, "a.b.c": {"a", "b.c"}, "": {"", ""}} {
		if schema, table := resource.SplitTable(in); [2]string{schema, table} != want {
			t.Errorf("%q: %q, %q", in, schema, table)
		}
	}
}
