// Package contract_test holds the contract of the tools against real databases: every test runs over
// HTTP on PostgreSQL and, where the type exists there, on SQLite.
package contract_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // fills the files that the server then reads

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/postgres"
	"github.com/tenantry/tenantry/executors/sqlite"
	"github.com/tenantry/tenantry/integration/testdb"
	"github.com/tenantry/tenantry/integration/told"
	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/tenant"
)

func TestMain(m *testing.M) {
	// The tests wait for the database more than they compute; -parallel on the command line overrides this.
	if err := flag.Set("test.parallel", strconv.Itoa(max(6, runtime.GOMAXPROCS(0)))); err != nil {
		panic(err)
	}
	testdb.Main(m)
}

// The keys of the shared fixture.
const (
	keyOne    = "KEY_ONE"     // tenant 1, orders and customers
	keyOneLow = "KEY_ONE_LOW" // tenant 1, orders alone
	keyTwo    = "KEY_TWO"     // tenant 2, orders and customers
	keyMany   = "KEY_MANY"    // tenants 1 and 2
	keyBelow  = "KEY_BELOW"   // tenant -1, orders and customers
)

// database is one of the two kinds, empty or with the shared tables, and how to fill it.
type database struct {
	name string
	open func(t *testing.T) executors.DB // what the server reads through
	exec func(t *testing.T, sql string)  // fills it
}

// onBoth runs a test on PostgreSQL and on SQLite. The set-up is SQL that both take, over the shared tables.
func onBoth(t *testing.T, test func(t *testing.T, db *database)) {
	t.Helper()
	t.Run("postgres", func(t *testing.T) { t.Parallel(); test(t, newPostgres(t)) })
	t.Run("sqlite", func(t *testing.T) { t.Parallel(); test(t, newSQLite(t)) })
}

// onPostgres runs a test on PostgreSQL alone, for what SQLite does not have.
func onPostgres(t *testing.T, test func(t *testing.T, db *database)) {
	t.Helper()
	t.Parallel()
	test(t, newPostgres(t))
}

func newPostgres(t *testing.T) *database {
	t.Helper()
	db := testdb.New(t)
	return &database{
		name: "postgres",
		exec: func(t *testing.T, sql string) { t.Helper(); db.Exec(t, sql) },
		open: func(t *testing.T) executors.DB {
			t.Helper()
			opened, err := postgres.OpenURL(t.Context(), db.ReaderURL)
			if err != nil {
				t.Fatal(err)
			}
			return opened
		},
	}
}

// sqliteTables are the shared tables as SQLite has them.
const sqliteTables = `
CREATE TABLE tenants (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE customers (id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL, email TEXT NOT NULL, display_name TEXT, credit_note TEXT, deleted_at TIMESTAMPTZ);
CREATE TABLE orders (id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL, bill_to INTEGER, ship_to INTEGER, parent_id INTEGER,
  state TEXT, total NUMERIC, qty INTEGER, urgent BOOLEAN, due DATE, placed_at TIMESTAMPTZ, ref UUID, note TEXT, extra JSON);
CREATE TABLE order_lines (id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL, order_id INTEGER, sku TEXT);`

func newSQLite(t *testing.T) *database {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shop.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	d := &database{
		name: "sqlite",
		exec: func(t *testing.T, sql string) {
			t.Helper()
			if _, err := db.ExecContext(t.Context(), sql); err != nil {
				t.Fatalf("%v\n%s", err, sql)
			}
		},
		open: func(t *testing.T) executors.DB {
			t.Helper()
			opened, err := sqlite.Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			return opened
		},
	}
	d.exec(t, sqliteTables)
	return d
}

// server is the real handler on a real listener.
type server struct {
	url  string
	exec *executors.Executor
	logs *lockedBuffer
}

// settings are what a test changes of its server.
type settings struct {
	executor executors.Options
	server   mcpserver.Options
	requires string // the registry's default permission scope
	wrap     func(executors.DB) executors.DB
}

