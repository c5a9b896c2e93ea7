package mcpserver_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

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
