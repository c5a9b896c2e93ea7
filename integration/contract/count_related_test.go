package contract_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
)

// lined are orders with their lines as a relation; whose a line is, its own column says.
func (db *database) lined() []resource.Spec {
	specs := db.summed()
	specs[0].Relations = append(specs[0].Relations, resource.HasMany("lines", "lines", "order_id"))
	specs[2].Scope = scope.Column("tenant_id")
	return specs
}

// matching are lines of which order 1 has three that match, order 2 one and order 3 one that does not, and then
// 500 that match in the other tenant: of its own orders 4 and 5, and of the three orders that are not its own.
const matching = `INSERT INTO tenants (id, name) VALUES (1, 'one'), (2, 'two');
INSERT INTO orders (id, tenant_id, qty, note) VALUES (1, 1, 1, 'a'), (2, 1, 2, NULL), (3, 1, 3, 'a'), (4, 2, 1, 'a'), (5, 2, 2, 'a');
INSERT INTO order_lines (id, tenant_id, order_id, sku) VALUES (1, 1, 1, 'x1'), (2, 1, 1, 'x2'), (3, 1, 1, 'x1'), (4, 1, 2, 'x1'), (5, 1, 3, 'other');`

var foreignLines = `INSERT INTO order_lines (id, tenant_id, order_id, sku) ` + numbered("500", `SELECT 1000 + i, 2, 1 + i % 5, 'x' || (1 + i % 2) FROM s`)

// throughLines are filters with the orders that they find.
var throughLines = []struct {
	filter string
	want   []string
}{
	{`{}`, []string{"1", "2", "3"}},
	{`{"lines.article":"x1"}`, []string{"1", "2"}},
	{`{"lines.article":{"op":"eq","value":"x2"}}`, []string{"1"}},
	{`{"lines.article":["x1","x2"]}`, []string{"1", "2"}},
	{`{"lines.article":{"op":"in","value":["x1","x2","x3",null]}}`, []string{"1", "2"}},
	{`{"lines.article":{"op":"matches","value":"X"}}`, []string{"1", "2"}},
	{`{"lines.article":{"op":"starts_with","value":"x"}}`, []string{"1", "2"}},
	{`{"lines.article":{"op":"ends_with","value":"2"}}`, []string{"1"}},
	{`{"lines.article":{"op":"not_eq","value":"x1"}}`, []string{"3"}},
	{`{"lines.article":{"op":"not_in","value":["x1","x2"]}}`, []string{"3"}},
	{`{"lines.article":{"op":"does_not_match","value":"x"}}`, []string{"3"}},
	{`{"lines.article":{"op":"is_null","value":false}}`, []string{"1", "2", "3"}},
	{`{"lines.article":{"op":"is_null","value":true}}`, []string{}},
	{`{"lines.order":{"op":"gteq","value":1}}`, []string{"1", "2", "3"}},
	{`{"lines.order":{"op":"lt","value":2}}`, []string{"1"}},
	{`{"lines.order":[4,5]}`, []string{}},
	{`{"not":{"lines.article":"x1"}}`, []string{"3"}},
	{`{"any":[{"lines.article":"x2"},{"lines.article":"other"}]}`, []string{"1", "3"}},
	{`{"lines.article":"x1","sku":"x2","note":"a"}`, []string{"1"}},
}

// A row counts once however many lines of it match, and those of another tenant count for nothing: the total is
// the length of the walk, which is the number of different rows, also while the database's statistics are stale.
func TestCountsThroughRelations(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.exec(t, matching)
		s := db.serve(t, settings{}, db.lined()...)
		db.exec(t, `ANALYZE`)
		s.countsThroughLines(t, "before the other tenant's lines")
		db.exec(t, foreignLines)
		s.countsThroughLines(t, "with stale statistics")
		db.exec(t, `ANALYZE`)
		s.countsThroughLines(t, "with fresh statistics")
		if got := s.call(t, keyTwo, "list", `{"resource":"orders","limit":0,"count":"exact","filter":{"lines.article":"x1"}}`).page(t).counted(); got != "2 exact" {
			t.Errorf("the other tenant counts %s", got)
		}
		if got := s.call(t, keyTwo, "list", `{"resource":"lines","limit":0,"count":"exact"}`).page(t).counted(); got != "500 exact" {
			t.Errorf("the other tenant counts %s of its lines", got)
		}
	})
}

