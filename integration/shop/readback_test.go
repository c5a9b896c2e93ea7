package shop_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/tenantry/tenantry/integration/testdb"
	"github.com/tenantry/tenantry/resource"
)

// Whatever a column of any type holds, a row shows it as the contract says of what the database prints, and the
// value shown finds under eq and in the rows that hold it, and under not_eq all others. Sorted by it, a walk in
// pages of three is the order of plain SQL.
func TestReadBack(t *testing.T) {
	t.Parallel()
	r, db := seeded(t), testdb.New(t)
	all, domains := columns(r)
	db.Exec(t, makeTypes+domains)
	var specs []resource.Spec
	var tables []*generated
	for some := range slices.Chunk(all, tableWidth) {
		g := &generated{db: db, name: fmt.Sprintf("table%d", len(specs)), columns: some}
		db.Exec(t, g.sql(r))
		specs, tables = append(specs, g.spec()), append(tables, g)
	}
	s := serve(t, db, specs...)
	for _, g := range tables {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			g.server = s
			g.load(t)
			g.shows(t)
			for _, c := range g.columns {
				g.finds(t, c)
				g.compares(t, c)
				g.holds(t, c)
				g.sorts(t, c)
			}
		})
	}
}

// shows compares what rows show with what the database prints.
func (g *generated) shows(t *testing.T) {
	t.Helper()
	for i, r := range g.rows {
		for _, c := range g.columns {
			var want any
			if text := g.printed[i][c.name]; text != nil {
				want = c.shown(t, *text)
			}
			if diff := cmp.Diff(want, parsed(t, r[c.name])); diff != "" {
				t.Errorf("%s: a value of %s (-want +got):\n%s", c.name, c.declared, diff)
			}
		}
	}
}

// parsed is a JSON document with its numbers as they are written.
func parsed(t *testing.T, raw json.RawMessage) (v any) {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil || dec.More() {
		t.Fatalf("%v: %s", err, raw)
	}
	return v
}

// finds looks for every value of a column.
func (g *generated) finds(t *testing.T, c column) {
	t.Helper()
	if c.dark && c.depth < 2 {
		a := g.call(t, token, "list", map[string]any{"resource": g.name, "filter": map[string]any{c.name: "a"}})
		if a.code(t) != "unknown_filter" {
			t.Errorf("%s of %s: %s", c.name, c.declared, a.body)
		}
		return
	}
	same := g.same(t, c)
	for i, r := range g.rows {
		value := r[c.name]
		if string(value) == "null" {
			continue
		}
		want, rest := same[i], []int{}
		for id := range g.rows {
			if !slices.Contains(want, id) {
				rest = append(rest, id)
			}
		}
		g.found(t, c, map[string]any{"op": "eq", "value": value}, want)
		g.found(t, c, map[string]any{"op": "not_eq", "value": value}, rest)
		if c.depth == 0 && c.rule != asDocument && c.rule != asBoolean {
			g.found(t, c, map[string]any{"op": "in", "value": []any{value}}, want)
			g.found(t, c, map[string]any{"op": "not_in", "value": []any{value, value}}, rest)
		}
	}
}

func (g *generated) found(t *testing.T, c column, condition map[string]any, want []int) {
	t.Helper()
	a := g.call(t, token, "list", map[string]any{"resource": g.name, "limit": 100, "fields": "id", "filter": map[string]any{c.name: condition}})
	if a.isError {
		t.Errorf("%s of %s, %s: %s", c.name, c.declared, encoded(t, condition), a.body)
		return
	}
	got := []int{}
	for _, r := range a.page(t).Rows {
		id := 0
		decode(t, r["id"], &id)
		got = append(got, id)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s of %s, %s (-want +got):\n%s", c.name, c.declared, encoded(t, condition), diff)
	}
}

// same are, for every row, the rows that hold an equal value: by plain SQL for types with an equality of their
// own, for the others those that show the same.
func (g *generated) same(t *testing.T, c column) [][]int {
	t.Helper()
	out := make([][]int, len(g.rows))
	if !c.equal || c.depth == 2 {
		for i := range g.rows {
			for j := range g.rows {
				if string(g.rows[i][c.name]) == string(g.rows[j][c.name]) {
					out[i] = append(out[i], j)
				}
			}
		}
		return out
	}
	condition := fmt.Sprintf("a.%[1]s::%[2]s = b.%[1]s::%[2]s", c.name, c.native)
	if c.depth == 1 { // bounds are not shown
		condition = fmt.Sprintf("(%[1]s OR to_json(a.%[2]s)::text = to_json(b.%[2]s)::text)", condition, c.name)
	}
	rows, err := g.conn.Query(t.Context(), fmt.Sprintf("SELECT a.id, b.id FROM %[1]s a JOIN %[1]s b ON %[2]s WHERE a.tenant_id = 1 AND b.tenant_id = 1 ORDER BY 1, 2", g.name, condition))
	if err != nil {
		t.Fatal(err)
	}
	var i, j int
	if _, err := pgx.ForEachRow(rows, []any{&i, &j}, func() error { out[i] = append(out[i], j); return nil }); err != nil {
		t.Fatalf("%s of %s: %v", c.name, c.declared, err)
	}
	return out
}
