package mcpserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/schema"
)

func namesOf(t testing.TB, body string) (names []string) {
	t.Helper()
	var wire struct {
		Result struct{ Tools []struct{ Name string } }
	}
	if err := json.Unmarshal([]byte(body), &wire); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	for _, tool := range wire.Result.Tools {
		names = append(names, tool.Name)
	}
	return names
}

// Each caller is told of what it sees: the tools, and their fields.
func TestHostedToolsAreListed(t *testing.T) {
	t.Parallel()
	opts := staffed(newWorkshop(nil), quiet())
	opts.Prefix = "acme_"
	s := newServer(t, newShop(), opts)
	url := served(t, s)
	all := post(t, url, request("tools/list", "{}"), "Authorization", "Bearer "+tokenAdmin).Body
	few := post(t, url, request("tools/list", "{}")).Body
	golden(t, "tools_list_hosted.json", indented(t, all))
	want := strings.Fields("acme_aggregate acme_count acme_fate acme_get acme_list acme_orders acme_peek acme_purge acme_resource_schema acme_resources")
	if diff := cmp.Diff(want, namesOf(t, all)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(append(want[:7:7], want[8:]...), namesOf(t, few)); diff != "" {
		t.Error(diff)
	}
	for _, hidden := range []string{"remark", "cost", "purge", "Purge", "Deletes"} {
		if strings.Contains(few, hidden) || !strings.Contains(all, hidden) {
			t.Errorf("%s: %s", hidden, few)
		}
	}
	modernBody, headers := modern("tools/list", "", "")
	res := post(t, url, modernBody, headers...)
	if res.Status != http.StatusOK || !strings.HasPrefix(res.Body, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","_meta":{`) || !strings.Contains(res.Body, `"cacheScope":"private"`) {
		t.Error(res.Body)
	}
}

// Over stdio a client is told the same as over HTTP, for its own caller.
func TestHostedListsAgree(t *testing.T) {
	t.Parallel()
	s := newServer(t, newShop(), staffed(newWorkshop(nil), quiet()))
	for _, token := range []string{tokenOne, tokenAdmin} {
		lists := map[string]any{}
		for _, over := range []string{"HTTP", "stdio", "session"} {
			res, err := connect(t, s, over, token, nil).ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			lists[over] = res.Tools
		}
		for over, list := range lists {
			if diff := cmp.Diff(lists["HTTP"], list, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s over %s: %s", token, over, diff)
			}
		}
	}
}

// Without tools of the host nothing is answered otherwise than without any set.
func TestNoHostedTools(t *testing.T) {
	t.Parallel()
	plain, empty := quiet(), quiet()
	empty.Tools = mcpserver.NewToolset(nil)
	one, two := serve(t, newShop(), plain), serve(t, newShop(), empty)
	for _, body := range []string{request("tools/list", "{}"), request("tools/list", `{"cursor":"x"}`), toolCall("drop", "{}")} {
		if a, b := post(t, one, body), post(t, two, body); a.Body != b.Body || a.Status != b.Status {
			t.Errorf("%s: %s", body, cmp.Diff(a.Body, b.Body))
		}
	}
}

// Two callers see one tool differently: what they may send, and what they get.
func TestGatedFields(t *testing.T) {
	t.Parallel()
	for _, over := range []string{"HTTP", "stdio", "session"} {
		s := newServer(t, newShop(), staffed(newWorkshop(nil), quiet()))
		full, part := connect(t, s, over, tokenAdmin, nil), connect(t, s, over, tokenOne, nil)
		args := map[string]any{"id": 7, "remark": "x"}
		res, err := full.CallTool(t.Context(), &mcp.CallToolParams{Name: "peek", Arguments: args})
		if got := structured(t, res, err); res.IsError || got != `{"cost":"9.90","id":7,"tenant":"1"}` {
			t.Errorf("%s: %s", over, got)
		}
		res, err = part.CallTool(t.Context(), &mcp.CallToolParams{Name: "peek", Arguments: map[string]any{"id": 7}})
		if got := structured(t, res, err); res.IsError || got != `{"id":7,"tenant":"1"}` {
			t.Errorf("%s: %s", over, got)
		}
		texts := map[string]string{}
		for _, key := range []string{"remark", "remork"} {
			res, err = part.CallTool(t.Context(), &mcp.CallToolParams{Name: "peek", Arguments: map[string]any{"id": 7, key: "x"}})
			if err != nil || !res.IsError || res.StructuredContent != nil || len(res.Content) != 1 {
				t.Fatalf("%s: %v %+v", over, err, res)
			}
			texts[key] = strings.ReplaceAll(res.Content[0].(*mcp.TextContent).Text, "remork", "remark")
		}
		want := `{"error":{"code":"unknown_argument","message":"\"remark\" is no member here: leave it out; it takes id, mode","path":"/remark","allowed":["id","mode"]}}`
		if texts["remark"] != want || texts["remork"] != want {
			t.Errorf("%s:\n%s\n%s", over, texts["remark"], texts["remork"])
		}
	}
}

// Every mistake in the arguments at once, as the contract has errors, and no value of the caller's.
func TestHostedMistakes(t *testing.T) {
	t.Parallel()
	url := serve(t, newShop(), staffed(newWorkshop(nil), quiet()))
	for name, tt := range map[string]struct {
		arguments string
		want      []resource.Error
	}{
		"several": {
			`{"mode":"SECRET","Id":7}`, []resource.Error{
				{Code: resource.InvalidArgument, Path: "/mode", Message: "mode must be short or long", Allowed: []string{"short", "long"}},
				{Code: resource.UnknownArgument, Path: "/Id", Message: `"Id" is no member here: leave it out; it takes id, mode`, Allowed: []string{"id", "mode"}, Suggestions: []string{"id"}},
				{Code: resource.InvalidArgument, Path: "/id", Message: "id is missing: send a whole number"},
			},
		},
		"twice":   {`{"id":1,"id":2}`, []resource.Error{{Code: resource.InvalidArgument}}},
		"no list": {`[1]`, []resource.Error{{Code: resource.InvalidArgument, Message: "the arguments must be an object", Allowed: []string{"id", "mode"}}}},
		"nothing": {`null`, []resource.Error{{Code: resource.InvalidArgument, Path: "/id", Message: "id is missing: send a whole number"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body := post(t, url, toolCall("peek", tt.arguments)).Body
			res := resultOf(t, body)
			if !res.IsError || res.Structured != "" || strings.Contains(body, "SECRET") {
				t.Error(body)
			}
			got := mistakesOf(t, res.Text)
			for i := range got {
				if got[i].Message == "" {
					t.Error(body)
				}
				if i < len(tt.want) && tt.want[i].Message == "" {
					got[i].Message = ""
				}
			}
			if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreUnexported(resource.Error{})); diff != "" {
				t.Error(diff)
			}
		})
	}
	var many strings.Builder
	for i := range 40 {
		fmt.Fprintf(&many, `,"x%d":1`, i)
	}
	if got := mistakesOf(t, resultOf(t, post(t, url, toolCall("peek", `{"id":1`+many.String()+`}`)).Body).Text); len(got) != 33 {
		t.Errorf("%d mistakes", len(got))
	}
}

// What a handler says reaches the agent only where it is made for agents.
func TestHandlerErrors(t *testing.T) {
	t.Parallel()
	for _, content := range []mcpserver.Content{mcpserver.ContentBoth, mcpserver.ContentText, mcpserver.ContentStructured} {
		j := &journal{}
		opts := staffed(newWorkshop(nil), logged(j))
		opts.Content = content
		url := serve(t, newShop(), opts)
		for name, want := range map[string][]string{
			"secret":  {"internal: internal error: try again, or tell the operator this reference: "},
			"crash":   {"internal: internal error: try again, or tell the operator this reference: "},
			"caused":  {"not_found: there is none"},
			"wrapped": {"not_found: there is no such name"},
			"several": {"invalid_argument: one", "invalid_argument: two"},
			"field":   {"invalid_argument: the name is taken"},
			"code":    {"internal: internal error: try again, or tell the operator this reference: "},
			"exit":    {"internal: internal error: try again, or tell the operator this reference: "},
		} {
			body := post(t, url, toolCall("fate", `{"name":"`+name+`"}`)).Body
			res := resultOf(t, body)
			var got []string
			for _, m := range mistakesOf(t, res.Text) {
				text, reference, _ := strings.Cut(m.Error(), "reference: ")
				if reference != "" {
					text += "reference: "
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(want, got); diff != "" || !res.IsError || res.Structured != "" || strings.Contains(body, "SECRET") || strings.Contains(body, "10.0.0.7") {
				t.Errorf("%s: %s", body, diff)
			}
		}
		events, log := j.read()
		if strings.Count(log, "SECRET") != 4 || len(events) != 8 || events[0].Tool != "fate" || events[0].Caller == "" || events[0].Bytes == 0 {
			t.Errorf("%+v %s", events, log)
		}
		if good := resultOf(t, post(t, url, toolCall("fate", `{"name":"x"}`)).Body); good.IsError ||
			(content != mcpserver.ContentStructured) != (good.Text == `{"name":"x"}`) || (content != mcpserver.ContentText) != (good.Structured == `{"name":"x"}`) {
			t.Errorf("%s: %+v", content, good)
		}
	}
}

// A tool reads for its caller, and the mistakes of a reading are the call's.
func TestReader(t *testing.T) {
	t.Parallel()
	w, j := newWorkshop(nil), &journal{}
	s := newServer(t, newShop(), staffed(w, logged(j)))
	url := served(t, s)
	for token, key := range map[string]string{tokenOne: "1", tokenTwo: "2"} {
		res := resultOf(t, post(t, url, toolCall("orders", `{"name":"orders"}`), "Authorization", "Bearer "+token).Body)
		if res.IsError || !strings.Contains(res.Structured, `"tenant":"`+key+`"`) {
			t.Errorf("%s: %+v", token, res)
		}
	}
	res := resultOf(t, post(t, url, toolCall("orders", `{"name":"order"}`)).Body)
	if m := mistakesOf(t, res.Text); len(m) != 1 || m[0].Code != resource.UnknownResource || m[0].Path != "" || m[0].Suggestions[0] != "orders" {
		t.Errorf("%+v", res)
	}
	if res := resultOf(t, post(t, url, toolCall("orders", `{"name":"broken"}`)).Body); !res.IsError || strings.Contains(res.Text, "secret_table") {
		t.Errorf("%+v", res)
	}
	if res := resultOf(t, post(t, url, toolCall("peek", `{"id":1}`)).Body); res.IsError {
		t.Fatalf("%+v", res)
	}
	c := w.last
	if c.Principal() != nil || c.Allows(schema.Gate{Pred: "requires", Arg: "admin"}) {
		t.Error("a call goes on after its handler")
	}
	_, errList := c.Reader().List(t.Context(), executors.ListRequest{Resource: "orders"})
	_, errGet := c.Reader().Get(t.Context(), executors.GetRequest{Resource: "orders"})
	_, errGroups := c.Reader().Aggregate(t.Context(), executors.AggregateRequest{Resource: "orders"})
	if errList == nil || errGet == nil || errGroups == nil {
		t.Errorf("read after the call: %v %v %v", errList, errGet, errGroups)
	}
	c.Progress(t.Context(), 1, 1, "late")
}

// Mistakes of every tool are told at once.
func TestToolMistakes(t *testing.T) {
	t.Parallel()
	set := mcpserver.NewToolset(nil)
	handler := func(context.Context, *mcpserver.Call, named) (named, error) { return named{}, nil }
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "list"}, handler)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "twice"}, handler)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "twice"}, handler)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "a b"}, handler)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "_other"}, handler)
	mcpserver.AddTool(set, mcpserver.ToolSpec{}, handler)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: strings.Repeat("x", 41)}, handler)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "gate", Gate: "requires"}, handler)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "policy", Gate: "reqires(x)"}, handler)
	mcpserver.AddTool[named, named](set, mcpserver.ToolSpec{Name: "nobody"}, nil)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "types"}, func(context.Context, *mcpserver.Call, struct{ C chan int }) (map[string]int, error) { return nil, nil })
	opts := quiet()
	opts.Tools = set
	_, err := mcpserver.NewServer(newShop(), opts)
	if err == nil {
		t.Fatal("accepted")
	}
	for _, want := range []string{"tool list:", "tool twice:", `"a b"`, `"_other"`, `tool : the name ""`, strings.Repeat("x", 41), "tool gate:", "reqires", "requires", "tool nobody:", "tool types:"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("nothing about %q in:\n%v", want, err)
		}
	}
}