func (s *server) countsThroughLines(t *testing.T, when string) {
	t.Helper()
	for _, test := range throughLines {
		walked := s.walk(t, keyOne, `{"resource":"orders","filter":`+test.filter+`}`, 1, 3)
		if diff := cmp.Diff(test.want, walked); diff != "" {
			t.Errorf("%s, %s, walked (-want +got):\n%s", when, test.filter, diff)
		}
		n := len(test.want)
		for rest, ids := range map[string][]string{
			`"count":"exact"`: test.want, `"count":"capped","limit":1`: test.want[:min(1, n)], `"count":"exact","limit":0`: {}, `"count":"capped","limit":0`: {},
			`"count":"exact","offset":1`: test.want[min(1, n):], `"count":"exact","offset":3`: {}, `"count":"capped","offset":500`: {},
			`"count":"exact","fields":["id","lines"],"include":["lines"]`: test.want,
		} {
			p := s.call(t, keyOne, "list", `{"resource":"orders","filter":`+test.filter+`,`+rest+`}`).page(t)
			if p.counted() != fmt.Sprint(n, " exact") || !slices.Equal(p.ids(), ids) {
				t.Errorf("%s, %s,%s: %s counted %s, want %s of %d", when, test.filter, rest, p.ids(), p.counted(), ids, n)
			}
		}
	}
}

// Groups are of the rows that list finds: one with several related rows that match is counted once, and summed once.
func TestAggregatesThroughRelations(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.related(t)
		db.exec(t, cross)
		specs := relatedSpecs()
		for i := range specs {
			if specs[i].Name == "purchases" {
				specs[i].Groupable, specs[i].Measures = []string{"note"}, []string{"id", "note"}
			}
		}
		s := db.serve(t, settings{}, specs...)
		for _, test := range []struct {
			filter string
			count  int
			sum    string
			notes  []string
		}{
			{`{}`, 5, "60", []string{`"five"`, `"one"`, `"poison"`, `"two"`, `null`}},
			{`{"customer.email":"a@x"}`, 1, "10", []string{`"one"`}},
			{`{"customer.email":{"op":"not_eq","value":"a@x"}}`, 4, "50", []string{`"five"`, `"poison"`, `"two"`, `null`}},
			{`{"customer.firm.name":["Acme","Bolt"]}`, 2, "21", []string{`"one"`, `"two"`}},
			{`{"items.qty":{"op":"gteq","value":1}}`, 3, "35", []string{`"five"`, `"one"`, `"two"`}},
			{`{"items.sku":["x","y"]}`, 2, "21", []string{`"one"`, `"two"`}},
			{`{"items.sku":"x","items.qty":5}`, 1, "11", []string{`"two"`}},
			{`{"items.sku":{"op":"not_eq","value":"x"}}`, 3, "39", []string{`"five"`, `"poison"`, `null`}},
			{`{"items.sku":{"op":"not_in","value":["x","y"]}}`, 3, "39", []string{`"five"`, `"poison"`, `null`}},
			{`{"not":{"items.qty":{"op":"gteq","value":1}}}`, 2, "25", []string{`"poison"`, `null`}},
			{`{"labels.name":["red","blue"]}`, 2, "22", []string{`"one"`, `"poison"`}},
			{`{"children.note":["two","five"]}`, 1, "10", []string{`"one"`}},
			{`{"any":[{"items.qty":1},{"items.qty":5},{"labels.name":"blue"}]}`, 3, "33", []string{`"one"`, `"poison"`, `"two"`}},
			{`{"items.sku":"SECRET-OF-TWO"}`, 0, "null", []string{}},
			{`{"customer.email":"SECRET-OF-TWO"}`, 0, "null", []string{}},
			{`{"receiver.email":"gone@x"}`, 0, "null", []string{}},
			{`{"customer.email":{"op":"not_eq","value":"SECRET-OF-TWO"}}`, 5, "60", []string{`"five"`, `"one"`, `"poison"`, `"two"`, `null`}},
		} {
			whole := s.aggregate(t, keyOne, "purchases", `,"measures":["count","sum:id","count_distinct:id"],"filter":`+test.filter).Groups[0]
			count := fmt.Sprint(test.count)
			if string(whole["count"]) != count || string(whole["sum:id"]) != test.sum || string(whole["count_distinct:id"]) != count {
				t.Errorf("%s: %s, want %d rows with the sum %s", test.filter, whole, test.count, test.sum)
			}
			notes, found := []string{}, len(s.find(t, keyOne, "purchases", test.filter))
			for _, g := range s.aggregate(t, keyOne, "purchases", `,"group_by":["note"],"filter":`+test.filter).Groups {
				if notes = append(notes, string(g["note"])); string(g["count"]) != "1" {
					t.Errorf("%s: the note %s is counted %s times", test.filter, g["note"], g["count"])
				}
			}
			if diff := cmp.Diff(test.notes, notes); diff != "" || found != test.count {
				t.Errorf("%s: list finds %d rows, the groups are (-want +got):\n%s", test.filter, found, diff)
			}
		}
		e := s.call(t, keyOneLow, "aggregate", `{"resource":"purchases","filter":{"customer.email":"a@x"}}`).refused(t)
		if e.Code != "unknown_filter" || strings.Contains(e.Message, "permission") {
			t.Errorf("through a relation that is hidden: %+v", e)
		}
	})
}
