package mcpserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"log/slog"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/resource"
)

// Backlog is what the tool takes. Only the staff may ask for other states than the open ones.
type Backlog struct {
	State string `json:"state" mcp:"enum=open|paid;default=open" gate:"requires(staff)" desc:"Which orders."`
}

// Counted is what it answers.
type Counted struct {
	State  string `json:"state"`
	Orders int    `json:"orders"`
}

func backlog(ctx context.Context, c *mcpserver.Call, in Backlog) (Counted, error) {
	filter, err := json.Marshal(map[string]string{"state": in.State})
	if err != nil {
		return Counted{}, err
	}
	answer, err := c.Reader().List(ctx, executors.ListRequest{Resource: "orders", Filter: filter})
	if err != nil {
		return Counted{}, err
	}
	return Counted{State: in.State, Orders: answer.Rows}, nil
}

func ExampleAddTool() {
	tools := mcpserver.NewToolset(nil)
	mcpserver.AddTool(tools, mcpserver.ToolSpec{Name: "backlog", Description: "How many orders wait.", ReadOnly: true, ClosedWorld: true}, backlog)
	ctx := context.Background()
	server, err := mcpserver.New(orders(ctx), &mcpserver.Options{Tools: tools, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		log.Fatal(err)
	}
	for _, scopes := range [][]string{nil, {"staff"}} {
		p, err := auth.NewPrincipal(auth.Grant{Subject: "alice", Tenants: account(7), Scopes: scopes})
		if err != nil {
			log.Fatal(err)
		}
		for _, arguments := range []string{`{}`, `{"state":"paid"}`} {
			body, _, err := server.Call(ctx, p, "backlog", []byte(arguments))
			fmt.Println(string(body), err)
		}
	}
	// Output:
	// {"state":"open","orders":1} <nil>
	// {"error":{"code":"unknown_argument","message":"\"state\" is no member here: leave it out; it takes none","path":"/state"}} <nil>
	// {"state":"open","orders":1} <nil>
	// {"state":"paid","orders":1} <nil>
}

func ExampleAsk() {
	type consent struct{} // a form without fields asks for a yes alone
	tools := mcpserver.NewToolset(nil)
	spec := mcpserver.ToolSpec{Name: "close", Description: "Closes the account.", Forms: []mcpserver.FormDef{mcpserver.FormOf[consent]()}}
	mcpserver.AddTool(tools, spec, func(ctx context.Context, c *mcpserver.Call, _ struct{}) (struct{}, error) {
		answer, err := mcpserver.Ask[consent](ctx, c, "sure", "Close account "+c.Principal().Tenant().Key()+"?")
		if err != nil {
			return struct{}{}, err // also when the call has to come again with the answer
		}
		if !answer.Accepted() {
			return struct{}{}, resource.Errorf(resource.Forbidden, "", "the account stays open: its owner did not agree")
		}
		return struct{}{}, nil // and here it is closed
	})
	_, err := mcpserver.New(orders(context.Background()), &mcpserver.Options{Tools: tools, Logger: slog.New(slog.DiscardHandler)})
	fmt.Println(err)
	// Output: <nil>
}
