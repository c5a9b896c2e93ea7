package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/sqlite"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// endless never comes to an end; its first row is there at once.
const endless = "SELECT 0 UNION ALL SELECT count(*) FROM (WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r)"

// drop takes no notice of a row.
func drop([][]byte) error { return nil }

// code is the code of an agent's error.
func code(err error) resource.Code {
	if e, ok := errors.AsType[*resource.Error](err); ok {
		return e.Code
	}
	return resource.Code(fmt.Sprintf("not an agent's error: %v", err))
}

// TestArguments binds every type of argument and the tenant.
func TestArguments(t *testing.T) {
	t.Parallel()
	db := open(t, "CREATE TABLE t (id INTEGER)")
	got := rows(t, db, "SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?2",
		"a\x00\xff", int64(1<<62), 0.1, true, nil, []string{"x", `"`}, scope.TenantArg())
	want := [][]string{{"a\x00\xff", "4611686018427387904", "0.1", "1", "NULL", `["x","\""]`, "1", "4611686018427387904"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	st := &executors.Statement{SQL: "SELECT ?1", Args: []any{struct{}{}}, Row: drop}
	if err := db.Run(t.Context(), call(t, st)); code(err) != resource.CodeInternal {
		t.Errorf("an argument of another type: %v", err)
	}
}

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

// TestRow does what a Row function wants.
func TestRow(t *testing.T) {
	t.Parallel()
	db := open(t, "CREATE TABLE t (id INTEGER)", "INSERT INTO t VALUES (1), (2), (3)")
	host := errors.New("the host's own")
	for _, tt := range []struct{ returned, want error }{
		{executors.ErrStop, nil}, {executors.ErrForeign, executors.ErrForeign}, {host, host}, {resource.Internal(host), host},
	} {
		for _, snapshot := range []bool{false, true} {
			seen := 0
			st := &executors.Statement{SQL: "SELECT id FROM t", Row: func([][]byte) error { seen++; return tt.returned }}
			c := call(t, st)
			c.Snapshot = snapshot
			if err := db.Run(t.Context(), c); !errors.Is(err, tt.want) || seen != 1 {
				t.Errorf("%v gave %v after %d rows", tt.returned, err, seen)
			}
		}
	}
	func() {
		defer func() { _ = recover() }()
		_ = db.Run(t.Context(), call(t, &executors.Statement{SQL: "SELECT 1", Row: func([][]byte) error { panic("host") }}))
		t.Error("the panic of a Row function was swallowed")
	}()
	if got := rows(t, db, "SELECT id FROM t"); len(got) != 3 {
		t.Errorf("afterwards there are %d rows", len(got))
	}
}

// TestForeign closes the connection that brought a foreign row: what it had prepared is gone with it.
func TestForeign(t *testing.T) {
	t.Parallel()
	db := open(t, "CREATE TABLE t (id INTEGER)", "INSERT INTO t VALUES (1)")
	before := sqlite.Connections(db)
	st := &executors.Statement{SQL: "SELECT id FROM t", Row: func([][]byte) error { return executors.ErrForeign }}
	if err := db.Run(t.Context(), call(t, st)); !errors.Is(err, executors.ErrForeign) {
		t.Fatal(err)
	}
	if after := sqlite.Connections(db); before != 1 || after != 0 {
		t.Errorf("%d connections became %d", before, after)
	}
}

// TestSnapshot shows all statements of a call the same data, and the next call what was written meanwhile.
func TestSnapshot(t *testing.T) {
	t.Parallel()
	path, writer := file(t, "PRAGMA journal_mode = WAL", "CREATE TABLE t (id INTEGER)", "INSERT INTO t VALUES (1)")
	db, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	second := ""
	first := &executors.Statement{SQL: "SELECT count(*) FROM t", Row: func([][]byte) error {
		_, err := writer.Exec("INSERT INTO t VALUES (2)")
		return err
	}}
	again := &executors.Statement{SQL: "SELECT count(*) FROM t", Row: func(v [][]byte) error { second = string(v[0]); return nil }}
	if err := db.Run(t.Context(), call(t, first, again)); err != nil || second != "1" {
		t.Errorf("the second statement saw %s rows: %v", second, err)
	}
	if got := rows(t, db, "SELECT count(*) FROM t"); got[0][0] != "2" {
		t.Errorf("the next call saw %v", got)
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

// TestConcurrency reads from many goroutines while a writer writes, from a file and from memory.
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

// TestComputed hands a serializer what the columns hold.
func TestComputed(t *testing.T) {
	t.Parallel()
	db := open(t,
		"CREATE TABLE people (id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL, name TEXT, born DATE, score DOUBLE)",
		"INSERT INTO people VALUES (1, 1, 'Ada', '1815-12-10', 1.5), (2, 1, NULL, NULL, NULL)")
	x := executor(t, db, resource.Spec{
		Name: "people", Table: "people", Scope: scope.Column("tenant_id"), Serializer: serializer.For[person](),
	})
	got := list(t, x, principal(t, one(t)), executors.ListRequest{Resource: "people"})
	want := []map[string]any{{"id": 1.0, "label": "Ada of 1815, 1.5"}, {"id": 2.0, "label": "nobody"}}
	if diff := cmp.Diff(want, got.Rows); diff != "" {
		t.Error(diff)
	}
}

type person struct {
	ID    int64               `json:"id"`
	Name  *string             `json:"-" db:"name"`
	Born  *time.Time          `json:"-" db:"born"`
	Score any                 `json:"-" db:"score"`
	Label serializer.Computed `json:"label" reads:"name,born,score"`
}

// ComputeLabel gives the member label.
func (p person) ComputeLabel() string {
	if p.Name == nil {
		return "nobody"
	}
	return fmt.Sprintf("%s of %d, %v", *p.Name, p.Born.Year(), p.Score)
}
