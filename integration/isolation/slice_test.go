package isolation_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/tenantry/tenantry/isolationtest"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/tenant"
)

// envSlice has what a slice needs to know, from the test that runs it against a build with a bug.
const envSlice = "TENANTRY_ISOLATION_SLICE"

// slice is a small part of the harness over databases that are there already.
type slice struct {
	Seed          uint64
	Tenants       int
	Base, Changed string // addresses of the two worlds
	Walls         bool   // a wall is down: only rows of others count
}

// outcome is what a slice found.
type outcome struct {
	Calls, Leaks, Wrong int
	Rows                int    // of the leaks, those that showed something of another tenant
	Vaults              int    // of the leaks, those of a table that has a row policy
	First               string // of what was found
	Told                bool   // the start says that a wall is missing
}

const outcomePrefix = "outcome of the slice: "

// TestSlice runs the slice that the variable describes and prints its outcome. It fails for nothing that it
// finds: whoever runs it judges.
func TestSlice(t *testing.T) {
	text := os.Getenv(envSlice)
	if text == "" {
		t.Skip("it is run by TestIsolation, against builds with a bug")
	}
	var s slice
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	rep := &report{early: !s.Walls}
	s.run(t, rep)
	o := outcome{Calls: int(rep.calls.Load()), Leaks: len(rep.leaks), Wrong: len(rep.wrong), Told: rep.told.Load()}
	for _, l := range rep.leaks {
		if strings.HasPrefix(l, "O1") {
			o.Rows++
		}
		if strings.Contains(l, `"resource":"vaults"`) {
			o.Vaults++
		}
	}
	for _, found := range [][]string{rep.leaks, rep.wrong} {
		if o.First == "" && len(found) > 0 {
			o.First = found[0]
		}
	}
	fmt.Printf("\n%s%s\n", outcomePrefix, encoded(o))
}

const sliceCalls = 500

func (sl slice) run(t *testing.T, rep *report) {
	w := newWorld(tenant.KindInt, sl.Tenants, sl.Seed)
	if sl.Walls {
		sl.walled(t, w, rep)
		return
	}
	other := w.otherwise()
	s := open(t, w, pool(t, sl.Base, nil), rep)
	s.attack(t, open(t, other, pool(t, sl.Changed, nil), rep), tier{calls: sliceCalls}, sl.Seed)
	for _, step := range []func(){
		func() { s.strangers(t) }, func() { s.leftovers(t, sl.Base) }, func() { s.fall(t, sl.Base) },
	} {
		if !s.settled() {
			step()
		}
	}
}

// walled runs calls of every kind, each on an executor of its own: one that has seen a foreign row answers
// nothing any more.
func (sl slice) walled(t *testing.T, w *world, rep *report) {
	t.Helper()
	began := 0
	for _, c := range newGenerator(w, sl.Seed, 0).directed(1) {
		kinds := []string{c.resource, "orders", "customers", "companies", "lines", "labels", "parts", "profiles", "staff"}
		if e := w.kinds[c.resource]; len(e.spec.Relations) == 0 && e.table != "w_parts" {
			kinds = kinds[:1]
		}
		if began++; began%3 != 0 && len(kinds) > 1 && c.filter != nil {
			continue
		}
		s := open(t, w, pool(t, sl.Base, nil), rep, kinds...)
		s.run(t.Context(), c)
	}
}

// strangers try the endpoint over HTTP.
func (s *subject) strangers(t *testing.T) {
	t.Helper()
	srv := httptest.NewServer(s.handler(t))
	defer srv.Close()
	g := newGenerator(s.world, s.seed, 5)
	s.stranger(t.Context(), &call{tenant: 1, token: full}, http.DefaultClient, srv.URL)
	for range 20 {
		s.visit(t.Context(), g, http.DefaultClient, srv.URL)
	}
}

// leftovers looks at every connection before it is used again: nothing of a tenant is on it.
func (s *subject) leftovers(t *testing.T, url string) {
	t.Helper()
	var mu sync.Mutex
	looked := 0
	look := func(ctx context.Context, conn *pgx.Conn) error {
		var setting, status string
		err := conn.QueryRow(ctx, "SELECT coalesce(current_setting('tenantry.tenant_id', true), ''), current_setting('statement_timeout')").Scan(&setting, &status)
		mu.Lock()
		defer mu.Unlock()
		looked++
		if err == nil && (setting != "" || status != "0") {
			s.leak("O5: settings of a call stay on its connection")
		}
		return nil
	}
	x := open(t, s.world, pool(t, url, look), s.report)
	g := newGenerator(s.world, s.seed, 6)
	for range 25 {
		x.run(t.Context(), g.call())
	}
	if looked == 0 {
		s.bad("no connection was looked at")
	}
}

