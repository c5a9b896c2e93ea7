package walls_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/Masterminds/squirrel"
	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
)

// everySetting is all that a session can be told and all that it can hold on to.
const everySetting = `
SELECT name || '=' || setting FROM pg_settings WHERE name <> 'application_name'
UNION ALL SELECT 'tenant=' || coalesce(nullif(current_setting('tenantry.tenant_id', true), ''), 'none')
UNION ALL SELECT 'role=' || current_user || ' ' || session_user
UNION ALL SELECT 'cursor ' || name FROM pg_cursors WHERE is_holdable
UNION ALL SELECT 'channel ' || c FROM pg_listening_channels() c
UNION ALL SELECT 'lock ' || locktype || ' ' || mode FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory'
UNION ALL SELECT 'temporary ' || relname FROM pg_class WHERE relnamespace = pg_my_temp_schema()
ORDER BY 1`

func settingsOf(t *testing.T, conn *pgx.Conn) []string {
	t.Helper()
	rows, err := conn.Query(t.Context(), everySetting, pgx.QueryExecModeExec)
	if err != nil {
		t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Two tenants in turn on one connection, some of their calls given up in the middle and some ended by a panic of
// the host: each gets its own rows, and the connection, borrowed afterwards, is one that nobody has used.
func TestTenantsInTurnOnOneConnection(t *testing.T) {
	t.Parallel()
	for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeCacheStatement, pgx.QueryExecModeExec} {
		t.Run(mode.String(), func(t *testing.T) {
			t.Parallel()
			w := onOneConnection(t, mode)
			for i := range 200 {
				w.turn(t, i)
			}
			w.isUnused(t)
		})
	}
}

// inTurn is a server with one connection.
type inTurn struct {
	exec    *executors.Executor
	conn    atomic.Pointer[pgx.Conn] // the one that was opened last
	config  *pgx.ConnConfig
	panics  atomic.Bool
	watcher *pgx.Conn
}

func onOneConnection(t *testing.T, mode pgx.QueryExecMode) *inTurn {
	t.Helper()
	db := filled(t)
	w := &inTurn{watcher: db.Conn(t)}
	spec := orders()
	spec.Serializer = panicking{serializer.Columns("id", "note"), &w.panics}
	spec.Filters = []resource.Filter{{Name: "slow", Type: resource.Double, Condition: func(v resource.Value) (squirrel.Sqlizer, error) {
		return squirrel.Expr("pg_catalog.pg_sleep(?) IS NOT NULL AND t.id > 0", v), nil
	}}}
	opened := open(t, db, func(cfg *pgxpool.Config) {
		cfg.MaxConns, cfg.ConnConfig.DefaultQueryExecMode = 1, mode
		cfg.AfterConnect = func(_ context.Context, conn *pgx.Conn) error { w.conn.Store(conn); return nil }
		w.config = cfg.ConnConfig.Copy()
	})
	w.exec = mustExecutor(t, opened, nil, spec)
	return w
}

// turn is one call: of a tenant and the other by turns, one in ten given up and one in twenty ended by a panic, of
// either tenant.
func (w *inTurn) turn(t *testing.T, i int) {
	t.Helper()
	key := int64(1 + i%2)
	req := executors.ListRequest{Resource: "orders", Limit: new(50)}
	switch {
	case i%20 == 3, i%20 == 14:
		w.givenUp(t, key)
	case i%40 == 7, i%40 == 28:
		w.panics.Store(true)
		if a, err := w.exec.List(t.Context(), caller(t, key), req); err == nil {
			t.Errorf("call %d: a panic answers %s", i, a.JSON)
		}
		w.panics.Store(false)
	default:
		want := map[int64]string{
			1: `{"resource":"orders","rows":[{"id":1,"note":"first","worth":"x"},{"id":3,"note":"third","worth":"x"}],`,
			2: `{"resource":"orders","rows":[{"id":2,"note":"SECRET-OF-TWO","worth":"x"}],`,
		}[key]
		if got := list(t, w.exec, key, req); !strings.HasPrefix(got, want) {
			t.Errorf("call %d of tenant %d: %s", i, key, got)
		}
	}
}

// givenUp is a call whose client goes away while the database works on it.
func (w *inTurn) givenUp(t *testing.T, key int64) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	p := caller(t, key)
	go func() {
		_, err := w.exec.List(ctx, p, executors.ListRequest{Resource: "orders", Filter: []byte(`{"slow":4}`)})
		done <- err
	}()
	const sleeping = `SELECT count(*) > 0 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep' AND pid = $1`
	for !scan[bool](t, w.watcher, sleeping, int64(w.conn.Load().PgConn().PID())) {
		if len(done) > 0 {
			t.Fatalf("the call did not wait: %v", <-done)
		}
	}
	cancel()
	if err := <-done; err == nil {
		t.Error("a call that was given up has an answer")
	}
}

// isUnused compares the connection with a new one, and asks it for rows without a tenant.
func (w *inTurn) isUnused(t *testing.T) {
	t.Helper()
	fresh, err := pgx.ConnectConfig(t.Context(), w.config)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = fresh.Close(t.Context()) }()
	used := w.conn.Load()
	if diff := cmp.Diff(settingsOf(t, fresh), settingsOf(t, used)); diff != "" {
		t.Errorf("the connection is not as it was (-new +used):\n%s", diff)
	}
	if n := scan[int](t, used, `SELECT count(*)::int FROM orders`); n != 0 {
		t.Errorf("%d rows without a tenant", n)
	}
	if a, err := w.exec.List(t.Context(), nil, executors.ListRequest{Resource: "orders"}); err == nil {
		t.Errorf("nobody gets %s", a.JSON)
	}
}
