package contract_test

import (
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/postgres"
	"github.com/tenantry/tenantry/integration/testdb"
)

const poolSize = 4

// pool is a PostgreSQL database with a pool of poolSize unless size is set, and what its server and its pool say of that.
type pool struct {
	*database
	size   int32
	opened *postgres.DB
	ask    func(sql string) int // a number from the server's own statistics; $1 is the name of our connections
}

func newPool(t *testing.T) *pool {
	t.Helper()
	db, name := testdb.New(t), "tenantry pool "+strconv.FormatUint(rand.Uint64(), 36)
	conn := db.Conn(t)
	var mu sync.Mutex
	p := &pool{size: poolSize, ask: func(sql string) (n int) {
		mu.Lock()
		defer mu.Unlock()
		if err := conn.QueryRow(t.Context(), sql, name).Scan(&n); err != nil {
			t.Error(err)
		}
		return n
	}}
	p.database = &database{
		name: "postgres",
		exec: func(t *testing.T, sql string) { t.Helper(); db.Exec(t, sql) },
		open: func(t *testing.T) executors.DB {
			t.Helper()
			cfg, err := pgxpool.ParseConfig(db.ReaderURL)
			if err != nil {
				t.Fatal(err)
			}
			cfg.MaxConns, cfg.ConnConfig.RuntimeParams["application_name"] = p.size, name
			if p.opened, err = postgres.Open(t.Context(), cfg); err != nil {
				t.Fatal(err)
			}
			return p.opened
		},
	}
	return p
}

// connections are those that the server has of ours.
const connections = `SELECT count(*) FROM pg_stat_activity WHERE application_name = $1`

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline, ticker := time.After(20*time.Second), time.NewTicker(5*time.Millisecond)
	defer ticker.Stop()
	for !holds() {
		select {
		case <-ticker.C:
		case <-deadline:
			t.Fatalf("%s: it never came to that", what)
		}
	}
}
