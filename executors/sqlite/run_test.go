package sqlite_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/sqlite"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
)

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
