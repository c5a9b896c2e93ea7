package mcpserver_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tenantry/tenantry/auth"
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

// What was answered for one tenant is asked again for another, and the last choice counts, also when the question
// is again what it was for an earlier one.
func TestConsentIsForOneTenant(t *testing.T) {
	t.Parallel()
	for name, again := range map[string]bool{"titles change": false, "titles change and change back": true} {
		url, suffix := relabelled(t)
		next := func(rest string) string { return round(t, url, tokenMany, "wipe", "{}", rest) }
		state := asksFor(t, next(""), whichTenant)
		state = asksFor(t, next(repeated(state, "1")), "one")
		suffix.Store(" (new)") // which asks for the tenant anew
		state = asksFor(t, next(responses(state, "one", consent)), whichTenant)
		state = asksFor(t, next(repeated(state, "2")), "one")
		if again {
			suffix.Store("") // as it was when 1 was chosen
			state = asksFor(t, next(responses(state, "one", consent)), whichTenant)
			state = asksFor(t, next(repeated(state, "2")), "one")
		}
		state = asksFor(t, next(responses(state, "one", consent)), "two")
		if res := resultOf(t, next(responses(state, "two", consent))); res.Structured != `{"name":"2"}` {
			t.Errorf("%s: %+v", name, res)
		}
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

// A consent of somebody without an active tenant is for the tenants that were granted when it was given.
func TestConsentOfSeveralTenants(t *testing.T) {
	t.Parallel()
	set := mcpserver.NewToolset(nil)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "all", Description: "All.", AnyTenant: true}, func(ctx context.Context, c *mcpserver.Call, _ struct{}) (named, error) {
		_, err := mcpserver.Ask[struct{}](ctx, c, "sure", "All of it?")
		return named{"done"}, err
	})
	opts := quiet()
	opts.Tools = set
	s := newServer(t, newShop(), opts)
	call := func(rest string, tenants ...int64) string {
		grant := auth.Grant{Subject: "eve"}
		for _, n := range tenants {
			grant.Tenants = append(grant.Tenants, intTenant(t, n))
		}
		p, err := auth.NewPrincipal(grant)
		if err != nil {
			t.Fatal(err)
		}
		return string(s.Direct(t.Context(), p, []byte(request("tools/call", `{"name":"all","arguments":{}`+rest+`,`+capableMeta+`}`)), newest))
	}
	state := asksFor(t, call("", 1, 2), "sure")
	asksFor(t, call(","+responses(state, "sure", consent), 1, 2, 3), "sure")
	if res := resultOf(t, call(","+responses(state, "sure", consent), 1, 2)); res.Structured != `{"name":"done"}` {
		t.Errorf("%+v", res)
	}
}

// Questions of one name in several words are several questions, and none of them is asked for ever.
func TestQuestionsOfOneName(t *testing.T) {
	t.Parallel()
	set := mcpserver.NewToolset(nil)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "each", Description: "Each."}, func(ctx context.Context, c *mcpserver.Call, _ struct{}) (named, error) {
		for i := range 4 {
			if _, err := mcpserver.Ask[struct{}](ctx, c, "sure", fmt.Sprintf("Delete %d?", i)); err != nil {
				return named{}, err
			}
		}
		return named{"done"}, nil
	})
	j := &journal{}
	opts := logged(j)
	opts.Tools = set
	url := serve(t, newShop(), opts)
	rest := ""
	for i := range 4 {
		body := round(t, url, tokenOne, "each", "{}", rest)
		rest = responses(asksFor(t, body, "sure"), "sure", consent)
		if message := askedOf(t, body).Result.InputRequests["sure"].Params.Message; message != fmt.Sprintf("Delete %d?", i) {
			t.Error(message)
		}
	}
	if res := resultOf(t, round(t, url, tokenOne, "each", "{}", rest)); res.Structured != `{"name":"done"}` {
		t.Errorf("%+v", res)
	}
	if _, log := j.read(); log != "" {
		t.Error(log)
	}
}

// A handler that words its question anew each time is told of in the log.
func TestQuestionInNewWords(t *testing.T) {
	t.Parallel()
	n := 0
	set := mcpserver.NewToolset(nil)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "moody", Description: "Asks."}, func(ctx context.Context, c *mcpserver.Call, _ struct{}) (named, error) {
		n++
		_, err := mcpserver.Ask[struct{}](ctx, c, "sure", fmt.Sprintf("Sure, for the %d. time?", n))
		return named{}, err
	})
	j := &journal{}
	opts := logged(j)
	opts.Tools = set
	url := serve(t, newShop(), opts)
	state := asksFor(t, round(t, url, tokenOne, "moody", "{}", ""), "sure")
	asksFor(t, round(t, url, tokenOne, "moody", "{}", responses(state, "sure", consent)), "sure")
	if _, log := j.read(); strings.Count(log, "in other words than before") != 1 {
		t.Error(log)
	}
}

// A question that waits for another one heeds its context.
func TestWaitingQuestionIsCancelled(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{})
	set := mcpserver.NewToolset(nil)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "two"}, func(ctx context.Context, c *mcpserver.Call, _ struct{}) (named, error) {
		first := make(chan error, 1)
		go func() {
			_, err := mcpserver.Ask[struct{}](ctx, c, "first", "First?")
			first <- err
		}()
		<-asked
		over, cancel := context.WithCancel(ctx)
		cancel()
		_, err := mcpserver.Ask[struct{}](over, c, "second", "Second?")
		return named{fmt.Sprint(errors.Is(err, context.Canceled))}, nil
	})
	opts := quiet()
	opts.Tools = set
	session := speak(t, newServer(t, newShop(), opts), tokenOne, capable+toolCall("two", "{}")+"\n")
	session.until(t, "First?")
	close(asked)
	lines := session.until(t, `"id":1,`)
	if got := strings.Join(lines, "\n"); !strings.Contains(got, `{"name":"true"}`) || strings.Contains(got, "Second?") {
		t.Error(got)
	}
}
