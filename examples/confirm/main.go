// Command confirm has a tool that asks the person behind the agent before it changes anything: by a form that the
// client shows, whose answer is checked here again. Clients are asked over HTTP by revision 2026-07-28 of the protocol,
// and over stdio, "confirm stdio", by the older ones too.
package main

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"sync"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/sqlite"
	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
	"github.com/tenantry/tenantry/tenant"
)

const rows = `CREATE TABLE orders (id INTEGER PRIMARY KEY, account INTEGER NOT NULL, customer TEXT NOT NULL, total TEXT NOT NULL);
INSERT INTO orders VALUES (1, 1, 'Ada', '19.90'), (2, 2, 'Zoe', '3.33');`

var reg = registry.MustNew(nil, resource.Spec{
	Name: "orders", Table: "orders", Scope: scope.Column("account"), Serializer: serializer.Columns("id", "customer", "total"),
})

// reason is a choice: its values in order, and what the person reads for each of them.
type reason string

func (reason) EnumValues() []reason { return []reason{"damaged", "late"} }

func (reason) EnumTitles() map[reason]string {
	return map[reason]string{"damaged": "It came damaged", "late": "It came too late"}
}

// approval is the form, as Ask puts it to the person.
type approval struct {
	Reason reason `json:"reason" mcp:"title=Reason"`
	Note   string `json:"note" mcp:"title=Note;max=200" desc:"What the customer is told."`
}

type refund struct {
	ID int64 `json:"id" desc:"Of the order."`
}

type result struct {
	Outcome string `json:"outcome" mcp:"enum=refunded|decline|cancel"`
	Entry   string `json:"entry,omitempty" desc:"What was booked."`
}

// ledger stands for what a host changes by means of its own: the framework only reads.
type ledger struct{ booked sync.Map }

// refund runs twice where a client can only be asked at the end of a call: the call then comes again with the answer.
// So it comes to the same question each time, changes nothing before it has asked, and changes nothing twice, since a
// client may also send the same answer again.
func (l *ledger) refund(ctx context.Context, c *mcpserver.Call, in refund) (result, error) {
	order, err := executors.RowOf[struct{ Customer, Total string }](c.Reader().Get(ctx, executors.GetRequest{Resource: "orders", ID: executors.JSON(in.ID)}))
	if err != nil {
		return result{}, err
	}
	what := order.Total + " to " + order.Customer
	said, err := mcpserver.Ask[approval](ctx, c, "approval", "Refund "+what+"?")
	if err != nil {
		return result{}, err // the call ends with the question, or this client cannot be asked
	}
	if !said.Accepted() {
		return result{Outcome: string(said.Action)}, nil
	}
	entry := fmt.Sprintf("%s, %s: %s", what, said.Value.Reason, said.Value.Note)
	if _, twice := l.booked.LoadOrStore([2]string{c.Principal().Tenant().Key(), strconv.FormatInt(in.ID, 10)}, entry); twice {
		return result{}, resource.Errorf(resource.InvalidArgument, "/id", "this order is refunded already")
	}
	return result{"refunded", entry}, nil
}

// serve returns the server, over a database that is there as long as ctx.
func serve(ctx context.Context) (*mcpserver.Server, error) {
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
	tools := mcpserver.NewToolset(nil)
	mcpserver.AddTool(tools, mcpserver.ToolSpec{
		Name: "refund", Description: "Pays an order back, if the person agrees.", ClosedWorld: true,
		Forms: []mcpserver.FormDef{mcpserver.FormOf[approval]()}, // so that a mistake in it stops the start
	}, new(ledger).refund)
	return mcpserver.New(exec, &mcpserver.Options{Tools: tools})
}

func tokens() (*auth.Static, error) {
	return auth.NewStatic(map[string]auth.Grant{"acme": {Subject: "alice", Tenants: []tenant.ID{tenant.Must(tenant.Int(1))}}})
}

func main() {
	ctx := context.Background()
	server, known := must(serve(ctx)), must(tokens())
	if len(os.Args) > 1 && os.Args[1] == "stdio" { // one client, as acme
		if err := server.ServeStdio(ctx, must(known.Verify(ctx, "acme", nil)), os.Stdin, os.Stdout); err != nil {
			log.Fatal(err)
		}
		return
	}
	log.Print("http://127.0.0.1:8377/mcp, with the token acme")
	log.Fatal(http.ListenAndServe("127.0.0.1:8377", must(server.HTTP(known))))
}

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}
