package mcpserver_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/tenant"
)

// relabelled is a tool that asks two questions, of a server whose titles of tenants change.
func relabelled(t *testing.T) (url string, suffix *atomic.Value) {
	t.Helper()
	suffix = &atomic.Value{}
	suffix.Store("")
	set := mcpserver.NewToolset(nil)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "wipe", Description: "Wipes."}, func(ctx context.Context, c *mcpserver.Call, _ struct{}) (named, error) {
		for _, name := range []string{"one", "two"} {
			if _, err := mcpserver.Ask[struct{}](ctx, c, name, "Sure?"); err != nil {
				return named{}, err
			}
		}
		return named{c.Principal().Tenant().Key()}, nil
	})
	opts := quiet()
	opts.Tools = set
	opts.TenantTitle = func(_ context.Context, id tenant.ID) string { return "Shop " + id.Key() + suffix.Load().(string) }
	return serve(t, newShop(), opts), suffix
}

// asksFor checks what a round asks, and returns the state for the next one.
func asksFor(t *testing.T, body, name string) string {
	t.Helper()
	res := askedOf(t, body).Result
	if _, ok := res.InputRequests[name]; !ok || res.ResultType != "input_required" {
		t.Fatalf("does not ask %s: %s", name, body)
	}
	return res.RequestState
}

const whichTenant, consent = "tenantry/tenant", `{"action":"accept"}`

// What was answered for one tenant is asked again for another.
func TestConsentIsForOneTenant(t *testing.T) {
	t.Parallel()
	url, suffix := relabelled(t)
	next := func(rest string) string { return round(t, url, tokenMany, "wipe", "{}", rest) }
	state := asksFor(t, next(""), whichTenant)
	state = asksFor(t, next(repeated(state, "1")), "one")
	suffix.Store(" (new)") // which asks for the tenant anew
	state = asksFor(t, next(responses(state, "one", consent)), whichTenant)
	state = asksFor(t, next(repeated(state, "2")), "one")
	state = asksFor(t, next(responses(state, "one", consent)), "two")
	if res := resultOf(t, next(responses(state, "two", consent))); res.Structured != `{"name":"2"}` {
		t.Errorf("%+v", res)
	}
}

// The last choice counts, also when the question is again what it was for an earlier one.
func TestLastChoiceCounts(t *testing.T) {
	t.Parallel()
	url, suffix := relabelled(t)
	next := func(rest string) string { return round(t, url, tokenMany, "wipe", "{}", rest) }
	state := asksFor(t, next(""), whichTenant)
	state = asksFor(t, next(repeated(state, "1")), "one")
	suffix.Store(" (new)")
	state = asksFor(t, next(responses(state, "one", consent)), whichTenant)
	state = asksFor(t, next(repeated(state, "2")), "one")
	suffix.Store("") // as it was when 1 was chosen
	state = asksFor(t, next(responses(state, "one", consent)), whichTenant)
	state = asksFor(t, next(repeated(state, "2")), "one")
	state = asksFor(t, next(responses(state, "one", consent)), "two")
	if res := resultOf(t, next(responses(state, "two", consent))); res.Structured != `{"name":"2"}` {
		t.Errorf("%+v", res)
	}
}

// A state is for the call that it was sealed for, whatever the tool and however the tenant is named.
func TestStateBesideANamedTenant(t *testing.T) {
	t.Parallel()
	url := serve(t, newShop(), titled())
	const orders = `{"resource":"orders"}`
	state := asksFor(t, round(t, url, tokenMany, "list", orders, ""), whichTenant)
	body := post(t, url, request("tools/call", `{"name":"list","arguments":`+orders+`,`+repeated(state, "1")+`,`+capableMeta+`}`), "Authorization", "Bearer "+tokenMany,
		"Mcp-Protocol-Version", newest, "Mcp-Method", "tools/call", "Mcp-Name", "list", "Tenantry-Tenant", "2").Body
	if f := faultOf(t, body); f.Code != -32602 {
		t.Error(body)
	}
	if res := resultOf(t, round(t, url, tokenMany, "list", orders, repeated(state, "1"))); res.IsError {
		t.Errorf("%+v", res)
	}
	if f := faultOf(t, round(t, url, tokenOne, "list", orders, `"requestState":"x"`)); f.Code != -32602 {
		t.Errorf("%+v", f)
	}
}
