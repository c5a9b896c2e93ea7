package mcpserver_test

import (
	"context"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/mcpserver"
)

// The question of one handler at a time, however many it asks.
func TestQuestionsSideBySide(t *testing.T) {
	t.Parallel()
	set := mcpserver.NewToolset(nil)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "both"}, func(ctx context.Context, c *mcpserver.Call, _ struct{}) (named, error) {
		errs := make(chan error, 2)
		for _, name := range []string{"a", "b"} {
			go func() {
				_, err := mcpserver.Ask[struct{}](ctx, c, name, "Sure of "+name+"?")
				errs <- err
			}()
		}
		first, second := <-errs, <-errs
		if first == nil {
			first = second
		}
		return named{"both"}, first
	})
	url := serve(t, newShop(), askingOptions(set))
	rest := ""
	for range 2 {
		got := askedOf(t, round(t, url, tokenOne, "both", "{}", rest)).Result
		if got.ResultType != "input_required" || len(got.InputRequests) != 1 {
			t.Fatalf("%+v", got)
		}
		for name := range got.InputRequests {
			rest = responses(got.RequestState, name, `{"action":"accept"}`)
		}
	}
	if res := resultOf(t, round(t, url, tokenOne, "both", "{}", rest)); res.Structured != `{"name":"both"}` {
		t.Errorf("%+v", res)
	}
}

// What an older revision has no form for is refused by name, and the end of the client is no fault of ours.
func TestAskWithoutAnswer(t *testing.T) {
	t.Parallel()
	set := mcpserver.NewToolset(nil)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "colors"}, func(ctx context.Context, c *mcpserver.Call, _ struct{}) (named, error) {
		_, err := mcpserver.Ask[struct {
			Colors []color `json:"colors"`
		}](ctx, c, "colors", "Which?")
		return named{}, err
	})
	j := &journal{}
	opts := logged(j)
	opts.Tools = set
	s := newServer(t, newShop(), opts)
	old := strings.Replace(capable, stable, "2025-06-18", 1)
	answers := stdioConversation(t, s, tokenOne, old+toolCall("colors", "{}")+"\n", func(string) string { return "" })
	if got := answers[len(answers)-1]; !strings.Contains(got, "forbidden") || !strings.Contains(got, "its revision of the protocol has no form") {
		t.Error(got)
	}
	answers = stdioConversation(t, s, tokenOne, capable+toolCall("colors", "{}")+"\n", func(line string) string {
		if strings.Contains(line, `"elicitation/create"`) {
			return "EOF"
		}
		return ""
	})
	if got := answers[len(answers)-1]; !strings.Contains(got, "cancelled") {
		t.Error(got)
	}
	events, log := j.read()
	if len(events) != 2 || events[0].Outcome != mcpserver.OutcomeRefused || events[1].Outcome != mcpserver.OutcomeCanceled || strings.Contains(log, `"ERROR"`) {
		t.Errorf("%+v %s", events, log)
	}
}
