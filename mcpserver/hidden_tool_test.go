package mcpserver_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/schema"
)

// secretKind is an enum of which nothing is left for most.
type secretKind string

func (secretKind) EnumValues() []secretKind { return []secretKind{"x"} }

func (secretKind) EnumGates() []schema.ValueGate {
	return []schema.ValueGate{schema.EnumGate("x", schema.Gate{Pred: "requires", Arg: "admin"})}
}

// A tool that has no gate and is hidden by what it requires is as unknown as others, in as many rounds of questions.
func TestToolHiddenByItsFields(t *testing.T) {
	t.Parallel()
	rounds := 0
	policy := mcpserver.NewPolicy()
	err := policy.Batch(func(_ context.Context, p *auth.Principal, gs []schema.Gate) ([]bool, error) {
		rounds++
		out := make([]bool, len(gs))
		for i, g := range gs {
			out[i] = auth.Decide(p, g.Arg) == auth.Allow
		}
		return out, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	set := mcpserver.NewToolset(policy)
	type kinds struct {
		Kind secretKind `json:"kind"`
	}
	type part struct {
		Note *string `json:"note" gate:"requires(tools)"`
	}
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "blank"}, func(context.Context, *mcpserver.Call, kinds) (named, error) { return named{}, nil })
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "other"}, func(context.Context, *mcpserver.Call, part) (named, error) { return named{}, nil })
	opts := quiet()
	opts.Tools, opts.Prefix = set, "acme_"
	s := newServer(t, newShop(), opts)
	url := served(t, s)
	if got := namesOf(t, post(t, url, request("tools/list", "{}")).Body); slices.Contains(got, "acme_blank") || !slices.Contains(got, "acme_other") {
		t.Error(got)
	}
	var bodies []string
	var asked []int
	for _, name := range []string{"blank", "blonk"} {
		rounds = 0
		bodies = append(bodies, strings.ReplaceAll(post(t, url, toolCall("acme_"+name, "{}")).Body, "blonk", "blank"))
		asked = append(asked, rounds)
		_, _, err := s.Call(t.Context(), principal(t, tokenOne), name, nil)
		bodies = append(bodies, strings.ReplaceAll(fmt.Sprint(err), "blonk", "blank"))
	}
	if bodies[0] != bodies[2] || bodies[1] != bodies[3] || !strings.Contains(bodies[1], `no tool "blank"`) || asked[0] != 2 || asked[1] != 2 {
		t.Errorf("%q after %v rounds", bodies, asked)
	}
}

