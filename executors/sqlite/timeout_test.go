package sqlite_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/sqlite"
	"github.com/tenantry/tenantry/resource"
)

// endless never comes to an end; its first row is there at once.
const endless = "SELECT 0 UNION ALL SELECT count(*) FROM (WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r)"

// TestTimeout ends a statement that does not end, also behind its first row, and leaves the database in use.
func TestTimeout(t *testing.T) {
	t.Parallel()
	db := open(t, "CREATE TABLE t (id INTEGER)")
	c := call(t, &executors.Statement{SQL: endless, Row: drop})
	c.StatementTimeout = 20 * time.Millisecond
	if err := db.Run(t.Context(), c); code(err) != resource.Timeout {
		t.Error(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("the client went away")
	first := &executors.Statement{SQL: "SELECT 1", Row: func([][]byte) error {
		time.AfterFunc(10*time.Millisecond, func() { cancel(gone) })
		return nil
	}}
	err := db.Run(ctx, call(t, first, &executors.Statement{SQL: endless, Row: drop}))
	if code(err) != resource.Timeout || !errors.Is(err, gone) {
		t.Error(err)
	}
	if err := db.Run(ctx, call(t, first)); code(err) != resource.Timeout {
		t.Errorf("a call that was over before it began: %v", err)
	}
	rows(t, db, "SELECT 1")
}

// TestTimedOut loses nothing that came before a count that ran out of its own time.
func TestTimedOut(t *testing.T) {
	t.Parallel()
	db := open(t, "CREATE TABLE t (id INTEGER)", "INSERT INTO t VALUES (1), (2)")
	seen := 0
	first := &executors.Statement{SQL: "SELECT id FROM t", Row: func([][]byte) error { seen++; return nil }}
	counting := &executors.Statement{SQL: endless, Row: drop, Timeout: 20 * time.Millisecond}
	if err := db.Run(t.Context(), call(t, first, counting)); err != nil || !counting.TimedOut || seen != 2 {
		t.Errorf("error %v, timed out %v, %d rows", err, counting.TimedOut, seen)
	}
	finished := &executors.Statement{SQL: "SELECT count(*) FROM t", Row: drop, Timeout: time.Minute}
	if err := db.Run(t.Context(), call(t, first, finished)); err != nil || finished.TimedOut {
		t.Errorf("error %v, timed out %v", err, finished.TimedOut)
	}
}

// TestLocked says that the call may succeed later.
func TestLocked(t *testing.T) {
	t.Parallel()
	path, writer := file(t, "CREATE TABLE t (id INTEGER)")
	db, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	conn, err := writer.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.ExecContext(t.Context(), "BEGIN EXCLUSIVE"); err != nil {
		t.Fatal(err)
	}
	c := call(t, &executors.Statement{SQL: "SELECT count(*) FROM t", Row: drop})
	c.LockTimeout = 20 * time.Millisecond
	if err := db.Run(t.Context(), c); code(err) != resource.Unavailable {
		t.Error(err)
	}
	c.StatementTimeout, c.LockTimeout = 20*time.Millisecond, time.Minute
	if err := db.Run(t.Context(), c); code(err) != resource.Timeout {
		t.Error(err)
	}
	if err := errors.Join(conn.Close(), writer.Close()); err != nil {
		t.Fatal(err)
	}
	rows(t, db, "SELECT count(*) FROM t")
}

// TestBusy tells a caller that found no connection so, and does not keep it waiting for one.
func TestBusy(t *testing.T) {
	t.Parallel()
	db := open(t, "CREATE TABLE t (id INTEGER)")
	var holders, held sync.WaitGroup
	release := make(chan struct{})
	for range sqlite.MaxConnections(db) {
		held.Add(1)
		holders.Go(func() {
			st := &executors.Statement{SQL: "SELECT 1", Row: func([][]byte) error { held.Done(); <-release; return nil }}
			if err := db.Run(context.Background(), call(t, st)); err != nil {
				t.Error(err)
			}
		})
	}
	held.Wait()
	if err := db.Run(t.Context(), call(t, &executors.Statement{SQL: "SELECT 1", Row: drop})); code(err) != resource.Unavailable {
		t.Error(err)
	}
	close(release)
	holders.Wait()
	if err := db.Ping(t.Context()); err != nil {
		t.Error(err)
	}
	db.Close()
	if err := db.Ping(t.Context()); err == nil {
		t.Error("a closed database answers")
	}
}
