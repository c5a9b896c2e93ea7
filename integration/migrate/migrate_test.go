// Package migrate_test runs the migrations against real databases.
package migrate_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tenantry/tenantry/integration/testdb"
	"github.com/tenantry/tenantry/migrations"
)

func TestMain(m *testing.M) { testdb.Main(m) }

// files makes a set of a test's own out of the texts of its up files, 1 first.
func files(texts ...string) migrations.Set {
	fs := fstest.MapFS{}
	for i, text := range texts {
		fs["000"+string(rune('1'+i))+"_step.up.sql"] = &fstest.MapFile{Data: []byte(text)}
	}
	return migrations.Set{Name: "test", Files: fs, Table: "test_migrations"}
}

// state is what Version says.
type state struct {
	Version uint
	Dirty   bool
}

func version(t *testing.T, db *testdb.DB, set migrations.Set) state {
	t.Helper()
	v, dirty, err := migrations.Version(t.Context(), db.URL, set)
	if err != nil {
		t.Fatal(err)
	}
	return state{v, dirty}
}

// scan reads one value.
func scan[T any](t *testing.T, db *testdb.DB, sql string, args ...any) T {
	t.Helper()
	var v T
	if err := db.Conn(t).QueryRow(t.Context(), sql, args...).Scan(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

const tableExists = "SELECT to_regclass($1) IS NOT NULL"

func TestVersionOnlyReads(t *testing.T) {
	t.Parallel()
	db := testdb.NewEmpty(t)
	if got := version(t, db, migrations.Framework); got != (state{}) {
		t.Errorf("version of an empty database = %v", got)
	}
	if n := scan[int](t, db, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"); n != 0 {
		t.Errorf("asking for the version made %d tables", n)
	}
}

func TestUpTwice(t *testing.T) {
	t.Parallel()
	db := testdb.NewEmpty(t)
	for range 2 {
		for _, set := range []migrations.Set{migrations.Framework, migrations.Example} {
			if err := migrations.Up(t.Context(), db.URL, set); err != nil {
				t.Fatal(err)
			}
			if got := version(t, db, set); got.Version == 0 || got.Dirty {
				t.Errorf("%s: version = %v", set.Name, got)
			}
		}
	}
}

func TestHalfAppliedFile(t *testing.T) {
	t.Parallel()
	const first = "CREATE TABLE one (id int)"
	tests := []struct {
		name     string
		before   []string
		file     string
		want     state
		leaves   []string // tables that the failed file has left
		previous uint
	}{
		{"a later file", []string{first}, "0002_step.up.sql", state{2, true}, nil, 1},
		{"the first file", nil, "0001_step.up.sql", state{1, true}, nil, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			db := testdb.NewEmpty(t)
			broken := files(append(tt.before, "CREATE TABLE good (id int);\nSELECT nothing_like_it();")...)
			fixed := files(append(tt.before, "CREATE TABLE good (id int);")...)

			stopped(t, db, broken, tt.file, "line 2", "nothing_like_it")
			if got := version(t, db, broken); got != tt.want {
				t.Errorf("version after the failure = %v, want %v", got, tt.want)
			}
			if scan[bool](t, db, tableExists, "good") {
				t.Error("the failed file left its first statement behind")
			}
			stopped(t, db, broken, tt.file, "earlier run")
			remedy := stopped(t, db, fixed, tt.file, "earlier run") // a better file does not settle it by itself
			if got := version(t, db, broken); got != tt.want {
				t.Errorf("version after two more starts = %v, want %v", got, tt.want)
			}

			db.Exec(t, remedy)
			if err := migrations.Up(t.Context(), db.URL, fixed); err != nil {
				t.Fatalf("after the steps that the error names: %v", err)
			}
			if !scan[bool](t, db, tableExists, "good") {
				t.Error("the corrected file was not applied")
			}
		})
	}
}

var takeAway = regexp.MustCompile(`Take the mark away: (.*)`)

// stopped expects Up to stop at a file with a text that says all of it, and returns the statement it tells to run.
func stopped(t *testing.T, db *testdb.DB, set migrations.Set, file string, says ...string) string {
	t.Helper()
	err := migrations.Up(t.Context(), db.URL, set)
	if _, ok := errors.AsType[*migrations.DirtyError](err); !ok {
		t.Fatalf("Up: %v; want a DirtyError", err)
	}
	for _, s := range append(says, file, "version "+strings.TrimLeft(file[:4], "0")) {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("the error does not name %q:\n%v", s, err)
		}
	}
	m := takeAway.FindStringSubmatch(err.Error())
	if m == nil {
		t.Fatalf("the error names no statement:\n%v", err)
	}
	return m[1]
}

// A file that cannot be one transaction leaves what it had done; the state is as documented.
func TestCauseOfAFailureIsKept(t *testing.T) {
	t.Parallel()
	db := testdb.NewEmpty(t)
	err := migrations.Up(t.Context(), db.URL, files("CREATE TABLE a (id int); COMMIT; SELECT 1/0"))
	e, ok := errors.AsType[*pgconn.PgError](err)
	if !ok || e.Code != "22012" {
		t.Errorf("err = %v; want a division by zero inside", err)
	}
	if !scan[bool](t, db, tableExists, "a") {
		t.Error("the committed half is gone")
	}
}

func TestHostsOwnVersionTableIsUntouched(t *testing.T) {
	t.Parallel()
	db := testdb.NewEmpty(t)
	db.Exec(t, "CREATE TABLE schema_migrations (version bigint PRIMARY KEY, dirty boolean NOT NULL); INSERT INTO schema_migrations VALUES (42, true)")
	for _, set := range []migrations.Set{migrations.Framework, migrations.Example} {
		if err := migrations.Up(t.Context(), db.URL, set); err != nil {
			t.Fatal(err)
		}
	}
	got := scan[string](t, db, "SELECT string_agg(version || ' ' || dirty, ',') FROM schema_migrations")
	if diff := cmp.Diff("42 true", got); diff != "" {
		t.Error(diff)
	}
}

func TestExistingRoleIsLeft(t *testing.T) {
	db := testdb.New(t) // which has made the role
	db.Exec(t, "ALTER ROLE tenantry_reader CONNECTION LIMIT 77")
	defer db.Exec(t, "ALTER ROLE tenantry_reader CONNECTION LIMIT -1")
	if err := migrations.Up(t.Context(), testdb.NewEmpty(t).URL, migrations.Framework); err != nil {
		t.Fatal(err)
	}
	if n := scan[int](t, db, "SELECT rolconnlimit FROM pg_roles WHERE rolname = 'tenantry_reader'"); n != 77 {
		t.Errorf("the role's connection limit is %d, want the 77 it had", n)
	}
}

func TestNewerDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	db := testdb.NewEmpty(t)
	if err := migrations.Up(t.Context(), db.URL, files("SELECT 1", "SELECT 2")); err != nil {
		t.Fatal(err)
	}
	err := migrations.Up(t.Context(), db.URL, files("SELECT 1"))
	if err == nil || !strings.Contains(err.Error(), "newer build") {
		t.Errorf("err = %v; want one that asks for a newer build", err)
	}
}

func TestEmptySetIsAMistake(t *testing.T) {
	t.Parallel()
	db := testdb.NewEmpty(t)
	if err := migrations.Up(t.Context(), db.URL, files()); err == nil {
		t.Error("a set without files was applied")
	}
}
