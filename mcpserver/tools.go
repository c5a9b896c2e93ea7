package mcpserver

import (
	"bytes"
	"context"
	_ "embed" // for the schemas
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
)

// The tools are written by hand, with {{name}} where a tool is named and {{error}} for the error that
// every answer may be. What clients refuse in a schema is listed in docs and tested.
var (
	//go:embed schemas/resources.json
	resourcesJSON string
	//go:embed schemas/resource_schema.json
	resourceSchemaJSON string
	//go:embed schemas/get.json
	getJSON string
	//go:embed schemas/list.json
	listJSON string
	//go:embed schemas/error.json
	errorJSON string
)

// tool is a tool and what runs it.
type tool struct {
	plain string // the name without the prefix
	name  string
	Tool  Tool

	arguments []string // the advertised names, in declared order
	required  []string
	tenant    bool // whether it reads rows, so that exactly one tenant must be active
	run       func(ctx context.Context, r reader, p *auth.Principal, a *arguments) (*executors.Answer, error)

	host *hostTool // what runs it in place of run; nil for a tool of ours, and for none
}

// Tool is a tool as agents see it.
type Tool struct {
	Name         string          `json:"name"`
	Title        string          `json:"title"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema"`
}

// Tools returns the tools of the framework as agents see them, by name. The host's own depend on the caller.
func (s *Server) Tools() []Tool {
	out := make([]Tool, len(s.tools))
	for i, t := range s.tools {
		out[i] = t.Tool
	}
	return out
}

// newTools reads the declarations and gives them the prefix.
func newTools(prefix string) ([]*tool, error) {
	tools := []*tool{
		aggregateTool(),
		{
			plain: "get", required: []string{"resource", "id"}, tenant: true, run: runGet,
			arguments: []string{"resource", "id", "fields", "include"},
		},
		{
			plain: "list", required: []string{"resource"}, tenant: true, run: runList,
			arguments: []string{"resource", "filter", "ids", "updated_since", "sort", "limit", "cursor", "offset", "fields", "include", "count"},
		},
		{plain: "resource_schema", arguments: []string{"resource"}, required: []string{"resource"}, run: runSchema},
		{plain: "resources", run: runResources},
	}
	texts := map[string]string{"get": getJSON, "list": listJSON, "resource_schema": resourceSchemaJSON, "resources": resourcesJSON, plainAggregate: aggregateJSON}
	for _, t := range tools {
		if err := json.Unmarshal([]byte(withNames(texts[t.plain], prefix)), &t.Tool); err != nil {
			return nil, fmt.Errorf("mcpserver: the declaration of %s: %w", t.plain, err)
		}
		t.name = t.Tool.Name
		t.Tool.InputSchema = compact(t.Tool.InputSchema)
		t.Tool.OutputSchema = compact(t.Tool.OutputSchema)
	}
	return tools, nil
}

// withNames fills in the prefixed names of the tools.
func withNames(text, prefix string) string {
	pairs := []string{`"{{error}}"`, errorJSON}
	for _, name := range []string{"resources", "resource_schema", "get", "list", plainAggregate} {
		pairs = append(pairs, "{{"+name+"}}", prefix+name)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

func compact(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}

func runResources(_ context.Context, r reader, p *auth.Principal, a *arguments) (*executors.Answer, error) {
	if err := a.mistakes.Err(); err != nil {
		return nil, err
	}
	return r.Resources(p), nil
}

func runSchema(ctx context.Context, r reader, p *auth.Principal, a *arguments) (*executors.Answer, error) {
	if a.resource == "" {
		return nil, a.unnamed(ctx, r, p)
	}
	return r.Schema(ctx, p, a.resource, a.mistakes)
}

func runGet(ctx context.Context, r reader, p *auth.Principal, a *arguments) (*executors.Answer, error) {
	req := executors.GetRequest{
		Resource: a.resource, ID: a.key("id"), Fields: a.names("fields"), Include: a.names("include"),
	}
	if req.Mistakes = a.mistakes; a.resource == "" {
		return nil, a.unnamed(ctx, r, p)
	}
	return r.Get(ctx, p, req)
}

func runList(ctx context.Context, r reader, p *auth.Principal, a *arguments) (*executors.Answer, error) {
	req := executors.ListRequest{
		Resource: a.resource, Filter: a.object("filter"), IDs: a.keys("ids"),
		UpdatedSince: a.text("updated_since", `"2026-07-01T00:00:00Z"`), Sort: a.names("sort"),
		Limit: a.integer("limit", 0, 25), Cursor: a.text("cursor", "meta.next_cursor of the page before, or leave cursor away for the first page"),
		Fields: a.names("fields"), Include: a.names("include"), Count: a.count("count"),
	}
	if offset := a.integer("offset", 0, 100); offset != nil {
		req.Offset = *offset
	}
	if req.Mistakes = a.mistakes; a.resource == "" {
		return nil, a.unnamed(ctx, r, p)
	}
	return r.List(ctx, p, req)
}
