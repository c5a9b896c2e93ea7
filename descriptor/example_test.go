package descriptor_test

import (
	"fmt"
	"os"

	"github.com/tenantry/tenantry/descriptor"
	"github.com/tenantry/tenantry/registry"
)

func Example() {
	file := []byte(`
database: postgres://localhost/acme
resources:
  orders:
    table: orders
    scope: {column: account_id}
    fields:
      id:
      number:
      customer_id: {column: bill_to}
    filterable: [number, customer_id]
`)
	f, err := descriptor.Parse("acme.yaml", file, os.LookupEnv)
	if err != nil {
		fmt.Println(err)
		return
	}
	reg, err := registry.New(&registry.Options{Requires: f.Defaults.Requires}, f.Specs()...)
	if err != nil {
		fmt.Println(err)
		return
	}
	orders, _ := reg.Find("orders")
	fmt.Println(f.Database, orders.Filterable())
	// Output: (hidden) map[customer_id:bill_to number:number]
}

func ExampleParse_mistakes() {
	file := []byte(`database: ${NOT_SET_ANYWHERE}
resources:
  orders:
    table: orders
    scop: {column: account_id}
    fields: {id: , number: }
    sortable: [nubmer]
`)
	_, err := descriptor.Parse("acme.yaml", file, nil)
	fmt.Println(err)
	// Output:
	// acme.yaml:1: the environment variable NOT_SET_ANYWHERE is not set
	// acme.yaml:3: resources.orders.scope: is required: it says which rows belong to a tenant, such as {column: tenant_id}
	// acme.yaml:5: resources.orders: unknown key "scop": did you mean scope?
	// acme.yaml:7: resources.orders.sortable: "nubmer" is not a field: did you mean number?
}
