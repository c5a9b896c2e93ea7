package contract_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// odd are columns whose names need quoting, under the names that clients see.
var odd = []struct{ public, column string }{
	{"order", "order"},
	{"Select", "Select"},
	{"unit price", "unit price"},
	{`a"b`, `a"b`},
	{"limit", "limit"},
	{"naïve", "naïve"},
	{"ok?", "ok?"},
	{"what??", "what??"},
	{"$1", "$1"},
	{":name", ":name"},
	{"it's", "it's"},
	{`back\slash`, `back\slash`},
	{"t", "t"},
	{"/~1", "/~1"},
	{"</script>", "</script>"},
	{"count(*)", "count(*)"},
	{"dotted", "x.y"},
	{"listed", "x,y"},
	{"negative", "-x"},
	{"bracket", "[x"},
	{"brace", "{x"},
	{"conjunction", "any"},
	{"negation", "not"},
	{"reference", "links"},
	{"comment", "a--b"},
	{"block", "/*b"},
	{"end", "a;b"},
}

func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// oddOnes serves a table of three rows, and one of another tenant, in which the column n holds 200+n, 300+n and
// 100+n, or their links through it. Its table, key and tenant column have odd names too.
func (db *database) oddOnes(t *testing.T) *server {
	t.Helper()
	columns, names := `"i""d?" bigint PRIMARY KEY, "tenant?" int NOT NULL`, ""
	values := [3]string{}
	var fields []resource.Field
	var relations []resource.Relation
	filterable := resource.Columns{"id": `i"d?`}
	sortable := []string{"id"}
	for n, o := range odd {
		columns += ", " + quoted(o.column) + " bigint"
		names += ", " + quoted(o.column)
		for row, hundred := range []int{200, 300, 100} {
			values[row] += ", " + strconv.Itoa(hundred+n)
		}
		fields = append(fields, resource.Field{Name: o.public, Column: o.column})
		filterable[o.public] = o.column
		sortable = append(sortable, o.public)
		relations = append(relations, resource.BelongsTo("to "+o.public, "items", o.column))
	}
	db.table(t, `"Order Items"`, "tenant?", columns)
	db.table(t, `"Select From?"`, "tenant?", `id bigint PRIMARY KEY, "tenant?" int NOT NULL, "where?" bigint`)
	rows := []string{"(1, 1" + values[0] + ")", "(2, 1" + values[1] + ")", "(3, 1" + values[2] + ")", "(4, 2" + values[0] + ")"}
	db.exec(t, `INSERT INTO "Order Items" ("i""d?", "tenant?"`+names+") VALUES "+strings.Join(rows, ",")+`;
		INSERT INTO "Select From?" VALUES (7, 1, 2), (8, 2, 4);`)
	items := resource.Spec{
		Name: "items", Table: "Order Items", Scope: scope.Column("tenant?"), Filterable: filterable, Sortable: sortable,
		Serializer: serializer.Fields(append(fields, resource.Field{Name: "id", Column: `i"d?`})...), Relations: relations,
	}
	shelves := resource.Spec{
		Name: "shelves", Table: "Select From?", Scope: scope.Via("items", "where?"),
		Serializer: serializer.Columns("id"), Relations: []resource.Relation{resource.BelongsTo("from?", "items", "where?")},
	}
	return db.serve(t, settings{}, items, shelves)
}

// Names that are legal in a database work wherever a name can stand.
func TestOddNames(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.oddOnes(t)
		names, links, filter := []string{}, map[string]json.RawMessage{}, map[string]int{}
		want := make([]map[string]json.RawMessage, 3)
		for n, o := range odd {
			names, filter[o.public] = append(names, o.public), 300+n
			links["to "+o.public] = json.RawMessage(strconv.Itoa(300 + n))
			for row, hundred := range []int{200, 300, 100} {
				if n == 0 {
					want[row] = map[string]json.RawMessage{}
				}
				want[row][o.public] = json.RawMessage(strconv.Itoa(hundred + n))
			}
		}
		shown := s.call(t, keyOne, "list", object(t, "resource", "items", "fields", names)).page(t)
		if diff := cmp.Diff(want, shown.Rows); diff != "" {
			t.Errorf("as fields (-want +got):\n%s", diff)
		}
		found := s.call(t, keyOne, "list", object(t, "resource", "items", "filter", filter, "count", "exact")).page(t)
		if diff := cmp.Diff([]string{"2"}, found.ids()); diff != "" || found.Meta.TotalCount == nil || *found.Meta.TotalCount != 1 {
			t.Fatalf("as filter keys (-want +got):\n%s%+v", diff, found.Meta)
		}
		var linked map[string]json.RawMessage
		if err := json.Unmarshal(found.Rows[0]["links"], &linked); err != nil || !cmp.Equal(links, linked) {
			t.Errorf("as links (-want +got):\n%s%v", cmp.Diff(links, linked), err)
		}
		for _, name := range names {
			up := s.walk(t, keyOne, object(t, "resource", "items", "sort", []string{name}, "fields", "id"), 2, 3)
			down := s.walk(t, keyOne, object(t, "resource", "items", "sort", []string{"-" + name}, "fields", "id"), 2, 3)
			if diff := cmp.Diff([][]string{{"3", "1", "2"}, {"2", "1", "3"}}, [][]string{up, down}); diff != "" {
				t.Errorf("%s in sort (-want +got):\n%s", name, diff)
			}
		}
		if diff := cmp.Diff([]string{"7"}, s.find(t, keyOne, "shelves", `{}`)); diff != "" {
			t.Errorf("a scope through odd names (-want +got):\n%s", diff)
		}
	})
}
