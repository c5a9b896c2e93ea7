package contract_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/postgres"
	"github.com/tenantry/tenantry/integration/testdb"
)

// way is an address of a database and how statements are sent to it.
type way struct {
	url  string
	mode pgx.QueryExecMode
}

// ways are all that are served, the first one straight to the server. Behind a pooler that keeps no statements, none is
// prepared by name.
func ways(t *testing.T, db *testdb.DB) []way {
	t.Helper()
	all := []way{{direct(t, db), pgx.QueryExecModeCacheStatement}}
	for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeExec, pgx.QueryExecModeDescribeExec, pgx.QueryExecModeCacheDescribe} {
		all = append(all, way{db.ReaderURL, mode})
	}
	return all
}

// direct is the reader's address without a pooler.
func direct(t *testing.T, db *testdb.DB) string {
	t.Helper()
	reader, err := url.Parse(db.ReaderURL)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(db.URL)
	if err != nil {
		t.Fatal(err)
	}
	u.User = reader.User
	return u.String()
}

// crossing are rows of the tenants -1, 1 and 2, with values that a text protocol could take for something else.
const crossing = `INSERT INTO tenants (id, name) VALUES (-1, 'below'), (1, 'one'), (2, 'two');
INSERT INTO customers (id, tenant_id, email, display_name) VALUES (-1, -1, 'a@below', 'x'), (1, 1, 'a@one', NULL), (2, 2, 'SECRET-OF-TWO', 'x');
INSERT INTO orders (id, tenant_id, bill_to, qty, total, state, urgent, due, placed_at, note, tags, extra)
  SELECT 10 * t + i, t, t, i - 3, -i / 3.0, CASE i % 3 WHEN 0 THEN 'paid' WHEN 1 THEN 'draft' END::order_state, i % 2 = 0, date '2026-02-27' + i,
    '2026-01-01T00:00:00Z'::timestamptz + i * interval '1 day', CASE i WHEN 4 THEN E'x\n or 1=1 --' WHEN 5 THEN 'a''b\c%_' WHEN 6 THEN NULL ELSE CASE t WHEN 2 THEN 'SECRET-OF-TWO' ELSE 'n' END END,
    ARRAY['a', NULL, i::text], jsonb_build_object('n', -i)
  FROM generate_series(1, 9) i, unnest(ARRAY[-1, 1, 2]) t;
INSERT INTO order_lines (id, tenant_id, order_id, sku) SELECT 1000 + 10 * t + i, t, 10 * t + i, 's' || i FROM generate_series(1, 9) i, unnest(ARRAY[-1, 1, 2]) t;`

// asked are calls of everything that a statement is made for.
var asked = [][2]string{
	{"resource_schema", `{"resource":"orders"}`},
	{"get", `{"resource":"orders","id":14}`},
	{"get", `{"resource":"orders","id":-6,"include":["customer"]}`},
	{"get", `{"resource":"orders","id":24}`},
	{"list", `{"resource":"orders"}`},
	{"list", `{"resource":"orders","filter":{"qty":{"op":"gt","value":-1},"note":{"op":"not_eq","value":"x\n or 1=1 --"}},"count":"exact"}`},
	{"list", `{"resource":"orders","filter":{"qty":{"op":"lteq","value":-1}},"count":"capped","sort":["-total"]}`},
	{"list", `{"resource":"orders","filter":{"note":"x\n or 1=1 --"}}`},
	{"list", `{"resource":"orders","filter":{"note":{"op":"matches","value":"'b\\c%_"}}}`},
	{"list", `{"resource":"orders","filter":{"note":null,"total":[-2,"-3.0000",null]}}`},
	{"list", `{"resource":"orders","filter":{"any":[{"state":"paid"},{"not":{"urgent":true}}],"due":{"op":"gt","value":"2026-03-01"}}}`},
	{"list", `{"resource":"orders","filter":{"tags":{"op":"contains","value":["a","3"]},"extra":{"op":"contains","value":{"n":-3}}}}`},
	{"list", `{"resource":"orders","filter":{"customer.email":{"op":"starts_with","value":"a@"},"sku":"s3"},"include":["customer","parent"]}`},
	{"list", `{"resource":"orders","ids":[11,-9,21],"updated_since":"2026-01-01"}`},
	{"list", `{"resource":"orders","fields":["id"],"offset":7,"limit":3}`},
	{"list", `{"resource":"orders","limit":0,"count":"exact"}`},
	{"list", `{"resource":"lines","filter":{"article":{"op":"not_in","value":["s1","s2"]}}}`},
	{"list", `{"resource":"customers"}`},
	{"list", `{"resource":"orders","filter":{"qty":{"op":"gt","value":"--1"}}}`},
	{"aggregate", `{"resource":"orders","group_by":["state"],"measures":["count","sum:qty","avg:total","min:note","max:placed_at"],"sort":["-count"]}`},
	{"aggregate", `{"resource":"orders","group_by":["due:month"],"filter":{"qty":{"op":"gt","value":-1},"note":{"op":"not_eq","value":"x\n or 1=1 --"}}}`},
}

