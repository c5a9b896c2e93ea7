package executors_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

func TestAdvice(t *testing.T) {
	t.Parallel()
	const orders = `CREATE INDEX ON "public"."orders" ("account_id", `
	sortable := func(fields ...string) func(*resource.Spec) {
		return func(s *resource.Spec) { s.Sortable = fields }
	}
	filterable := func(keys ...string) func(*resource.Spec) {
		return func(s *resource.Spec) {
			s.Filterable = resource.Columns{}
			for _, k := range keys {
				s.Filterable[k] = k
			}
		}
	}
	through := func(s *resource.Spec) {
		s.Table, s.Scope, s.Serializer = "lines", scope.Via("accounts", "order_id"), serializer.Columns("id", "sku")
		s.Filterable, s.Sortable = resource.Columns{"quantity": "quantity"}, []string{"sku"}
	}
	const sku = `sorting by "sku": CREATE INDEX ON "public"."lines" ("sku")`
	const quantity = `filtering by "quantity": CREATE INDEX ON "public"."lines" ("quantity")`
	for _, tc := range []struct {
		name    string
		edit    func(*resource.Spec)
		indexes string // columns with commas, indexes with blanks
		want    []string
	}{
		{"nothing declared", nil, "", nil},
		{"no index", sortable("total"), "", []string{`sorting by "total": ` + orders + `"total")`}},
		{"behind the tenant", sortable("total"), "account_id,total", nil},
		{"behind the tenant, and more", sortable("total"), "id account_id,total,id", nil},
		{"behind another", sortable("total"), "account_id,number,total", []string{`sorting by "total": ` + orders + `"total")`}},
		{"without the tenant", filterable("total"), "total total,account_id", []string{`filtering by "total": ` + orders + `"total")`}},
		{"too short", filterable("total"), "account_id", []string{`filtering by "total": ` + orders + `"total")`}},
		{"in the order of the table", filterable("status", "number"), "", []string{
			`filtering by "number": ` + orders + `"number")`, `filtering by "status": ` + orders + `"status")`,
		}},
		{"twice used", func(s *resource.Spec) {
			s.Sortable, s.Filterable = []string{"total"}, resource.Columns{"amount": "total", "total": "total"}
		}, "", []string{`sorting by "total" and filtering by "amount" and filtering by "total": ` + orders + `"total")`}},
		{"updated since", func(s *resource.Spec) { s.UpdatedAt = "changed_at" }, "", []string{`updated_since: ` + orders + `"changed_at")`}},
		{"what no B-tree serves", filterable("meta", "tags", "paid"), "", nil},
		{"the key and what is unique", filterable("id", "ref", "account_id"), "", nil},
		{"internal", func(s *resource.Spec) { s.Internal, s.Sortable = true, []string{"total"} }, "", nil},
		{"by any of several", func(s *resource.Spec) {
			s.Scope, s.Sortable = scope.AnyOf(scope.Column("account_id"), scope.Column("customer_id")), []string{"total"}
		}, "", nil},
		{"a view", func(s *resource.Spec) {
			s.Table, s.Key, s.Serializer, s.Filterable = "summary", []string{"day"}, serializer.Columns("day"), resource.Columns{"orders": "orders"}
		}, "", nil},
		{"a key apart in its tenant alone", func(s *resource.Spec) { s.Key = []string{"number"} }, "", []string{`the order by key: ` + orders + `"number")`}},
		{"a key behind its tenant", func(s *resource.Spec) { s.Key = []string{"number"} }, "account_id,number", nil},
		{"through a parent", through, "", []string{sku, quantity}},
		{"through a parent, the foreign key alone", through, "order_id", []string{sku, quantity}},
		{"through a parent, by the foreign key", func(s *resource.Spec) {
			through(s)
			s.Filterable, s.Sortable = resource.Columns{"order": "order_id"}, nil
		}, "sku", []string{`filtering by "order": CREATE INDEX ON "public"."lines" ("order_id")`}},
		{"through a parent, by the column", through, "sku quantity,sku", nil},
		{"through a parent, behind the foreign key", through, "order_id,sku order_id,quantity", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			all := shopTables()
			all[executors.TableName{Name: "orders"}].Unique = append(all[executors.TableName{Name: "orders"}].Unique, []string{"number", "account_id"})
			spec := resource.Spec{Name: "them", Table: "orders", Scope: scope.Column("account_id"), Serializer: serializer.Columns("id", "number", "total", "status")}
			if tc.edit != nil {
				tc.edit(&spec)
			}
			for index := range strings.FieldsSeq(tc.indexes) {
				t := all[executors.TableName{Name: spec.Table}]
				t.Indexes = append(t.Indexes, strings.Split(index, ","))
			}
			accounts := resource.Spec{Name: "accounts", Table: "orders", Scope: scope.Column("account_id"), Serializer: serializer.Columns("id")}
			got := open(t, &fakeDB{tables: all}, quiet(), spec, accounts).Advice()
			var want []string
			for _, line := range tc.want {
				want = append(want, "resource them: no index serves "+line)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// An index may have the columns of a foreign key in any order, but all of them before the column.
func TestAdviceOnAForeignKeyOfSeveralColumns(t *testing.T) {
	t.Parallel()
	all := shopTables()
	pages := table("pages", "id", "id bigint", "region text", "no integer", "owner bigint", "size integer", "depth integer")
	pages.Indexes = [][]string{{"no", "owner", "region", "size"}, {"no", "region", "depth", "owner"}}
	all[pages.Name] = pages
	all[executors.TableName{Name: "documents"}].Indexes = [][]string{{"account_id", "region", "no"}}
	documents := resource.Spec{Name: "documents", Table: "documents", Scope: scope.Column("account_id"), Serializer: serializer.Columns("no")}
	spec := resource.Spec{
		Name: "pages", Table: "pages", Scope: scope.Via("documents", "owner", "region", "no"), Serializer: serializer.Columns("id"),
		Filterable: resource.Columns{"size": "size", "depth": "depth"},
	}
	got := open(t, &fakeDB{tables: all}, quiet(), documents, spec).Advice()
	want := []string{`resource pages: no index serves filtering by "depth": CREATE INDEX ON "public"."pages" ("depth")`}
	if !slices.Equal(want, got) {
		t.Error(cmp.Diff(want, got))
	}
}
