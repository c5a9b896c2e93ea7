package mcpserver_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/schema"
)

// A description may be made for each caller, of what its gates allow; one that is not, and names what is
// behind a gate, is told of in the log.
func TestDescriptions(t *testing.T) {
	t.Parallel()
	type in struct {
		Note   string  `json:"note" mcp:"optional" desc:"Not the remark."`
		Remark *string `json:"remark" gate:"requires(admin)"`
	}
	run := func(_ context.Context, _ *mcpserver.Call, _ in) (struct{}, error) { return struct{}{}, nil }
	set := mcpserver.NewToolset(nil)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "loose", Description: "Sets the remark."}, run)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "made", Describe: func(allows func(schema.Gate) bool) string {
		if allows(schema.Gate{Pred: "requires", Arg: "admin"}) {
			return "Sets the note or the remark."
		}
		return "Sets the note."
	}}, run)
	j := &journal{}
	opts := j.options()
	opts.Tools = set
	s := newServer(t, newShop(), opts)
	for token, want := range map[string]string{tokenOne: "Sets the note.", tokenAdmin: "Sets the note or the remark."} {
		for _, over := range []string{"HTTP", "stdio"} {
			res, err := connect(t, s, over, token, nil).ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, tool := range res.Tools {
				if tool.Name == "made" && tool.Description != want {
					t.Errorf("%s over %s: %q", token, over, tool.Description)
				}
			}
		}
	}
	_, log := j.read()
	for _, want := range []string{"its title or description names remark, which is behind a gate", "in.Note: its text names remark"} {
		if strings.Count(log, want) == 0 {
			t.Errorf("the log does not say %q: %s", want, log)
		}
	}
	if strings.Contains(log, "made") && strings.Contains(log, "Sets") {
		t.Errorf("the log tells of a text that is made: %s", log)
	}
}

// What a tool has read shows in its event, whatever it came to, and the names that it reads by are for the log
// alone.
func TestReadsOfHostedTools(t *testing.T) {
	t.Parallel()
	set := mcpserver.NewToolset(nil)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "both"}, func(ctx context.Context, c *mcpserver.Call, _ struct{}) (struct{}, error) {
		if _, err := c.Reader().List(ctx, executors.ListRequest{Resource: "orders"}); err != nil {
			return struct{}{}, err
		}
		_, err := c.Reader().List(ctx, executors.ListRequest{Resource: "nowhere"})
		return struct{}{}, err
	})
	j := &journal{}
	opts := j.options()
	opts.Tools = set
	url := serve(t, newShop(), opts)
	mistakes := mistakesOf(t, resultOf(t, post(t, url, toolCall("both", "{}")).Body).Text)
	if len(mistakes) != 1 || mistakes[0].Code != "internal" || strings.Contains(mistakes[0].Message, "nowhere") {
		t.Errorf("%+v", mistakes)
	}
	events, log := j.read()
	if diff := cmp.Diff(1, len(events)); diff != "" || events[0].Rows == 0 || events[0].Outcome != mcpserver.OutcomeError || !strings.Contains(log, `there is no resource \"nowhere\"`) {
		t.Errorf("%+v %s", events, log)
	}
}

// A server with tools of its own is not called read-only as a whole.
func TestInstructionsOfHostedTools(t *testing.T) {
	t.Parallel()
	for _, hosted := range []bool{false, true} {
		opts := quiet()
		if hosted {
			opts = staffed(newWorkshop(nil), opts)
		}
		body := post(t, serve(t, newShop(), opts), request("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}`)).Body
		if strings.Contains(body, "Read-only access to the rows") == hosted || strings.Contains(body, "other tools say themselves what they do") != hosted || !strings.Contains(body, "Work in this order") {
			t.Errorf("hosted %v: %s", hosted, body)
		}
	}
}