// A predicate that fails hides, and is logged by its name without what it saw, and counted.
func TestFailingPredicates(t *testing.T) {
	t.Parallel()
	policy := mcpserver.NewPolicy()
	for name, f := range map[string]schema.Predicate[*auth.Principal]{
		"fails":   func(context.Context, *auth.Principal, string) (bool, error) { return true, errors.New("SECRET") },
		"crashes": func(context.Context, *auth.Principal, string) (bool, error) { panic("SECRET") },
	} {
		if err := policy.Register(name, f); err != nil {
			t.Fatal(err)
		}
	}
	set := mcpserver.NewToolset(policy)
	handler := func(context.Context, *mcpserver.Call, struct{}) (named, error) { return named{}, nil }
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "one", Description: "One.", Gate: "fails(a)"}, handler)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "two", Description: "Two.", Gate: "crashes(b)"}, handler)
	j := &journal{}
	opts := logged(j)
	opts.Tools = set
	url := serve(t, newShop(), opts)
	if got := namesOf(t, post(t, url, request("tools/list", "{}")).Body); len(got) != 5 {
		t.Errorf("listed %v", got)
	}
	_, listing := j.read()
	if strings.Count(listing, "\n") != 2 || !strings.Contains(listing, `"gate":"fails","arg":"a"`) || !strings.Contains(listing, `"gate":"crashes","arg":"b"`) || !strings.Contains(listing, `"reference":"`) {
		t.Error(listing)
	}
	one, none := post(t, url, toolCall("one", "{}")).Body, post(t, url, toolCall("onx", "{}")).Body
	if one != strings.ReplaceAll(none, "onx", "one") || faultOf(t, one).Code != -32602 {
		t.Errorf("%s\n%s", one, none)
	}
	events, log := j.read()
	if strings.Contains(log, "SECRET") || strings.Count(log, "\n") != 6 || len(events) != 3 {
		t.Fatalf("%+v %s", events, log)
	}
	for i, tool := range []string{"tools/list", "_other", "_other"} {
		if e := events[i]; e.Tool != tool || e.GateFailures != 2 || e.Caller == "" || e.Reference == "" || !strings.Contains(log, e.Reference) {
			t.Errorf("%+v %s", e, log)
		}
	}
}

