// Package shop_test serves a grown-up schema from a file, and holds what every resource of any schema must
// keep: values that find their rows, keys that name them, and walks that end with each row seen once.
package shop_test

import (
	"flag"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/descriptor"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/postgres"
	"github.com/tenantry/tenantry/integration/testdb"
	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/tenant"
)

func TestMain(m *testing.M) {
	// The tests wait for the database more than they compute; -parallel on the command line overrides this.
	if err := flag.Set("test.parallel", strconv.Itoa(max(6, runtime.GOMAXPROCS(0)))); err != nil {
		panic(err)
	}
	testdb.Main(m)
}

// merchant is a tenant of the shop and its token in the file.
type merchant struct {
	id    int
	token string
}

// merchants are two with enough rows for many pages and one with hardly any.
var merchants = []merchant{{11, "lantern-token"}, {22, "kiosk-token"}, {33, "empty-token"}}

// shop is the file of the shop, served over its tables.
type shop struct {
	server
	db    *testdb.DB
	specs []resource.Spec
}

// open makes the shop's tables and serves them as "tenantry serve" does: from the file.
func open(t *testing.T) *shop {
	t.Helper()
	db := testdb.New(t)
	for _, name := range []string{"schema.sql", "seed.sql"} {
		text, err := os.ReadFile(filepath.Join("..", "testdata", "shop", name))
		if err != nil {
			t.Fatal(err)
		}
		db.Exec(t, string(text))
	}
	file, err := descriptor.Load(filepath.Join("..", "testdata", "shop", "tenantry.yaml"), func(name string) (string, bool) {
		return db.ReaderURL, name == "SHOP_DATABASE_URL"
	})
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, setup{string(file.Database), file.Defaults.Requires, file.Specs(), file.Grants})
	return &shop{*s, db, file.Specs()}
}

// setup is what a server needs to know.
type setup struct {
	url, requires string
	specs         []resource.Spec
	grants        func(tenant.Kind) (map[string]auth.Grant, error)
}

// serve serves resources of tables that a test has made to tenant 1.
func serve(t *testing.T, db *testdb.DB, specs ...resource.Spec) *server {
	t.Helper()
	return start(t, setup{url: db.ReaderURL, specs: specs, grants: one})
}

// token is that of tenant 1.
const token = "token-of-one"

func one(tenant.Kind) (map[string]auth.Grant, error) {
	id, err := tenant.Int(1)
	return map[string]auth.Grant{token: {Subject: "alice", Tenants: []tenant.ID{id}}}, err
}

// start starts the real handler on a real listener.
func start(t *testing.T, with setup) *server {
	t.Helper()
	reg, err := registry.New(&registry.Options{Requires: with.requires}, with.specs...)
	if err != nil {
		t.Fatal(err)
	}
	db, err := postgres.OpenURL(t.Context(), with.url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	spy := &spy{DB: db}
	logger := slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelError}))
	exec, err := executors.New(t.Context(), spy, reg, &executors.Options{Logger: logger})
	if err != nil {
		t.Fatal(err)
	}
	grants, err := with.grants(exec.TenantKind())
	if err != nil {
		t.Fatal(err)
	}
	tokens, err := auth.NewStatic(grants)
	if err != nil {
		t.Fatal(err)
	}
	handler, err := mcpserver.Handler(exec, tokens, &mcpserver.Options{Logger: logger})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(handler)
	t.Cleanup(srv.Close)
	return &server{url: srv.URL, spy: spy, exec: exec, tokens: tokens}
}

// spec finds a resource of the file.
func (s *shop) spec(t *testing.T, name string) resource.Spec {
	t.Helper()
	for _, spec := range s.specs {
		if spec.Name == name {
			return spec
		}
	}
	t.Fatalf("the file has no resource %s", name)
	return resource.Spec{}
}

func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
