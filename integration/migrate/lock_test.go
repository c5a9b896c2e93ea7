package migrate_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"testing"

	"github.com/tenantry/tenantry/integration/testdb"
	"github.com/tenantry/tenantry/migrations"
)

// gate is a file that waits until the test lets go of an advisory lock.
const gate = "SELECT pg_advisory_xact_lock(7)"

// hold takes the lock that a gate waits for, and returns what lets go of it.
func hold(t *testing.T, db *testdb.DB) (release func()) {
	t.Helper()
	conn := db.Conn(t)
	for _, sql := range []string{"SET idle_session_timeout = 0", "SELECT pg_advisory_lock(7)"} {
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	return func() {
		if _, err := conn.Exec(t.Context(), "SELECT pg_advisory_unlock(7)"); err != nil {
			t.Error(err)
		}
	}
}

// waiting returns once a statement of a file waits at the gate.
func waiting(t *testing.T, db *testdb.DB) {
	t.Helper()
	until(t, db, `SELECT count(*) > 0 FROM pg_locks WHERE locktype = 'advisory' AND objid = 7 AND NOT granted
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
}

// until asks until the answer is true.
func until(t *testing.T, db *testdb.DB, sql string) {
	t.Helper()
	conn := db.Conn(t)
	for done := false; !done; {
		if err := conn.QueryRow(t.Context(), sql).Scan(&done); err != nil {
			t.Fatal(err)
		}
	}
}

// start runs Up beside the test.
func start(ctx context.Context, db *testdb.DB, set migrations.Set) <-chan error {
	done := make(chan error, 1)
	go func() { done <- migrations.Up(ctx, db.URL, set) }()
	return done
}

// The second file deadlocks with any process that waits for a lock inside of a statement.
func TestProcessesThatStartAtOnce(t *testing.T) {
	t.Parallel()
	db := testdb.NewEmpty(t)
	set := files("CREATE TABLE runs (file int)", "CREATE INDEX CONCURRENTLY runs_file ON runs (file)",
		"INSERT INTO runs VALUES (3)", "INSERT INTO runs VALUES (4)")
	var all []<-chan error
	for range 5 {
		all = append(all, start(t.Context(), db, set))
	}
	for _, done := range all {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if got := scan[string](t, db, "SELECT array_agg(file ORDER BY file)::text FROM runs"); got != "{3,4}" {
		t.Errorf("the files were applied as %s, want each once", got)
	}
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	t.Parallel()
	db := testdb.NewEmpty(t)
	release := hold(t, db)
	first := start(t.Context(), db, files(gate))
	waiting(t, db)

	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	second := start(ctx, db, files(gate))
	until(t, db, `SELECT count(*) = 2 FROM pg_stat_activity
		WHERE datname = current_database() AND query LIKE 'SELECT pg_catalog.pg_try_advisory_lock%'`) // the first has asked too
	cancel(cause)
	if err := <-second; !errors.Is(err, cause) {
		t.Errorf("err = %v; want the context's", err)
	}
	release()
	if err := <-first; err != nil {
		t.Error(err)
	}
}

func TestCancelFinishesTheFileThatHasBegun(t *testing.T) {
	t.Parallel()
	db := testdb.NewEmpty(t)
	set := files(gate+"; CREATE TABLE one (id int)", "CREATE TABLE two (id int)")
	release := hold(t, db)
	ctx, cancel := context.WithCancel(t.Context())
	done := start(ctx, db, set)
	waiting(t, db)
	cancel()
	release()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v; want the context's", err)
	}
	if got := version(t, db, set); got != (state{1, false}) {
		t.Errorf("version = %v; want the first file, complete", got)
	}
	if err := migrations.Up(t.Context(), db.URL, set); err != nil || version(t, db, set) != (state{2, false}) {
		t.Errorf("going on: %v", err)
	}
}

const victimURL = "TENANTRY_TEST_VICTIM_URL"

var endless = files("SELECT pg_sleep(36000)")

// TestVictim is the process that TestKilledProcess kills.
func TestVictim(t *testing.T) {
	if url := os.Getenv(victimURL); url != "" {
		t.Fatal(migrations.Up(t.Context(), url, endless))
	}
}

// The lock must not stay with a process that is gone, although its statement would wait for ever.
func TestKilledProcess(t *testing.T) {
	t.Parallel()
	db := testdb.NewEmpty(t)
	cmd := exec.Command(os.Args[0], "-test.run=^TestVictim$")
	cmd.Env = append(os.Environ(), victimURL+"="+db.URL)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, db, "SELECT count(*) = 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'SELECT pg_sleep%'")
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("the process was not killed")
	}
	err := migrations.Up(t.Context(), db.URL, endless)
	if _, ok := errors.AsType[*migrations.DirtyError](err); !ok {
		t.Errorf("err = %v; want a DirtyError", err)
	}
}
