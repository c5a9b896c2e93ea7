package shop_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/integration/testdb"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// logTable has many rows of one tenant, a tenth of them without a grade, a tenth without an instant, and an index
// for each order that the test asks for.
const logTable = `
CREATE TYPE mood AS ENUM ('glum', 'calm', 'glad');
CREATE DOMAIN feeling AS mood;
CREATE TABLE logs (tenant_id int NOT NULL, id int PRIMARY KEY, word text NOT NULL, grade int, at timestamptz, feels feeling NOT NULL);
INSERT INTO logs SELECT 1 + (i % 20) / 18, i, 'w' || i % 50, nullif(i % 10, 3), CASE WHEN i % 11 > 0 THEN '2026-01-01Z'::timestamptz + (i % 97) * interval '1 h' END,
	(enum_range(NULL::mood))[1 + i % 3] FROM generate_series(1, 20000) AS i;
CREATE INDEX ON logs (tenant_id, id);
CREATE INDEX ON logs (tenant_id, grade, id);
CREATE INDEX ON logs (tenant_id, grade DESC, at, id);
CREATE INDEX ON logs (tenant_id, word, at DESC, grade, id);
CREATE INDEX ON logs (tenant_id, at DESC, word DESC, id DESC);
CREATE INDEX ON logs (tenant_id, feels, id DESC);
CALL tenantry.protect('logs', 'tenant_id');`

func serveLogs(t *testing.T, db *testdb.DB) *server {
	t.Helper()
	names := []string{"id", "word", "grade", "at", "feels"}
	return serve(t, db, resource.Spec{
		Name: "logs", Table: "logs", Scope: scope.Column("tenant_id"), Sortable: names, Serializer: serializer.Columns(names...),
	})
}

// Every mixture of directions and nullable columns is served by the index on it: on the first page, behind a
// value, behind a null and near the end, no statement sorts or reads more than a few pages of rows. Behind row
// policies this holds for comparisons that PostgreSQL calls leakproof, which those of enums are not.
func TestAnIndexServesEveryOrder(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	db.Exec(t, logTable)
	db.Exec(t, "VACUUM ANALYZE logs")
	bound, free := db.Reader(t), db.Conn(t)
	if _, err := bound.Exec(t.Context(), "SELECT set_config('tenantry.tenant_id', '1', false)"); err != nil {
		t.Fatal(err)
	}
	s := serveLogs(t, db)
	for _, test := range []struct {
		sort []string
		conn *pgx.Conn
	}{
		{nil, bound},
		{[]string{"-id"}, bound},
		{[]string{"grade"}, bound},
		{[]string{"-grade", "at"}, bound},
		{[]string{"grade", "-at", "-id"}, bound},
		{[]string{"word", "-at", "grade"}, bound},
		{[]string{"-at", "-word"}, bound},
		{[]string{"at", "word"}, bound},
		{[]string{"-feels", "id"}, free},
		{[]string{"feels", "-id"}, free},
	} {
		l := listing{token: token, resource: "logs", sort: test.sort, limit: 100}
		n := 0
		s.walk(t, l, 20000, func(p page) {
			last := p.Rows[len(p.Rows)-1]
			if n++; n < 4 || n%40 == 0 || n > 178 || string(last["grade"]) == "null" && string(last["at"]) == "null" {
				s.served(t, test.conn, fmt.Sprintf("by %v, page %d", test.sort, n))
			}
		})
		if n < 179 { // of 100 rows, of the tenant's 18,000
			t.Errorf("by %v: %d pages", test.sort, n)
		}
	}
}

// served checks the plan of the last statement that the server has run.
func (s *server) served(t *testing.T, conn *pgx.Conn, what string) {
	t.Helper()
	statement := s.spy.last.Statements[len(s.spy.last.Statements)-1]
	plan := explain(t, conn, statement.SQL, statement.Args)
	most, sorted := plan.largest()
	if sorted > 300 || most > 2500 {
		t.Errorf("%s: a step reads %d rows, and a sort %d:\n%s\n%s", what, most, sorted, statement.SQL, plan.text(""))
	}
}

// node is a step of a plan that has been run.
type node struct {
	Type    string  `json:"Node Type"`
	Index   string  `json:"Index Name"`
	Rows    float64 `json:"Actual Rows"`
	Loops   float64 `json:"Actual Loops"`
	Removed float64 `json:"Rows Removed by Filter"`
	Plans   []node  `json:"Plans"`
}

// largest is how many rows any step reads, and how many any sort is given.
func (n node) largest() (rows, sorted int) {
	rows = int(n.Loops * (n.Rows + n.Removed))
	for _, p := range n.Plans {
		r, s := p.largest()
		rows, sorted = max(rows, r), max(sorted, s)
		if strings.Contains(n.Type, "Sort") {
			sorted = max(sorted, int(p.Loops*p.Rows))
		}
	}
	return rows, sorted
}

func (n node) text(indent string) string {
	out := fmt.Sprintf("%s%s %s rows=%v removed=%v loops=%v\n", indent, n.Type, n.Index, n.Rows, n.Removed, n.Loops)
	for _, p := range n.Plans {
		out += p.text(indent + "  ")
	}
	return out
}

// explain runs a statement as the server sent it, for tenant 1, and returns its plan.
func explain(t *testing.T, conn *pgx.Conn, sql string, args []any) node {
	t.Helper()
	values := make([][]byte, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case string:
			values[i] = []byte(a)
		case []string, filtering.Nested:
			t.Fatalf("an argument is the list %v", a)
		default:
			values[i] = []byte("1") // the tenant
		}
	}
	result := conn.PgConn().ExecParams(t.Context(), "EXPLAIN (ANALYZE, FORMAT JSON, TIMING false) "+sql, values, nil, nil, nil).Read()
	if result.Err != nil {
		t.Fatalf("%v\n%s", result.Err, sql)
	}
	var plans []struct{ Plan node }
	if err := json.Unmarshal(result.Rows[0][0], &plans); err != nil {
		t.Fatal(err)
	}
	return plans[0].Plan
}
