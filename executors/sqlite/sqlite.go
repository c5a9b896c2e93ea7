// Package sqlite runs the executor's statements on an embedded SQLite database: for a demo, for tests and
// for small uses of a single file.
//
//	db, err := sqlite.Open(ctx, "shop.db")
//	exec, err := executors.New(ctx, db, reg, nil)
//
// It owns what differs on SQLite: the catalogue, quoting, operators, the read transaction and the
// classification of driver errors. Nothing of the driver leaves it.
//
// SQLite keeps any value in any column; the declared type decides what a column is, and a value that is
// not of it is shown as text. Integers of every size are bigint, NUMERIC and DECIMAL are double. Booleans
// are stored as 0 and 1, identifiers of type UUID as text. Dates and times are stored in the form in which
// rows show them: DATE as 2026-07-01, TIMESTAMPTZ as 2026-07-01T09:30:00.123456Z, and TIMESTAMP or
// DATETIME as the same without Z. Their order as text is then the order in time, from year 1 to 9999.
// The key and the tenant column must hold values of their declared types.
package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/tenantry/tenantry/executors"
)

// DB is a SQLite database with connections of its own, all of them read-only. It is safe for concurrent
// use.
type DB struct {
	pool *sql.DB
	pin  driver.Conn // keeps a database in memory alive; nil for a file
}

// Memory is the path of an empty database in memory.
const Memory = ":memory:"

const (
	// acquireTimeout is how long a call waits for a connection before it is told that all are busy.
	acquireTimeout = time.Second

	minConns = 4
)

// Open opens a database file, read-only; path is taken literally. A file that is not there or is no
// database is an error that has a *resource.Error with the code unavailable in its chain. Whoever writes to
// the file does so through connections of its own; in WAL mode neither waits for the other. The path
// ":memory:" is an empty database; see [OpenMemory].
func Open(ctx context.Context, path string) (*DB, error) {
	if path == Memory {
		return OpenMemory(ctx, nil)
	}
	if path == "" || strings.ContainsRune(path, 0) {
		return nil, errors.New("sqlite: Open needs the name of a file")
	}
	uri, err := fileURI(path)
	if err != nil {
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	db := &DB{pool: newPool(uri + "?" + readOnly)}
	if err := db.Ping(ctx); err != nil {
		db.Close()
		return nil, fmt.Errorf("sqlite: %s: %w%s", path, err, because(err))
	}
	return db, nil
}

// memories numbers the databases in memory of this process.
var memories atomic.Int64

// OpenMemory makes a database in memory, lets fill write it and serves it read-only from then on. The
// *sql.DB is fill's alone, and closed behind it. A nil fill leaves the database empty.
func OpenMemory(ctx context.Context, fill func(ctx context.Context, db *sql.DB) error) (*DB, error) {
	// The memdb VFS shares a database whose name begins with a slash among the connections of a process,
	// without the table locks of a shared cache.
	uri := "file:/tenantry-" + strconv.FormatInt(memories.Add(1), 10) + "?vfs=memdb&"
	pin, err := functionDriver().Open(uri)
	if err != nil {
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	db := &DB{pool: newPool(uri + readOnly), pin: pin}
	if fill == nil {
		return db, nil
	}
	writer := sql.OpenDB(plain{uri + "_busy_timeout=5000"})
	if err := errors.Join(fill(ctx, writer), writer.Close()); err != nil {
		db.Close()
		return nil, fmt.Errorf("sqlite: filling the database: %w", err)
	}
	return db, nil
}

// readOnly is how serving connections open a database: none of them can write, and a misspelt name in
// double quotes is an error instead of a string.
const readOnly = "mode=ro&_query_only=1&_dqs=0&_busy_timeout=500"

// fileURI is the path as SQLite's URI (https://www.sqlite.org/uri.html), in which no character of it has
// a meaning.
func fileURI(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	slashed := "/" + strings.TrimPrefix(filepath.ToSlash(abs), "/")
	return "file://" + (&url.URL{Path: slashed}).EscapedPath(), nil
}

func newPool(dsn string) *sql.DB {
	pool := sql.OpenDB(connector{plain{dsn}})
	n := max(minConns, runtime.GOMAXPROCS(0))
	pool.SetMaxOpenConns(n)
	pool.SetMaxIdleConns(n)
	return pool
}

// Dialect returns SQLite's SQL.
func (db *DB) Dialect() executors.Dialect { return Dialect{} }

// Ping reads the catalogue.
func (db *DB) Ping(ctx context.Context) error {
	err := db.with(ctx, func(s *session) error {
		ctx, cancel := context.WithTimeout(ctx, acquireTimeout)
		defer cancel()
		return s.command(ctx, "SELECT count(*) FROM main.sqlite_schema")
	})
	if err != nil {
		return classify(ctx, err)
	}
	return nil
}

// Close closes every connection; one that a call still uses, when the call ends. A database in memory is
// gone with them.
func (db *DB) Close() {
	_ = db.pool.Close() // every connection only reads: there is nothing to lose
	if db.pin != nil {
		_ = db.pin.Close()
	}
}

// noPolicies is the one finding of every audit.
const noPolicies = "SQLite has no row policies: the scopes are the only wall between tenants; serve it where RequireRLS is false"

// Audit says that there are no row policies to be found.
func (db *DB) Audit(context.Context, []executors.Audited) ([]executors.Finding, error) {
	return []executors.Finding{{Severity: executors.Refuse, Text: noPolicies}}, nil
}

// with runs f on a connection of its own. An error that is driver.ErrBadConn closes the connection.
func (db *DB) with(ctx context.Context, f func(*session) error) error {
	wait, cancel := context.WithTimeout(ctx, acquireTimeout)
	defer cancel()
	conn, err := db.pool.Conn(wait)
	if err != nil {
		if wait.Err() != nil && ctx.Err() == nil {
			return errBusy
		}
		return err
	}
	defer func() { _ = conn.Close() }() // hands the connection back; Raw has reported what went wrong
	return conn.Raw(func(dc any) error {
		s, ok := dc.(*session)
		if !ok {
			return fmt.Errorf("sqlite: the pool holds a %T", dc)
		}
		return f(s)
	})
}
