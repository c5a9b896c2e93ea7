// Command computed shows a resource by the tags of a Go struct, with a description, a field that needs
// a permission scope of its own, and a member that Go computes.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/postgres"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
	"github.com/tenantry/tenantry/tenant"
)

// Order is what agents see of a row. Columns that may be NULL are pointers.
type Order struct {
	ID       int64      `json:"id"`
	State    *string    `json:"state" desc:"draft, paid or void."`
	Total    *string    `json:"total" requires:"finance:read" desc:"What the customer owes."`
	Customer *int64     `json:"customer_id" db:"bill_to"`
	PlacedAt *time.Time `json:"placed_at"`

	// Open is computed: from these columns alone, so that only they are selected for it.
	Open serializer.Computed `json:"open" reads:"state,placed_at" desc:"Placed, and neither paid nor void."`
}

// ComputeOpen gives the member its value.
func (o Order) ComputeOpen() bool {
	return o.PlacedAt != nil && o.State != nil && *o.State == "draft"
}

var orders = resource.Spec{
	Name: "orders", Description: "Orders of the account.", Table: "orders",
	Scope:      scope.Column("tenant_id"),
	Filterable: resource.Columns{"state": "state"},
	Serializer: serializer.For[Order](),
}

func main() {
	ctx := context.Background()
	db, err := postgres.OpenURL(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	if err := run(ctx, db); err != nil {
		log.Fatal(err)
	}
}

// run reads two orders of tenant 1, without and with the permission scope for money.
func run(ctx context.Context, db executors.DB) error {
	exec, err := executors.New(ctx, db, registry.MustNew(nil, orders), nil)
	if err != nil {
		return err
	}
	id, err := tenant.Int(1)
	if err != nil {
		return err
	}
	for _, scopes := range [][]string{nil, {"finance:read"}} {
		p, err := auth.NewPrincipal(auth.Grant{Subject: "alice", Tenants: []tenant.ID{id}, Scopes: scopes})
		if err != nil {
			return err
		}
		two := 2
		answer, err := exec.List(ctx, p, executors.ListRequest{Resource: "orders", Limit: &two})
		if err != nil {
			return err
		}
		fmt.Println(string(answer.JSON))
	}
	return nil
}
