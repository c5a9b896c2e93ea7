package contract_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// grouped is an answer of aggregate.
type grouped struct {
	Resource string                       `json:"resource"`
	Groups   []map[string]json.RawMessage `json:"groups"`
	Meta     struct {
		Limit     int      `json:"limit"`
		Returned  int      `json:"returned"`
		HasMore   bool     `json:"has_more"`
		Truncated bool     `json:"truncated"`
		CutFields []string `json:"cut_fields"`
	} `json:"meta"`
}

// aggregate answers a call that must succeed; the arguments follow the resource.
func (s *server) aggregate(t *testing.T, key, name, arguments string) grouped {
	t.Helper()
	return s.call(t, key, "aggregate", `{"resource":"`+name+`"`+arguments+`}`).groups(t)
}

func (a answer) groups(t *testing.T) grouped {
	t.Helper()
	var g grouped
	if err := json.Unmarshal(a.body, &g); err != nil || a.isError || g.Groups == nil || g.Meta.Returned != len(g.Groups) {
		t.Fatalf("want groups, got %s (%v)", a.body, err)
	}
	return g
}

// sales are rows of two tenants that are easy to add up by hand.
const sales = `
INSERT INTO customers (id, tenant_id, email) VALUES (7, 1, 'g@one.example'), (8, 1, 'h@one.example'), (9, 1, 'i@one.example');
INSERT INTO orders (id, tenant_id, bill_to, state, total, qty, urgent, due, placed_at, note) VALUES
  (1, 1, 7, 'paid',  10.5, 1, true,  '2026-01-31', '2026-01-31T23:59:59.999999Z', 'b'),
  (2, 1, 7, 'paid',  20,   2, false, '2026-02-01', '2026-02-01T00:00:00.000000Z', 'a'),
  (3, 1, 8, 'draft', 0.25, 3, NULL,  '2026-12-28', '2026-04-05T12:00:00.000000Z', NULL),
  (4, 1, 9, NULL,    NULL, NULL, true, NULL, NULL, 'c'),
  (5, 1, 9, 'paid',  NULL, 4, false, '2027-01-03', '2026-12-31T23:59:59.999999Z', 'a'),
  (20, 2, 7, 'paid', 1000, 1000, true, '2026-01-31', '2026-01-31T00:00:00.000000Z', 'SECRET-OF-TWO'),
  (21, 2, 7, 'void', 1, 1, true, '1999-01-01', '1999-01-31T00:00:00.000000Z', 'SECRET-OF-TWO');`

// summed are the resources of the shared fixture with fields that may be grouped and measured.
func (db *database) summed() []resource.Spec {
	specs := db.shop()
	specs[0].Groupable = []string{"state", "urgent", "due", "placed_at", "note"}
	specs[0].Measures = []string{"qty", "total", "due", "placed_at", "note", "state", "urgent", "id"}
	specs[2].Groupable = []string{"sku"}
	return specs
}

// selling serves the sales, with the customer's key as a field of the orders.
func (db *database) selling(t *testing.T, s settings) *server {
	t.Helper()
	db.exec(t, `INSERT INTO tenants (id, name) VALUES (1, 'one'), (2, 'two');`+sales)
	specs := db.summed()
	fields, err := specs[0].Serializer.Fields()
	if err != nil {
		t.Fatal(err)
	}
	specs[0].Serializer = serializer.Fields(append(fields, serializer.Field{Name: "customer_id", Column: "bill_to"})...)
	specs[0].Groupable, specs[0].Measures = append(specs[0].Groupable, "customer_id"), append(specs[0].Measures, "customer_id")
	return db.serve(t, s, specs...)
}

