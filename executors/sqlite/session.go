package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	modernc "modernc.org/sqlite"
)

// plain opens connections to a database as the driver makes them.
type plain struct{ dsn string }

// Connect opens a connection.
func (p plain) Connect(context.Context) (driver.Conn, error) { return functionDriver().Open(p.dsn) }

// Driver returns the driver that has our functions.
func (p plain) Driver() driver.Driver { return functionDriver() }

// connector opens connections that keep their prepared statements.
type connector struct{ plain }

// Connect opens a session.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.plain.Connect(ctx)
	if err != nil {
		return nil, err
	}
	s := &session{Conn: conn, lockTimeout: -1}
	s.prepared, err = simplelru.NewLRU(maxPrepared, func(_ string, st driver.StmtQueryContext) {
		if closer, ok := st.(io.Closer); ok {
			_ = closer.Close() // a read statement has nothing to report
		}
	})
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return s, nil
}

// maxPrepared is how many statements a connection keeps.
const maxPrepared = 256

// session is one connection with its prepared statements. It belongs to whoever holds it.
type session struct {
	driver.Conn
	prepared    *simplelru.LRU[string, driver.StmtQueryContext]
	lockTimeout time.Duration
	args        []driver.NamedValue
	dest        []driver.Value
	raw         rawRow
}

// Close closes the statements and the connection.
func (s *session) Close() error {
	s.prepared.Purge()
	return s.Conn.Close()
}

// IsValid reports whether the pool may keep the connection.
func (s *session) IsValid() bool {
	v, ok := s.Conn.(driver.Validator)
	return !ok || v.IsValid()
}

// ResetSession refuses a connection that an interrupt has left behind.
func (s *session) ResetSession(ctx context.Context) error {
	if r, ok := s.Conn.(driver.SessionResetter); ok {
		return r.ResetSession(ctx)
	}
	return nil
}

// reading is one statement on its way: its text, its arguments, and what takes each row until it returns
// false. The values of a row are valid until then.
type reading struct {
	sql  string
	args []driver.NamedValue
	row  func([]driver.Value) bool
}

// query runs a short statement of our own.
func (s *session) query(ctx context.Context, r reading) error {
	return s.read(ctx, r, func() (string, error) { return r.sql, nil })
}

// whole runs a statement of any length and cost. The driver heeds the context only up to the first row, so
// the rows are gathered before it. They come through an expression, since the driver turns what it reads
// from a column declared as a date into a time.
func (s *session) whole(ctx context.Context, r reading) error {
	return s.read(ctx, r, func() (string, error) { return s.gathered(r.sql) })
}

func (s *session) gathered(sql string) (string, error) {
	describer, ok := s.Conn.(interface {
		ColumnInfo(query string) ([]modernc.ColumnInfo, error)
	})
	if !ok {
		return "", fmt.Errorf("sqlite: a %T does not describe its columns", s.Conn)
	}
	columns, err := describer.ColumnInfo(sql)
	if err != nil {
		return "", err
	}
	names, exprs := make([]string, len(columns)), make([]string, len(columns))
	for i := range columns {
		names[i] = "c" + strconv.Itoa(i)
		exprs[i] = "+" + names[i]
	}
	return "WITH p(" + strings.Join(names, ", ") + ") AS MATERIALIZED (" + sql + ") SELECT " + strings.Join(exprs, ", ") + " FROM p", nil
}

// read takes the prepared statement of the text, or prepares what text makes of it. One that failed is
// prepared anew the next time.
func (s *session) read(ctx context.Context, r reading, text func() (string, error)) (err error) {
	st, ok := s.prepared.Get(r.sql)
	if !ok {
		if st, err = s.prepare(ctx, text); err != nil {
			return err
		}
		s.prepared.Add(r.sql, st)
	}
	rows, err := st.QueryContext(ctx, r.args)
	if err != nil {
		s.prepared.Remove(r.sql)
		return err
	}
	if err := s.each(rows, r.row); err != nil {
		s.prepared.Remove(r.sql)
		return err
	}
	return nil
}

func (s *session) each(rows driver.Rows, row func([]driver.Value) bool) (err error) {
	defer func() {
		if closing := rows.Close(); err == nil {
			err = closing
		}
	}()
	n := len(rows.Columns())
	if len(s.dest) < n {
		s.dest = make([]driver.Value, n)
	}
	for {
		switch err := rows.Next(s.dest[:n]); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case !row(s.dest[:n]):
			return nil
		}
	}
}

func (s *session) prepare(ctx context.Context, text func() (string, error)) (driver.StmtQueryContext, error) {
	sql, err := text()
	if err != nil {
		return nil, err
	}
	preparer, ok := s.Conn.(driver.ConnPrepareContext)
	if !ok {
		return nil, fmt.Errorf("sqlite: a %T does not prepare statements", s.Conn)
	}
	st, err := preparer.PrepareContext(ctx, sql)
	if err != nil {
		return nil, err
	}
	if q, ok := st.(driver.StmtQueryContext); ok {
		return q, nil
	}
	return nil, errors.Join(fmt.Errorf("sqlite: a %T does not query", st), st.Close())
}
