// Package postgres runs the executor's statements on PostgreSQL through pgx.
//
//	db, err := postgres.Open(ctx, pool.Config())
//
// It owns what differs on PostgreSQL: the catalogue, quoting, operators, the transaction envelope and
// the classification of driver errors. Nothing of the driver leaves it.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/tenantry/tenantry/executors"
)

// DB is a PostgreSQL database with a connection pool of its own. It is safe for concurrent use.
type DB struct {
	pool     *pgxpool.Pool
	named    bool        // statements are prepared by name; false behind a pooler that cannot
	apart    atomic.Bool // the connections were seen to keep their statements apart
	types    sync.Pool
	settings settings
}

// acquireTimeout is how long a call waits for a connection before it is told that all are busy.
const acquireTimeout = time.Second

// Open makes a pool of its own from the configuration of a host's pool; the host's pool stays the
// host's. It connects when it is first asked something.
//
// Statements are prepared on each connection, at most 256 of them. Behind a pooler that cannot do that,
// set ConnConfig.DefaultQueryExecMode to pgx.QueryExecModeExec, which costs about half as much again; the other
// modes without named statements are taken for it. The simple protocol is refused. A cancelled call closes its
// connection.
func Open(ctx context.Context, cfg *pgxpool.Config) (*DB, error) {
	if cfg == nil {
		return nil, errors.New("postgres: Open needs a configuration")
	}
	cfg = cfg.Copy()
	db := &DB{types: sync.Pool{New: func() any { return pgtype.NewMap() }}}
	switch mode := cfg.ConnConfig.DefaultQueryExecMode; mode {
	case pgx.QueryExecModeCacheStatement:
		db.named = true
	case pgx.QueryExecModeExec, pgx.QueryExecModeDescribeExec, pgx.QueryExecModeCacheDescribe:
	case pgx.QueryExecModeSimpleProtocol:
		return nil, errors.New("postgres: the simple protocol is not served: set DefaultQueryExecMode to pgx.QueryExecModeExec")
	default:
		return nil, fmt.Errorf("postgres: unknown query exec mode %v", mode)
	}
	cfg.ConnConfig.StatementCacheCapacity = 0 // the envelope keeps its own, by connection
	cfg.ConnConfig.DescriptionCacheCapacity = 0
	cfg.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	db.pool = pool
	return db, nil
}

// OpenURL is Open for a connection string, postgres://user:password@host/database. The error never
// contains it.
func OpenURL(ctx context.Context, url string) (*DB, error) {
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, errors.New("postgres: the connection string cannot be read: write postgres://user:password@host:5432/database")
	}
	return Open(ctx, cfg)
}

// Dialect returns PostgreSQL's SQL.
func (db *DB) Dialect() executors.Dialect { return Dialect{} }

// Ping asks the server for a sign of life.
func (db *DB) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, acquireTimeout)
	defer cancel()
	if err := db.pool.Ping(ctx); err != nil {
		return classify(ctx, err)
	}
	return nil
}

// Close waits for running calls and closes every connection.
func (db *DB) Close() { db.pool.Close() }

// Stat returns the pool's figures, for a host's metrics.
func (db *DB) Stat() *pgxpool.Stat { return db.pool.Stat() }

// Scan stores a raw value in dest by the rules of pgx.
func (db *DB) Scan(c executors.Column, raw []byte, binary bool, dest any) error {
	m, _ := db.types.Get().(*pgtype.Map)
	defer db.types.Put(m)
	format := int16(pgtype.TextFormatCode)
	if binary {
		format = pgtype.BinaryFormatCode
	}
	return m.Scan(c.OID, format, raw, dest)
}

func quoteIdent(name string) string {
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}