func TestAggregateAnswers(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.selling(t, settings{})
		exact := func(onPostgres, onSQLite string) string { // numerics are doubles on SQLite
			if db.name == "postgres" {
				return onPostgres
			}
			return onSQLite
		}
		for _, test := range []struct{ arguments, groups, meta string }{
			{``, `[{"count":5}]`, `"limit":25,"returned":1,"has_more":false`},
			{`,"filter":{"state":"void"}`, `[{"count":0}]`, `"limit":25,"returned":1,"has_more":false`},
			{`,"filter":{"state":"void"},"group_by":["state"]`, `[]`, `"limit":25,"returned":0,"has_more":false`},
			{
				`,"filter":{"state":"void"},"measures":["sum:qty","avg:qty","min:note","count_distinct:state","count"]`,
				`[{"sum:qty":null,"avg:qty":null,"min:note":null,"count_distinct:state":0,"count":0}]`, `"limit":25,"returned":1,"has_more":false`,
			},
			{
				`,"group_by":["state"],"measures":["count","sum:qty","sum:total"]`,
				exact(
					`[{"state":"draft","count":1,"sum:qty":3,"sum:total":"0.2500"},{"state":"paid","count":3,"sum:qty":7,"sum:total":"30.5000"},{"state":null,"count":1,"sum:qty":null,"sum:total":null}]`,
					`[{"state":"draft","count":1,"sum:qty":3,"sum:total":0.25},{"state":"paid","count":3,"sum:qty":7,"sum:total":30.5},{"state":null,"count":1,"sum:qty":null,"sum:total":null}]`,
				),
				`"limit":25,"returned":3,"has_more":false`,
			},
			{
				`,"group_by":["state"],"measures":["avg:qty"],"sort":["-state"],"limit":2`,
				exact(
					`[{"state":null,"avg:qty":null},{"state":"paid","avg:qty":"2.3333333333333333"}]`,
					`[{"state":null,"avg:qty":null},{"state":"paid","avg:qty":2.3333333333333335}]`,
				),
				`"limit":2,"returned":2,"has_more":true`,
			},
			{
				`,"group_by":["placed_at:month"]`,
				`[{"placed_at:month":"2026-01-01","count":1},{"placed_at:month":"2026-02-01","count":1},{"placed_at:month":"2026-04-01","count":1},{"placed_at:month":"2026-12-01","count":1},{"placed_at:month":null,"count":1}]`,
				`"limit":25,"returned":5,"has_more":false`,
			},
			{
				`,"group_by":["placed_at:quarter","urgent"],"sort":["-placed_at:quarter","urgent"]`,
				`[{"placed_at:quarter":null,"urgent":true,"count":1},{"placed_at:quarter":"2026-10-01","urgent":false,"count":1},{"placed_at:quarter":"2026-04-01","urgent":null,"count":1},` +
					`{"placed_at:quarter":"2026-01-01","urgent":false,"count":1},{"placed_at:quarter":"2026-01-01","urgent":true,"count":1}]`,
				`"limit":25,"returned":5,"has_more":false`,
			},
			{
				`,"group_by":["due:week"],"filter":{"due":{"op":"gteq","value":"2026-12-01"}}`,
				`[{"due:week":"2026-12-28","count":2}]`, `"limit":25,"returned":1,"has_more":false`,
			},
			{
				`,"group_by":["due:year"],"measures":["min:due","max:placed_at"]`,
				`[{"due:year":"2026-01-01","min:due":"2026-01-31","max:placed_at":"2026-04-05T12:00:00.000000Z"},{"due:year":"2027-01-01","min:due":"2027-01-03","max:placed_at":"2026-12-31T23:59:59.999999Z"},` +
					`{"due:year":null,"min:due":null,"max:placed_at":null}]`,
				`"limit":25,"returned":3,"has_more":false`,
			},
			{
				`,"measures":["count_distinct:note","min:note","max:note","count_distinct:customer_id"]`,
				`[{"count_distinct:note":3,"min:note":"a","max:note":"c","count_distinct:customer_id":3}]`, `"limit":25,"returned":1,"has_more":false`,
			},
			{
				`,"group_by":["customer_id"],"sort":["-count","-customer_id"],"limit":1000`,
				`[{"customer_id":9,"count":2},{"customer_id":7,"count":2},{"customer_id":8,"count":1}]`, `"limit":100,"returned":3,"has_more":false`,
			},
			{`,"group_by":"state","measures":"count","sort":"-count","limit":"1"`, `[{"state":"paid","count":3}]`, `"limit":1,"returned":1,"has_more":true`},
		} {
			want := `{"resource":"orders","groups":` + test.groups + `,"meta":{` + test.meta + `}}`
			for range 2 { // the second time by the statement that is kept
				if diff := cmp.Diff(want, string(s.call(t, keyOne, "aggregate", `{"resource":"orders"`+test.arguments+`}`).body)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", test.arguments, diff)
				}
			}
		}
	})
}

