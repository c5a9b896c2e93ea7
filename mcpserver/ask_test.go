package mcpserver_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/schema/elicit"
)

type color string

func (color) EnumValues() []color { return []color{"red", "blue"} }

func (color) EnumTitles() map[color]string { return map[color]string{"red": "Red", "blue": "Blue"} }

type paint struct {
	Color color `json:"color"`
	Coats *int  `json:"coats" mcp:"min=1;max=3"`
}

// parlour is a tool that asks twice, and once more when the argument says so.
func parlour() (*mcpserver.Toolset, *[]*mcpserver.Call) {
	set, calls := mcpserver.NewToolset(nil), &[]*mcpserver.Call{}
	spec := mcpserver.ToolSpec{Name: "paint", Forms: []mcpserver.FormDef{mcpserver.FormOf[paint](), mcpserver.FormOf[struct{}]()}}
	mcpserver.AddTool(set, spec, func(ctx context.Context, c *mcpserver.Call, in named) (named, error) {
		*calls = append(*calls, c)
		wanted, err := mcpserver.Ask[paint](ctx, c, "paint", "Which color for <"+in.Name+">?")
		if err != nil {
			return named{}, err
		}
		if !wanted.Accepted() {
			return named{string(wanted.Action)}, nil
		}
		sure, err := mcpserver.Ask[struct{}](ctx, c, "sure", "Paint it "+string(wanted.Value.Color)+"?")
		if in.Name == "swallow" {
			return named{"done"}, nil
		}
		if err != nil {
			return named{}, fmt.Errorf("asking: %w", err)
		}
		return named{c.Principal().Tenant().Key() + " " + string(wanted.Value.Color) + " " + string(sure.Action)}, nil
	})
	return set, calls
}

func askingOptions(set *mcpserver.Toolset) *mcpserver.Options {
	opts := titled()
	opts.Tools = set
	return opts
}

// script is a person with an answer to each message.
func script(t *testing.T, answers map[string]*mcp.ElicitResult, shown *[]string) *mcp.ClientOptions {
	return &mcp.ClientOptions{ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		*shown = append(*shown, req.Params.Message)
		answer := answers[req.Params.Message]
		if answer == nil {
			t.Errorf("asked %q", req.Params.Message)
			answer = &mcp.ElicitResult{Action: "cancel"}
		}
		return &mcp.ElicitResult{Action: answer.Action, Content: maps.Clone(answer.Content)}, nil // the client changes it
	}}
}

