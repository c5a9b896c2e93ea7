package contract_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

// counted is what meta says of a count: "41 exact", "10000 at_least", "null timed_out", or nothing.
func (p page) counted() string {
	total := "null"
	if p.Meta.TotalCount != nil {
		total = fmt.Sprint(*p.Meta.TotalCount)
	}
	return total + " " + p.Meta.CountStatus
}

// The total is the length of the walk and the number of different rows, in the tenant alone.
func TestCountsAreOfThePage(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.start(t, `INSERT INTO orders (id, tenant_id, qty, note) VALUES (1,1,1,'a'), (2,1,2,NULL), (3,1,3,'a'), (4,2,1,'a');
			INSERT INTO order_lines (id, tenant_id, order_id, sku) VALUES (1,1,1,'x'), (2,1,1,'x'), (3,1,1,'x'), (4,1,2,'x'), (5,1,3,'y');
			INSERT INTO order_lines (id, tenant_id, order_id, sku) `+numbered("500", `SELECT 1000 + i, 2, 4, 'x' FROM s;`))
		for filter, want := range map[string][]string{
			`{"sku":"x"}`: {"1", "2"}, `{}`: {"1", "2", "3"}, `{"sku":"none"}`: {}, `{"note":"a"}`: {"1", "3"}, `{"qty":[1,2,null]}`: {"1", "2"},
			`{"note":{"op":"not_eq","value":"a"}}`: {"2"}, `{"qty":{"op":"gt","value":1},"sku":"x"}`: {"2"}, `{"not":{"sku":"x"}}`: {"3"},
			`{"any":[{"sku":"x"},{"sku":"y"}]}`: {"1", "2", "3"},
		} {
			if diff := cmp.Diff(want, s.walk(t, keyOne, `{"resource":"orders","filter":`+filter+`}`, 1, 3)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", filter, diff)
			}
			total := fmt.Sprint(len(want), " exact")
			for rest, rows := range map[string]int{
				`"count":"exact"`: len(want), `"count":"capped","limit":2`: min(2, len(want)), `"count":"exact","limit":0`: 0,
				`"count":"capped","limit":"0"`: 0, `"count":"exact","offset":500`: 0, `"count":"exact","sort":["-note"],"limit":1`: min(1, len(want)),
			} {
				p := s.call(t, keyOne, "list", `{"resource":"orders","filter":`+filter+`,`+rest+`}`).page(t)
				if p.counted() != total || len(p.Rows) != rows {
					t.Errorf("%s,%s: %d rows, %s, want %d rows, %s", filter, rest, len(p.Rows), p.counted(), rows, total)
				}
			}
		}
		for _, rest := range []string{``, `,"count":"none"`, `,"count":null`, `,"count":""`} {
			if got := s.call(t, keyOne, "list", `{"resource":"orders"`+rest+`}`).page(t).counted(); got != "null " {
				t.Errorf("nobody asked for a count%s: %s", rest, got)
			}
		}
		narrowed := s.call(t, keyOne, "list", `{"resource":"orders","ids":[1,3,4,77],"updated_since":"2000-01-01","count":"exact"}`).page(t)
		if narrowed.counted() != "0 exact" {
			t.Errorf("ids and updated_since: %s", narrowed.counted())
		}
		if p := s.call(t, keyOne, "list", `{"resource":"orders","ids":"1,3,4,77","count":"exact"}`).page(t); p.counted() != "2 exact" {
			t.Errorf("ids: %s", p.counted())
		}
	})
}

// Capped: it counts to 10,000, and says when there are more.
func TestCappedCounts(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.exec(t, `INSERT INTO tenants (id, name) VALUES (1, 'one'), (2, 'two'); INSERT INTO orders (id, tenant_id, qty) `+numbered("20001", `SELECT i, 1 + i % 2, i FROM s;`))
		s := db.serve(t, settings{executor: executors.Options{CountTimeout: time.Minute, StatementTimeout: time.Minute}}, db.shop()...)
		for _, test := range []struct{ key, rest, want string }{
			{keyOne, `"count":"capped"`, "10000 exact"},
			{keyTwo, `"count":"capped"`, "10000 at_least"},
			{keyTwo, `"count":"exact"`, "10001 exact"},
			{keyTwo, `"count":"capped","filter":{"qty":{"op":"gt","value":1}}`, "10000 exact"},
			{keyTwo, `"count":"capped","limit":0`, "10000 at_least"},
			{keyTwo, `"count":"capped","offset":10000,"limit":1`, "10000 at_least"},
		} {
			if got := s.call(t, test.key, "list", `{"resource":"orders","fields":["id"],`+test.rest+`}`).page(t).counted(); got != test.want {
				t.Errorf("%s, %s: want %s, got %s", test.key, test.rest, test.want, got)
			}
		}
	})
}