// A sum of integers is exact beyond every double and every bigint, and ordered as a number.
func TestAggregateSumsOfLargeIntegers(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.exec(t, `INSERT INTO tenants (id, name) VALUES (1, 'one'); INSERT INTO orders (id, tenant_id, note) VALUES (9223372036854775807, 1, 'a'), (9223372036854775806, 1, 'a'),
			(9007199254740992, 1, 'b'), (1, 1, 'b'), (3, 1, 'c'), (-9223372036854775807, 1, 'd'), (-9223372036854775806, 1, 'd');`)
		s := db.serve(t, settings{}, db.summed()...)
		got := string(s.call(t, keyOne, "aggregate", `{"resource":"orders","group_by":["note"],"measures":["sum:id"],"sort":["-sum:id"]}`).body)
		want := `{"resource":"orders","groups":[{"note":"a","sum:id":"18446744073709551613"},{"note":"b","sum:id":"9007199254740993"},{"note":"c","sum:id":3},{"note":"d","sum:id":"-18446744073709551613"}],` +
			`"meta":{"limit":25,"returned":4,"has_more":false}}`
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// Changing the other tenant's rows changes no byte, and neither does what they would make fail.
func TestAggregatesAreOfTheTenant(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.selling(t, settings{})
		calls := []string{
			`{"resource":"orders"}`, `{"resource":"orders","group_by":["state"],"measures":["count","sum:total","max:note"],"sort":["-count"]}`,
			`{"resource":"orders","filter":{"not":{"state":"paid"}},"group_by":["placed_at:year"],"measures":["count_distinct:note"]}`,
			`{"resource":"orders","filter":{"any":[{"id":20},{"id":1}]},"group_by":["customer_id"]}`, `{"resource":"lines","group_by":["sku"]}`,
			`{"resource":"orders","filter":{"id":[20,21]},"measures":["min:note","sum:id"]}`,
		}
		answers := func() (out []string) {
			for _, c := range calls {
				out = append(out, string(s.call(t, keyOne, "aggregate", c).body))
			}
			return out
		}
		before := answers()
		db.exec(t, `INSERT INTO orders (id, tenant_id, bill_to, state, total, qty, note, placed_at) VALUES (22, 2, 7, 'paid', 5, 2147483647, 'zz', '2026-01-01T00:00:00.000000Z');
			DELETE FROM orders WHERE id = 21; INSERT INTO order_lines (id, tenant_id, order_id, sku) VALUES (1, 2, 20, 'x'), (2, 1, 20, 'stray'), (3, 1, 1, 'x');`)
		after := answers()
		if before[4] == after[4] {
			t.Errorf("the new line of the caller's order is not counted: %s", after[4])
		}
		if strings.Contains(after[4], "stray") {
			t.Errorf("a line of another tenant's order is counted: %s", after[4])
		}
		before[4], after[4] = "", ""
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("(-before +after):\n%s", diff)
		}
	})
}

// everyRow is a scope that uses its tenant, and holds for every row.
func everyRow() scope.Predicate {
	return scope.Func("tenant_id", func(b scope.Bound) (squirrel.Sqlizer, error) {
		return squirrel.Expr("t.tenant_id = ? OR t.id > 0", b.Tenant()), nil
	})
}

