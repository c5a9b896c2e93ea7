package descriptor_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/tenantry/tenantry/descriptor"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
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
	reg, err := registry.NewWithGlobals(&registry.Options{Requires: f.Defaults.Requires}, f.Globals(), f.Specs()...)
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

// A draft is made of what a database says about itself; executors/postgres and executors/sqlite survey one.
func ExampleStarter() {
	survey := &executors.Survey{Tables: []executors.SurveyedTable{{
		Bare: true, Comment: "Orders placed by customers.", Table: &executors.Table{
			Name: executors.TableName{Schema: "public", Name: "orders"}, Key: []string{"id"},
			Columns: []executors.Column{
				{Name: "id", Type: resource.Plain(resource.BigInt)},
				{Name: "tenant_id", Type: resource.Plain(resource.BigInt)},
				{Name: "total", Type: resource.Plain(resource.Numeric)},
				{Name: "api_key", Type: resource.Plain(resource.Text)},
			},
			Indexes: [][]string{{"id"}, {"tenant_id", "total"}},
		},
	}}}
	text, err := descriptor.Starter(survey, "tenant_id", "a-token-for-development")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, resources, _ := strings.Cut(string(text), "resources:\n")
	fmt.Print(resources)
	// Output:
	//   orders:
	//     table: orders
	//     scope: {column: tenant_id}
	//     description: "Orders placed by customers."
	//     # left out: api_key (looks like a secret)
	//     fields:
	//       id:
	//       total:
	//     filterable: [id, total]
	//     sortable: [id, total]
}
