package bench

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/tenantry/tenantry/integration/testdb"
)

// size is how much data there is: small tenants whose rows are scattered through the table, and one large one
// behind them, whose key is the next.
type size struct{ tenants, rows, large int }

var (
	full  = size{tenants: 1000, rows: 1000, large: 1_000_000}
	smoke = size{tenants: 50, rows: 200, large: 20_000}
)

// database is what everything is measured on.
type database struct {
	size
	url, name string
	server    *testdb.Server
	keep      bool
	loading   time.Duration // how long it took; next to nothing for a kept database
}

// open makes and loads a database, or takes one that was kept.
func open(ctx context.Context, o Options) (db *database, err error) {
	server, err := testdb.Start(ctx)
	if err != nil {
		return nil, err
	}
	db = &database{size: full, server: server, name: o.Database, keep: o.Keep || o.Database != ""}
	defer func() {
		if err != nil {
			err = errors.Join(err, db.close())
		}
	}()
	if o.Quick {
		db.size = smoke
	}
	if o.Database != "" {
		if db.url, err = inside(server.URL, db.name); err == nil {
			err = db.complete(ctx)
		}
		return db, err
	}
	db.name = "tenantry_bench_" + strings.ToLower(rand.Text())
	if db.url, err = inside(server.URL, db.name); err != nil {
		return nil, err
	}
	// Workers of a parallel plan are processes of their own, whose CPU nobody would add.
	err = run(ctx, server.URL, "CREATE DATABASE "+db.name,
		"ALTER DATABASE "+db.name+" SET max_parallel_workers_per_gather = 0")
	if err == nil {
		err = errors.Join(db.load(ctx), db.complete(ctx))
	}
	return db, err
}

// inside is the address of another database of the same server.
func inside(address, name string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", errors.New("bench: the server's address is not a URL")
	}
	u.Path = "/" + name
	return u.String(), nil
}

// close drops the database and its roles unless it is kept, and stops a server of our own.
func (db *database) close() error {
	defer db.server.Stop()
	if db.keep {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return run(ctx, db.server.URL, "DROP DATABASE IF EXISTS "+db.name+" WITH (FORCE)",
		"DROP ROLE IF EXISTS "+db.name+boundRole+", "+db.name+freeRole)
}

// table is unlogged, since a load without a log takes half the time and reading is the same. Nothing may vacuum it
// while it is measured.
const table = `CREATE UNLOGGED TABLE widgets (
	id bigint NOT NULL, account_id bigint NOT NULL, name text NOT NULL, status text NOT NULL,
	price numeric(12,2) NOT NULL, active boolean NOT NULL, tags text[] NOT NULL, settings jsonb NOT NULL,
	created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL) WITH (autovacuum_enabled = off)`

// rows inserts the ids from %[1]d to %[2]d, each with the tenant %[3]s. A row is about 300 bytes of JSON.
const rows = `INSERT INTO widgets SELECT i, %[3]s, 'Widget number ' || i || ' of the catalogue',
	(ARRAY['draft','active','paused','retired','archived'])[1 + i %% 5], (i %% 100000) / 100.0, i %% 3 = 0,
	ARRAY['red', 'size-' || i %% 20],
	jsonb_build_object('color', 'blue', 'width', i %% 300, 'options', jsonb_build_array('a', i %% 7)),
	timestamptz '2020-01-01 00:00:00.123456Z' + i * interval '37.123457 s',
	timestamptz '2026-01-01 00:00:00Z' + (i %% 1000003) * interval '1.000001 s'
	FROM generate_series(%[1]d, %[2]d) AS i`

var indexes = []string{
	"CREATE UNIQUE INDEX widgets_pkey ON widgets (account_id, id)",
	"CREATE INDEX ON widgets (account_id, created_at, id)",
	"CREATE INDEX ON widgets (account_id, status, id)",
}

func (db *database) load(ctx context.Context) error {
	began := time.Now()
	defer func() { db.loading = time.Since(began) }()
	if err := run(ctx, db.url, table); err != nil {
		return err
	}
	scattered := db.tenants * db.rows
	inserts := []string{
		fmt.Sprintf(rows, 1, scattered, fmt.Sprintf("1 + i %% %d", db.tenants)),
		fmt.Sprintf(rows, scattered+1, scattered+db.large, fmt.Sprint(db.tenants+1)),
	}
	if err := together(ctx, db.url, inserts); err != nil {
		return err
	}
	if err := together(ctx, db.url, indexes); err != nil {
		return err
	}
	return run(ctx, db.url, "ALTER TABLE widgets ADD PRIMARY KEY USING INDEX widgets_pkey", "VACUUM (FREEZE, ANALYZE) widgets")
}

// together runs each statement on a connection of its own.
func together(ctx context.Context, address string, statements []string) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, sql := range statements {
		g.Go(func() error { return run(ctx, address, "SET maintenance_work_mem = '256MB'", sql) })
	}
	return g.Wait()
}

// run sends statements one after the other over a new connection.
func run(ctx context.Context, address string, statements ...string) (err error) {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	for _, sql := range statements {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return fmt.Errorf("bench: %s: %w", strings.SplitN(sql, "\n", 2)[0], err)
		}
	}
	return nil
}