// Hundreds of tools come by pages, each once and in order, and a cursor is a position among what the caller sees.
func TestHostedPages(t *testing.T) {
	t.Parallel()
	set := mcpserver.NewToolset(nil)
	for i := range 450 {
		gate := ""
		if i%2 == 1 {
			gate = "requires(admin)"
		}
		mcpserver.AddTool(set, mcpserver.ToolSpec{Name: fmt.Sprintf("t%03d", i), Gate: gate}, func(context.Context, *mcpserver.Call, struct{}) (named, error) { return named{}, nil })
	}
	opts := quiet()
	opts.Tools = set
	s := newServer(t, newShop(), opts)
	url := served(t, s)
	for token, want := range map[string]int{tokenOne: 230, tokenAdmin: 455} {
		for over, session := range map[string]*mcp.ClientSession{"HTTP": connect(t, s, "HTTP", token, nil), "stdio": connect(t, s, "stdio", token, nil)} {
			n, last := 0, ""
			for tool, err := range session.Tools(t.Context(), nil) {
				if err != nil {
					t.Fatal(err)
				}
				if n++; tool.Name <= last {
					t.Errorf("%s after %s", tool.Name, last)
				}
				last = tool.Name
			}
			if n != want {
				t.Errorf("%s over %s: %d tools", token, over, n)
			}
		}
	}
	for _, cursor := range []string{`"0"`, `"1"`, `"+200"`, `"400"`, `"x"`, `5`, `{}`} {
		if got := faultOf(t, post(t, url, request("tools/list", `{"cursor":`+cursor+`}`)).Body); got.Code != -32602 {
			t.Errorf("%s: %+v", cursor, got)
		}
	}
}

