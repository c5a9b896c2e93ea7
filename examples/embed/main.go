// Command embed puts the MCP endpoint into an application that already has routes, a database pool and
// an authentication of its own.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/postgres"
	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
	"github.com/tenantry/tenantry/tenant"
)

var customers = resource.Spec{
	Name: "customers", Description: "Customers of the account.", Table: "customers", Requires: "customers:read",
	Scope:      scope.Column("tenant_id"),
	Narrow:     resource.Conditions{"deleted_at": nil}, // deleted customers are not there
	Filterable: resource.Columns{"email": "email"},
	Sortable:   []string{"email"},
	Serializer: serializer.Columns("id", "email", "display_name"),
}

// sessions is the application's own table of API keys.
type sessions struct{ pool *pgxpool.Pool }

// verify is the application's own authentication. An error other than auth.ErrUnavailable means that the
// key is not good; its text goes nowhere.
func (s sessions) verify(ctx context.Context, token string, _ *http.Request) (*auth.Principal, error) {
	var user string
	var account int64
	err := s.pool.QueryRow(ctx, `SELECT user_name, tenant_id FROM api_keys WHERE key = $1`, token).Scan(&user, &account)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, auth.ErrInvalid
	case err != nil:
		return nil, fmt.Errorf("%w: %w", auth.ErrUnavailable, err)
	}
	id, err := tenant.Int(account)
	if err != nil {
		return nil, err
	}
	return auth.NewPrincipal(auth.Grant{Subject: user, Tenants: []tenant.ID{id}, Scopes: []string{"customers:read"}})
}

// routes are the application's, with the endpoint among them.
func routes(ctx context.Context, pool *pgxpool.Pool) (http.Handler, error) {
	db, err := postgres.Open(ctx, pool.Config()) // a pool of its own, by the same configuration
	if err != nil {
		return nil, err
	}
	exec, err := executors.New(ctx, db, registry.MustNew(nil, customers), nil)
	if err != nil {
		return nil, err
	}
	mcp, err := mcpserver.Handler(exec, auth.VerifierFunc(sessions{pool}.verify), &mcpserver.Options{
		Name: "acme", Prefix: "acme_", PublicURL: os.Getenv("PUBLIC_URL"),
	})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/api/mcp", mcp)
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("the application\n")) })
	return mux, nil
}

func main() {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	handler, err := routes(ctx, pool)
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:8080", handler))
}
