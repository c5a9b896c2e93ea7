// Package testdb gives each test a PostgreSQL database of its own.
//
//	func TestMain(m *testing.M) { testdb.Main(m) }
//
//	func TestOrders(t *testing.T) {
//		db := testdb.New(t)
//		db.Exec(t, "INSERT INTO tenants VALUES (1, 'one'), (2, 'two')")
//		… // and read through db.ReaderURL
//	}
//
// There is one server for a test binary, found by [Start], one template database with both sets of
// migrations, and a clone of it for each test, which takes some hundredths of a second. Without a server the
// tests fail and say how to get one; they are never skipped.
package testdb

import (
	"context"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
)

// DB is one database. It is dropped when the test it was made for ends, whoever is still connected.
type DB struct {
	// URL connects as the administrator of the server: a superuser, whom no policy binds.
	URL string

	// ReaderURL connects as a role that may do what tenantry_reader may, and nothing else.
	ReaderURL string

	name string
}

// New returns a database with both sets of migrations applied and no rows.
func New(t testing.TB) *DB {
	t.Helper()
	return newDB(t, true)
}

// NewEmpty returns a database with nothing in it.
func NewEmpty(t testing.TB) *DB {
	t.Helper()
	return newDB(t, false)
}

// Name is the database's name.
func (db *DB) Name() string { return db.name }

// Exec runs SQL as the administrator, any number of statements without arguments or one with them.
func (db *DB) Exec(t testing.TB, sql string, args ...any) {
	t.Helper()
	conn := db.connect(t, db.URL)
	if _, err := conn.Exec(t.Context(), sql, args...); err != nil {
		t.Fatalf("testdb: %v\n%s", err, sql)
	}
}

// Conn returns a connection of the administrator, closed at the end of the test.
func (db *DB) Conn(t testing.TB) *pgx.Conn {
	t.Helper()
	return db.connect(t, db.URL)
}

// Reader returns a connection of the reading role, closed at the end of the test.
func (db *DB) Reader(t testing.TB) *pgx.Conn {
	t.Helper()
	return db.connect(t, db.ReaderURL)
}

func (db *DB) connect(t testing.TB, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatalf("testdb: %v", err)
	}
	t.Cleanup(func() { finish(t, conn.Close) })
	return conn
}

// running is the shared server once a test has asked for it, for Main to stop.
var running atomic.Pointer[Server]

// shared is the server of this test binary.
var shared = sync.OnceValues(func() (*Server, error) {
	s, err := Start(context.Background())
	running.Store(s)
	return s, err
})

// told says that a test has told why there is no server.
var told atomic.Bool

// Main runs the tests of a binary, stops the server they used and exits. A binary that does without it
// leaves a container behind; local binaries stop with their starter either way.
func Main(m *testing.M) {
	code := m.Run()
	if s := running.Load(); s != nil {
		s.Stop()
	}
	os.Exit(code)
}

func newDB(t testing.TB, migrated bool) *DB {
	t.Helper()
	s, err := shared()
	if err != nil && told.Swap(true) {
		t.Fatal("testdb: no database server; the first test that failed says why")
	}
	if err != nil {
		t.Fatal(err)
	}
	db, err := s.create(t.Context(), migrated)
	if err != nil {
		t.Fatalf("testdb: %s: %v", s.How, err)
	}
	t.Cleanup(func() {
		finish(t, func(ctx context.Context) error { return s.drop(ctx, db) })
	})
	return db
}

// finish runs a step of the cleanup, when the context of the test has already ended.
func finish(t testing.TB, step func(context.Context) error) {
	ctx, cancel := context.WithTimeout(context.Background(), startWait)
	defer cancel()
	if err := step(ctx); err != nil {
		t.Errorf("testdb: cleaning up: %v", err)
	}
}
