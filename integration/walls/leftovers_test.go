package walls_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
)

// leftovers is what a connection knows of the call before.
const leftovers = `SELECT concat_ws(' ', nullif(current_setting('tenantry.tenant_id', true), ''), current_setting('transaction_read_only'),
	current_setting('search_path'), current_setting('TimeZone'), current_setting('statement_timeout'), current_setting('lock_timeout'),
	current_setting('idle_in_transaction_session_timeout'), current_setting('standard_conforming_strings'), pg_current_xact_id_if_assigned()::text)`

// panicking is a host's serializer that fails when it is told to.
type panicking struct {
	resource.Serializer
	now *atomic.Bool
}

func (p panicking) Fields() ([]resource.Field, error) {
	fields, err := p.Serializer.Fields()
	return append(fields, resource.Field{Name: "worth", Type: resource.Text, Reads: []string{"note"}}), err
}

func (p panicking) Compute(resource.Row, []string) ([]any, error) {
	if p.now.Load() {
		panic("a host's code")
	}
	return []any{"x"}, nil
}

// Nothing of a tenant stays on a connection, whatever happened to the call: one that is used again is as it
// was, and every other one is closed.
func TestNothingStaysOnAConnection(t *testing.T) {
	t.Parallel()
	for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeCacheStatement, pgx.QueryExecModeExec} {
		t.Run(mode.String(), func(t *testing.T) { t.Parallel(); nothingStays(t, mode) })
	}
}

func nothingStays(t *testing.T, mode pgx.QueryExecMode) {
	t.Helper()
	db := filled(t)
	db.Exec(t, `CREATE FUNCTION slow(v text, s float8) RETURNS boolean LANGUAGE sql VOLATILE AS 'SELECT v IS NOT NULL AND pg_sleep(s) IS NOT NULL'`)
	var seen atomic.Int64
	before := ""
	look := func(conn *pgx.Conn) bool {
		var now string
		if err := conn.QueryRow(context.Background(), leftovers).Scan(&now); err != nil {
			return false // closed: it will not be used again
		}
		seen.Add(1)
		if now != before {
			t.Errorf("a connection comes back with %q, and was %q", now, before)
		}
		return true
	}
	spec := orders()
	spec.Filters = []resource.Filter{{Name: "slow", Type: resource.Double, Condition: func(v resource.Value) (squirrel.Sqlizer, error) {
		return squirrel.Expr("slow(t.note, ?)", v), nil
	}}, {Name: "failing", Type: resource.Text, Condition: func(v resource.Value) (squirrel.Sqlizer, error) {
		return squirrel.Expr("CAST(t.note || ? AS integer) > 0", v), nil
	}}}
	var now atomic.Bool
	spec.Serializer = panicking{serializer.Columns("id", "note"), &now}
	opened := open(t, db, func(cfg *pgxpool.Config) {
		cfg.MaxConns, cfg.AfterRelease, cfg.ConnConfig.DefaultQueryExecMode = 1, look, mode
		conn, err := pgx.ConnectConfig(t.Context(), cfg.ConnConfig)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close(t.Context()) }()
		before = scan[string](t, conn, leftovers)
	})
	x := mustExecutor(t, opened, nil, spec)
	calls := []struct {
		name string
		call func(ctx context.Context) error
		fail bool
	}{
		{"a page", ask(t, x, executors.ListRequest{Resource: "orders"}), false},
		{"a page and a count", ask(t, x, executors.ListRequest{Resource: "orders", Count: executors.CountExact}), false},
		{"an error of the database", ask(t, x, executors.ListRequest{Resource: "orders", Filter: []byte(`{"failing":"x"}`)}), true},
		{"an error with a count", ask(t, x, executors.ListRequest{Resource: "orders", Filter: []byte(`{"failing":"x"}`), Count: executors.CountExact}), true},
		{"a panic of the host", func(ctx context.Context) error {
			now.Store(true)
			defer now.Store(false)
			return ask(t, x, executors.ListRequest{Resource: "orders", Count: executors.CountExact})(ctx)
		}, true},
		{"a client that goes away", func(ctx context.Context) error {
			ctx, cancel := context.WithTimeout(ctx, 150*time.Millisecond)
			defer cancel()
			return ask(t, x, executors.ListRequest{Resource: "orders", Filter: []byte(`{"slow":5}`)})(ctx)
		}, true},
	}
	for _, c := range calls {
		if err := c.call(t.Context()); (err != nil) != c.fail {
			t.Errorf("%s: %v", c.name, err)
		}
		for key, want := range map[int64]int{1: 2, 2: 1} { // on the same connection, or the one after it
			if got := list(t, x, key, executors.ListRequest{Resource: "orders", Fields: []string{"id"}}); strings.Count(got, `"id"`) != want {
				t.Errorf("after %s, tenant %d sees %s", c.name, key, got)
			}
		}
	}
	if seen.Load() < int64(len(calls)) {
		t.Errorf("only %d connections were looked at", seen.Load())
	}
}

func ask(t *testing.T, x *executors.Executor, req executors.ListRequest) func(context.Context) error {
	t.Helper()
	return func(ctx context.Context) error {
		_, err := x.List(ctx, caller(t, 1), req)
		return err
	}
}
