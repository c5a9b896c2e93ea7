package shop_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/tenantry/tenantry/integration/testdb"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// seed repeats what a failed run has generated.
var seed = flag.Uint64("seed", 0, "the seed of generated tables; 0 for a new one")

func seeded(t *testing.T) *rand.Rand {
	t.Helper()
	n := *seed
	if n == 0 {
		n = rand.Uint64()
	}
	t.Logf("-seed %d", n)
	return rand.New(rand.NewPCG(n, 0))
}

// The rows of a generated table: the first ones are of tenant 1.
const mineRows, otherRows, tableWidth = 10, 3, 48

// generated is a table, and what the database says of its rows.
type generated struct {
	*server
	db      *testdb.DB
	name    string
	columns []column

	conn    *pgx.Conn
	printed []map[string]*string // of every row of tenant 1, by its id
	rows    []row
}

func (g *generated) sql(r *rand.Rand) string {
	definition, values := "id int PRIMARY KEY, tenant_id int NOT NULL", []string{}
	for _, c := range g.columns {
		definition += ", " + c.name + " " + c.declared
	}
	for id := range mineRows + otherRows {
		row := []string{fmt.Sprint(id), fmt.Sprint(1 + id/mineRows)}
		for _, c := range g.columns {
			row = append(row, c.literal(r))
		}
		values = append(values, "("+strings.Join(row, ", ")+")")
	}
	return fmt.Sprintf("CREATE TABLE %[1]s (%[2]s); CALL tenantry.protect('%[1]s', 'tenant_id'); INSERT INTO %[1]s VALUES %[3]s", g.name, definition, strings.Join(values, ",\n"))
}

func (g *generated) spec() resource.Spec {
	spec := resource.Spec{Name: g.name, Table: g.name, Scope: scope.Column("tenant_id"), Filterable: resource.Columns{}}
	names := []string{"id"}
	for _, c := range g.columns {
		names = append(names, c.name)
		if !c.dark || c.depth == 2 {
			spec.Filterable[c.name] = c.name
		}
		if c.order && c.depth == 0 {
			spec.Sortable = append(spec.Sortable, c.name)
		}
	}
	spec.Serializer = serializer.Columns(names...)
	return spec
}

// load reads the rows both ways.
func (g *generated) load(t *testing.T) {
	t.Helper()
	g.conn = g.db.Conn(t)
	if _, err := g.conn.Exec(t.Context(), `SET TimeZone = 'UTC'; SET DateStyle = ISO; SET IntervalStyle = postgres; SET lc_monetary = 'C'`); err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, c := range g.columns {
		names = append(names, c.name)
	}
	result := g.conn.PgConn().ExecParams(t.Context(), "SELECT "+strings.Join(names, ", ")+" FROM "+g.name+" WHERE tenant_id = 1 ORDER BY id", nil, nil, nil, nil).Read()
	if result.Err != nil {
		t.Fatal(result.Err)
	}
	for _, values := range result.Rows {
		printed := map[string]*string{}
		for i, v := range values {
			if v != nil {
				text := string(v)
				printed[names[i]] = &text
			}
		}
		g.printed = append(g.printed, printed)
	}
	g.rows = g.call(t, token, "list", map[string]any{"resource": g.name, "limit": 100}).page(t).Rows
	if len(g.rows) != mineRows {
		t.Fatalf("%d rows", len(g.rows))
	}
}
