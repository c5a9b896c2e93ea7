package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/tenantry/tenantry/executors/sqlite"
)

// TestMemory keeps each database in memory to itself and alive, and lets nobody write to it afterwards.
func TestMemory(t *testing.T) {
	t.Parallel()
	var kept *sql.DB
	filled := func(value string) *sqlite.DB {
		db, err := sqlite.OpenMemory(t.Context(), func(ctx context.Context, db *sql.DB) error {
			kept = db
			_, err := db.ExecContext(ctx, "CREATE TABLE t (v TEXT); INSERT INTO t VALUES (?)", value)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(db.Close)
		return db
	}
	a, b := filled("a"), filled("b")
	var readers sync.WaitGroup
	for range 8 {
		readers.Go(func() {
			if got := rows(t, a, "SELECT v FROM t"); got[0][0] != "a" {
				t.Errorf("a holds %v", got)
			}
			if got := rows(t, b, "SELECT v FROM t"); got[0][0] != "b" {
				t.Errorf("b holds %v", got)
			}
		})
	}
	readers.Wait()
	if _, err := kept.Exec("DELETE FROM t"); err == nil {
		t.Error("the connections of fill are still open")
	}
}

// TestMemoryEmpty opens what has no table.
func TestMemoryEmpty(t *testing.T) {
	t.Parallel()
	db, err := sqlite.Open(t.Context(), sqlite.Memory)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if got := rows(t, db, "SELECT count(*) FROM sqlite_schema"); got[0][0] != "0" {
		t.Errorf("got %v", got)
	}
}

// TestMemoryFailed reports what fill returned.
func TestMemoryFailed(t *testing.T) {
	t.Parallel()
	host := errors.New("no data today")
	_, err := sqlite.OpenMemory(t.Context(), func(context.Context, *sql.DB) error { return host })
	if !errors.Is(err, host) || !strings.HasPrefix(err.Error(), "sqlite: filling the database: no data today") {
		t.Errorf("got %v", err)
	}
}