// The tenant of a tool is that of its call, and a tool that needs one asks.
func TestHostedTenant(t *testing.T) {
	t.Parallel()
	s := newServer(t, newShop(), staffed(newWorkshop(nil), titled()))
	url := served(t, s)
	many := []string{"Authorization", "Bearer " + tokenMany}
	if res := resultOf(t, post(t, url, toolCall("peek", `{"id":1}`), append(many, "Tenantry-Tenant", "2")...).Body); !strings.Contains(res.Structured, `"tenant":"2"`) {
		t.Errorf("%+v", res)
	}
	if m := mistakesOf(t, resultOf(t, post(t, url, toolCall("peek", `{"id":1}`), many...).Body).Text); len(m) != 1 || m[0].Code != resource.Forbidden || len(m[0].Allowed) != 2 {
		t.Errorf("%+v", m)
	}
	if m := mistakesOf(t, resultOf(t, post(t, url, toolCall("peek", `{"id":1}`), append(many, "Tenantry-Tenant", "3")...).Body).Text); len(m) != 1 || m[0].Code != resource.Forbidden {
		t.Errorf("%+v", m)
	}
	if res := resultOf(t, post(t, url, toolCall("count", `{}`), many...).Body); res.IsError {
		t.Errorf("%+v", res)
	}
	for _, over := range []string{"HTTP", "stdio", "session"} {
		p := &person{action: "accept", content: map[string]any{"tenant": "2"}}
		res, err := connect(t, s, over, tokenMany, p).CallTool(t.Context(), &mcp.CallToolParams{Name: "peek", Arguments: map[string]any{"id": 3}})
		if got := structured(t, res, err); got != `{"id":3,"tenant":"2"}` || len(p.shown) != 1 {
			t.Errorf("%s: %s", over, got)
		}
	}
}

