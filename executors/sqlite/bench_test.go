package sqlite_test

import (
	"fmt"
	"testing"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// BenchmarkPage is one page of 25 rows of ten columns, by a warm shape.
func BenchmarkPage(b *testing.B) {
	db := open(b,
		`CREATE TABLE w (id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL, a TEXT, b TEXT, c NUMERIC, d BOOLEAN, e JSON, f TIMESTAMPTZ, g DATE, h UUID)`,
		"CREATE INDEX w_tenant ON w (tenant_id, id)",
		fmt.Sprintf(`WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 20000)
		  INSERT INTO w SELECT n, n %% 10, 'name ' || n, 'longer text of %%', n / 8.0, n %% 2, '{"a":1}', '2026-07-01T09:30:00.000000Z', '2026-07-01', '6f1f2c9e-3b1a-4f0e-9a52-1f7f4c0d2b11' FROM r`))
	columns := []string{"id", "a", "b", "c", "d", "e", "f", "g", "h", "tenant_id"}
	x := executor(b, db, resource.Spec{
		Name: "w", Table: "w", Scope: scope.Column("tenant_id"), Serializer: serializer.Columns(columns...),
		Filterable: resource.Columns{"a": "a"}, Sortable: columns[:1],
	})
	p := principal(b, one(b))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := x.List(b.Context(), p, executors.ListRequest{Resource: "w"}); err != nil {
			b.Fatal(err)
		}
	}
}
