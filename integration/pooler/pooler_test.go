//go:build pooler

// Package pooler_test is about a PgBouncer between a server and its database. The contract of the tools runs
// through it as well: see the target pooler of the Makefile.
package pooler_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/postgres"
	"github.com/tenantry/tenantry/integration/testdb"
	"github.com/tenantry/tenantry/migrations"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
	"github.com/tenantry/tenantry/tenant"
)

func TestMain(m *testing.M) {
	if os.Getenv(testdb.EnvPooler) == "" {
		fmt.Fprintln(os.Stderr, "these tests need a pooler: make pooler")
		os.Exit(1)
	}
	testdb.Main(m)
}

func specs() *registry.Registry {
	return registry.MustNew(nil, resource.Spec{
		Name: "orders", Table: "orders", Scope: scope.Column("tenant_id"), Serializer: serializer.Columns("id", "note", "qty"),
		Filterable: resource.Columns{"note": "note", "qty": "qty"},
	})
}

func caller(t *testing.T, n int64) *auth.Principal {
	t.Helper()
	id, err := tenant.Int(n)
	if err != nil {
		t.Fatal(err)
	}
	tokens, err := auth.NewStatic(map[string]auth.Grant{"one": {Subject: "alice", Tenants: []tenant.ID{id}}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := tokens.Verify(t.Context(), "one", nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Connections of the server go from one tenant's call to the next one's in any order: no row and no setting
// goes along, and a negative number beside a text is a number beside a text.
func TestTenantsShareServerConnections(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	db.Exec(t, `INSERT INTO tenants SELECT i, 't' || i FROM generate_series(-1, 8) i;
		INSERT INTO orders (id, tenant_id, qty, note) SELECT 100 * (i + 2) + j, i, j, 'of ' || i FROM generate_series(-1, 8) i, generate_series(1, 5) j`)
	opened, err := postgres.OpenURL(t.Context(), db.ReaderURL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(opened.Close)
	exec, err := executors.New(t.Context(), opened, specs(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for _, n := range []int64{-1, 1, 2, 3, 4, 5, 6, 7, 8} {
		p := caller(t, n)
		wg.Go(func() {
			for range 100 {
				a, err := exec.List(t.Context(), p, executors.ListRequest{
					Resource: "orders", Count: executors.CountExact,
					Filter: []byte(`{"qty":{"op":"gt","value":-1},"note":{"op":"not_eq","value":"x\n or 1=1 --"}}`),
				})
				if err != nil {
					t.Error(err)
					return
				}
				body := string(a.JSON)
				if strings.Count(body, fmt.Sprintf(`"note":"of %d"`, n)) != 5 || strings.Count(body, `"note"`) != 5 || !strings.Contains(body, `"total_count":5`) {
					t.Errorf("tenant %d: %s", n, body)
				}
			}
		})
	}
	wg.Wait()
	conn := db.Reader(t)
	for range 20 { // whatever connection of the server it gets
		var left string
		if err := conn.QueryRow(t.Context(), `SELECT coalesce(current_setting('tenantry.tenant_id', true), '')`).Scan(&left); err != nil || left != "" {
			t.Errorf("a tenant is left behind: %q %v", left, err)
		}
	}
}

// A pooler that hands out a connection for one statement cannot hold a transaction: the start refuses it.
func TestStatementModeIsRefused(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	server := strings.Replace(db.URL, "/"+db.Name(), "/postgres", 1)
	pooler, err := testdb.StartPooler(t.Context(), server, "statement")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pooler.Stop)
	opened, err := postgres.OpenURL(t.Context(), pooler.Through(db.URL))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(opened.Close)
	if _, err := executors.New(t.Context(), opened, specs(), nil); err == nil || !strings.Contains(err.Error(), "pool_mode to transaction") {
		t.Errorf("err = %v; want one that names the mode to set", err)
	}
}

// Migrations hold a lock of their session, which a pooler does not keep for them.
func TestMigrationsAreRefused(t *testing.T) {
	t.Parallel()
	db := testdb.NewEmpty(t)
	pooler, err := testdb.StartPooler(t.Context(), db.URL, "transaction")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pooler.Stop)
	refused := make(chan error, 5) // as many replicas as start at once
	for range cap(refused) {
		go func() { refused <- migrations.Up(t.Context(), pooler.Through(db.URL), migrations.Framework) }()
	}
	for range cap(refused) {
		if err := <-refused; err == nil || !strings.Contains(err.Error(), "direct address") {
			t.Errorf("err = %v; want one that asks for the direct address", err)
		}
	}
	if v, dirty, err := migrations.Version(t.Context(), db.URL, migrations.Framework); v != 0 || dirty || err != nil {
		t.Errorf("version %d, %v, %v after the refusals", v, dirty, err)
	}
}
