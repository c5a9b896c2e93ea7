package contract_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/postgres"
	"github.com/tenantry/tenantry/integration/testdb"
	"github.com/tenantry/tenantry/tenant"
)

// single is a database with one connection, and a look at what is prepared on it.
func single(t *testing.T) (db *postgres.DB, prepared func() int) {
	t.Helper()
	cfg, err := pgxpool.ParseConfig(direct(t, testdb.New(t)))
	if err != nil {
		t.Fatal(err)
	}
	var conn *pgx.Conn
	cfg.MaxConns = 1
	cfg.AfterConnect = func(_ context.Context, c *pgx.Conn) error {
		conn = c
		return nil
	}
	if db, err = postgres.Open(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db, func() (n int) {
		t.Helper()
		if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM pg_prepared_statements").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
}

// The start leaves nothing prepared but the settings, so that its statements take no calls' places.
func TestTheStartKeepsNoStatement(t *testing.T) {
	t.Parallel()
	db, prepared := single(t)
	if err := begin(t, db, executors.Options{}, (&database{name: "postgres"}).shop()...); err != nil {
		t.Fatal(err)
	}
	if n := prepared(); n != 1 {
		t.Errorf("%d statements are prepared behind the start", n)
	}
}

// A statement that is sent once is looked at as one that is prepared: its columns must have their types.
func TestAStatementSentOnce(t *testing.T) {
	t.Parallel()
	db, prepared := single(t)
	id, err := tenant.Int(1)
	if err != nil {
		t.Fatal(err)
	}
	send := func(oid uint32, once bool) error {
		return db.Run(t.Context(), &executors.Call{Tenant: id, StatementTimeout: time.Second, LockTimeout: time.Second, Statements: []*executors.Statement{{
			SQL: "SELECT 1::pg_catalog.int8", Binary: []bool{true}, OIDs: []uint32{oid}, Once: once, Row: func([][]byte) error { return nil },
		}}})
	}
	const int8OID, int4OID = 20, 23
	if err := send(int4OID, true); !errors.Is(err, executors.ErrDrift) {
		t.Errorf("another type: %v", err)
	}
	for _, tc := range []struct {
		name string
		once bool
		want int // with the settings
	}{{"once", true, 1}, {"again and again", false, 2}} {
		if err := send(int8OID, tc.once); err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
		if n := prepared(); n != tc.want {
			t.Errorf("%s: %d statements are prepared", tc.name, n)
		}
	}
}