// In every mode the answers are the same bytes, to tenants of either sign.
func TestEveryModeAnswersTheSame(t *testing.T) {
	t.Parallel()
	made := testdb.New(t)
	made.Exec(t, crossing)
	var want []string
	for _, w := range ways(t, made) {
		db := w.database(made)
		s := db.serve(t, settings{}, db.summed()...)
		got := append(s.answers(t, keyBelow), s.answers(t, keyOne)...)
		if want == nil {
			want = got
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v is answered otherwise (-direct +got):\n%s", w.mode, diff)
		}
		for key, ids := range map[string][]string{keyBelow: {"-7", "-5", "-4", "-3", "-2", "-1"}, keyOne: {"13", "15", "16", "17", "18", "19"}} {
			found := s.find(t, key, "orders", `{"qty":{"op":"gt","value":-1},"note":{"op":"not_eq","value":"x\n or 1=1 --"}}`)
			if diff := cmp.Diff(ids, found); diff != "" {
				t.Errorf("%v, %s (-want +got):\n%s", w.mode, key, diff)
			}
		}
	}
}

// answers are the answers to a key, each twice: a statement that is prepared takes another path than one that is not yet.
func (s *server) answers(t *testing.T, key string) (all []string) {
	t.Helper()
	for range 2 {
		var refused []string
		for _, call := range asked {
			a := s.call(t, key, call[0], call[1])
			rest, _ := uncovered(a.body)
			if all = append(all, rest); a.isError {
				refused = append(refused, rest)
			}
		}
		if len(refused) != 3 { // two rows of others, and a number that is none
			t.Errorf("calls of %s are refused: %q", key, refused)
		}
	}
	for _, sort := range []string{`[]`, `["-note","qty"]`, `["total"]`} {
		walked := s.walk(t, key, `{"resource":"orders","filter":{"qty":{"op":"gt","value":-2}},"sort":`+sort+`}`, 2, 9)
		if len(walked) != 8 {
			t.Errorf("%s walks to %q", key, walked)
		}
		all = append(all, strings.Join(walked, " "))
	}
	return all
}

// database is a database that is read in this way.
func (w way) database(made *testdb.DB) *database {
	return &database{
		name: "postgres",
		exec: func(t *testing.T, sql string) { t.Helper(); made.Exec(t, sql) },
		open: func(t *testing.T) executors.DB {
			t.Helper()
			cfg, err := pgxpool.ParseConfig(w.url)
			if err != nil {
				t.Fatal(err)
			}
			cfg.MaxConns, cfg.ConnConfig.DefaultQueryExecMode = 2, w.mode
			opened, err := postgres.Open(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			return opened
		},
	}
}

// A mode that is not served is refused before anything is read, with the one to set.
func TestTheSimpleProtocolIsRefused(t *testing.T) {
	t.Parallel()
	cfg, err := pgxpool.ParseConfig(testdb.New(t).ReaderURL)
	if err != nil {
		t.Fatal(err)
	}
	cfg.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	if _, err := postgres.Open(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "pgx.QueryExecModeExec") {
		t.Errorf("err = %v; want one that names the mode to set", err)
	}
}
