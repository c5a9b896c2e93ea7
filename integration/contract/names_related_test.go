package contract_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// oddValues are rows of a table with a column for each odd name, as SQL: what each begins with, and its values.
func oddValues(begin []string, value func(row, n int) string) string {
	lines := make([]string, len(begin))
	for row := range begin {
		cells := make([]string, len(odd))
		for n := range odd {
			cells[n] = value(row, n)
		}
		lines[row] = "(" + begin[row] + strings.Join(cells, ", ") + ")"
	}
	return strings.Join(lines, ", ")
}

// oddRows makes trees 1 and 2, leaves 11 and 12, and a tree 3 and a leaf 13 of another tenant, related through
// every odd name. Through the even ones both leaves are of tree 1, and through the others leaf 11 is of tree 2; the
// join table leads from tree 1 to leaf 11 or 12, twice, and from tree 2 to leaf 12. What is foreign points at tree 1.
func (db *database) oddRows(t *testing.T) {
	t.Helper()
	columns, joins := `"i""d?" bigint PRIMARY KEY, "tenant?" int NOT NULL`, []string{}
	for _, o := range odd {
		columns += ", " + quoted(o.column) + " bigint"
		joins = append(joins, quoted(o.column)+" bigint, "+quoted(o.column+"?to")+" bigint")
	}
	db.table(t, `"Group By"`, "tenant?", columns)
	db.table(t, `"Select From?"`, "tenant?", columns)
	db.exec(t, `CREATE TABLE "Join ""On""?" (`+strings.Join(joins, ", ")+`)`)
	if db.name == "postgres" {
		db.exec(t, `GRANT SELECT ON "Join ""On""?" TO tenantry_reader`)
	}
	db.exec(t, `INSERT INTO "Group By" VALUES `+oddValues([]string{"1, 1, ", "2, 1, ", "3, 2, "}, func(row, n int) string {
		return strconv.Itoa(100*(row+1) + n)
	}))
	db.exec(t, `INSERT INTO "Select From?" VALUES `+oddValues([]string{"11, 1, ", "12, 1, ", "13, 2, "}, func(row, n int) string {
		return []string{strconv.Itoa(1 + n%2), "1", "1"}[row]
	}))
	db.exec(t, `INSERT INTO "Join ""On""?" VALUES `+oddValues([]string{"", "", "", ""}, func(row, n int) string {
		first := "1, " + strconv.Itoa(11+n%2)
		return []string{first, "2, 12", "1, 13", first}[row]
	}))
}

// oddlyRelated serves them.
func (db *database) oddlyRelated(t *testing.T) *server {
	t.Helper()
	db.oddRows(t)
	fields := []resource.Field{{Name: "id", Column: `i"d?`}}
	filterable := resource.Columns{"id": `i"d?`}
	trees := resource.Spec{Name: "trees", Table: "Group By", Scope: scope.Column("tenant?")}
	leaves := resource.Spec{Name: "leaves", Table: "Select From?", Scope: scope.Column("tenant?")}
	for _, o := range odd {
		fields, filterable[o.public] = append(fields, resource.Field{Name: o.public, Column: o.column}), o.column
		trees.Relations = append(trees.Relations, resource.HasMany("of "+o.public, "leaves", o.column),
			resource.ManyToMany("by "+o.public, "leaves", `Join "On"?`, []string{o.column}, []string{o.column + "?to"}))
		leaves.Relations = append(leaves.Relations, resource.BelongsTo("to "+o.public, "trees", o.column))
	}
	for _, s := range []*resource.Spec{&trees, &leaves} {
		s.Serializer, s.Filterable = serializer.Fields(fields...), filterable
	}
	return db.serve(t, settings{}, trees, leaves)
}

