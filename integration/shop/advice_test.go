package shop_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/postgres"
	"github.com/tenantry/tenantry/integration/testdb"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// An operator is told which columns rows are sorted or filtered by without an index behind the tenant. An index
// that does not begin with the tenant, that covers some rows only or that has the column in a later place is none.
func TestAdviceOnIndexes(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	db.Exec(t, `CREATE TABLE things (id int PRIMARY KEY, tenant_id int NOT NULL, a int, b int, c int, d int, e text, tags text[], more text[], at tstzrange);
		CREATE INDEX ON things (tenant_id, a, b); CREATE INDEX ON things (c); CREATE INDEX ON things (tenant_id, d) WHERE d > 0;
		CREATE INDEX ON things (tenant_id, lower(e)); CREATE INDEX ON things (tenant_id, id) INCLUDE (b); CREATE INDEX ON things USING gin (tags);
		CREATE TABLE lines (tenant_id int, no int, word text, PRIMARY KEY (tenant_id, no)); CREATE INDEX ON lines (tenant_id, word);
		CREATE VIEW seen AS SELECT * FROM things;
		CALL tenantry.protect('things', 'tenant_id'); CALL tenantry.protect('lines', 'tenant_id'); GRANT SELECT ON seen TO tenantry_reader`)
	spec := func(name string, filterable, sortable []string) resource.Spec {
		s := resource.Spec{Name: name, Table: name, Scope: scope.Column("tenant_id"), Sortable: sortable, Filterable: resource.Columns{}}
		for _, f := range filterable {
			s.Filterable[f] = f
		}
		s.Serializer = serializer.Columns(append(filterable, sortable...)...)
		return s
	}
	seen := spec("seen", []string{"c"}, nil)
	seen.Key = []string{"id"}
	reg, err := registry.New(nil, spec("things", []string{"tenant_id", "c", "tags", "more", "at"}, []string{"a", "b", "d", "e"}), spec("lines", []string{"word"}, []string{"no"}), seen)
	if err != nil {
		t.Fatal(err)
	}
	opened, err := postgres.OpenURL(t.Context(), db.ReaderURL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(opened.Close)
	x, err := executors.New(t.Context(), opened, reg, nil)
	if err != nil {
		t.Fatal(err)
	}
	advice, err := x.Advice(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for _, one := range advice {
		got = append(got, one.Error())
	}
	want := []string{`resource things: no index of "public"."things" begins with "tenant_id" and one of "b", "d", "e", "c", "more": sorting or filtering by it reads every row of the tenant`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
