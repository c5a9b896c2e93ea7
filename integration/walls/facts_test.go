package walls_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

func code(err error) string {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pg.Code
	}
	return ""
}

const (
	setTenant = `SELECT set_config('tenantry.tenant_id', $1, true)`
	countAll  = `SELECT count(*)::int FROM orders`
)

// A read-only transaction does not keep SQL from taking another tenant: the setting stops mistakes, and only
// grants stop writes.
func TestASettingIsNoWriteBarrier(t *testing.T) {
	t.Parallel()
	conn := filled(t).Reader(t)
	err := pgx.BeginTxFunc(t.Context(), conn, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		for key, want := range map[string]int{"1": 2, "2": 1} {
			if _, err := tx.Exec(t.Context(), setTenant, key); err != nil {
				return err
			}
			if n := scan[int](t, tx, countAll); n != want {
				t.Errorf("tenant %s sees %d rows, want %d", key, n, want)
			}
		}
		_, err := tx.Exec(t.Context(), `SELECT pg_notify('a', 'b'), pg_advisory_xact_lock(1)`)
		return err
	})
	if err != nil {
		t.Error(err)
	}
	_, err = conn.Exec(t.Context(), `SET default_transaction_read_only = on; BEGIN; SET TRANSACTION READ WRITE; INSERT INTO orders (id, tenant_id) VALUES (9, 1)`)
	if code(err) != "42501" {
		t.Errorf("writing with a default undone: %v, want it refused for want of a grant", err)
	}
}

// What policies do not reach. The audit refuses each of them.
func TestWhatPoliciesDoNotReach(t *testing.T) {
	t.Parallel()
	db := filled(t)
	db.Exec(t, `
		CREATE MATERIALIZED VIEW copied AS SELECT * FROM orders;
		CREATE VIEW owned AS SELECT * FROM orders;
		CREATE VIEW invoked WITH (security_invoker = true) AS SELECT * FROM orders;
		CREATE TABLE parted (id int, tenant_id int NOT NULL) PARTITION BY LIST (tenant_id);
		CREATE TABLE part_two PARTITION OF parted FOR VALUES IN (2);
		INSERT INTO parted VALUES (1, 2);
		CALL tenantry.protect('parted', 'tenant_id');
		CREATE FUNCTION counted() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT count(*)::int FROM orders';
		GRANT SELECT ON copied, owned, invoked, part_two TO tenantry_reader`)
	conn := db.Reader(t)
	err := pgx.BeginFunc(t.Context(), conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), setTenant, "1"); err != nil {
			return err
		}
		for from, want := range map[string]int{"copied": 3, "owned": 3, "invoked": 2, "parted": 0, "part_two": 1} {
			if n := scan[int](t, tx, `SELECT count(*)::int FROM `+from); n != want {
				t.Errorf("%s shows %d rows, want %d", from, n, want)
			}
		}
		if n := scan[int](t, tx, `SELECT counted()`); n != 3 {
			t.Errorf("a definer function sees %d rows, want 3", n)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// After a transaction that set it, the setting is an empty text and no null: a cast of it fails, and the form
// with nullif finds no row.
func TestTheSettingIsEmptyAfterwards(t *testing.T) {
	t.Parallel()
	conn := filled(t).Reader(t)
	err := pgx.BeginFunc(t.Context(), conn, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), setTenant, "1")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if s := scan[*string](t, conn, `SELECT current_setting('tenantry.tenant_id', true)`); s == nil || *s != "" {
		t.Errorf("the setting is %v, want an empty text", s)
	}
	if _, err := conn.Exec(t.Context(), `SELECT current_setting('tenantry.tenant_id', true)::uuid`); code(err) != "22P02" {
		t.Errorf("a bare cast: %v", err)
	}
	if n := scan[int](t, conn, countAll); n != 0 {
		t.Errorf("%d rows without a tenant", n)
	}
}

// What is set for a session stays with the connection: only what is set for a transaction goes with it.
func TestASessionSettingStays(t *testing.T) {
	t.Parallel()
	conn := filled(t).Reader(t)
	if _, err := conn.Exec(t.Context(), `SELECT set_config('tenantry.tenant_id', $1, false)`, "1"); err != nil {
		t.Fatal(err)
	}
	if n := scan[int](t, conn, countAll); n != 2 {
		t.Errorf("%d rows, want the 2 of whoever was there before", n)
	}
}

// Only the extended protocol refuses a second statement.
func TestTwoStatementsInOne(t *testing.T) {
	t.Parallel()
	conn := filled(t).Reader(t)
	const two = `SELECT 1; SELECT 2`
	if _, err := conn.PgConn().Exec(t.Context(), two).ReadAll(); err != nil {
		t.Errorf("the simple protocol: %v", err)
	}
	if _, err := conn.PgConn().ExecParams(t.Context(), two, nil, nil, nil, nil).Close(); code(err) != "42601" {
		t.Errorf("the extended protocol: %v, want it refused", err)
	}
	if _, err := conn.PgConn().Prepare(t.Context(), "two", two, nil); code(err) != "42601" {
		t.Errorf("a prepared statement: %v, want it refused", err)
	}
}

// A cancelled statement ends its connection and, on the server, itself.
func TestACancelledConnectionIsClosed(t *testing.T) {
	t.Parallel()
	db := filled(t)
	conn, watch := db.Reader(t), db.Conn(t)
	pid := conn.PgConn().PID()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := conn.Exec(ctx, `SELECT pg_sleep(30)`); err == nil || !strings.Contains(err.Error(), "deadline") {
		t.Errorf("the statement says %v", err)
	}
	if !conn.IsClosed() {
		t.Error("the connection can be used again")
	}
	const busy = `SELECT count(*)::int FROM pg_stat_activity WHERE pid = $1 AND state = 'active'`
	for began := time.Now(); scan[int](t, watch, busy, pid) > 0; time.Sleep(20 * time.Millisecond) {
		if time.Since(began) > 5*time.Second {
			t.Fatal("the server still works on it")
		}
	}
}