// Later pages: a finished count is answered again without counting; another mode counts anew.
func TestCountsAreCarried(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.exec(t, `INSERT INTO tenants (id, name) VALUES (1, 'one'); INSERT INTO orders (id, tenant_id) `+numbered("6", `SELECT i, 1 FROM s;`))
		with, w := watched(settings{})
		s := db.serve(t, with, db.shop()...)
		w.take()
		cursor := ""
		for n, step := range []struct {
			mode, want string
			counts     int
		}{
			{"exact", "6 exact", 1},
			{"exact", "6 exact", 0},
			{"none", "null ", 0},
			{"exact", "6 exact", 0},
			{"capped", "10 exact", 1},
			{"capped", "10 exact", 0},
		} {
			p := s.call(t, keyOne, "list", fmt.Sprintf(`{"resource":"orders","limit":1,"count":%q,"cursor":%q}`, step.mode, cursor)).page(t)
			_, statements, _ := w.take()
			counts := 0
			for _, statement := range statements {
				counts += strings.Count(statement.SQL, "count(*)")
			}
			if p.counted() != step.want || counts != step.counts || !slices.Equal(p.ids(), []string{fmt.Sprint(n + 1)}) {
				t.Errorf("page %d: %s after %d counts, %s", n+1, p.counted(), counts, p.ids())
			}
			cursor = p.Meta.NextCursor
			db.exec(t, fmt.Sprintf(`INSERT INTO orders (id, tenant_id) VALUES (%d, 1)`, 100+n))
		}
	})
}

// slow is a custom filter that holds for every row, and takes some hundredths of a second for each.
func slow(db *database) resource.Filter {
	text := "pg_catalog.pg_sleep(0.02) IS NOT NULL AND t.id > ?"
	if db.name == "sqlite" {
		text = "(WITH RECURSIVE n(i) AS (SELECT t.id UNION ALL SELECT i + 1 FROM n WHERE i < 50000) SELECT max(i) FROM n) > ?"
	}
	return resource.Filter{Name: "slow", Type: resource.BigInt, Condition: func(v resource.Value) (squirrel.Sqlizer, error) {
		return squirrel.Expr(text, v), nil
	}}
}

// slowOrders serves orders with the slow filter, in a database that reads no more rows than it must.
func (db *database) slowOrders(t *testing.T, rows string, s settings) *server {
	t.Helper()
	db.exec(t, `INSERT INTO tenants (id, name) VALUES (1, 'one'); INSERT INTO orders (id, tenant_id) `+numbered(rows, `SELECT i, 1 FROM s;`))
	if db.name == "postgres" {
		db.exec(t, `DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' SET enable_seqscan = off';
			EXECUTE 'ALTER DATABASE ' || current_database() || ' SET enable_bitmapscan = off'; EXECUTE 'ALTER DATABASE ' || current_database() || ' SET enable_sort = off';
			EXECUTE 'ALTER DATABASE ' || current_database() || ' SET jit = off'; END $$`)
	}
	specs := db.summed()
	specs[0].Filters = append(specs[0].Filters, slow(db))
	return db.serve(t, s, specs...)
}

// Out of time: the page is as good as without the count, and the next page counts again.
func TestCountsOutOfTime(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.slowOrders(t, "2000", settings{executor: executors.Options{CountTimeout: 300 * time.Millisecond, StatementTimeout: time.Minute}})
		const arguments = `{"resource":"orders","fields":["id"],"limit":2,"filter":{"slow":0}`
		for _, mode := range []string{"exact", "capped"} {
			first := s.call(t, keyOne, "list", arguments+`,"count":"`+mode+`"}`).page(t)
			if first.counted() != "null timed_out" || !slices.Equal(first.ids(), []string{"1", "2"}) || !first.Meta.HasMore {
				t.Errorf("%s: %s, %+v", mode, first.ids(), first.Meta)
			}
			next := s.call(t, keyOne, "list", arguments+`,"count":"`+mode+`","cursor":"`+first.Meta.NextCursor+`"}`).page(t)
			if next.counted() != "null timed_out" || !slices.Equal(next.ids(), []string{"3", "4"}) {
				t.Errorf("%s, the next page: %s, %+v", mode, next.ids(), next.Meta)
			}
		}
		if p := s.call(t, keyOne, "list", `{"resource":"orders","limit":0,"count":"exact","filter":{"slow":0}}`).page(t); p.counted() != "null timed_out" {
			t.Errorf("the count alone: %+v", p.Meta)
		}
		// The connections are as good as before.
		for range 8 {
			if p := s.call(t, keyOne, "list", `{"resource":"orders","limit":1,"count":"exact"}`).page(t); p.counted() != "2000 exact" {
				t.Errorf("afterwards: %+v", p.Meta)
			}
		}
	})
}
