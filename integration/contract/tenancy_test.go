package contract_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// twins gives both tenants orders, customers and lines that look alike.
const twins = `
INSERT INTO customers (id, tenant_id, email, credit_note) VALUES (1, 1, 'a@one.example', 'n'), (2, 2, 'SECRET-OF-TWO@x', 'n');
INSERT INTO orders (id, tenant_id, bill_to, state, total, qty, note) VALUES
  (10, 1, 1, 'paid', 19.5, 1, 'mine'), (11, 1, 2, 'draft', 20, 2, NULL), (12, 1, NULL, NULL, NULL, NULL, 'mine too'),
  (20, 2, 2, 'paid', 99, 1, 'SECRET-OF-TWO');
INSERT INTO order_lines (id, tenant_id, order_id, sku) VALUES (100, 1, 10, 'x'), (200, 2, 20, 'x'), (201, 2, 20, 'SECRET-OF-TWO');`

func TestEveryReadIsRootedInTheTenant(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.start(t, twins)
		for key, want := range map[string]map[string][]string{
			keyOne: {"orders": {"10", "11", "12"}, "customers": {"1"}, "lines": {"100"}},
		} {
			for name, ids := range want {
				if diff := cmp.Diff(ids, s.find(t, key, name, `{}`)); diff != "" {
					t.Errorf("%s of %s (-want +got):\n%s", name, key, diff)
				}
			}
		}
		for _, arguments := range []string{
			`{"resource":"orders","ids":[10,20]}`, `{"resource":"orders","filter":{"id":[10,20]}}`,
			`{"resource":"orders","filter":{"any":[{"id":10},{"id":20}]}}`, `{"resource":"orders","filter":{"sku":"x"}}`,
		} {
			if diff := cmp.Diff([]string{"10"}, s.call(t, keyOne, "list", arguments).page(t).ids()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", arguments, diff)
			}
		}
		// The link is the row's own value; what it names is not there.
		if links := string(s.call(t, keyOne, "get", `{"resource":"orders","id":11}`).row(t)["links"]); links != `{"customer":2,"parent":null}` {
			t.Errorf("links: %s", links)
		}
		if e := s.call(t, keyOne, "get", `{"resource":"customers","id":2}`).refused(t); e.Code != "not_found" {
			t.Errorf("a foreign customer: %+v", e)
		}
	})
}

// "not yours", "left out" and "does not exist" are the same bytes, told by the same work: one round trip with the
// same statement, to which nothing comes back. Nothing is looked up before the tenant is known.
func TestForeignAndAbsentAreTheSame(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.exec(t, `INSERT INTO tenants (id, name) VALUES (1, 'one'), (2, 'two');`+twins+`
			INSERT INTO customers (id, tenant_id, email, deleted_at) VALUES (3, 1, 'gone@one.example', '2026-01-01T00:00:00.000000Z');`)
		with, w := watched(settings{})
		s := db.serve(t, with, db.shop()...)
		for _, calls := range []struct {
			arguments, foreign, absent string
			times                      int
		}{
			{`{"resource":"orders","id":%s}`, "20", "77", 200},
			{`{"resource":"orders","id":"%s","fields":["note"],"include":["customer"]}`, "20", "77", 20},
			{`{"resource":"customers","id":%s}`, "2", "7", 20},
			{`{"resource":"customers","id":%s}`, "3", "7", 20}, // deleted
			{`{"resource":"lines","id":%s}`, "201", "777", 20},
		} {
			ids := slices.Repeat([]string{calls.foreign, calls.absent}, calls.times)
			rand.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
			seen := map[string]string{} // what there is to see of a call, and the id that showed it last
			for _, id := range ids {
				seen[s.nothing(t, w, fmt.Sprintf(calls.arguments, id), id)] = id
			}
			if len(seen) != 1 {
				t.Errorf("%s: %d ways to say no: %q", calls.arguments, len(seen), seen)
			}
		}
	})
}

// nothing is all that there is to see of a get that finds nothing, without its id.
func (s *server) nothing(t *testing.T, w *spy, arguments, id string) string {
	t.Helper()
	w.take()
	a := s.call(t, keyOne, "get", arguments)
	trips, statements, bytes := w.take()
	if !a.isError || bytes != 0 || len(statements) == 0 {
		t.Fatalf("%s: %d bytes came back, the answer is %s", arguments, bytes, a.body)
	}
	seen := fmt.Sprint(trips, " ", strings.ReplaceAll(string(a.body), id, "ID"))
	for _, st := range statements {
		if gap := placeholderGap(st); gap != "" {
			t.Fatalf("%s: %s", gap, st.SQL)
		}
		seen += fmt.Sprint("\n", len(st.Args), " ", st.SQL)
	}
	return seen
}

