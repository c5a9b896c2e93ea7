package mcpserver

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// agreed is the revision of the session, or "" where there is none.
func (l *lines) agreed() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.revision
}

// greet keeps the revision that a session on a stream agrees on, which need not be the one that the client
// asked for, and promises there alone to tell of changes.
func (s *Server) greet(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		if method != methodInit || err != nil {
			return res, err
		}
		l := linesIn(req.GetExtra())
		greeting, ok := res.(*mcp.InitializeResult)
		if l == nil || !ok {
			return res, nil
		}
		l.mu.Lock()
		l.revision = greeting.ProtocolVersion
		l.mu.Unlock()
		if s.hosts == nil {
			return res, nil
		}
		out, said := *greeting, *greeting.Capabilities
		said.Tools = &mcp.ToolCapabilities{ListChanged: true}
		out.Capabilities = &said
		return &out, nil
	}
}
