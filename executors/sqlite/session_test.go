package sqlite_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/sqlite"
	"github.com/tenantry/tenantry/resource"
)

// TestSchemaChange goes on with a statement that was prepared before.
func TestSchemaChange(t *testing.T) {
	t.Parallel()
	path, writer := file(t, "CREATE TABLE t (id INTEGER)", "INSERT INTO t VALUES (1)")
	db, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, change := range []string{"CREATE INDEX t_id ON t (id)", "ALTER TABLE t ADD COLUMN a TEXT DEFAULT 'new'"} {
		rows(t, db, "SELECT id FROM t WHERE id = ?1", int64(1))
		if _, err := writer.Exec(change); err != nil {
			t.Fatal(err)
		}
		if got := rows(t, db, "SELECT id FROM t WHERE id = ?1", int64(1)); len(got) != 1 {
			t.Errorf("after %s there are %d rows", change, len(got))
		}
	}
	if _, err := writer.Exec("DROP TABLE t"); err != nil {
		t.Fatal(err)
	}
	st := &executors.Statement{SQL: "SELECT id FROM t WHERE id = ?1", Args: []any{int64(1)}, Row: drop}
	if err := db.Run(t.Context(), call(t, st)); code(err) != resource.CodeInternal {
		t.Errorf("a table that is gone: %v", err)
	}
}

// TestManyShapes keeps a bounded number of statements.
func TestManyShapes(t *testing.T) {
	t.Parallel()
	db := open(t, "CREATE TABLE t (id INTEGER)")
	for i := range 600 {
		if got := rows(t, db, fmt.Sprintf("SELECT %d", i)); got[0][0] != fmt.Sprint(i) {
			t.Fatalf("statement %d gave %v", i, got)
		}
	}
	if n := sqlite.Prepared(db); n > 256 || n < 200 {
		t.Errorf("%d statements are kept", n)
	}
}

// TestWarm prepares a statement once, although its rows are rarely all wanted, and anew after a failure.
func TestWarm(t *testing.T) {
	t.Parallel()
	db := open(t, "CREATE TABLE t (id INTEGER)", "INSERT INTO t VALUES (1), (2)")
	st := &executors.Statement{SQL: "SELECT id FROM t", Row: func([][]byte) error { return executors.ErrStop }}
	run := func() any {
		if err := db.Run(t.Context(), call(t, st)); err != nil {
			t.Fatal(err)
		}
		return sqlite.Statement(db, st.SQL)
	}
	if first, again := run(), run(); first == nil || first != again {
		t.Errorf("%p became %p", first, again)
	}
	c := call(t, &executors.Statement{SQL: endless, Row: drop})
	c.StatementTimeout = 20 * time.Millisecond
	if err := db.Run(t.Context(), c); err == nil || sqlite.Statement(db, endless) != nil {
		t.Errorf("after %v the statement is kept", err)
	}
}

// TestConcurrency reads from many goroutines while a writer writes.
func TestConcurrency(t *testing.T) {
	t.Parallel()
	path, writer := file(t, append(hostileItems(), "PRAGMA journal_mode = WAL")...)
	db, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	x := executor(t, db, items(nil))
	p := principal(t, one(t))
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for _, sort := range []string{"s", "-d", "at", "u", "-must"} {
				req := executors.ListRequest{Resource: "items", Sort: []string{sort}, Count: executors.CountExact}
				got, err := tryList(context.Background(), x, p, req)
				if err != nil || got.Meta.TotalCount == nil || *got.Meta.TotalCount < 50 || len(got.Rows) != 25 {
					t.Errorf("%d rows and %v", len(got.Rows), cause(err))
				}
			}
		})
	}
	for i := range 20 {
		if _, err := writer.Exec("INSERT INTO items (id, tenant_id, must) VALUES (?, 1, 'new')", 1000+i); err != nil {
			t.Error(err)
		}
	}
	readers.Wait()
}
