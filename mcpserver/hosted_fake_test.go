package mcpserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"testing"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/schema"
	"github.com/tenantry/tenantry/tenant"
)

// tokenAdmin is of a caller with every permission that the workshop asks for.
const tokenAdmin = "KEY_ADMIN"

type peekIn struct {
	ID     int64   `json:"id" mcp:"min=1"`
	Remark *string `json:"remark" mcp:"max=5" gate:"requires(admin)"`
	Mode   string  `json:"mode" mcp:"enum=short|long;default=short"`
}

type peekOut struct {
	ID     int64  `json:"id"`
	Tenant string `json:"tenant"`
	Cost   string `json:"cost" gate:"requires(admin)"`
}

type named struct {
	Name string `json:"name"`
}

// workshop is the tools of a host, with a handler for every fate. It keeps the last call that a handler had.
type workshop struct {
	*mcpserver.Toolset
	last  *mcpserver.Call
	shop  *shop
	steps int // of the tool count
}

func newWorkshop(policy *mcpserver.Policy) *workshop {
	w := &workshop{Toolset: mcpserver.NewToolset(policy), shop: newShop(), steps: 3}
	mcpserver.AddTool(w.Toolset, mcpserver.ToolSpec{Name: "peek", Description: "Looks.", ReadOnly: true, ClosedWorld: true}, w.peek)
	mcpserver.AddTool(w.Toolset, mcpserver.ToolSpec{Name: "purge", Title: "Purge it", Description: "Deletes.", Gate: "requires(admin)"}, w.purge)
	mcpserver.AddTool(w.Toolset, mcpserver.ToolSpec{Name: "fate"}, w.fate)
	mcpserver.AddTool(w.Toolset, mcpserver.ToolSpec{Name: "count", AnyTenant: true}, w.count)
	mcpserver.AddTool(w.Toolset, mcpserver.ToolSpec{Name: "orders", ReadOnly: true}, w.orders)
	return w
}

func (w *workshop) peek(_ context.Context, c *mcpserver.Call, in peekIn) (peekOut, error) {
	w.last = c
	return peekOut{ID: in.ID, Tenant: c.Principal().Tenant().Key(), Cost: "9.90"}, nil
}

func (w *workshop) purge(context.Context, *mcpserver.Call, struct{}) (struct{}, error) {
	return struct{}{}, nil
}

// fate ends as the argument says.
func (w *workshop) fate(ctx context.Context, _ *mcpserver.Call, in named) (named, error) {
	switch in.Name {
	case "secret":
		return named{}, errors.New("SECRET of 10.0.0.7")
	case "caused":
		return named{}, resource.Errorf(resource.NotFound, "/name", "there is none").Caused(schema.Errors{{Msg: "SECRET"}})
	case "wrapped":
		return named{}, fmt.Errorf("SECRET: %w", resource.Errorf(resource.NotFound, "/name", "there is no such name"))
	case "several":
		return named{}, resource.Errors{resource.Errorf(resource.InvalidArgument, "/name", "one"), resource.Errorf(resource.InvalidArgument, "/name", "two")}
	case "exit":
		runtime.Goexit()
		return named{}, nil
	case "code":
		return named{}, resource.Errorf("conflict", "", "SECRET of a code that is none")
	case "field":
		return named{}, schema.Errors{{Path: "/name", Code: schema.Custom, Msg: "the name is taken"}}
	case "crash":
		panic("SECRET of another tenant")
	case "wait":
		w.shop.started <- struct{}{}
		<-ctx.Done()
		w.shop.ended <- context.Cause(ctx)
		return named{}, ctx.Err()
	default:
		return named(in), nil
	}
}

func (w *workshop) count(ctx context.Context, c *mcpserver.Call, _ struct{}) (named, error) {
	for i := range w.steps {
		c.Progress(ctx, float64(i+1), float64(w.steps), "step <"+fmt.Sprint(i+1)+">")
		c.Progress(ctx, float64(i), 0, "not further than before")
	}
	return named{"done"}, nil
}

func (w *workshop) orders(ctx context.Context, c *mcpserver.Call, in named) (struct {
	Rows json.RawMessage `json:"rows"`
}, error,
) {
	var out struct {
		Rows json.RawMessage `json:"rows"`
	}
	answer, err := c.Reader().Relay().List(ctx, executors.ListRequest{Resource: in.Name})
	if err != nil {
		return out, err
	}
	return out, json.Unmarshal(answer.JSON, &out)
}

// staffed are options with the tools of a workshop.
func staffed(w *workshop, opts *mcpserver.Options) *mcpserver.Options {
	opts.Tools = w.Toolset
	return opts
}

func adminGrant(t testing.TB) auth.Grant {
	return auth.Grant{Subject: "root", Tenants: []tenant.ID{intTenant(t, 1)}, Scopes: []string{"admin", "tools"}}
}

// logged are options that log to a journal and tell it of events.
func logged(j *journal) *mcpserver.Options {
	opts := j.options()
	opts.Logger = slog.New(slog.NewJSONHandler(j, &slog.HandlerOptions{Level: slog.LevelWarn}))
	return opts
}
