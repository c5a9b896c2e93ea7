package migrate_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/tenantry/tenantry/integration/testdb"
	"github.com/tenantry/tenantry/migrations"
)

const migratorURL = "TENANTRY_TEST_MIGRATOR_URL"

// gated are files of which the second takes as long as the test wants.
var gated = files("CREATE TABLE runs (file int)", gate+"; INSERT INTO runs VALUES (2)",
	"CREATE INDEX CONCURRENTLY runs_file ON runs (file)", "INSERT INTO runs VALUES (4)")

// TestMigrator is one of the processes that the other tests start.
func TestMigrator(t *testing.T) {
	if address := os.Getenv(migratorURL); address != "" {
		if err := migrations.Up(t.Context(), address, gated); err != nil {
			t.Fatal(err)
		}
	}
}

// process is one of several that migrate a database.
type process struct {
	cmd  *exec.Cmd
	said bytes.Buffer
	done chan error
}

// soon is less than the minute for which one process waits for another.
const soon = 45 * time.Second

// fiveProcesses start at once. They are known to the server by their number.
func fiveProcesses(t *testing.T, address string) (all []*process) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	t.Cleanup(cancel)
	for n := range 5 {
		query := u.Query()
		query.Set("application_name", fmt.Sprint(n))
		u.RawQuery = query.Encode()
		p := &process{cmd: exec.CommandContext(ctx, os.Args[0], "-test.run=^TestMigrator$"), done: make(chan error, 1)}
		p.cmd.Env = append(os.Environ(), migratorURL+"="+u.String())
		p.cmd.Stdout, p.cmd.Stderr = &p.said, &p.said
		if err := p.cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
		go func() { p.done <- p.cmd.Wait() }()
	}
	return all
}

// haveAsked returns once one of the processes is at the gate and the others wait for it.
func haveAsked(t *testing.T, db *testdb.DB) {
	t.Helper()
	waiting(t, db)
	until(t, db, `SELECT count(*) = 5 FROM pg_stat_activity
		WHERE datname = current_database() AND query LIKE 'SELECT pg_catalog.pg_try_advisory_lock%'`)
}

// applied fails unless every process has come to a good end and each file was applied once.
func applied(t *testing.T, db *testdb.DB, all []*process) {
	t.Helper()
	for _, p := range all {
		if err := <-p.done; err != nil {
			t.Errorf("%v\n%s", err, &p.said)
		}
	}
	if got := scan[string](t, db, "SELECT array_agg(file ORDER BY file)::text FROM runs"); got != "{2,4}" {
		t.Errorf("the files were applied as %s, want each once", got)
	}
	if got := version(t, db, gated); got != (state{4, false}) {
		t.Errorf("version = %v", got)
	}
}

// The others wait for the one that is in the middle of a slow file, and then go on.
func TestReplicasStartAtOnce(t *testing.T) {
	t.Parallel()
	db := testdb.NewEmpty(t)
	release := hold(t, db)
	all := fiveProcesses(t, db.URL)
	haveAsked(t, db)
	for _, p := range all {
		if len(p.done) > 0 {
			t.Errorf("a process did not wait: %v\n%s", <-p.done, &p.said)
		}
	}
	release()
	applied(t, db, all)
}

// One is killed in the middle of a slow file. Its lock is free at once, though its statement could still wait: the
// others stop and say what to do, none goes on by a guess. When that is done each file is applied once.
func TestAKilledReplica(t *testing.T) {
	t.Parallel()
	db := testdb.NewEmpty(t)
	release := hold(t, db)
	all := fiveProcesses(t, db.URL)
	haveAsked(t, db)
	victim := scan[string](t, db, `SELECT application_name FROM pg_stat_activity
		WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'advisory'`)
	remedy := ""
	for n, p := range all {
		if fmt.Sprint(n) == victim {
			if err := p.cmd.Process.Kill(); err != nil { // SIGKILL: it has no time to say good-bye
				t.Fatal(err)
			}
		}
	}
	for n, p := range all {
		if err := <-p.done; err == nil {
			t.Errorf("process %d has gone on", n)
		}
		if fmt.Sprint(n) == victim {
			continue
		}
		m := takeAway.FindStringSubmatch(p.said.String())
		if m == nil || !strings.Contains(p.said.String(), "stopped at version 2 (0002_step.up.sql)") {
			t.Fatalf("process %d does not say what to do:\n%s", n, &p.said)
		}
		remedy = m[1]
	}
	release()
	db.Exec(t, remedy)
	applied(t, db, fiveProcesses(t, db.URL))
}

// Through a pooler none of them begins.
func TestReplicasBehindAPooler(t *testing.T) {
	t.Parallel()
	db := testdb.NewEmpty(t)
	u, err := url.Parse(db.URL)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go pool(l, u.Host)
	u.Host, u.RawQuery = l.Addr().String(), "sslmode=disable"
	for n, p := range fiveProcesses(t, u.String()) {
		if err := <-p.done; err == nil || !strings.Contains(p.said.String(), "give the direct address") {
			t.Errorf("process %d: %v\n%s", n, err, &p.said)
		}
	}
	if scan[bool](t, db, tableExists, "runs") || version(t, db, gated) != (state{}) {
		t.Error("a file was applied")
	}
}
