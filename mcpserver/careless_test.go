package mcpserver_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/schema"
)

type crashing struct{ error }

func (crashing) Unwrap() error { panic("an error of the host") }

// What a careless handler returns costs one call.
func TestCarelessHandlers(t *testing.T) {
	t.Parallel()
	var kept error
	set := mcpserver.NewToolset(nil)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "careless", Description: "Fails."}, func(ctx context.Context, c *mcpserver.Call, in named) (named, error) {
		switch in.Name {
		case "nil":
			var e *resource.Error
			return in, e
		case "nils":
			return in, resource.Errors{nil}
		case "crash":
			return in, crashing{errors.New("x")}
		case "ask":
			_, kept = mcpserver.Ask[struct {
				Sure bool `json:"sure"`
			}](ctx, c, "sure", "Sure of the first tenant?")
			return in, kept
		default:
			return in, kept
		}
	})
	j := &journal{}
	opts := j.options()
	opts.Tools = set
	s := newServer(t, newShop(), opts)
	url := served(t, s)
	for _, name := range []string{"nil", "nils", "crash"} {
		res := resultOf(t, post(t, url, toolCall("careless", `{"name":"`+name+`"}`)).Body)
		if m := mistakesOf(t, res.Text); len(m) != 1 || m[0].Code != resource.CodeInternal {
			t.Errorf("%s: %+v", name, res)
		}
	}
	if first := round(t, url, tokenOne, "careless", `{"name":"ask"}`, ""); !strings.Contains(first, "Sure of the first tenant?") {
		t.Fatal(first)
	}
	if body := round(t, url, tokenTwo, "careless", `{"name":"again"}`, ""); strings.Contains(body, "first tenant") || strings.Contains(body, "requestState") {
		t.Errorf("a question of another call: %s", body)
	}
	if events, _ := j.read(); len(events) != 5 {
		t.Errorf("%d events", len(events))
	}
}

// Asking again for what was answered before does not make the answer any younger.
func TestOldConsent(t *testing.T) {
	t.Parallel()
	set := mcpserver.NewToolset(nil)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "twice", Description: "Asks twice."}, func(ctx context.Context, c *mcpserver.Call, in named) (named, error) {
		for _, name := range []string{"first", "second"} {
			if _, err := mcpserver.Ask[struct {
				Sure bool `json:"sure"`
			}](ctx, c, name, "Sure?"); err != nil {
				return in, err
			}
		}
		return in, nil
	})
	opts := quiet()
	opts.Tools = set
	s := newServer(t, newShop(), opts)
	now := time.Now()
	s.SetNow(func() time.Time { return now })
	url := served(t, s)
	const x, yes = `{"name":"x"}`, `{"action":"accept","content":{"sure":true}}`
	first := askedOf(t, round(t, url, tokenOne, "twice", x, "")).Result.RequestState
	state := askedOf(t, round(t, url, tokenOne, "twice", x, responses(first, "first", yes))).Result.RequestState
	for range 2 { // each within the life of the state before it
		now = now.Add(4 * time.Minute)
		s.SetNow(func() time.Time { return now })
		state = askedOf(t, round(t, url, tokenOne, "twice", x, `"requestState":"`+state+`"`)).Result.RequestState
	}
	now = now.Add(4 * time.Minute)
	s.SetNow(func() time.Time { return now })
	if body := round(t, url, tokenOne, "twice", x, responses(state, "second", yes)); faultOf(t, body).Code != -32602 {
		t.Errorf("an answer of twelve minutes ago counts: %s", body)
	}
}

// What is wrong with a set of tools is said at the start, and of which tool.
func TestMistakesOfToolsets(t *testing.T) {
	t.Parallel()
	type keyed struct {
		Zone string `json:"zone" mcp:"defaultFor=zone"`
	}
	type wrong struct {
		A int    `json:"a" mcp:"min=3,max=5"`
		B string `json:"b" gate:"tier(pro)" mcp:"optional"`
	}
	echo := func(_ context.Context, _ *mcpserver.Call, in named) (named, error) { return in, nil }
	set := mcpserver.NewToolset(nil)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "list"}, echo)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "keyed"}, func(context.Context, *mcpserver.Call, keyed) (named, error) { return named{}, nil })
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "wrong"}, func(context.Context, *mcpserver.Call, wrong) (*named, error) { return nil, nil })
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "tiered", Gate: "tier(pro)"}, echo)
	opts := quiet()
	opts.Tools = set
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "crashing"}, func(context.Context, *mcpserver.Call, struct {
		Kind crashingKind `json:"kind"`
	},
	) (named, error) {
		return named{}, nil
	})
	_, err := mcpserver.NewServer(newShop(), opts)
	for _, want := range []string{
		"tool crashing: a method of a type crashed: no kinds today",
		"tool list: a tool of the framework has this name",
		"tool keyed: the input has defaultFor=zone, and there is no Defaults",
		"tool wrong: schema: wrong.A: min: \"3,max=5\" is no number that a schema can hold; rules stand with ; between them",
		"tool wrong: schema: *mcpserver_test.named: the whole is never null: use mcpserver_test.named",
		"input of tiered: there is no predicate tier: register it",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q: %v", want, err)
		}
	}
	if _, err := mcpserver.NewServer(newShop(), opts); err == nil || !strings.Contains(err.Error(), "a Toolset serves one server") {
		t.Errorf("a set twice: %v", err)
	}
	defer func() {
		if v := recover(); v == nil || !strings.Contains(v.(string), "comes after New") {
			t.Errorf("a tool after New: %v", v)
		}
	}()
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "late"}, echo)
}

type crashingKind string

func (crashingKind) EnumValues() []crashingKind { panic("no kinds today") }

// A gate that a handler asks for and that no caller was ever asked about is denied, and the operator told.
func TestGateOfNoTool(t *testing.T) {
	t.Parallel()
	set := mcpserver.NewToolset(nil)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "asks", Description: "Asks."}, func(_ context.Context, c *mcpserver.Call, _ struct{}) (named, error) {
		return named{fmt.Sprint(c.Allows(schema.Gate{Pred: "requires", Arg: "tools"}))}, nil
	})
	j := &journal{}
	opts := logged(j)
	opts.Tools = set
	if res := resultOf(t, post(t, serve(t, newShop(), opts), toolCall("asks", "{}")).Body); res.Structured != `{"name":"false"}` {
		t.Errorf("%+v", res)
	}
	if _, log := j.read(); !strings.Contains(log, `"gate":"requires(tools)"`) || !strings.Contains(log, `"tool":"asks"`) {
		t.Error(log)
	}
}

// A mistake below the top says what there is, as one at the top does.
func TestMistakesBelow(t *testing.T) {
	t.Parallel()
	type inner struct {
		Kind   crate  `json:"kind"`
		Number *int64 `json:"number"`
	}
	set := mcpserver.NewToolset(nil)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "pay"}, func(_ context.Context, _ *mcpserver.Call, _ struct {
		Pay inner `json:"pay"`
	},
	) (named, error) {
		return named{}, nil
	})
	opts := quiet()
	opts.Tools = set
	got := mistakesOf(t, resultOf(t, post(t, serve(t, newShop(), opts), toolCall("pay", `{"pay":{"kind":"x","numbr":1}}`)).Body).Text)
	if len(got) != 2 || strings.Join(got[0].Allowed, " ") != "box sack" || strings.Join(got[1].Allowed, " ") != "kind number" || strings.Join(got[1].Suggestions, " ") != "number" {
		t.Errorf("%+v", got)
	}
}

type crate string

func (crate) EnumValues() []crate { return []crate{"box", "sack"} }
