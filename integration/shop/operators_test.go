package shop_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
)

// compares asks for what lies on either side of every value of a type that has an order of its own, and for the
// nulls. Special spellings have no place in an order, for a client: they are refused.
func (g *generated) compares(t *testing.T, c column) {
	t.Helper()
	if c.dark && c.depth < 2 {
		return
	}
	g.found(t, c, map[string]any{"op": "is_null", "value": true}, g.where(t, c.name+" IS NULL"))
	g.found(t, c, map[string]any{"op": "is_null", "value": false}, g.where(t, c.name+" IS NOT NULL"))
	for i, r := range g.rows {
		value := r[c.name]
		if string(value) == "null" {
			continue
		}
		for op, sql := range c.comparisons() {
			condition := map[string]any{"op": op, "value": value}
			want := g.where(t, fmt.Sprintf("%[1]s::%[2]s %[3]s (SELECT %[1]s::%[2]s FROM %[4]s WHERE id = %[5]d)", c.name, c.native, sql, g.name, i))
			if special(c, value) {
				g.refuses(t, c, condition)
				continue
			}
			g.found(t, c, condition, want)
		}
	}
}

// comparisons are the operators of order that the type takes, and those of SQL.
func (c column) comparisons() map[string]string {
	texts := []string{"boolean", "text", "varchar(12)", "citext", "char(5)", "uuid", "mood"}
	if !c.order || c.depth > 0 || slices.Contains(texts, c.base.name) {
		return nil
	}
	return map[string]string{"gt": ">", "gteq": ">=", "lt": "<", "lteq": "<="}
}

// special reports whether a value is one of the spellings that only equality takes.
func special(c column, value json.RawMessage) bool {
	s := ""
	switch {
	case json.Unmarshal(value, &s) != nil:
		return false
	case s == "NaN" || s == "Infinity" || s == "-Infinity" || s == "infinity" || s == "-infinity":
		return true
	case c.base.name == "date":
		return len(s) != len("2026-01-01")
	case c.rule == asTimestamp || c.rule == asInstant:
		return s[4] != '-' || s[10] != 'T'
	default:
		return false
	}
}

func (g *generated) refuses(t *testing.T, c column, condition map[string]any) {
	t.Helper()
	a := g.call(t, token, "list", map[string]any{"resource": g.name, "filter": map[string]any{c.name: condition}})
	if a.code(t) != "invalid_filter" {
		t.Errorf("%s of %s, %s: %s", c.name, c.declared, encoded(t, condition), a.body)
	}
}

// where are the rows of tenant 1 for which a condition of plain SQL holds.
func (g *generated) where(t *testing.T, condition string) []int {
	t.Helper()
	rows, err := g.conn.Query(t.Context(), "SELECT id FROM "+g.name+" WHERE tenant_id = 1 AND ("+condition+") ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	ids, err := pgx.AppendRows([]int{}, rows, pgx.RowTo[int])
	if err != nil {
		t.Fatalf("%s: %v", condition, err)
	}
	return ids
}

// holds looks for rows by a part of what they hold: an element of an array, the whole of a document, the ends of a
// text. Each finds its own row.
func (g *generated) holds(t *testing.T, c column) {
	t.Helper()
	for i, r := range g.rows {
		for _, condition := range c.parts(t, r[c.name]) {
			a := g.call(t, token, "list", map[string]any{"resource": g.name, "limit": 100, "fields": "id", "filter": map[string]any{c.name: condition}})
			found := func(r row) bool { return string(r["id"]) == fmt.Sprint(i) }
			if a.isError || !slices.ContainsFunc(a.page(t).Rows, found) {
				t.Errorf("%s of %s, %s: want row %d, got %s", c.name, c.declared, encoded(t, condition), i, a.body)
			}
		}
	}
}

func (c column) parts(t *testing.T, value json.RawMessage) (out []map[string]any) {
	t.Helper()
	text, isText := parsed(t, value).(string)
	switch {
	case string(value) == "null", c.dark:
	case c.depth == 0 && c.rule == asDocument:
		out = append(out, map[string]any{"op": "contains", "value": value})
	case c.depth == 0 && isText && text != "" && slices.Contains([]string{"text", "varchar(12)", "citext"}, c.base.name):
		for _, op := range []string{"matches", "starts_with", "ends_with"} {
			out = append(out, map[string]any{"op": op, "value": text})
		}
	case c.depth == 1:
		one := element(t, value)
		if one == nil || c.rule == asDocument || special(column{base: c.base}, one) {
			return nil
		}
		out = append(out, map[string]any{"op": "contains", "value": []any{one}}, map[string]any{"op": "overlaps", "value": []any{one, one}})
	}
	return out
}

// element is the first element of an array of any dimensions, or nil.
func element(t *testing.T, value json.RawMessage) json.RawMessage {
	t.Helper()
	for len(value) > 0 && value[0] == '[' {
		var items []json.RawMessage
		if decode(t, value, &items); len(items) == 0 {
			return nil
		}
		value = items[0]
	}
	if string(value) == "null" {
		return nil
	}
	return value
}

// sorts walks by a column in both directions.
func (g *generated) sorts(t *testing.T, c column) {
	t.Helper()
	if !c.order || c.depth > 0 {
		return
	}
	for dash, direction := range map[string]string{"": "", "-": " DESC"} {
		rows, err := g.conn.Query(t.Context(), fmt.Sprintf("SELECT id FROM %s WHERE tenant_id = 1 ORDER BY %s%s, id%[3]s", g.name, c.name, direction))
		if err != nil {
			t.Fatal(err)
		}
		want, err := pgx.CollectRows(rows, pgx.RowTo[int])
		if err != nil {
			t.Fatal(err)
		}
		got := []int{}
		for _, r := range g.walk(t, listing{token: token, resource: g.name, sort: []string{dash + c.name}, fields: []string{"id"}, limit: 3}, mineRows, func(page) {}) {
			id := 0
			decode(t, r["id"], &id)
			got = append(got, id)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("by %s%s of %s (-want +got):\n%s", dash, c.name, c.declared, diff)
		}
	}
}
