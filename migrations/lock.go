package migrations

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// lockWait is how long a process waits for another one that migrates the same database.
const lockWait = time.Minute

// poll is how often it looks.
const poll = 100 * time.Millisecond

// lock is held by one process at a time, for one set of one database. golang-migrate takes a lock too,
// but waits for it inside a statement, whose snapshot would make a CREATE INDEX CONCURRENTLY of
// the other process wait in turn, for ever; and it does not look at a context.
type lock struct {
	conn *pgx.Conn
	key  string
}

// acquire connects and waits for the lock of the set.
func acquire(ctx context.Context, databaseURL string, set Set) (*lock, error) {
	conn, err := connect(ctx, databaseURL)
	if err != nil {
		return nil, err
	}
	l := &lock{conn: conn, key: "tenantry migrations " + set.Table}
	err = direct(ctx, conn)
	if err == nil {
		err = l.wait(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
	}
	return l, nil
}

func (l *lock) wait(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, lockWait, fmt.Errorf("migrations: another process has been migrating this database for %v: see what it does, then run this again", lockWait))
	defer cancel()
	ticker := time.NewTicker(poll)
	defer ticker.Stop()
	for {
		var ok bool
		err := l.conn.QueryRow(ctx, "SELECT pg_catalog.pg_try_advisory_lock(pg_catalog.hashtextextended($1, 0))", l.key).Scan(&ok)
		if ok {
			return nil
		}
		if err != nil && ctx.Err() == nil {
			return fmt.Errorf("migrations: taking the lock: %w", err)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-ticker.C:
		}
	}
}

// config returns what another connection to the same database needs.
func (l *lock) config() pgx.ConnConfig { return *l.conn.Config() }

// release closes the connection, and the lock goes with it.
func (l *lock) release(ctx context.Context) error {
	return l.conn.Close(context.WithoutCancel(ctx))
}

// connect is for one connection; the text of its error holds no password.
func connect(ctx context.Context, databaseURL string) (*pgx.Conn, error) {
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		return nil, fmt.Errorf("migrations: connecting: %w", err)
	}
	return conn, nil
}

// direct refuses a pooler, by the process number that the server announced when it was connected to:
// a pooler announces one of its own.
func direct(ctx context.Context, conn *pgx.Conn) error {
	var pid uint32
	if err := conn.QueryRow(ctx, "SELECT pg_catalog.pg_backend_pid()").Scan(&pid); err != nil {
		return fmt.Errorf("migrations: asking for the connection's number: %w", err)
	}
	if pid != conn.PgConn().PID() {
		return errors.New("migrations: this address is a connection pooler, which would lose the lock that keeps two processes from migrating at once: give the direct address of the database")
	}
	return nil
}