// A tool that its caller does not see cannot be told from one that never was: not in the answer, not in the
// event, not in what the predicates are asked.
func TestHiddenToolIsUnknown(t *testing.T) {
	t.Parallel()
	type asking struct{ caller, gates string }
	var asks []asking
	policy := mcpserver.NewPolicy()
	err := policy.Batch(func(_ context.Context, p *auth.Principal, gs []schema.Gate) ([]bool, error) {
		out, names := make([]bool, len(gs)), make([]string, len(gs))
		for i, g := range gs {
			names[i], out[i] = g.String(), auth.Decide(p, g.Arg) == auth.Allow
		}
		asks = append(asks, asking{p.Subject(), strings.Join(names, " ")})
		return out, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	j, w := &journal{}, newWorkshop(policy)
	mcpserver.AddTool(w.Toolset, mcpserver.ToolSpec{Name: "audit", Gate: "requires(tools)"}, w.purge)
	s := newServer(t, newShop(), staffed(w, j.options()))
	url := served(t, s)
	modernHeaders := []string{"Mcp-Protocol-Version", newest, "Mcp-Method", "tools/call", "Mcp-Name"}
	for _, tt := range []struct {
		name, params, meta string
		headers            []string
	}{
		{"plain", `"arguments":{}`, "", nil},
		{"bad arguments", `"arguments":[1,{"x":2}]`, "", nil},
		{"tenant of others", `"arguments":{}`, "", []string{"Tenantry-Tenant", "2"}},
		{"several tenants", `"arguments":{}`, "", []string{"Authorization", "Bearer " + tokenMany}},
		{"newest", `"arguments":{}`, modernMeta, modernHeaders},
		{"newest, with a state", `"arguments":{},"requestState":"x","inputResponses":{}`, modernMeta, modernHeaders},
		{"newest, incomplete", `"arguments":{}`, `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`, modernHeaders},
		{"progress", `"arguments":{}`, `"_meta":{"progressToken":1}`, []string{"Accept", "application/json, text/event-stream"}},
	} {
		var bodies, questions []string
		for _, name := range []string{"purge", "nurge"} {
			asks = nil
			params := tt.params
			if tt.meta != "" {
				params += "," + tt.meta
			}
			headers := tt.headers
			if len(headers) == len(modernHeaders) {
				headers = append(headers[:len(headers):len(headers)], name)
			}
			res := post(t, url, request("tools/call", `{"name":"`+name+`",`+params+`}`), headers...)
			if strings.Contains(tt.name, "incomplete") == strings.Contains(res.Body, "there is no tool") {
				t.Errorf("%s: %d %s", tt.name, res.Status, res.Body)
			}
			bodies = append(bodies, fmt.Sprint(res.Status, strings.ReplaceAll(res.Body, "nurge", "purge"), res.Header["Content-Type"]))
			// Of which tool the first round is, a name that is none has by chance, and always the same.
			slices.SortFunc(asks, func(a, b asking) int { return strings.Compare(a.gates, b.gates) })
			questions = append(questions, fmt.Sprint(asks))
		}
		if bodies[0] != bodies[1] {
			t.Errorf("%s: %s", tt.name, cmp.Diff(bodies[1], bodies[0]))
		}
		if strings.Contains(bodies[0], "peek, purge") {
			t.Errorf("%s: the hidden tool is named: %s", tt.name, bodies[0])
		}
		if questions[0] != questions[1] {
			t.Errorf("%s: hidden asks %s, unknown %s", tt.name, questions[0], questions[1])
		}
	}
	events, _ := j.read()
	for i := 0; i+1 < len(events); i += 2 {
		diff := cmp.Diff(events[i], events[i+1], cmpopts.IgnoreFields(mcpserver.Event{}, "Duration"))
		if diff != "" || events[i].Tool != "_other" || events[i].Outcome != mcpserver.OutcomeInvalid {
			t.Errorf("%+v %s", events[i], diff)
		}
	}
	if len(events) != 16 {
		t.Errorf("%d events", len(events))
	}
	for _, name := range []string{"purge", "nurge"} {
		_, _, err := s.Call(t.Context(), principal(t, tokenOne), name, nil)
		if want := `mcpserver: there is no tool "` + name + `": use one of aggregate, count, fate, get, list, orders, peek, resource_schema, resources`; err == nil || err.Error() != want {
			t.Errorf("%v", err)
		}
	}
}

func TestHiddenToolIsUnknownOverStdio(t *testing.T) {
	t.Parallel()
	for _, meta := range []string{"", "," + modernMeta, `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`} {
		var lines []string
		for _, name := range []string{"purge", "nurge"} {
			s := newServer(t, newShop(), staffed(newWorkshop(nil), quiet()))
			in := request("tools/call", `{"name":"`+name+`","arguments":{}`+meta+`}`) + "\n"
			if meta == "" {
				in = handshake + in
			}
			lines = append(lines, strings.ReplaceAll(strings.Join(pipe(t, s, in), "\n"), "nurge", "purge"))
		}
		if lines[0] != lines[1] || !strings.Contains(lines[0], `"code":-32602`) || strings.Contains(lines[0], "peek, purge") {
			t.Errorf("%s: %s", meta, cmp.Diff(lines[1], lines[0]))
		}
	}
}
