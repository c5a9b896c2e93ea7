package mcpserver

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
)

// Bounds of one answer. The protocol sets the one of completions.
const (
	maxListed    = 200
	maxCompleted = 100
)

// listing answers a query that reads no row. What depends on the caller is built from the answer of the
// resources tool alone, so that it names nothing that the tool does not.
func (s *Server) listing(ctx context.Context, q *query) (mcp.Result, *fault) {
	switch q.message.method {
	case methodTemplates:
		return s.templates(q.message.cursor)
	case methodResources:
		return s.listResources(ctx, q)
	default:
		return s.complete(ctx, q)
	}
}

func (s *Server) templates(cursor string) (mcp.Result, *fault) {
	if cursor != "" {
		return nil, badCursor()
	}
	return &mcp.ListResourceTemplatesResult{
		Cacheable: mcp.Cacheable{CacheScope: "private"},
		ResourceTemplates: []*mcp.ResourceTemplate{{
			Name: "row", Title: "A row by its key", MIMEType: mediaJSON, URITemplate: rowTemplate,
			Description: withNames("One row as JSON: resource is a name of resources/list, and id is what {{get}} takes as id, both percent-encoded once.", s.opts.Prefix),
		}},
	}, nil
}

// listResources lists a description of each resource, by pages. The cursor is a position among what the
// caller itself may see.
func (s *Server) listResources(ctx context.Context, q *query) (mcp.Result, *fault) {
	all, f := s.catalogue(ctx, q)
	if f != nil {
		return nil, f
	}
	from, ok := position(q.message.cursor, len(all))
	if !ok {
		return nil, badCursor()
	}
	res := &mcp.ListResourcesResult{Cacheable: mcp.Cacheable{CacheScope: "private"}, Resources: []*mcp.Resource{}}
	for _, e := range all[from:min(from+maxListed, len(all))] {
		res.Resources = append(res.Resources, &mcp.Resource{
			Name: e.Name, Title: "Schema of " + e.Name, URI: resourceURI(e.Name), MIMEType: mediaMarkdown, Description: e.about(),
		})
	}
	if next := from + maxListed; next < len(all) {
		res.NextCursor = strconv.Itoa(next)
	}
	return res, nil
}

// position reads a cursor of ours: a whole number of pages, spelt as we spell it.
func position(cursor string, n int) (int, bool) {
	if cursor == "" {
		return 0, true
	}
	at, err := strconv.Atoi(cursor)
	return at, err == nil && 0 < at && at < n && at%maxListed == 0 && strconv.Itoa(at) == cursor
}

// complete completes the name of a resource. Keys are not completed: that would be another way to list rows.
func (s *Server) complete(ctx context.Context, q *query) (mcp.Result, *fault) {
	res := &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}
	if q.message.argument != "resource" {
		return res, nil
	}
	all, f := s.catalogue(ctx, q)
	if f != nil {
		return nil, f
	}
	details := &res.Completion
	for _, e := range all {
		if !strings.HasPrefix(e.Name, q.message.typed) {
			continue
		}
		if details.Total++; len(details.Values) < maxCompleted {
			details.Values = append(details.Values, e.Name)
		}
	}
	details.HasMore = details.Total > len(details.Values)
	return res, nil
}

// catalogueEntry is one of the resources tool's answer.
type catalogueEntry struct {
	Name        string
	Description string
	Note        string
}

func (e catalogueEntry) about() string { return strings.TrimSpace(e.Description + " " + e.Note) }

// catalogue is what the resources tool answers this caller. It is no call of its own for the events.
func (s *Server) catalogue(ctx context.Context, q *query) ([]catalogueEntry, *fault) {
	var list struct{ Resources []catalogueEntry }
	run := func(_ context.Context, r reader, p *auth.Principal, _ *arguments) (*executors.Answer, error) {
		answer := r.Resources(p)
		return answer, json.Unmarshal(answer.JSON, &list)
	}
	out, _ := s.attempt(ctx, &call{
		tool: &tool{plain: q.message.method, run: run}, principal: q.principal, selection: q.selection,
	})
	if out.isError {
		return nil, q.fault(out.mistakes[0])
	}
	return list.Resources, nil
}