// Names that are legal in a database work wherever a relation needs them: ids, embedded rows, join tables, filters.
func TestOddNamesInRelations(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.oddlyRelated(t)
		var of, by, to []string
		links := [3]map[string]json.RawMessage{nil, {}, {}}
		for n, o := range odd {
			of, by, to = append(of, "of "+o.public), append(by, "by "+o.public), append(to, "to "+o.public)
			links[1]["of "+o.public] = json.RawMessage([]string{`[11,12]`, `[12]`}[n%2])
			links[2]["of "+o.public] = json.RawMessage([]string{`[]`, `[11]`}[n%2])
			links[1]["by "+o.public] = json.RawMessage([]string{`[11]`, `[12]`}[n%2])
			links[2]["by "+o.public] = json.RawMessage(`[12]`)
		}
		rows := s.call(t, keyOne, "list", object(t, "resource", "trees", "fields", slices.Concat([]string{"id"}, of, by))).page(t).Rows
		for i, row := range rows {
			if diff := cmp.Diff(links[i+1], pieces(t, row["links"])); diff != "" {
				t.Errorf("ids of tree %d (-want +got):\n%s", i+1, diff)
			}
		}
		s.embedsOdd(t, "trees", 1, slices.Concat(of, by), links[1])
		s.embedsOdd(t, "leaves", 12, to, nil)
		for n, o := range odd {
			s.findsOdd(t, "trees", map[string]any{"of " + o.public + "." + o.public: 1}, `1`)
			s.findsOdd(t, "trees", map[string]any{"of " + o.public + ".id": 11}, []string{`1`, `2`}[n%2])
			s.findsOdd(t, "trees", map[string]any{"by " + o.public + ".id": 11}, []string{`1`, ``}[n%2])
			s.findsOdd(t, "trees", map[string]any{"by " + o.public + "." + o.public: 1, "id": 2}, `2`)
			s.findsOdd(t, "leaves", map[string]any{"to " + o.public + "." + o.public: 100 + n}, []string{`11 12`, `12`}[n%2])
			s.findsOdd(t, "leaves", map[string]any{"to " + o.public + ".by " + o.public + ".id": condition("not_eq", 12)}, []string{`11 12`, ``}[n%2])
		}
		s.findsOdd(t, "trees", map[string]any{"of order.id": 13}, ``)
		s.findsOdd(t, "trees", map[string]any{"by order.id": 13}, ``)
	})
}

// pieces are the members of an object.
func pieces(t *testing.T, object json.RawMessage) (out map[string]json.RawMessage) {
	t.Helper()
	if err := json.Unmarshal(object, &out); err != nil {
		t.Fatalf("%s: %v", object, err)
	}
	return out
}

// embedsOdd compares the ids that a row embeds through each relation with its links; nil: tree 1 through each.
func (s *server) embedsOdd(t *testing.T, name string, id int, relations []string, links map[string]json.RawMessage) {
	t.Helper()
	included := pieces(t, s.call(t, keyOne, "get", object(t, "resource", name, "id", id, "include", relations)).row(t)["included"])
	for _, r := range relations {
		var many struct{ Rows []map[string]json.RawMessage }
		ids, want := []string{}, string(links[r])
		if err := json.Unmarshal(included[r], &many); err != nil {
			t.Fatalf("%s: %v", included[r], err)
		}
		for _, row := range many.Rows {
			ids = append(ids, string(row["id"]))
		}
		got := "[" + strings.Join(ids, ",") + "]"
		if links == nil {
			row := pieces(t, included[r])
			public := strings.TrimPrefix(r, "to ")
			got, want = string(row["id"])+" "+fmt.Sprint(len(row)), fmt.Sprint(1, len(odd)+1)
			if string(row[public])[:1] != "1" {
				t.Errorf("%s shows %s in %s", r, row[public], public)
			}
		}
		if got != want {
			t.Errorf("%s %d embeds %s through %s, want %s", name, id, got, r, want)
		}
	}
}

// findsOdd checks what a filter finds, and counts.
func (s *server) findsOdd(t *testing.T, name string, filter map[string]any, want string) {
	t.Helper()
	p := s.call(t, keyOne, "list", object(t, "resource", name, "filter", filter, "count", "exact")).page(t)
	if got := strings.Join(p.ids(), " "); got != want || p.counted() != fmt.Sprint(len(strings.Fields(want)), " exact") {
		t.Errorf("%v finds %q and counts %s, want %q", filter, got, p.counted(), want)
	}
}