// tooWide serves a table whose scope is true too often, and what it would tell.
func (db *database) tooWide(t *testing.T, extra ...resource.Spec) *server {
	t.Helper()
	// No row policies here: what is tested is the wall in front of them.
	db.exec(t, `CREATE TABLE gauges (id INTEGER PRIMARY KEY, tenant_id INTEGER, kind TEXT, n INTEGER, common BOOLEAN);
		INSERT INTO gauges VALUES (1, 1, 'mine', 1, false), (2, 1, 'both', 2, false), (3, 2, 'both', 3, false), (4, NULL, 'nobody', 4, false), (5, 2, 'shared', 5, true);`)
	if db.name == "postgres" {
		db.exec(t, `GRANT SELECT ON gauges TO tenantry_reader`)
	}
	return db.serve(t, settings{}, extra...)
}

// A scope of the host that lets another tenant's rows through is caught in the groups, which show no row.
func TestAggregatesWitnessTheirRows(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		gauge := func(name string, s scope.Predicate) resource.Spec {
			return resource.Spec{
				Name: name, Table: "gauges", Scope: s, Groupable: []string{"kind"}, Measures: []string{"n"},
				Filterable: resource.Columns{"kind": "kind", "id": "id"}, Serializer: serializer.Columns("id", "kind", "n"),
			}
		}
		wide := func(name string) resource.Spec { return gauge(name, everyRow()) }
		s := db.tooWide(
			t, wide("groups"), wide("whole"), wide("orphans"), wide("late"), wide("clean"),
			gauge("shared", scope.SharedOr(scope.Column("tenant_id"), "common", "a test")),
		)
		for name, arguments := range map[string]string{
			"groups":  `,"filter":{"kind":["mine","both"]},"group_by":["kind"]`,
			"whole":   `,"filter":{"id":[1,2,3]},"measures":["sum:n"]`,
			"orphans": `,"filter":{"id":[1,4]}`,
			"late":    `,"filter":{"kind":["mine","nobody"]},"group_by":["kind"],"limit":1`, // the group that only says that there is more
		} {
			if e := s.call(t, keyOne, "aggregate", `{"resource":"`+name+`"`+arguments+`}`).refused(t); e.Code != "internal" {
				t.Errorf("%s: %+v", name, e)
			}
			for _, tool := range []string{"aggregate", "list"} {
				if e := s.call(t, keyTwo, tool, `{"resource":"`+name+`"}`).refused(t); e.Code != "unavailable" {
					t.Errorf("%s of %s afterwards: %+v", tool, name, e)
				}
			}
		}
		if !strings.Contains(s.logs.String(), "isolation_blocked") {
			t.Error("nothing is logged")
		}
		for arguments, want := range map[string]string{
			`,"filter":{"id":[1,2]},"measures":["count","sum:n"]`: `[{"count":2,"sum:n":3}]`,
			`,"filter":{"id":77}`: `[{"count":0}]`,
		} {
			if got := jsonOf(t, s.aggregate(t, keyOne, "clean", arguments).Groups); got != want {
				t.Errorf("%s: %s, want %s", arguments, got, want)
			}
		}
		if got := jsonOf(t, s.aggregate(t, keyOne, "shared", `,"group_by":["kind"],"measures":["sum:n"]`).Groups); got != `[{"kind":"both","sum:n":2},{"kind":"mine","sum:n":1},{"kind":"shared","sum:n":5}]` {
			t.Errorf("shared rows: %s", got)
		}
		if got := jsonOf(t, s.aggregate(t, keyOne, "shared", `,"filter":{"id":5}`).Groups); got != `[{"count":1}]` {
			t.Errorf("shared rows alone: %s", got)
		}
	})
}

// A budget that no statement keeps gives an answer that says what to send instead, and a good connection.
func TestAggregatesOutOfTime(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.slowOrders(t, "2000", settings{executor: executors.Options{StatementTimeout: time.Second}})
		for range 2 {
			e := s.call(t, keyOne, "aggregate", `{"resource":"orders","filter":{"slow":0},"group_by":["state"]}`).refused(t)
			if e.Code != "timeout" || !strings.Contains(e.Message, "send a filter that finds fewer rows") {
				t.Errorf("%+v", e)
			}
		}
		for range 8 {
			if got := jsonOf(t, s.aggregate(t, keyOne, "orders", ``).Groups); got != `[{"count":2000}]` {
				t.Errorf("afterwards: %s", got)
			}
		}
	})
}

