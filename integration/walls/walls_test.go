// Package walls_test takes the walls between tenants one by one: what PostgreSQL and pgx do that the design
// relies on or works around, what the audit sees, and what is left of a call when it is over.
package walls_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/postgres"
	"github.com/tenantry/tenantry/integration/testdb"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
	"github.com/tenantry/tenantry/tenant"
)

func TestMain(m *testing.M) { testdb.Main(m) }

// twoTenants has a customer and an order of each.
const twoTenants = `INSERT INTO tenants VALUES (1, 'one'), (2, 'two');
	INSERT INTO customers (id, tenant_id, email, display_name) VALUES (1, 1, 'a@one', 'Ada'), (2, 2, 'SECRET-OF-TWO', 'Berta');
	INSERT INTO orders (id, tenant_id, bill_to, note) VALUES (1, 1, 1, 'first'), (2, 2, 2, 'SECRET-OF-TWO'), (3, 1, 1, 'third');`

func filled(t *testing.T) *testdb.DB {
	t.Helper()
	db := testdb.New(t)
	db.Exec(t, twoTenants)
	return db
}

func orders() resource.Spec {
	return resource.Spec{
		Name: "orders", Table: "orders", Scope: scope.Column("tenant_id"), Serializer: serializer.Columns("id", "note"),
		Filterable: resource.Columns{"note": "note"}, Sortable: []string{"note"},
	}
}

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// open opens the database as the reading role, after edit had a look at the configuration.
func open(t *testing.T, db *testdb.DB, edit func(*pgxpool.Config)) *postgres.DB {
	t.Helper()
	cfg, err := pgxpool.ParseConfig(db.ReaderURL)
	if err != nil {
		t.Fatal(err)
	}
	if edit != nil {
		edit(cfg)
	}
	opened, err := postgres.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(opened.Close)
	return opened
}

func executor(db executors.DB, globals []resource.Global, specs ...resource.Spec) (*executors.Executor, error) {
	reg, err := registry.NewWithGlobals(nil, globals, specs...)
	if err != nil {
		return nil, err
	}
	return executors.New(context.Background(), db, reg, &executors.Options{Logger: quiet()})
}

func mustExecutor(t *testing.T, db executors.DB, globals []resource.Global, specs ...resource.Spec) *executors.Executor {
	t.Helper()
	x, err := executor(db, globals, specs...)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func caller(t *testing.T, key int64) *auth.Principal {
	t.Helper()
	id, err := tenant.Int(key)
	if err != nil {
		t.Fatal(err)
	}
	p, err := auth.NewPrincipal(auth.Grant{Subject: "alice", Tenants: []tenant.ID{id}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// list answers a listing as its JSON.
func list(t *testing.T, x *executors.Executor, key int64, req executors.ListRequest) string {
	t.Helper()
	answer, err := x.List(t.Context(), caller(t, key), req)
	for range 10 { // what a busy machine answers says to send it again
		if refused, ok := errors.AsType[*resource.Error](err); !ok || !strings.Contains(refused.Message, "server is busy") {
			break
		}
		answer, err = x.List(t.Context(), caller(t, key), req)
	}
	if err != nil {
		t.Fatalf("%+v: %v", req, err)
	}
	return string(answer.JSON)
}

type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

func scan[T any](t *testing.T, conn querier, sql string, args ...any) T {
	t.Helper()
	var v T
	if err := conn.QueryRow(t.Context(), sql, args...).Scan(&v); err != nil {
		t.Fatal(fmt.Errorf("%s: %w", sql, err))
	}
	return v
}

// required is executor where row policies are required.
func required(db executors.DB, specs ...resource.Spec) (*executors.Executor, error) {
	reg, err := registry.New(nil, specs...)
	if err != nil {
		return nil, err
	}
	return executors.New(context.Background(), db, reg, &executors.Options{Logger: quiet(), RequireRLS: true})
}
