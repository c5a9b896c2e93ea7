// Command report adds a tool of the host's own, a report over two resources: a struct that comes in, one that goes out,
// and a function between them that reads for its caller, with no connection and no tenant to get wrong.
package main

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"log"
	"math/big"
	"net/http"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/sqlite"
	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/schema"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
	"github.com/tenantry/tenantry/tenant"
)

const rows = `CREATE TABLE customers (id INTEGER PRIMARY KEY, account INTEGER NOT NULL, name TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, account INTEGER NOT NULL, customer INTEGER, state TEXT, day DATE, cents INTEGER);
INSERT INTO customers VALUES (1, 1, 'Ada'), (2, 1, 'Bo'), (3, 2, 'Zoe'); INSERT INTO orders VALUES (1, 1, 1, 'paid', '2026-07-01', 1990),
	(2, 1, 2, 'paid', '2026-07-31', 120005), (3, 1, 1, 'paid', '2026-07-02', 5), (4, 1, 2, 'open', '2026-07-03', 700), (5, 2, 3, 'paid', '2026-07-01', 333);`

var reg = registry.MustNew(&registry.Options{Requires: "sales:read"},
	resource.Spec{Name: "customers", Table: "customers", Scope: scope.Column("account"), Serializer: serializer.Columns("id", "name")},
	resource.Spec{
		Name: "orders", Table: "orders", Scope: scope.Column("account"), Serializer: serializer.Columns("id", "state", "day", "cents"),
		Filterable: resource.Columns{"state": "state", "day": "day"}, Sortable: []string{"cents"}, Measures: []string{"cents"},
		Relations: []resource.Relation{resource.BelongsTo("customer", "customers", "customer")},
	})

// question is what is advertised, decoded and checked. What has no default must be sent.
type question struct {
	From  schema.Date `json:"from" desc:"The first day."`
	To    schema.Date `json:"to" desc:"The last day."`
	State string      `json:"state" mcp:"enum=open|paid;default=paid" desc:"Which orders count."`
	Limit int         `json:"limit" mcp:"min=1;max=20;default=2" desc:"How many orders to list, at most 20."`
}

// report is the output. Money is a Decimal, which travels as a string: clients round numbers.
type report struct {
	Orders  int64          `json:"orders"`
	Total   schema.Decimal `json:"total"`
	Largest []sale         `json:"largest"`
}

type sale struct {
	Customer string         `json:"customer"`
	Total    schema.Decimal `json:"total"`
}

func sales(ctx context.Context, c *mcpserver.Call, q question) (out report, err error) {
	if q.To.Compare(q.From) < 0 {
		return out, schema.Errors{{Path: "/to", Code: schema.Custom, Msg: "to is a day before from: send one that is not"}}
	}
	days := []map[string]any{{"op": resource.Gteq, "value": q.From}, {"op": resource.Lteq, "value": q.To}}
	filter := executors.JSON(map[string]any{"state": q.State, "day": days})
	sums, err := executors.GroupsOf[sum](c.Reader().Aggregate(ctx, executors.AggregateRequest{
		Resource: "orders", Filter: filter, Measures: []string{"count", "sum:cents"},
	}))
	if err != nil {
		return out, err // made for agents, and goes on as it is
	}
	page, err := executors.RowsOf[order](c.Reader().List(ctx, executors.ListRequest{
		Resource: "orders", Filter: filter, Sort: []string{"-cents"}, Limit: &q.Limit, Include: []string{"customer"},
	}))
	out.Orders, out.Total = sums[0].Count, euros(sums[0].Cents) // without GroupBy there is one group
	for _, o := range page {
		out.Largest = append(out.Largest, sale{o.Included.Customer.Name, euros(o.Cents)})
	}
	return out, err
}

// order and sum are what counts here of a row and of a group. A json.Number takes integers beyond 2^53 too.
type (
	order struct {
		Cents    json.Number
		Included struct{ Customer struct{ Name string } }
	}
	sum struct {
		Count int64
		Cents json.Number `json:"sum:cents"`
	}
)

// euros writes cents as 12.34. The sum of no orders is null.
func euros(cents json.Number) schema.Decimal {
	sum, _ := new(big.Rat).SetString(cmp.Or(cents.String(), "0"))
	return schema.Decimal(sum.Quo(sum, big.NewRat(100, 1)).FloatString(2))
}

// serve returns the endpoint, over a database that is there as long as ctx.
func serve(ctx context.Context) (http.Handler, error) {
	db, err := sqlite.OpenMemory(ctx, func(ctx context.Context, db *sql.DB) error {
		_, err := db.ExecContext(ctx, rows)
		return err
	})
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, db.Close)
	exec, err := executors.New(ctx, db, reg, nil)
	if err != nil {
		return nil, err
	}
	tokens, err := auth.NewStatic(map[string]auth.Grant{
		"acme":   {Subject: "alice", Tenants: []tenant.ID{tenant.Must(tenant.Int(1))}, Scopes: []string{"sales:read"}},
		"globex": {Subject: "gus", Tenants: []tenant.ID{tenant.Must(tenant.Int(2))}, Scopes: []string{"sales:read"}},
	})
	if err != nil {
		return nil, err
	}
	tools := mcpserver.NewToolset(nil)
	mcpserver.AddTool(tools, mcpserver.ToolSpec{Name: "sales", Description: "Sales in euros.", Gate: "requires(sales:read)", ReadOnly: true}, sales)
	return mcpserver.Handler(exec, tokens, &mcpserver.Options{Tools: tools})
}

func main() {
	handler, err := serve(context.Background())
	if err == nil {
		log.Print("http://127.0.0.1:8377/mcp, with the token acme or globex")
		err = http.ListenAndServe("127.0.0.1:8377", handler)
	}
	log.Fatal(err)
}