// A predicate that depends on the tenant is asked again for the tenant that was chosen.
func TestChosenTenantIsDecidedAnew(t *testing.T) {
	t.Parallel()
	policy := mcpserver.NewPolicy()
	err := policy.Register("open", func(_ context.Context, p *auth.Principal, _ string) (bool, error) {
		return p.Tenant().Key() != "2", nil
	})
	if err != nil {
		t.Fatal(err)
	}
	set := mcpserver.NewToolset(policy)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "shop", Gate: "open(x)"}, func(_ context.Context, c *mcpserver.Call, _ struct{}) (named, error) {
		return named{c.Principal().Tenant().Key()}, nil
	})
	opts, j := titled(), &journal{}
	opts.Tools, opts.Events = set, j.options().Events
	url := serve(t, newShop(), opts)
	state := askedOf(t, round(t, url, tokenMany, "shop", "{}", "")).Result.RequestState
	if res := resultOf(t, round(t, url, tokenMany, "shop", "{}", repeated(state, "1"))); res.Structured != `{"name":"1"}` {
		t.Errorf("%+v", res)
	}
	if body := round(t, url, tokenMany, "shop", "{}", repeated(state, "2")); !strings.Contains(body, `there is no tool \"shop\"`) || faultOf(t, body).Code != -32602 {
		t.Error(body)
	}
	var tools []string
	events, _ := j.read()
	for _, e := range events {
		tools = append(tools, e.Tool+" "+string(e.Outcome))
	}
	if diff := cmp.Diff([]string{"shop asked", "shop ok", "_other invalid"}, tools); diff != "" {
		t.Error(diff)
	}
}
