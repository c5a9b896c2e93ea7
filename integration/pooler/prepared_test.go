//go:build pooler

package pooler_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/postgres"
	"github.com/tenantry/tenantry/integration/testdb"
)

// named opens the database through a pooler of its own, with statements prepared by name.
func named(t *testing.T, db *testdb.DB, mode string) *postgres.DB {
	t.Helper()
	pooler, err := testdb.StartPooler(t.Context(), strings.Replace(db.URL, "/"+db.Name(), "/postgres", 1), mode)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pooler.Stop)
	opened, err := postgres.OpenURL(t.Context(), strings.TrimSuffix(pooler.Through(db.ReaderURL), "&default_query_exec_mode=exec"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(opened.Close)
	return opened
}

// Where a pooler mixes up the statements of several connections, none is prepared by name: the start says what
// to set instead.
func TestUntrackedStatementsAreRefused(t *testing.T) {
	t.Parallel()
	_, err := executors.New(t.Context(), named(t, testdb.New(t), "transaction"), specs(), nil)
	if err == nil || !strings.Contains(err.Error(), "pgx.QueryExecModeExec") {
		t.Errorf("err = %v; want one that names the mode to set", err)
	}
}

// In session mode each connection keeps its own statements, and is served.
func TestSessionModeIsServed(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	db.Exec(t, `INSERT INTO tenants VALUES (1, 'one'), (2, 'two'); INSERT INTO orders (id, tenant_id, qty) SELECT i, 1 + i % 2, i FROM generate_series(1, 20) i`)
	exec, err := executors.New(t.Context(), named(t, db, "session"), specs(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for n := range int64(4) {
		p := caller(t, 1+n%2)
		wg.Go(func() {
			for _, filter := range []string{`{"qty":{"op":"gt","value":10}}`, `{"qty":{"op":"lteq","value":10}}`} {
				a, err := exec.List(t.Context(), p, executors.ListRequest{Resource: "orders", Filter: []byte(filter)})
				if err != nil || strings.Count(string(a.JSON), `"id"`) != 5 {
					t.Errorf("%s: %v, %v", filter, a, err)
				}
			}
		})
	}
	wg.Wait()
}

// A start cannot see everything, and a pooler may come later: what is prepared through one that loses sight of
// statements fails cleanly or is right, and never the answer to another call.
func TestUntrackedStatementsAreNoOthers(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	db.Exec(t, `INSERT INTO tenants VALUES (1, 'one'); INSERT INTO orders (id, tenant_id, qty) SELECT i, 1, i FROM generate_series(1, 6) i`)
	opened := named(t, db, "transaction")
	var right atomic.Int64
	var wg sync.WaitGroup
	for n := range 8 {
		p := caller(t, 1)
		wg.Go(func() {
			for i := range 60 {
				k := (n + i) % len(untracked)
				rows := 0
				err := opened.Run(t.Context(), &executors.Call{Tenant: p.Tenant(), StatementTimeout: 5e9, LockTimeout: 5e9, Statements: []*executors.Statement{{
					SQL: untracked[k], Row: func([][]byte) error { rows++; return nil },
				}}})
				switch {
				case err == nil && rows == k+1:
					right.Add(1)
				case err == nil:
					t.Errorf("%s: %d rows", untracked[k], rows)
				}
			}
		})
	}
	wg.Wait()
	if right.Load() == 0 {
		t.Error("no statement was answered")
	}
}

// untracked are statements of 1, 2, 3 and 4 rows.
var untracked = []string{
	"SELECT id FROM public.orders WHERE id < 2", "SELECT id FROM public.orders WHERE id < 3",
	"SELECT id FROM public.orders WHERE id < 4", "SELECT id FROM public.orders WHERE id < 5",
}
