// Command customfilter serves a table that has no tenant column of its own, through its parent, and a
// filter whose condition the host writes.
package main

import (
	"context"
	"log"
	"net/http"
	"os"

	"github.com/Masterminds/squirrel"

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

// bought finds orders by what was bought. The row has the alias t; value is bound on every call. The
// condition can only narrow: it stands beside the scope, in parentheses of its own.
func bought(value resource.Value) (squirrel.Sqlizer, error) {
	return squirrel.Expr("EXISTS (SELECT 1 FROM order_lines l WHERE l.order_id = t.id AND l.sku = ?)", value), nil
}

var specs = []resource.Spec{
	{
		Name: "orders", Description: "Orders of the account.", Table: "orders",
		Scope:      scope.Column("tenant_id"),
		Serializer: serializer.Columns("id", "state", "total"),
		Filters: []resource.Filter{{
			Name: "bought", Type: resource.Text, Description: "Orders with a line of this article number.", Condition: bought,
		}},
	},
	{
		// A line belongs to whom its order belongs to: the parent's own scope decides.
		Name: "order_lines", Description: "What was ordered.", Table: "order_lines",
		Scope:      scope.Via("orders", "order_id"),
		Filterable: resource.Columns{"order": "order_id", "sku": "sku"},
		Serializer: serializer.Fields(
			serializer.Field{Name: "id", Column: "id"},
			serializer.Field{Name: "sku", Column: "sku", Description: "The article number."},
		),
		Relations: []resource.Relation{resource.BelongsTo("order_ref", "orders", "order_id")},
	},
}

func main() {
	handler, err := serve(context.Background(), os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:8377", handler))
}

func serve(ctx context.Context, url string) (http.Handler, error) {
	reg, err := registry.New(nil, specs...)
	if err != nil {
		return nil, err
	}
	db, err := postgres.OpenURL(ctx, url)
	if err != nil {
		return nil, err
	}
	exec, err := executors.New(ctx, db, reg, nil)
	if err != nil {
		return nil, err
	}
	one, err := tenant.Int(1)
	if err != nil {
		return nil, err
	}
	tokens, err := auth.NewStatic(map[string]auth.Grant{"one": {Subject: "alice", Tenants: []tenant.ID{one}}})
	if err != nil {
		return nil, err
	}
	return mcpserver.Handler(exec, tokens, &mcpserver.Options{Name: "shop"})
}
