package contract_test

import (
	"strings"
	"testing"

	"github.com/Masterminds/squirrel"
	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/postgres"
	"github.com/tenantry/tenantry/integration/testdb"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"

	"github.com/jackc/pgx/v5"
)

// A condition of the host that fails on another tenant's value must not tell of it: it is evaluated on the
// caller's own rows alone, whatever order the database prefers.
func TestAConditionThatFailsOnForeignRows(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.exec(t, `INSERT INTO tenants (id, name) VALUES (1, 'one'), (2, 'two');
			INSERT INTO orders (id, tenant_id) VALUES (10, 1), (20, 2);
			INSERT INTO order_lines (id, tenant_id, order_id, sku) VALUES (100, 1, 10, '3'), (200, 2, 20, '777');`)
		cond := func(v resource.Value) (squirrel.Sqlizer, error) {
			if db.name == "postgres" {
				return squirrel.Expr("100 / (t.sku::int - ?) < 1000", v), nil
			}
			return squirrel.Expr("abs(CASE WHEN t.sku = ? THEN -9223372036854775807 - 1 ELSE 1 END) = 1", v), nil // abs overflows
		}
		typ := resource.Integer
		if db.name == "sqlite" {
			typ = resource.Text
		}
		s := db.serve(
			t, settings{},
			resource.Spec{Name: "orders", Table: "orders", Scope: scope.Column("tenant_id"), Serializer: serializer.Columns("id")},
			resource.Spec{
				Name: "lines", Table: "order_lines", Scope: scope.Via("orders", "order_id"), Serializer: serializer.Columns("id"),
				Filters: []resource.Filter{{Name: "rate", Type: typ, Condition: cond}}, Measures: []string{"id"},
			},
		)
		if diff := cmp.Diff([]string{"100"}, s.find(t, keyOne, "lines", `{"rate":"777"}`)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if got := jsonOf(t, s.aggregate(t, keyOne, "lines", `,"filter":{"rate":"777"},"measures":["sum:id"]`).Groups); got != `[{"sum:id":100}]` {
			t.Errorf("in groups: %s", got)
		}
		if e := s.call(t, keyOne, "list", `{"resource":"lines","filter":{"rate":"3"}}`).refused(t); e.Code != "internal" {
			t.Errorf("the caller's own value: %+v", e)
		}
	})
}

// A key that two rows share would lose rows in paging, and lead a child to another tenant's parent.
func TestKeysThatAreNotUnique(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.exec(t, `CREATE TABLE numbered (tenant_id INTEGER NOT NULL, number INTEGER NOT NULL, kind TEXT, PRIMARY KEY (tenant_id, number));
			CREATE TABLE parts (id INTEGER PRIMARY KEY, number INTEGER);`)
		if db.name == "postgres" {
			db.exec(t, `GRANT SELECT ON numbered, parts TO tenantry_reader`)
		}
		columns := serializer.Columns("number")
		numbered := resource.Spec{Name: "numbered", Table: "numbered", Key: []string{"number"}, Scope: scope.Column("tenant_id"), Serializer: columns}
		if err := begin(t, db.open(t), executors.Options{}, numbered); err != nil {
			t.Errorf("a key that is unique within a tenant: %v", err)
		}
		err := begin(
			t, db.open(t), executors.Options{}, numbered,
			resource.Spec{Name: "kinds", Table: "numbered", Key: []string{"kind"}, Scope: scope.Column("tenant_id"), Serializer: columns},
			resource.Spec{Name: "parts", Table: "parts", Scope: scope.Via("numbered", "number"), Serializer: serializer.Columns("id")},
		)
		for _, want := range []string{"resource kinds: Key: no unique index", "resource parts: Scope: scope.Via: the key of the parent \"numbered\" is not unique by itself"} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("the start lacks %q: %v", want, err)
			}
		}
	})
}

// What a search costs grows with its text on every row that is looked at, foreign ones included.
func TestSearchTextsAreBounded(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.start(t, twins)
		for _, op := range []string{"matches", "does_not_match", "starts_with", "ends_with"} {
			filter := `{"note":{"op":"` + op + `","value":"` + strings.Repeat("q", 1001) + `"}}`
			if e := s.call(t, keyOne, "list", `{"resource":"orders","filter":`+filter+`}`).refused(t); e.Code != "limit_exceeded" {
				t.Errorf("%s: %+v", op, e)
			}
		}
	})
}

// A column that changes its type under a running server is never read as the type that it was: in every way
// of sending statements.
func TestAChangedTypeIsNoOtherValue(t *testing.T) {
	t.Parallel()
	for name, mode := range map[string]pgx.QueryExecMode{"prepared": pgx.QueryExecModeCacheStatement, "unnamed": pgx.QueryExecModeExec} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := testdb.New(t)
			db.Exec(t, `INSERT INTO tenants VALUES (1, 'one'); INSERT INTO orders (id, tenant_id, qty) VALUES (1, 1, 2000)`)
			cfg, err := pgxpool.ParseConfig(direct(t, db))
			if err != nil {
				t.Fatal(err)
			}
			cfg.ConnConfig.DefaultQueryExecMode = mode
			opened, err := postgres.Open(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(opened.Close)
			reg := registry.MustNew(nil, resource.Spec{Name: "orders", Table: "orders", Scope: scope.Column("tenant_id"), Serializer: serializer.Columns("id", "qty")})
			exec, err := executors.New(t.Context(), opened, reg, nil)
			if err != nil {
				t.Fatal(err)
			}
			p, err := verifier(t).Verify(t.Context(), keyOne, nil)
			if err != nil {
				t.Fatal(err)
			}
			list := func() (*executors.Answer, error) {
				return exec.List(t.Context(), p, executors.ListRequest{Resource: "orders"})
			}
			if a, err := list(); err != nil || !strings.Contains(string(a.JSON), `"qty":2000`) {
				t.Fatalf("before the change: %v", err)
			}
			for _, change := range []struct{ to, want, bound string }{ // bound: what it is called as the type that it was
				{"real USING qty / 16.0", `"qty":125`, `"qty":125`},
				{"text USING 'n' || qty", `"qty":"n125"`, `"qty":"n125"`},
				{"bigint USING 7", `"qty":7`, `"qty":"7"`},
			} {
				db.Exec(t, `ALTER TABLE orders ALTER COLUMN qty TYPE `+change.to)
				for range 3 {
					if a, err := list(); err == nil && !strings.Contains(string(a.JSON), change.want) && !strings.Contains(string(a.JSON), change.bound) {
						t.Errorf("after %s: %s", change.to, a.JSON)
					}
				}
				if err := exec.Rebind(t.Context()); err != nil {
					t.Fatal(err)
				}
				if a, err := list(); err != nil || !strings.Contains(string(a.JSON), change.want) {
					t.Errorf("after %s and a rebinding: %v", change.to, err)
				}
			}
		})
	}
}