// A handler asks in the same words whatever way the client can be asked, after the framework asked for the tenant.
func TestAsk(t *testing.T) {
	t.Parallel()
	const which, whose, sure = "Which color for <x>?", "Your access covers several accounts. Which one is this for?", "Paint it blue?"
	tenantTwo := &mcp.ElicitResult{Action: "accept", Content: map[string]any{"tenant": "2"}}
	blue := &mcp.ElicitResult{Action: "accept", Content: map[string]any{"color": "blue", "coats": 2}}
	for _, tt := range []struct {
		name    string
		answers map[string]*mcp.ElicitResult
		want    string
		shown   []string
	}{
		{"accepted", map[string]*mcp.ElicitResult{whose: tenantTwo, which: blue, sure: {Action: "accept"}}, `{"name":"2 blue accept"}`, []string{whose, which, sure}},
		{"declined at last", map[string]*mcp.ElicitResult{whose: tenantTwo, which: blue, sure: {Action: "decline"}}, `{"name":"2 blue decline"}`, []string{whose, which, sure}},
		{"declined", map[string]*mcp.ElicitResult{whose: tenantTwo, which: {Action: "decline"}}, `{"name":"decline"}`, []string{whose, which}},
		{"cancelled", map[string]*mcp.ElicitResult{whose: tenantTwo, which: {Action: "cancel"}}, `{"name":"cancel"}`, []string{whose, which}},
	} {
		for _, over := range []string{"HTTP", "stdio", "session"} {
			t.Run(tt.name+" over "+over, func(t *testing.T) {
				t.Parallel()
				set, _ := parlour()
				var shown []string
				s := newServer(t, newShop(), askingOptions(set))
				session := dial(t, s, over, tokenMany, script(t, tt.answers, &shown))
				res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "paint", Arguments: map[string]any{"name": "x"}})
				if got := structured(t, res, err); got != tt.want {
					t.Errorf("%s %+v", got, res.Content[0])
				}
				if diff := cmp.Diff(tt.shown, shown); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

// responses are the members of params that answer one question.
func responses(state, name, result string) string {
	return fmt.Sprintf(`"requestState":%q,"inputResponses":{%q:%s}`, state, name, result)
}

// Over stateless HTTP each round is a call of its own, and the state between them holds what was answered.
func TestAskByRounds(t *testing.T) {
	t.Parallel()
	set, calls := parlour()
	j := &journal{}
	opts := askingOptions(set)
	opts.Events, opts.Logger = j.options().Events, logged(j).Logger
	url := serve(t, newShop(), opts)
	const x = `{"name":"x"}`
	first := askedOf(t, round(t, url, tokenOne, "paint", x, "")).Result
	form := first.InputRequests["paint"].Params
	if want := `{"type":"object","properties":{"color":{"type":"string","oneOf":[{"const":"red","title":"Red"},{"const":"blue","title":"Blue"}]},"coats":{"type":"integer","minimum":1,"maximum":3}},"required":["color"]}`; string(form.RequestedSchema) != want || form.Message != "Which color for <x>?" || form.Mode != "form" {
		t.Errorf("%+v", first)
	}
	const blue = `{"action":"accept","content":{"color":"blue"}}`
	second := askedOf(t, round(t, url, tokenOne, "paint", x, responses(first.RequestState, "paint", blue))).Result
	if second.ResultType != "input_required" || len(second.InputRequests) != 1 || second.InputRequests["sure"].Params.Message != "Paint it blue?" || strings.Contains(second.RequestState, "blue") {
		t.Errorf("%+v", second)
	}
	for name, rest := range map[string]string{
		"the answer":         responses(second.RequestState, "sure", `{"action":"accept"}`),
		"with the first too": fmt.Sprintf(`"requestState":%q,"inputResponses":{"paint":{"action":"accept","content":{"color":"red"}},"sure":{"action":"accept","content":{}}}`, second.RequestState),
	} {
		if res := resultOf(t, round(t, url, tokenOne, "paint", x, rest)); res.Structured != `{"name":"1 blue accept"}` {
			t.Errorf("%s: %+v", name, res)
		}
	}
	if again := askedOf(t, round(t, url, tokenOne, "paint", x, responses(first.RequestState, "sure", `{"action":"accept"}`))).Result; again.InputRequests["paint"].Method == "" {
		t.Errorf("an answer to what was not asked counts: %+v", again)
	}
	for name, result := range map[string]string{
		"no choice":      `{"action":"accept","content":{"color":"SECRET"}}`,
		"undeclared key": `{"action":"accept","content":{"color":"red","SECRETS":"SECRET"}}`,
		"too many":       `{"action":"accept","content":{"color":"red","coats":4}}`,
		"no content":     `{"action":"accept"}`,
		"odd action":     `{"action":"SECRET","content":{"color":"red"}}`,
		"twice":          `{"action":"accept","content":{"color":"red","color":"blue"}}`,
		"a list":         `[]`,
		"null":           `null`,
	} {
		body := round(t, url, tokenOne, "paint", x, responses(first.RequestState, "paint", result))
		res := resultOf(t, body)
		if m := mistakesOf(t, res.Text); len(m) != 1 || m[0].Code != resource.InvalidArgument || !strings.HasPrefix(m[0].Message, "the answer to paint does not fit its form: ") || strings.Contains(body, `SECRET"`) {
			t.Errorf("%s: %s", name, body)
		}
	}
	state := responses(first.RequestState, "paint", blue)
	for name, body := range map[string]string{
		"other arguments": round(t, url, tokenOne, "paint", `{"name":"y"}`, state),
		"other caller":    round(t, url, tokenTwo, "paint", x, state),
		"damaged":         round(t, url, tokenOne, "paint", x, strings.Replace(state, first.RequestState[:4], "AAAA", 1)),
	} {
		if f := faultOf(t, body); f.Code != -32602 || !strings.Contains(body, `"message":"the requestState is not valid for this call: `) {
			t.Errorf("%s: %s", name, body)
		}
	}
	if body := round(t, url, tokenOne, "paint", `{"name":"swallow"}`, ""); askedOf(t, body).Result.ResultType != "input_required" {
		t.Error(body)
	} else {
		state := askedOf(t, body).Result.RequestState
		res := resultOf(t, round(t, url, tokenOne, "paint", `{"name":"swallow"}`, responses(state, "paint", blue)))
		if m := mistakesOf(t, res.Text); len(m) != 1 || m[0].Code != resource.CodeInternal {
			t.Errorf("the handler went on without its answer: %+v", res)
		}
	}
	if c := (*calls)[0]; c.CanAsk() {
		t.Error("a call can ask after its handler")
	} else if _, err := mcpserver.Ask[struct{}](t.Context(), c, "late", "?"); err == nil {
		t.Error("asked after the handler")
	}
	events, log := j.read()
	if events[0].Outcome != mcpserver.OutcomeAsked || events[0].Tool != "paint" || events[0].Code != "" || !strings.Contains(log, "did not return the error of Ask") {
		t.Errorf("%+v %s", events[0], log)
	}
}

// What a handler asks in other words, it asks again.
func TestAskInOtherWords(t *testing.T) {
	t.Parallel()
	set, price := mcpserver.NewToolset(nil), 1
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "buy"}, func(ctx context.Context, c *mcpserver.Call, _ struct{}) (named, error) {
		answer, err := mcpserver.Ask[struct{}](ctx, c, "sure", fmt.Sprintf("Buy it for %d?", price))
		return named{string(answer.Action)}, err
	})
	url := serve(t, newShop(), askingOptions(set))
	first := askedOf(t, round(t, url, tokenOne, "buy", "{}", "")).Result
	price = 2
	second := askedOf(t, round(t, url, tokenOne, "buy", "{}", responses(first.RequestState, "sure", `{"action":"accept"}`))).Result
	if second.InputRequests["sure"].Params.Message != "Buy it for 2?" {
		t.Errorf("%+v", second)
	}
	if res := resultOf(t, round(t, url, tokenOne, "buy", "{}", responses(second.RequestState, "sure", `{"action":"accept"}`))); res.Structured != `{"name":"accept"}` {
		t.Errorf("%+v", res)
	}
}

// A client that shows no forms is told so, and a handler can know before it asks.
func TestCannotAsk(t *testing.T) {
	t.Parallel()
	set, calls := parlour()
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "odd"}, func(ctx context.Context, c *mcpserver.Call, in named) (named, error) {
		_, err := mcpserver.Ask[struct{}](ctx, c, in.Name, "?")
		return named{}, err
	})
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "form"}, func(ctx context.Context, c *mcpserver.Call, _ struct{}) (named, error) {
		_, err := mcpserver.Ask[map[string]any](ctx, c, "x", "?")
		return named{}, err
	})
	s := newServer(t, newShop(), askingOptions(set))
	url := served(t, s)
	old := post(t, url, toolCall("paint", `{"name":"x"}`), "Mcp-Protocol-Version", stable).Body
	modernBody, headers := modern("tools/call", `"name":"paint","arguments":{"name":"x"}`, "paint")
	for name, text := range map[string]string{
		"old HTTP": resultOf(t, old).Text, "undeclared": resultOf(t, post(t, url, modernBody, headers...).Body).Text,
		"library": func() string {
			body, _, _ := s.Call(t.Context(), principal(t, tokenOne), "paint", []byte(`{"name":"x"}`))
			return string(body)
		}(),
	} {
		if m := mistakesOf(t, text); len(m) != 1 || m[0].Code != resource.Forbidden || !strings.Contains(m[0].Message, "cannot be asked") {
			t.Errorf("%s: %s", name, text)
		}
	}
	stdio := connect(t, s, "stdio", tokenOne, nil)
	if res, err := stdio.CallTool(t.Context(), &mcp.CallToolParams{Name: "paint", Arguments: map[string]any{"name": "x"}}); err != nil || !res.IsError {
		t.Errorf("%v %+v", err, res)
	}
	if len(*calls) != 4 {
		t.Errorf("%d calls", len(*calls))
	}
	for _, name := range []string{"", "a b", "tenantry/tenant", strings.Repeat("x", 65)} {
		if m := mistakesOf(t, resultOf(t, round(t, url, tokenOne, "odd", fmt.Sprintf(`{"name":%q}`, name), "")).Text); len(m) != 1 || m[0].Code != resource.CodeInternal {
			t.Errorf("%q: %+v", name, m)
		}
	}
	if m := mistakesOf(t, resultOf(t, round(t, url, tokenOne, "form", `{}`, "")).Text); len(m) != 1 || m[0].Code != resource.CodeInternal {
		t.Errorf("%+v", m)
	}
	bad := mcpserver.NewToolset(nil)
	mcpserver.AddTool(bad, mcpserver.ToolSpec{Name: "bad", Forms: []mcpserver.FormDef{mcpserver.FormOf[struct{ A []string }](), {}}}, func(context.Context, *mcpserver.Call, struct{}) (named, error) { return named{}, nil })
	if _, err := mcpserver.NewServer(newShop(), askingOptions(bad)); err == nil || !strings.Contains(err.Error(), "tool bad:") {
		t.Errorf("%v", err)
	}
}

// Over stdio a question ends with its call, and the client is told.
func TestAskIsCancelled(t *testing.T) {
	t.Parallel()
	set, _ := parlour()
	s := newServer(t, newShop(), askingOptions(set))
	asked, told := make(chan struct{}), make(chan error, 1)
	session := dial(t, s, "session", tokenOne, &mcp.ClientOptions{
		ElicitationHandler: func(ctx context.Context, _ *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			close(asked)
			<-ctx.Done()
			told <- ctx.Err()
			return nil, ctx.Err()
		},
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		cancel()
	}()
	if _, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "paint", Arguments: map[string]any{"name": "x"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if err := <-told; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// The actions are those of package elicit.
func TestAnswerActions(t *testing.T) {
	t.Parallel()
	for action, want := range map[elicit.Action]bool{elicit.Accept: true, elicit.Decline: false, elicit.Cancel: false, "": false} {
		if got := (mcpserver.Answer[int]{Action: action}).Accepted(); got != want {
			t.Errorf("%q: %t", action, got)
		}
	}
}
