package contract_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// A row without a key cannot be named, and would end a walk: it is not a row of the resource. SQLite
// allows one in a text key, PostgreSQL in a view.
func TestRowsWithoutAKey(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		if db.name == "postgres" {
			db.exec(t, `CREATE TABLE raw (code text, tenant_id int NOT NULL); CREATE VIEW codes AS SELECT * FROM raw; GRANT SELECT ON codes TO tenantry_reader;`)
		} else {
			db.exec(t, `CREATE TABLE raw (code TEXT PRIMARY KEY, tenant_id INTEGER NOT NULL); CREATE VIEW codes AS SELECT * FROM raw;`)
		}
		db.exec(t, `INSERT INTO raw VALUES (NULL, 1), (NULL, 1), (NULL, 1), (NULL, 1), ('"b"', 1), ('a', 1), ('c', 2);`)
		s := db.serve(t, settings{}, resource.Spec{
			Name: "codes", Table: "codes", Key: []string{"code"}, Scope: scope.Column("tenant_id"),
			Serializer: serializer.Fields(serializer.Field{Name: "id", Column: "code"}),
		})
		if diff := cmp.Diff([]string{`"\"b\""`, `"a"`}, s.walk(t, keyOne, `{"resource":"codes"}`, 1, 6)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		p := s.call(t, keyOne, "list", `{"resource":"codes","count":"exact"}`).page(t)
		if p.Meta.TotalCount == nil || *p.Meta.TotalCount != 2 {
			t.Errorf("the count is not that of the walk: %+v", p.Meta)
		}
	})
}
