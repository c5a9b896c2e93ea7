package mcpserver

import (
	"context"
	_ "embed" // for the schema
	"slices"
	"strings"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
)

//go:embed schemas/aggregate.json
var aggregateJSON string

const plainAggregate = "aggregate"

func aggregateTool() *tool {
	return &tool{
		plain: plainAggregate, required: []string{"resource"}, tenant: true, run: runAggregate,
		arguments: []string{"resource", "filter", "group_by", "measures", "sort", "limit"},
	}
}

// offered leaves aggregate out where no resource of the host takes part in it: such a server has no such
// tool. That is the same for every caller.
func offered(r reader, tools []*tool) []*tool {
	if r.Aggregates() {
		return tools
	}
	return slices.DeleteFunc(tools, func(t *tool) bool { return t.plain == plainAggregate })
}

func runAggregate(ctx context.Context, r reader, p *auth.Principal, a *arguments) (*executors.Answer, error) {
	req := executors.AggregateRequest{
		Resource: a.resource, Filter: a.object("filter"), GroupBy: a.names("group_by"), Measures: a.names("measures"),
		Sort: a.names("sort"), Limit: a.integer("limit", 1, 25),
	}
	if req.Mistakes = a.mistakes; a.resource == "" {
		return nil, a.unnamed(ctx, r, p)
	}
	return r.Aggregate(ctx, p, req)
}

// taught are the instructions, with our own also telling of aggregate and of tools of the host where there are any.
func (s *Server) taught() string {
	const before = "{{get}} reads one row by its key"
	text := s.opts.Instructions
	if text == instructions && s.tool(s.opts.Prefix+plainAggregate) != nil {
		text = strings.Replace(text, before, before+"; {{aggregate}} counts and adds up groups of rows", 1)
	}
	if s.opts.Instructions == instructions && s.hosts != nil {
		text = strings.Replace(text, alone, "The rows of one account, read-only by the tools named here; other tools say themselves what they do and change. ", 1)
	}
	return withNames(text, s.opts.Prefix)
}
