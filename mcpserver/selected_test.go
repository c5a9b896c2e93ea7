package mcpserver_test

import (
	"context"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/tenant"
)

// metaOf are the members of params that name a tenant, by a client that shows forms.
func metaOf(selector string) string {
	return strings.Replace(capableMeta, `"_meta":{`, `"_meta":{"tenantry/tenant":`+selector+`,`, 1)
}

// wrongSelectors name no tenant that the caller of tokenMany may choose, by the header and by _meta.
var wrongSelectors = map[string]struct{ header, meta string }{
	"foreign":         {"3", `null`},
	"foreign in meta": {"", `"3"`},
	"two different":   {"1", `"2"`},
	"no tenant":       {"", `true`},
}

// Whoever names a tenant wrongly is refused: the person is asked only where none is named.
func TestWrongTenantIsNotAskedFor(t *testing.T) {
	t.Parallel()
	url := serve(t, newShop(), staffed(newWorkshop(nil), titled()))
	call := func(tool, arguments, header, meta string) string {
		return post(t, url, request("tools/call", `{"name":"`+tool+`","arguments":`+arguments+`,`+metaOf(meta)+`}`), "Authorization", "Bearer "+tokenMany,
			"Mcp-Protocol-Version", newest, "Mcp-Method", "tools/call", "Mcp-Name", tool, "Tenantry-Tenant", header).Body
	}
	for tool, arguments := range map[string]string{"list": `{"resource":"orders"}`, "peek": `{"id":1}`} {
		for name, wrong := range wrongSelectors {
			body := call(tool, arguments, wrong.header, wrong.meta)
			if strings.Contains(body, "inputRequests") {
				t.Errorf("%s, %s: asked: %s", tool, name, body)
				continue
			}
			if m := mistakesOf(t, resultOf(t, body).Text); len(m) != 1 || m[0].Code != resource.Forbidden || len(m[0].Allowed) != 2 {
				t.Errorf("%s, %s: %s", tool, name, body)
			}
		}
		for name, meta := range map[string]string{"none": `null`, "an empty one": `""`} {
			if body := call(tool, arguments, "", meta); askedOf(t, body).Result.ResultType != "input_required" {
				t.Errorf("%s, %s: not asked: %s", tool, name, body)
			}
		}
	}
}

// The list of tools is one caller's: who names a tenant wrongly is told, and gets none.
func TestNoToolsForAWrongTenant(t *testing.T) {
	t.Parallel()
	s := newServer(t, newShop(), staffed(newWorkshop(nil), titled()))
	url := served(t, s)
	list := func(header, meta string) response {
		return post(t, url, request("tools/list", `{`+metaOf(meta)+`}`), "Authorization", "Bearer "+tokenMany,
			"Mcp-Protocol-Version", newest, "Mcp-Method", "tools/list", "Tenantry-Tenant", header)
	}
	for name, wrong := range wrongSelectors {
		res := list(wrong.header, wrong.meta)
		if names := namesOf(t, res.Body); names != nil || !strings.Contains(res.Body, `"error":{`) || !strings.Contains(res.Body, "a tenant that its token does not grant") {
			t.Errorf("%s: %d %s", name, res.Status, res.Body)
		}
	}
	if names := namesOf(t, list("2", `null`).Body); len(names) == 0 {
		t.Error("no tools for a granted tenant")
	}
	line := overStdio(t, s, principal(t, tokenMany), request("tools/list", `{`+metaOf(`"3"`)+`}`)+"\n")
	if len(line) != 1 || namesOf(t, line[0]) != nil || !strings.Contains(line[0], "a tenant that its token does not grant") {
		t.Errorf("over stdio: %v", line)
	}
}

// An answer counts for the form in which it was given, and not for another one of the same words.
func TestAnswerToAnotherForm(t *testing.T) {
	t.Parallel()
	type first struct {
		Sure bool `json:"sure"`
	}
	type second struct {
		Sure bool `json:"sure"`
		Deep *int `json:"deep"`
	}
	set, changed := mcpserver.NewToolset(nil), false
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "dig"}, func(ctx context.Context, c *mcpserver.Call, _ struct{}) (named, error) {
		if changed {
			answer, err := mcpserver.Ask[second](ctx, c, "sure", "Dig?")
			return named{"second " + string(answer.Action)}, err
		}
		answer, err := mcpserver.Ask[first](ctx, c, "sure", "Dig?")
		return named{"first " + string(answer.Action)}, err
	})
	url := serve(t, newShop(), askingOptions(set))
	const yes = `{"action":"accept","content":{"sure":true}}`
	state := askedOf(t, round(t, url, tokenOne, "dig", "{}", "")).Result.RequestState
	if res := resultOf(t, round(t, url, tokenOne, "dig", "{}", responses(state, "sure", yes))); res.Structured != `{"name":"first accept"}` {
		t.Errorf("%+v", res)
	}
	changed = true
	again := askedOf(t, round(t, url, tokenOne, "dig", "{}", responses(state, "sure", yes))).Result
	if again.ResultType != "input_required" || !strings.Contains(string(again.InputRequests["sure"].Params.RequestedSchema), `"deep"`) {
		t.Fatalf("the answer to another form counts: %+v", again)
	}
	if res := resultOf(t, round(t, url, tokenOne, "dig", "{}", responses(again.RequestState, "sure", yes))); res.Structured != `{"name":"second accept"}` {
		t.Errorf("%+v", res)
	}
}

// Tenants that share a title are told apart by their keys, and so are all others beside them.
func TestTenantsOfOneTitle(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ one, two, want string }{
		"different": {"Acme", "Bolt", `[{"const":"1","title":"Acme"},{"const":"2","title":"Bolt"}]`},
		"the same":  {"Acme", "Acme", `[{"const":"1","title":"Acme (1)"},{"const":"2","title":"Acme (2)"}]`},
	} {
		opts := quiet()
		opts.TenantTitle = func(_ context.Context, id tenant.ID) string {
			return map[string]string{"1": tt.one, "2": tt.two}[id.Key()]
		}
		url := serve(t, newShop(), opts)
		question := askedOf(t, round(t, url, tokenMany, "list", `{"resource":"orders"}`, "")).Result
		if form := string(question.InputRequests["tenantry/tenant"].Params.RequestedSchema); !strings.Contains(form, `"oneOf":`+tt.want) {
			t.Errorf("%s: %s", name, form)
		}
		res := resultOf(t, round(t, url, tokenMany, "list", `{"resource":"orders"}`, repeated(question.RequestState, "2")))
		if res.IsError || !strings.Contains(res.Structured, `"tenant":"2"`) {
			t.Errorf("%s: %+v", name, res)
		}
	}
}
