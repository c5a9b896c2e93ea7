package registry_test

import (
	"fmt"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/tenant"
)

func ExampleNew() {
	orders := resource.Spec{
		Name: "orders", Table: "orders", Requires: "orders:read",
		Scope:      scope.Column("account_id"),
		Serializer: columns{"id", "number", "status"},
	}
	reg, err := registry.New(nil, orders)
	fmt.Println(len(reg.All()), err)

	orders.Scope = scope.Predicate{}
	orders.Sortable = []string{"total"}
	_, err = registry.New(nil, orders)
	fmt.Println(err)
	// Output:
	// 1 <nil>
	// resource orders: Scope: a scope is required: it says which rows belong to a tenant
	// resource orders: Sortable: "total" is not a field
}

func ExampleRegistry_Lookup() {
	reg := registry.MustNew(nil, spec("orders", ""), spec("payroll", "payroll:read"))
	acme, err := tenant.Text("acme")
	if err != nil {
		fmt.Println(err)
		return
	}
	alice, err := auth.NewPrincipal(auth.Grant{Subject: "alice", Tenants: []tenant.ID{acme}})
	if err != nil {
		fmt.Println(err)
		return
	}
	orders, err := reg.Lookup(alice, "orders")
	fmt.Println(orders.Name(), err)
	_, err = reg.Lookup(alice, "payroll") // hidden is absent
	fmt.Println(err)
	// Output:
	// orders <nil>
	// unknown_resource: there is no resource "payroll": send a name from the list of resources
}
