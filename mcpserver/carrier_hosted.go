package mcpserver

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addHosted registers the host's tools with the SDK, for stdio: their names alone, since what they look like
// depends on the caller.
func (s *Server) addHosted(server *mcp.Server) {
	if s.hosts == nil {
		return
	}
	for _, h := range s.hosts.tools {
		server.AddTool(&mcp.Tool{Name: h.tool.name, InputSchema: json.RawMessage(`{"type":"object"}`)}, s.handler(h.tool))
	}
	server.AddReceivingMiddleware(s.visibility)
}

// visibility answers what the SDK would answer the same for every caller: the list of tools, and the call of
// one that is not there. Tools that are there decide for themselves.
func (s *Server) visibility(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch req := req.(type) {
		case *mcp.ListToolsRequest:
			return s.listedTools(ctx, queryIn(method, req.Extra), linesIn(req.Extra))
		case *mcp.CallToolRequest:
			name := req.Params.Name
			if s.tool(name) == nil && s.hosts.byName[name] == nil {
				res, err := s.handler(s.hosts.tool(name))(ctx, req)
				if err != nil {
					return nil, err
				}
				return res, nil
			}
		}
		return next(ctx, method, req)
	}
}

func (s *Server) listedTools(ctx context.Context, q *query, l *lines) (mcp.Result, error) {
	var number int
	if l != nil {
		number = l.listing()
	}
	page, f := s.page(ctx, q)
	if f != nil {
		return nil, carried(f)
	}
	if l != nil && l.told(number, page) {
		l.listChanged()
	}
	res := &mcp.ListToolsResult{Cacheable: mcp.Cacheable{CacheScope: "private"}, NextCursor: page.next, Tools: []*mcp.Tool{}}
	for _, o := range page.offers {
		if o.host == nil {
			res.Tools = append(res.Tools, s.declared(s.tools[o.ours]))
			continue
		}
		text := s.appendOffer(ctx, nil, o, page.caller)
		var t struct{ InputSchema, OutputSchema json.RawMessage }
		if err := json.Unmarshal(text, &t); err != nil {
			return nil, err
		}
		tool := &mcp.Tool{
			Name: o.name, Title: o.host.spec.Title, Description: o.host.description(o.decision), Annotations: o.host.annotations(), InputSchema: t.InputSchema,
		}
		if t.OutputSchema != nil {
			tool.OutputSchema = t.OutputSchema
		}
		res.Tools = append(res.Tools, tool)
	}
	return res, nil
}