// fall takes the scopes out of the statements: whatever is answered then is what was answered before, and the
// connection that brought a foreign row is gone.
func (s *subject) fall(t *testing.T, url string) {
	t.Helper()
	mine := s.idsOf("orders", 1)
	some := expr{op: "gt", value: int64(1)}
	behind := func(key string) *expr { e := some; e.key = key; return &e }
	orders := func(c call) call { c.tool, c.resource, c.limit, c.ids = "list", "orders", 100, mine; return c }
	own, foreign := fmt.Sprint(isolationtest.MarkOf(1).Int(atCustomer)), fmt.Sprint(isolationtest.MarkOf(2).Int(atCustomer))
	type fallen struct {
		kinds []string
		call  call
	}
	tests := []fallen{
		{[]string{"customers"}, call{tool: "list", limit: 100}},
		{[]string{"customers"}, call{tool: "list", limit: 100, ids: []string{own, fmt.Sprint(orphan.Int(atCustomer))}}},
		{[]string{"customers"}, call{tool: "list", limit: 0, count: "exact"}},
		{[]string{"customers"}, call{tool: "list", limit: 0, count: "capped"}},
		{[]string{"customers"}, call{tool: "get", limit: -1, id: foreign}},
		{[]string{"lines", "orders"}, call{tool: "list", limit: 100}},
		{[]string{"templates"}, call{tool: "list", limit: 100}},
		{[]string{"orders", "labels"}, orders(call{fields: []string{"id", "gifts"}})},
		{[]string{"orders", "labels"}, orders(call{include: []string{"gifts"}})},
		{[]string{"orders", "customers"}, orders(call{include: []string{"customer"}})},
		{[]string{"orders", "customers"}, orders(call{filter: behind("customer.id")})},
		{[]string{"orders", "labels"}, orders(call{filter: behind("labels.id")})},
		{[]string{"orders", "customers", "companies"}, orders(call{filter: behind("customer.company.id")})},
		{[]string{"customers"}, call{tool: "aggregate", limit: -1, measure: []string{"count", "sum:score"}}},
		{[]string{"events"}, call{tool: "aggregate", limit: -1, groups: []string{"kind"}}},
	}
	for _, id := range mine {
		one := orders(call{fields: []string{"id", "labels"}})
		one.ids = []string{id}
		tests = append(tests, fallen{[]string{"orders", "labels"}, one})
	}
	for _, tt := range tests {
		c := tt.call
		if s.settled() {
			return
		}
		if c.tenant, c.token = 1, full; c.resource == "" {
			c.resource = tt.kinds[0]
		}
		honest := open(t, s.world, pool(t, url, nil), s.report, tt.kinds...)
		before := same(honest.quietly(t.Context(), &c))
		honest.watch.fallen.Store(true)
		after := honest.quietly(t.Context(), &c)
		if got := code(after); same(after) != before && got != resource.CodeInternal {
			s.leak("without scopes, %v is answered with something else", &c)
		}
	}
	s.closes(t, url)
}

func (s *subject) idsOf(kind string, tenant int) []string {
	var out []string
	for _, r := range s.visible(kind, tenant) {
		out = append(out, s.kinds[kind].idOf(r))
	}
	return out
}

// closes sees a foreign row come through a connection, and that it is not used again.
func (s *subject) closes(t *testing.T, url string) {
	t.Helper()
	var mu sync.Mutex
	var used []uint32
	look := func(_ context.Context, conn *pgx.Conn) error {
		mu.Lock()
		defer mu.Unlock()
		used = append(used, conn.PgConn().PID())
		return nil
	}
	x := open(t, s.world, pool(t, url, look), s.report, "customers", "vaults")
	x.watch.fallen.Store(true)
	mu.Lock()
	before := len(used)
	mu.Unlock()
	x.quietly(t.Context(), &call{tool: "list", resource: "customers", tenant: 1, token: full, limit: 100})
	mu.Lock()
	through := used[len(used)-1]
	mu.Unlock()
	for range 2 * connections {
		x.quietly(t.Context(), &call{tool: "list", resource: "vaults", tenant: 1, token: full, limit: 1})
	}
	mu.Lock()
	defer mu.Unlock()
	if slices.Contains(used[before+1:], through) {
		s.leak("O5: the connection that brought a foreign row is used again")
	}
}
