package isolation_test

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/postgres"
	"github.com/tenantry/tenantry/executors/sqlite"
	"github.com/tenantry/tenantry/integration/testdb"
	"github.com/tenantry/tenantry/tenant"
)

// attackWorlds runs the tier on PostgreSQL, in a world for each kind of tenant key.
func attackWorlds(t *testing.T, c tier, seed uint64, rep *report) {
	for i, share := range shares {
		part := c
		part.calls, part.http, part.pairs = c.calls*share.of/100, c.http*share.of/100, c.pairs*share.of/100
		t.Run(string(share.kind), func(t *testing.T) {
			w := newWorld(share.kind, c.tenants, seed)
			other := w.otherwise()
			part, found := part, &report{}
			s := open(t, w, pool(t, seeded(t, w).ReaderURL, nil), found)
			changed := open(t, other, pool(t, seeded(t, other).ReaderURL, nil), found)
			s.attack(t, changed, part, seed+uint64(i))
			found.tell(t)
			rep.add(found)
		})
	}
}

// seeded makes a database of a world.
func seeded(t *testing.T, w *world) *testdb.DB {
	t.Helper()
	db := testdb.New(t)
	db.Exec(t, w.ddl()+w.inserts())
	return db
}

const connections = 6

// pool opens a database through few connections. Look, when set, sees each before it is handed out.
func pool(t *testing.T, url string, look func(context.Context, *pgx.Conn) error) executors.DB {
	t.Helper()
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	cfg.MaxConns = connections
	if look != nil {
		cfg.PrepareConn = func(ctx context.Context, conn *pgx.Conn) (bool, error) { return true, look(ctx, conn) }
	}
	db, err := postgres.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// attackSQLite runs a slice on SQLite, where the scopes and the witness stand without row policies.
func attackSQLite(t *testing.T, c tier, seed uint64, rep *report) {
	w := &world{kind: tenant.KindInt, tenants: c.tenants, seed: seed, sqlite: true}
	w.fill()
	other := w.otherwise()
	part := tier{calls: min(c.calls/20, 10_000), pairs: min(c.pairs/10, 500)} // it is slow with large worlds
	found := &report{}
	s, changed := open(t, w, memory(t, w), found), open(t, other, memory(t, other), found)
	s.attack(t, changed, part, seed)
	found.tell(t)
	rep.add(found)
}

func memory(t *testing.T, w *world) executors.DB {
	t.Helper()
	db, err := sqlite.OpenMemory(t.Context(), func(ctx context.Context, db *sql.DB) error {
		_, err := db.ExecContext(ctx, w.ddl())
		_, more := db.ExecContext(ctx, w.inserts())
		return errors.Join(err, more)
	})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// attack is everything that is done to one world.
func (s *subject) attack(t *testing.T, changed *subject, c tier, seed uint64) {
	t.Helper()
	ctx, g := t.Context(), newGenerator(s.world, seed, 0)
	for _, step := range []func(){
		func() { s.gates(ctx) },
		func() { s.everywhere(ctx, changed, g) },
		func() { s.cursors(ctx, g) },
		func() { s.keys(ctx, g) },
		func() { s.several(ctx, g, c.calls) },
		func() { s.undisturbed(ctx, changed, g, c.pairs) },
		func() { s.overHTTP(t, c, seed) },
	} {
		if s.settled() {
			return
		}
		step()
	}
}

// everywhere visits everything once, in both worlds.
func (s *subject) everywhere(ctx context.Context, changed *subject, g *generator) {
	calls := append(g.conditions(), g.directed(1)...)
	if !s.early {
		calls = append(calls, g.directed(2)...)
	}
	for _, call := range calls {
		if s.settled() {
			return
		}
		s.pair(ctx, changed, call)
	}
}

// undisturbed runs generated calls of the tenants whose rows are the same in both worlds.
func (s *subject) undisturbed(ctx context.Context, changed *subject, g *generator, pairs int) {
	for range pairs {
		call := g.call()
		call.tenant, call.cancel = 1+g.IntN(2), 0
		if call.token == both {
			call.token = full // the second of whose tenants changes
		}
		if call.tool == "get" {
			call.modelled = false
		}
		s.pair(ctx, changed, call)
	}
}

// several runs calls over a small pool, from several goroutines at once.
func (s *subject) several(ctx context.Context, g *generator, calls int) {
	const workers = 8
	var group sync.WaitGroup
	for i := range workers {
		mine := newGenerator(s.world, g.Uint64(), uint64(i))
		group.Go(func() {
			for range calls / workers {
				s.run(ctx, mine.call())
			}
		})
	}
	group.Wait()
}

// keys asks for a row by keys of another tenant, of nobody and of a deleted row: all are answered alike.
func (s *subject) keys(ctx context.Context, g *generator) {
	for _, kind := range []string{"companies", "customers", "orders", "lines", "parts", "vaults", "messages", "order_view"} {
		absent, tried := orphan.Int(900_000), 0
		for _, r := range s.tables[g.tableOf(kind)] {
			if tried++; tried > 25 {
				break
			}
			if slices.ContainsFunc(s.visible(kind, 1), func(v row) bool { return v["id"] == r["id"] }) {
				continue
			}
			foreign, nobody := s.kinds[kind].idOf(r), s.kinds[kind].idOf(row{"id": absent})
			for _, tool := range []string{"get", "list"} {
				one := func(id string) *call {
					c := &call{tool: tool, resource: kind, tenant: 1, token: full, limit: -1}
					if tool == "get" {
						c.id = id
					} else {
						c.ids, c.count = []string{id}, "exact"
					}
					return c
				}
				s.alike(ctx, one(foreign), one(nobody), foreign, nobody)
			}
		}
	}
}

func (g *generator) tableOf(kind string) string {
	if kind == "order_view" {
		return "w_orders"
	}
	return g.kinds[kind].table
}
