package main

import (
	"context"
	"time"

	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/resource"
)

type said struct {
	Text string `json:"text"`
}

// prescribed is the tools that the conformance suite calls by name, as far as this API can serve them.
func prescribed() *mcpserver.Toolset {
	set := mcpserver.NewToolset(nil)
	add := func(name string, handler func(context.Context, *mcpserver.Call, struct{}) (said, error)) {
		mcpserver.AddTool(set, mcpserver.ToolSpec{Name: name, Description: "Is prescribed.", AnyTenant: true, ReadOnly: true}, handler)
	}
	add("test_simple_text", func(context.Context, *mcpserver.Call, struct{}) (said, error) {
		return said{"This is a simple text response for testing."}, nil
	})
	add("test_error_handling", func(context.Context, *mcpserver.Call, struct{}) (said, error) {
		return said{}, resource.Errorf(resource.InvalidArgument, "", "this tool always fails")
	})
	add("test_tool_with_progress", func(ctx context.Context, c *mcpserver.Call, _ struct{}) (said, error) {
		for _, done := range []float64{0, 50, 100} {
			c.Progress(ctx, done, 100, "")
			time.Sleep(10 * time.Millisecond)
		}
		return said{"done"}, nil
	})
	add("test_input_required_result_elicitation", asks[struct {
		Name string `json:"name"`
	}]("user_name", "What is your name?"))
	add("test_input_required_result_request_state", asks[struct {
		OK bool `json:"ok"`
	}]("confirm", "Please confirm"))
	add("test_input_required_result_multi_round", asksTwice)
	add("test_streaming_elicitation", asks[struct{}]("consent", "Go on?"))
	return set
}

// asks is a handler with one question.
func asks[T any](name, message string) func(context.Context, *mcpserver.Call, struct{}) (said, error) {
	return func(ctx context.Context, c *mcpserver.Call, _ struct{}) (said, error) {
		answer, err := mcpserver.Ask[T](ctx, c, name, message)
		return said{"state-ok " + string(answer.Action)}, err
	}
}

func asksTwice(ctx context.Context, c *mcpserver.Call, _ struct{}) (said, error) {
	name, err := mcpserver.Ask[struct {
		Name string `json:"name"`
	}](ctx, c, "step1", "Step 1: What is your name?")
	if err != nil {
		return said{}, err
	}
	color, err := mcpserver.Ask[struct {
		Color string `json:"color"`
	}](ctx, c, "step2", "Step 2: What is your favorite color?")
	return said{name.Value.Name + " likes " + color.Value.Color}, err
}