// serve starts a server over specs; every test has its own.
func (db *database) serve(t *testing.T, s settings, specs ...resource.Spec) *server {
	t.Helper()
	reg, err := registry.New(&registry.Options{Requires: s.requires}, specs...)
	if err != nil {
		t.Fatal(err)
	}
	opened := db.open(t)
	if s.wrap != nil {
		opened = s.wrap(opened)
	}
	t.Cleanup(opened.Close)
	logs := &lockedBuffer{}
	logger := slog.New(slog.NewJSONHandler(logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s.executor.Logger, s.server.Logger = logger, logger
	exec, err := executors.New(t.Context(), opened, reg, &s.executor)
	if err != nil {
		t.Fatal(err)
	}
	handler, err := mcpserver.Handler(exec, verifier(t), &s.server)
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(handler)
	t.Cleanup(srv.Close)
	return &server{url: srv.URL, exec: exec, logs: logs}
}

func verifier(t testing.TB) auth.Verifier {
	t.Helper()
	grant := func(subject string, tenants []int64, scopes ...string) auth.Grant {
		g := auth.Grant{Subject: subject, Scopes: scopes}
		for _, n := range tenants {
			id, err := tenant.Int(n)
			if err != nil {
				t.Fatal(err)
			}
			g.Tenants = append(g.Tenants, id)
		}
		return g
	}
	v, err := auth.NewStatic(map[string]auth.Grant{
		keyOne:    grant("alice", []int64{1}, "orders:read", "customers:read"),
		keyOneLow: grant("anton", []int64{1}, "orders:read"),
		keyTwo:    grant("berta", []int64{2}, "orders:read", "customers:read"),
		keyMany:   grant("carol", []int64{1, 2}, "orders:read", "customers:read"),
		keyBelow:  grant("dora", []int64{-1}, "orders:read", "customers:read"),
	})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// answer is a tool's reply: the JSON of its structuredContent, checked equal to the text block.
type answer struct {
	isError bool
	body    json.RawMessage
}

// errorDoc is the error of an answer.
type errorDoc struct {
	Code        string   `json:"code"`
	Message     string   `json:"message"`
	Path        string   `json:"path"`
	Allowed     []string `json:"allowed"`
	Suggestions []string `json:"suggestions"`
}

// call runs one tool over HTTP as a client would, with the arguments as JSON text. Every reply is checked
// for what must never leave.
func (s *server) call(t *testing.T, key, tool, arguments string) answer {
	t.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
	status, reply := s.post(t, key, body)
	var rpc struct {
		Result struct {
			IsError    bool            `json:"isError"`
			Structured json.RawMessage `json:"structuredContent"`
			Content    []struct {
				Type, Text string
			} `json:"content"`
		} `json:"result"`
		Error json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(reply, &rpc); err != nil || status != http.StatusOK || rpc.Error != nil {
		t.Fatalf("%s %s: HTTP %d %s (%v)", tool, arguments, status, reply, err)
	}
	if len(rpc.Result.Content) != 1 || !sameJSON(t, []byte(rpc.Result.Content[0].Text), rpc.Result.Structured) {
		t.Fatalf("%s %s: the text block is not the structured content: %s", tool, arguments, reply)
	}
	if !rpc.Result.IsError && (tool == "list" || tool == "get") {
		s.told(t, key, arguments, rpc.Result.Structured)
	}
	return answer{rpc.Result.IsError, rpc.Result.Structured}
}

// told holds every row of an answer against what its caller is told of such rows.
func (s *server) told(t *testing.T, key, arguments string, body []byte) {
	t.Helper()
	p, err := verifier(t).Verify(t.Context(), key, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := told.Check(s.exec, p, []byte(arguments), body); err != nil {
		t.Errorf("%s: a row is not as it is told: %v", arguments, err)
	}
}

func (s *server) post(t *testing.T, key, body string) (int, []byte) {
	t.Helper()
	return s.postWith(t, body, http.Header{"Authorization": {"Bearer " + key}})
}

func (s *server) postWith(t *testing.T, body string, header http.Header) (int, []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, s.url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = header.Clone()
	req.Header.Set("Content-Type", "application/json")
	if req.Header.Get("Accept") == "" {
		req.Header.Set("Accept", "application/json, text/event-stream")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	reply, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	quiet(t, reply, body)
	for name, values := range res.Header {
		quiet(t, []byte(name+": "+strings.Join(values, ",")), body)
	}
	return res.StatusCode, reply
}

// loud are texts of which no reply may hold any: SQL, SQLSTATE, names of tables, Go types, hosts.
var loud = []string{
	"SELECT ", "FROM ", "WHERE ", "SQLSTATE", "order_lines", "tenant_id", "credit_note", "pg_", "pgconn", "goroutine ",
	"runtime error", "*resource.", "squirrel", "127.0.0.1", "localhost", "42P01", "22P02", "SECRET-OF-TWO",
}

// sealedText is a cursor in a reply: its letters mean nothing, and sooner or later spell everything.
var sealedText = regexp.MustCompile(`next_cursor\\?":\\?"[\w-]+`)

// quiet checks what is asserted on every reply of every test. What the caller itself sent may be echoed.
func quiet(t *testing.T, reply []byte, sent string) {
	t.Helper()
	reply = sealedText.ReplaceAll(reply, nil)
	for _, l := range loud {
		if bytes.Contains(reply, []byte(l)) && !strings.Contains(sent, l) {
			t.Errorf("a reply holds %q: %s", l, reply)
		}
	}
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var ca, cb bytes.Buffer
	return json.Compact(&ca, a) == nil && json.Compact(&cb, b) == nil && ca.String() == cb.String()
}

// refused is the error of an answer that must be one.
func (a answer) refused(t *testing.T) errorDoc {
	t.Helper()
	var doc struct {
		Error errorDoc `json:"error"`
	}
	if err := json.Unmarshal(a.body, &doc); err != nil || !a.isError || doc.Error.Code == "" {
		t.Fatalf("want an error, got %s (%v)", a.body, err)
	}
	return doc.Error
}

// page is a list answer.
type page struct {
	Rows []map[string]json.RawMessage `json:"rows"`
	Meta struct {
		Limit       int      `json:"limit"`
		Returned    int      `json:"returned"`
		HasMore     bool     `json:"has_more"`
		NextCursor  string   `json:"next_cursor"`
		TotalCount  *int64   `json:"total_count"`
		CountStatus string   `json:"count_status"`
		Truncated   bool     `json:"truncated"`
		CutFields   []string `json:"cut_fields"`
	} `json:"meta"`
}

func (a answer) page(t *testing.T) page {
	t.Helper()
	var p page
	if err := json.Unmarshal(a.body, &p); err != nil || a.isError {
		t.Fatalf("want a page, got %s (%v)", a.body, err)
	}
	if p.Meta.Returned != len(p.Rows) || p.Meta.HasMore != (p.Meta.NextCursor != "") {
		t.Fatalf("meta does not fit the rows: %s", a.body)
	}
	return p
}

// ids are the values of the field id, in order, as JSON text.
func (p page) ids() []string {
	out := []string{}
	for _, r := range p.Rows {
		out = append(out, string(r["id"]))
	}
	return out
}

// row is the row of a get answer.
func (a answer) row(t *testing.T) map[string]json.RawMessage {
	t.Helper()
	var doc struct {
		Row map[string]json.RawMessage `json:"row"`
	}
	if err := json.Unmarshal(a.body, &doc); err != nil || a.isError || doc.Row == nil {
		t.Fatalf("want a row, got %s (%v)", a.body, err)
	}
	return doc.Row
}

// find is the ids that a filter finds, in key order.
func (s *server) find(t *testing.T, key, name, filter string) []string {
	t.Helper()
	return s.call(t, key, "list", `{"resource":"`+name+`","limit":100,"filter":`+filter+`}`).page(t).ids()
}

// walk follows the pages of a listing to the end, with a hard stop, and returns the ids in order. The
// arguments are a JSON object without limit and cursor.
func (s *server) walk(t *testing.T, key, arguments string, limit, rows int) []string {
	t.Helper()
	var args map[string]any
	if err := json.Unmarshal([]byte(arguments), &args); err != nil {
		t.Fatal(err)
	}
	args["limit"] = limit
	ids := []string{}
	for range rows/limit + 3 {
		text, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		p := s.call(t, key, "list", string(text)).page(t)
		ids = append(ids, p.ids()...)
		if !p.Meta.HasMore {
			return ids
		}
		args["cursor"] = p.Meta.NextCursor
	}
	t.Fatalf("%s: the walk does not end", arguments)
	return nil
}
