package postgres

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"

	"github.com/jackc/pgx/v5"
)

// errUntracked is what is wrong with a pooler that loses sight of prepared statements.
var errUntracked = errors.New("postgres: a pooler before the server gives its connections to one client after the other and does not keep their prepared statements apart: " +
	"set ConnConfig.DefaultQueryExecMode to pgx.QueryExecModeExec, or write default_query_exec_mode=exec into the address")

// tracked refuses to prepare statements by name where one connection of ours sees those of another: behind a
// pooler in transaction mode that does not rename them. A busy one can hide that, and then calls fail; none
// runs the statement of another connection, since names are never the same. What was found good is not looked at
// again, as it takes a connection.
func (db *DB) tracked(ctx context.Context, conn *pgx.Conn) error {
	if !db.named || db.apart.Load() {
		return nil
	}
	var pid uint32
	if err := conn.QueryRow(ctx, "SELECT pg_catalog.pg_backend_pid()").Scan(&pid); err != nil {
		return catalogue(ctx, err)
	}
	if pid == conn.PgConn().PID() { // no pooler: it announces numbers of its own
		db.apart.Store(true)
		return nil
	}
	other, err := db.connect(ctx)
	if err != nil {
		return catalogue(ctx, err)
	}
	defer func() { _ = other.Close(ctx) }()
	for range 3 {
		seen, err := sees(ctx, conn, other)
		if err != nil {
			return catalogue(ctx, err)
		}
		if seen {
			return errUntracked
		}
	}
	db.apart.Store(true)
	return nil
}

// connect opens a connection beside the pool, which may have room for one alone.
func (db *DB) connect(ctx context.Context) (*pgx.Conn, error) {
	cfg := db.pool.Config()
	if cfg.BeforeConnect != nil {
		if err := cfg.BeforeConnect(ctx, cfg.ConnConfig); err != nil {
			return nil, err
		}
	}
	return pgx.ConnectConfig(ctx, cfg.ConnConfig)
}

// sees reports whether a connection sees what another one prepares.
func sees(ctx context.Context, conn, other *pgx.Conn) (seen bool, err error) {
	name := "tenantry_probe_" + strconv.FormatUint(rand.Uint64(), 36)
	if _, err := other.PgConn().Prepare(ctx, name, "SELECT 1", nil); err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, other.PgConn().Deallocate(ctx, name)) }()
	err = conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_catalog.pg_prepared_statements WHERE name = $1)", name).Scan(&seen)
	return seen, err
}
