// Command minimal serves one table of a PostgreSQL database to agents: the whole host.
package main

import (
	"context"
	"log"
	"net/http"
	"os"

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

func main() {
	reg := must(registry.New(nil, resource.Spec{
		Name: "orders", Description: "Orders of the account.", Table: "orders", Requires: "orders:read",
		Scope:      scope.Column("tenant_id"),
		Filterable: resource.Columns{"state": "state", "total": "total", "placed_at": "placed_at"},
		Sortable:   []string{"placed_at", "total"},
		Serializer: serializer.Columns("id", "state", "total", "placed_at"),
	}))
	db := must(postgres.OpenURL(context.Background(), os.Getenv("DATABASE_URL")))
	exec := must(executors.New(context.Background(), db, reg, nil))
	tokens := must(auth.NewStatic(map[string]auth.Grant{ // for development, on loopback
		"one": {Subject: "alice", Tenants: []tenant.ID{must(tenant.Int(1))}, Scopes: []string{"orders:read"}},
	}))
	http.Handle("/mcp", must(mcpserver.Handler(exec, tokens, nil)))
	log.Fatal(http.ListenAndServe("127.0.0.1:8377", nil))
}

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}
