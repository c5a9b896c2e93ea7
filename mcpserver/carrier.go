package mcpserver

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// anywhere is the one URI that the SDK knows of, and by which it carries every reading. A template of ours
// would cost it a regular expression per reading, and what does not match would be refused in its words.
const anywhere = "tenantry:read"

// addQueries has the SDK answer queries by our own means, for stdio.
func (s *Server) addQueries(server *mcp.Server) {
	server.AddResource(&mcp.Resource{Name: "read", URI: anywhere}, s.readResource)
	server.AddReceivingMiddleware(s.listings)
}

// listings answers what lists in place of the SDK, whose own lists are the same for every caller.
func (s *Server) listings(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if !isQuery(method) || method == methodRead {
			return next(ctx, method, req)
		}
		res, f := s.listing(ctx, queryIn(method, req.GetExtra()))
		if f != nil {
			return nil, carried(f)
		}
		return res, nil
	}
}

// readResource answers resources/read. It is a handler and no middleware, since the SDK completes only the
// results of handlers.
func (s *Server) readResource(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	q := queryIn(methodRead, req.Extra)
	d, f := s.read(ctx, q)
	if f != nil {
		return nil, carried(f)
	}
	return &mcp.ReadResourceResult{
		Contents: []*mcp.ResourceContents{{URI: q.message.uri, MIMEType: d.media, Text: string(d.text)}},
	}, nil
}

// queryIn returns the query that came in with a request, for nobody if it came in by no transport of ours.
func queryIn(method string, e *mcp.RequestExtra) *query {
	q := &query{message: &message{method: method}}
	if q.principal, q.selection = callerIn(e); q.principal == nil {
		return q
	}
	if m, ok := e.TokenInfo.Extra[extraMessage].(*message); ok {
		q.message = m
	}
	return q
}

// A carriedFault is a fault of ours on its way through the SDK.
type carriedFault struct{ fault *fault }

func carried(f *fault) error { return &carriedFault{f} }

func (c *carriedFault) Error() string { return c.fault.message }

// Unwrap gives transports that are none of ours the code.
func (c *carriedFault) Unwrap() error {
	return &jsonrpc.Error{Code: c.fault.code, Message: c.fault.message}
}
