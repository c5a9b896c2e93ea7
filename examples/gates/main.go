// Command gates shows a tool that is another one to each caller: an argument, a choice and a member of the answer stand
// behind gates, and to whoever does not pass they do not exist. A gate asks for a permission scope of the token, or,
// by a predicate of the host's own, for the plan that the account pays for.
package main

import (
	"context"
	"database/sql"
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

const rows = `
CREATE TABLE products (id INTEGER PRIMARY KEY, account INTEGER NOT NULL, name TEXT NOT NULL, cents INTEGER NOT NULL, cost INTEGER NOT NULL);
INSERT INTO products VALUES (1, 1, 'Anvil', 5000, 3150), (2, 2, 'Birdseed', 250, 90);`

// product is a row as agents see it, and as quote decodes it.
type product struct {
	ID    int64  `json:"id"`
	Name  string `json:"name"`
	Cents int64  `json:"cents"`
	Cost  int64  `json:"cost" requires:"finance:read"`
}

var reg = registry.MustNew(nil, resource.Spec{
	Name: "products", Table: "products", Scope: scope.Column("account"), Serializer: serializer.For[product](),
})

// delivery is a choice, of which each account has what its plan includes.
type delivery string

var fees = map[delivery]int64{"standard": 0, "express": 990, "courier": 2500}

func (delivery) EnumValues() []delivery { return []delivery{"standard", "express", "courier"} }

func (delivery) EnumGates() []schema.ValueGate {
	return []schema.ValueGate{schema.EnumGate("courier", schema.Gate{Pred: "tier", Arg: "pro"})}
}

type order struct {
	ID       int64    `json:"id" desc:"Of a product."`
	Quantity int64    `json:"quantity" mcp:"min=1;max=1000;default=1"`
	Delivery delivery `json:"delivery" mcp:"default=standard"`
	Discount *int64   `json:"discount" mcp:"min=1;max=30" gate:"requires(sales:discount)" desc:"Percent, 1 to 30."`
}

type offer struct {
	Product string         `json:"product"`
	Price   schema.Decimal `json:"price"`
	Margin  schema.Decimal `json:"margin" gate:"requires(finance:read)"`
}

// quote asks for no permission: a hidden argument never gets here, and a hidden member goes nowhere from here. Whoever
// may not see the margin may not see the cost either, which then is 0.
func quote(ctx context.Context, c *mcpserver.Call, in order) (offer, error) {
	p, err := executors.RowOf[product](c.Reader().Get(ctx, executors.GetRequest{Resource: "products", ID: executors.JSON(in.ID)}))
	if err != nil {
		return offer{}, err
	}
	percent := int64(100)
	if in.Discount != nil {
		percent -= *in.Discount
	}
	price := big.NewRat(p.Cents*in.Quantity*percent, 100)
	margin := new(big.Rat).Sub(price, big.NewRat(p.Cost*in.Quantity, 1))
	return offer{p.Name, euros(price.Add(price, big.NewRat(fees[in.Delivery], 1))), euros(margin)}, nil
}

func euros(cents *big.Rat) schema.Decimal {
	return schema.Decimal(new(big.Rat).Quo(cents, big.NewRat(100, 1)).FloatString(2))
}

// plans is what the accounts pay for.
var plans = map[string]string{"1": "pro", "2": "free"}

// tier is the predicate of gates such as tier(pro). An error or a panic would deny, as false does.
func tier(_ context.Context, p *auth.Principal, plan string) (bool, error) {
	return plans[p.Tenant().Key()] == plan, nil
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
		"pro":  {Subject: "alice", Tenants: []tenant.ID{tenant.Must(tenant.Int(1))}, Scopes: []string{"sales:discount", "finance:read"}},
		"free": {Subject: "gus", Tenants: []tenant.ID{tenant.Must(tenant.Int(2))}},
	})
	if err != nil {
		return nil, err
	}
	policy := mcpserver.NewPolicy() // has requires(scope)
	if err := policy.Register("tier", tier); err != nil {
		return nil, err
	}
	tools := mcpserver.NewToolset(policy)
	mcpserver.AddTool(tools, mcpserver.ToolSpec{Name: "quote", Description: "What an order would cost, in euros.", ReadOnly: true}, quote)
	return mcpserver.Handler(exec, tokens, &mcpserver.Options{Tools: tools})
}

func main() {
	handler, err := serve(context.Background())
	if err == nil {
		log.Print("http://127.0.0.1:8377/mcp, with the token pro or free")
		err = http.ListenAndServe("127.0.0.1:8377", handler)
	}
	log.Fatal(err)
}