// What is checked is what is used.
func TestOneReading(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.start(t, twins)
		for _, arguments := range []string{
			`{"resource":"orders","tenant_id":2}`, `{"resource":"orders","context":{"tenant":2},"account_id":2}`,
			`{"resource":"orders","Resource":"customers"}`,
		} {
			if e := s.call(t, keyOneLow, "list", arguments).refused(t); e.Code != "unknown_argument" {
				t.Errorf("%s: %+v", arguments, e)
			}
		}
		for _, arguments := range []string{`{"resource":"orders","resource":"customers"}`, `{"resource":"customers","resource":"orders"}`} {
			if e := s.call(t, keyOneLow, "list", arguments).refused(t); e.Code != "invalid_argument" {
				t.Errorf("a duplicate argument, %s: %+v", arguments, e)
			}
		}
		resources := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"resources",%s"arguments":{}}}`
		_, want := s.post(t, keyOneLow, fmt.Sprintf(resources, ""))
		status, reply := s.post(t, keyOneLow, fmt.Sprintf(resources, `"Name":"list",`))
		if status != http.StatusOK || !strings.Contains(string(want), `"resources"`) || string(reply) != string(want) {
			t.Errorf("Name beside name: HTTP %d %s", status, reply)
		}
		_, plain := s.post(t, keyOneLow, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"resource":"orders","fields":"id"}}}`)
		_, meta := s.post(t, keyOneLow, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","_meta":{"tenant":2},"arguments":{"resource":"orders","fields":"id"}}}`)
		if string(plain) != string(meta) {
			t.Errorf("_meta has an effect: %s and %s", plain, meta)
		}
	})
}

func TestHiddenAndUnknownAreTheSame(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.start(t, twins)
		for _, tool := range []string{"list", "get", "resource_schema"} {
			arguments := `{"resource":%q}`
			if tool == "get" {
				arguments = `{"resource":%q,"id":1}`
			}
			hidden := s.call(t, keyOneLow, tool, fmt.Sprintf(arguments, "customers"))
			unknown := s.call(t, keyOneLow, tool, fmt.Sprintf(arguments, "customerz"))
			if strings.ReplaceAll(string(hidden.body), "customers", "customerz") != string(unknown.body) {
				t.Errorf("%s: hidden %s, unknown %s", tool, hidden.body, unknown.body)
			}
		}
		if body := s.call(t, keyOneLow, "resources", `{}`).body; strings.Contains(string(body), "customers") {
			t.Errorf("resources lists a hidden one: %s", body)
		}
		// The relation to a hidden resource is hidden with it.
		row := s.call(t, keyOneLow, "get", `{"resource":"orders","id":10}`).row(t)
		if links := string(row["links"]); links != `{"parent":null}` {
			t.Errorf("links: %s", links)
		}
	})
}

func TestSeveralTenants(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.start(t, twins)
		body := func(meta string) string {
			return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list",` + meta + `"arguments":{"resource":"orders","fields":["id"]}}}`
		}
		header := func(tenant string) http.Header {
			h := http.Header{"Authorization": {"Bearer " + keyMany}}
			if tenant != "" {
				h.Set("Tenantry-Tenant", tenant)
			}
			return h
		}
		for _, test := range []struct {
			name, tenant, meta string
			ids                []string // nil: forbidden
		}{
			{"none named", "", "", nil},
			{"one by header", "1", "", []string{"10", "11", "12"}},
			{"two by header", "2", "", []string{"20"}},
			{"two by _meta", "", `"_meta":{"tenantry/tenant":"2"},`, []string{"20"}},
			{"both agree", "2", `"_meta":{"tenantry/tenant":"2"},`, []string{"20"}},
			{"both disagree", "1", `"_meta":{"tenantry/tenant":"2"},`, nil},
			{"a foreign one", "3", "", nil},
			{"not a key", "1 OR 1=1", "", nil},
		} {
			_, reply := s.postWith(t, body(test.meta), header(test.tenant))
			var rpc struct {
				Result struct {
					IsError    bool            `json:"isError"`
					Structured json.RawMessage `json:"structuredContent"`
				} `json:"result"`
			}
			if err := json.Unmarshal(reply, &rpc); err != nil {
				t.Fatal(err)
			}
			a := answer{rpc.Result.IsError, rpc.Result.Structured}
			if test.ids == nil {
				if e := a.refused(t); e.Code != "forbidden" || !slices.Equal(e.Allowed, []string{"1", "2"}) {
					t.Errorf("%s: %+v", test.name, e)
				}
				continue
			}
			if diff := cmp.Diff(test.ids, a.page(t).ids()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.name, diff)
			}
		}
	})
}