// An answer stays under its bytes, with whole groups only; one group over it is cut.
func TestAggregatesStayUnderTheirBytes(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.exec(t, fmt.Sprintf(`INSERT INTO tenants (id, name) VALUES (1, 'one'); INSERT INTO orders (id, tenant_id, state, note) VALUES (1, 1, 'draft', '%s'), (2, 1, 'paid', '%s'), (3, 1, 'void', '%s');`,
			strings.Repeat("a", 3000), strings.Repeat("b", 3000), "c"+strings.Repeat("é", 100_000)))
		with, w := watched(settings{executor: executors.Options{PageBytes: 8 << 10}})
		s := db.serve(t, with, db.summed()...)
		w.take()
		two := s.call(t, keyOne, "aggregate", `{"resource":"orders","group_by":["note"]}`)
		if g := two.groups(t); len(g.Groups) != 2 || !g.Meta.HasMore || !g.Meta.Truncated || g.Meta.CutFields != nil || len(two.body) > 8<<10 {
			t.Errorf("%d groups, %+v", len(g.Groups), g.Meta)
		}
		_, _, bytes := w.take()
		if bytes > 32<<10 {
			t.Errorf("%d bytes left the database", bytes)
		}
		for _, arguments := range []string{`"group_by":["note"],"sort":["-note"]`, `"measures":["max:note","count"]`, `"group_by":["state"],"measures":["min:note"],"sort":["-state"]`} {
			a := s.call(t, keyOne, "aggregate", `{"resource":"orders",`+arguments+`}`)
			g := a.groups(t)
			if len(g.Groups) == 0 || len(g.Meta.CutFields) != 1 || !strings.HasSuffix(g.Meta.CutFields[0], "note") || len(a.body) > 8<<10 || len(a.body) < 4<<10 {
				t.Errorf("%s: %d bytes, %+v", arguments, len(a.body), g.Meta)
			}
		}
	})
}

// The columns of a host's numbers may change under a running server: they are never read as what they were.
func TestAggregatesOfAChangedType(t *testing.T) {
	onPostgres(t, func(t *testing.T, db *database) {
		s := db.selling(t, settings{})
		const arguments = `{"resource":"orders","measures":["sum:qty"]}`
		if got := string(s.call(t, keyOne, "aggregate", arguments).body); !strings.Contains(got, `"sum:qty":10`) {
			t.Fatalf("before: %s", got)
		}
		db.exec(t, `ALTER TABLE orders ALTER COLUMN qty TYPE real USING qty / 3.0`)
		s.recovers(t, "aggregate", arguments, func(a answer) bool {
			good := holds(`"sum:qty":3.33333344`)(a)
			if !a.isError && !good {
				t.Errorf("after: %s", a.body)
			}
			return good
		})
	})
}

// A server none of whose resources takes part has no such tool.
func TestNoAggregateWithoutConsent(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		specs := db.shop()
		s := db.serve(t, settings{}, specs...)
		tools := func(s *server) []string {
			_, reply := s.post(t, keyOne, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
			var doc struct {
				Result struct{ Tools []struct{ Name string } }
			}
			if err := json.Unmarshal(reply, &doc); err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, tool := range doc.Result.Tools {
				names = append(names, tool.Name)
			}
			return names
		}
		if names := tools(s); slices.Contains(names, "aggregate") || len(names) != 4 {
			t.Errorf("%s", names)
		}
		specs[0].Internal, specs[0].Measures = true, []string{"qty"} // which no client reaches
		if names := tools(db.serve(t, settings{}, specs...)); len(names) != 4 {
			t.Errorf("for the sake of an internal resource: %s", names)
		}
		if names := tools(db.serve(t, settings{}, db.summed()...)); len(names) != 5 {
			t.Errorf("with consent: %s", names)
		}
	})
}
