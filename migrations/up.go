package migrations

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/golang-migrate/migrate/v4"
	"github.com/golang-migrate/migrate/v4/database"
	pgxdriver "github.com/golang-migrate/migrate/v4/database/pgx/v5"
	"github.com/golang-migrate/migrate/v4/source/iofs"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// Up applies the files of the set that the database has not seen, in order; none left is no error.
//
// The URL is a direct postgres:// address: a pooler is refused, since the lock belongs to a connection.
// Processes that start at once apply each file once between them: the others wait, at most a minute, or
// until ctx ends if that is sooner.
//
// A database that was left in the middle of a file gives a *[DirtyError], and nothing is applied. A ctx
// that ends while files are applied stops after the file that has begun.
func Up(ctx context.Context, databaseURL string, set Set) (err error) {
	lock, err := acquire(ctx, databaseURL, set)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.release(ctx)) }()

	m, err := set.open(lock.config())
	if err != nil {
		return fmt.Errorf("migrations: preparing the %s set: %w", set.Name, plain(err))
	}
	defer func() {
		files, db := m.Close()
		err = errors.Join(err, files, db)
	}()
	if err := set.ready(m); err != nil {
		return err
	}
	for ctx.Err() == nil {
		err := m.Steps(1)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // that was the last one
		}
		if err != nil {
			return set.failed(m, err)
		}
	}
	return context.Cause(ctx)
}

// open connects golang-migrate to the database and to the files.
func (s Set) open(config pgx.ConnConfig) (*migrate.Migrate, error) {
	if len(s.files()) == 0 {
		return nil, errors.New("it has no files")
	}
	files, err := iofs.New(s.Files, ".")
	if err != nil {
		return nil, err
	}
	db := stdlib.OpenDB(config, stdlib.OptionAfterConnect(prepare))
	driver, err := pgxdriver.WithInstance(db, &pgxdriver.Config{MigrationsTable: s.Table})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	m, err := migrate.NewWithInstance("files", files, "pgx5", driver)
	if err != nil {
		return nil, errors.Join(err, driver.Close())
	}
	m.LockTimeout = 2 * lockWait // the server's lock_timeout ends the wait first, and leaves nobody queueing
	return m, nil
}

// prepare bounds every wait for a lock, and lets the server notice within a second that a process was
// killed in the middle of a file; servers before 14 do not have that setting.
func prepare(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, `SELECT set_config(name, CASE name WHEN 'lock_timeout' THEN $1 ELSE '1s' END, false)
		FROM pg_catalog.pg_settings WHERE name IN ('lock_timeout', 'client_connection_check_interval')`,
		fmt.Sprint(lockWait.Milliseconds()))
	return err
}

// ready refuses a database that an earlier failure or a newer build has left behind.
func (s Set) ready(m *migrate.Migrate) error {
	version, dirty, err := m.Version()
	switch {
	case errors.Is(err, migrate.ErrNilVersion):
		return nil
	case err != nil:
		return fmt.Errorf("migrations: reading the version of the %s set: %w", s.Name, err)
	case dirty:
		return s.dirty(version, nil)
	case s.file(version) == "":
		return fmt.Errorf("migrations: the database is at version %d of the %s set, which this build does not have: run a newer build", version, s.Name)
	}
	return nil
}

// failed turns the error of a run into one that says where it stopped.
func (s Set) failed(m *migrate.Migrate, cause error) error {
	cause = plain(cause)
	version, dirty, err := m.Version()
	if err == nil && dirty {
		return s.dirty(version, cause)
	}
	return fmt.Errorf("migrations: applying the %s set: %w", s.Name, errors.Join(cause, err))
}

// plain leaves out of a driver's error what it repeats: the text of the whole file.
func plain(err error) error {
	e, ok := errors.AsType[database.Error](err)
	if p, pointer := errors.AsType[*database.Error](err); pointer {
		e, ok = *p, true
	}
	if !ok || e.OrigErr == nil {
		return err
	}
	if pg, ok := errors.AsType[*pgconn.PgError](e.OrigErr); ok && pg.Code == lockNotAvailable {
		return fmt.Errorf("waited %v for a lock that another session of the database holds: see what it does, then run this again: %w", lockWait, pg)
	}
	if e.Line == 0 {
		return e.OrigErr
	}
	return fmt.Errorf("line %d: %w", e.Line, e.OrigErr)
}

// lockNotAvailable is the SQLSTATE of a wait that lock_timeout has ended.
const lockNotAvailable = "55P03"
