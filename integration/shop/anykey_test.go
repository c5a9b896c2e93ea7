package shop_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/tenantry/tenantry/integration/testdb"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// keyed is a table whose key is of any types behind the tenant.
type keyed struct {
	name    string
	columns []string // a, b, …
	types   []string
	rules   []base
}

// keyTables have a key of each type that has an order, alone, behind a domain, and beside another.
func keyTables(r *rand.Rand) (out []keyed, domains string) {
	var ordered []base
	for _, b := range bases {
		if b.order {
			ordered = append(ordered, b)
		}
	}
	for i, b := range ordered {
		domain := fmt.Sprintf("k%d", i)
		domains += fmt.Sprintf("CREATE DOMAIN %s AS %s;\n", domain, b.name)
		other := ordered[r.IntN(len(ordered))]
		out = append(out,
			keyed{fmt.Sprintf("plain%d", i), []string{"a"}, []string{b.name}, []base{b}},
			keyed{fmt.Sprintf("domain%d", i), []string{"a"}, []string{domain}, []base{b}},
			keyed{fmt.Sprintf("pair%d", i), []string{"a", "b"}, []string{domain, other.name}, []base{b, other}},
		)
	}
	return out, domains
}

func (k keyed) sql(r *rand.Rand) string {
	definition, names := "tenant_id int", strings.Join(k.columns, ", ")
	for i, c := range k.columns {
		definition += ", " + c + " " + k.types[i]
	}
	var values []string
	for range 14 {
		row := []string{fmt.Sprint(1 + r.IntN(6)/5)}
		for _, b := range k.rules {
			row = append(row, "'"+strings.ReplaceAll(b.value(r), "'", "''")+"'")
		}
		values = append(values, "("+strings.Join(row, ", ")+")")
	}
	return fmt.Sprintf("CREATE TABLE %[1]s (%[2]s, PRIMARY KEY (tenant_id, %[3]s)); CALL tenantry.protect('%[1]s', 'tenant_id');\nINSERT INTO %[1]s VALUES %[4]s ON CONFLICT DO NOTHING;\n",
		k.name, definition, names, strings.Join(values, ", "))
}

// A key of any type, or of two, walks in its order and gets its rows, one by one and as ids.
func TestAnyTypeIsAKey(t *testing.T) {
	t.Parallel()
	r, db := seeded(t), testdb.New(t)
	tables, sql := keyTables(r)
	var specs []resource.Spec
	for _, k := range tables {
		sql += k.sql(r)
		specs = append(specs, resource.Spec{
			Name: k.name, Table: k.name, Scope: scope.Column("tenant_id"), Sortable: k.columns, Serializer: serializer.Columns(k.columns...),
		})
	}
	db.Exec(t, makeTypes+sql)
	s := serve(t, db, specs...)
	for _, k := range tables {
		t.Run(k.name+" "+strings.Join(k.types, ","), func(t *testing.T) {
			t.Parallel()
			k.check(t, s, db.Conn(t))
		})
	}
}

func (k keyed) check(t *testing.T, s *server, conn *pgx.Conn) {
	t.Helper()
	for dash, direction := range map[string]string{"": "", "-": " DESC"} {
		want := k.printed(t, conn, direction)
		got, ids := []any{}, []string{}
		for _, r := range s.walk(t, listing{token: token, resource: k.name, sort: []string{dash + "a"}, limit: 2}, len(want), func(page) {}) {
			id := known{parts: k.columns}.id(t, r)
			got, ids = append(got, parsed(t, []byte(encoded(t, r)))), append(ids, id)
			if a := s.call(t, token, "get", map[string]any{"resource": k.name, "id": id}); a.isError || encoded(t, a.row(t)) != encoded(t, r) {
				t.Errorf("get %q: %s", id, a.body)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("by %sa (-want +got):\n%s", dash, diff)
		}
		if p := s.call(t, token, "list", map[string]any{"resource": k.name, "ids": ids}).page(t); len(p.Rows) != len(ids) {
			t.Errorf("the ids %q list %d rows", ids, len(p.Rows))
		}
	}
}

// printed are the rows as they must be shown, in the order of plain SQL.
func (k keyed) printed(t *testing.T, conn *pgx.Conn, direction string) []any {
	t.Helper()
	if _, err := conn.Exec(t.Context(), `SET TimeZone = 'UTC'; SET DateStyle = ISO`); err != nil {
		t.Fatal(err)
	}
	sql := "SELECT " + strings.Join(k.columns, ", ") + " FROM " + k.name + " WHERE tenant_id = 1 ORDER BY " + strings.Join(k.columns, direction+", ") + direction
	result := conn.PgConn().ExecParams(t.Context(), sql, nil, nil, nil, nil).Read()
	if result.Err != nil {
		t.Fatal(result.Err)
	}
	out := []any{}
	for _, values := range result.Rows {
		shown := map[string]any{}
		for i, v := range values {
			shown[k.columns[i]] = column{base: k.rules[i]}.shown(t, string(v))
		}
		out = append(out, shown)
	}
	return out
}
