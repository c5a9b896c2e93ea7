package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"

	sdkauth "github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tenantry/tenantry/auth"
)

func (s *Server) implementation() *mcp.Implementation {
	return &mcp.Implementation{Name: s.opts.Name, Version: s.opts.Version}
}

// newSDK returns the one long-lived server of the SDK. What it knows of a tool of the host is its name alone.
func (s *Server) newSDK() *mcp.Server {
	server := mcp.NewServer(s.implementation(), &mcp.ServerOptions{
		Instructions: s.taught(),
		Logger:       slog.New(slog.DiscardHandler), // it logs a client's mistakes as errors, with their text
		Capabilities: &mcp.ServerCapabilities{
			Tools: &mcp.ToolCapabilities{}, Resources: &mcp.ResourceCapabilities{}, Completions: &mcp.CompletionCapabilities{},
		},
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) {
			// The default is public, and then a shared gateway may show one caller what another was told.
			*c = mcp.Cacheable{CacheScope: "private"}
		},
	})
	for _, t := range s.tools {
		server.AddTool(s.declared(t), s.handler(t))
	}
	s.addQueries(server)
	s.addHosted(server)
	server.AddReceivingMiddleware(s.greet)
	server.AddReceivingMiddleware(s.contain)
	return server
}

// declared is a tool of ours as clients are told of it.
func (s *Server) declared(t *tool) *mcp.Tool {
	no := false
	out := &mcp.Tool{
		Name: t.name, Title: t.Tool.Title, Description: t.Tool.Description, InputSchema: t.Tool.InputSchema,
		Annotations: &mcp.ToolAnnotations{
			Title: t.Tool.Title, ReadOnlyHint: true, DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no,
		},
	}
	if s.opts.Content != ContentText {
		out.OutputSchema = t.Tool.OutputSchema
	}
	return out
}

// contain keeps a crash behind the SDK's own methods from ending the process: it runs them on
// goroutines that nobody else guards.
func (s *Server) contain(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		defer func() {
			if v := recover(); v != nil {
				f := s.crashed(ctx, v)
				res, err = nil, &jsonrpc.Error{Code: f.code, Message: f.message}
			}
		}()
		return next(ctx, method, req)
	}
}

// crashed logs the crash of a method, and is what its caller learns of it.
func (s *Server) crashed(ctx context.Context, value any) *fault {
	reference := newReference()
	s.opts.Logger.LogAttrs(ctx, slog.LevelError, "a method crashed", slog.String("reference", reference),
		slog.String("cause", (&crash{value: value, stack: debug.Stack()}).Error()))
	return &fault{status: http.StatusInternalServerError, code: jsonrpc.CodeInternalError, message: internalMessage + reference}
}

// handler runs a tool for the SDK.
func (s *Server) handler(t *tool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		r := s.run(ctx, s.callIn(t, req))
		if r.fault != nil {
			return nil, carried(r.fault)
		}
		return s.resultOf(r), nil
	}
}

// callIn is the call that came in with a request, for nobody if it came in by no transport of ours.
func (s *Server) callIn(t *tool, req *mcp.CallToolRequest) *call {
	p, chosen := callerIn(req.Extra)
	c := &call{tool: t, principal: p, selection: chosen, arguments: req.Params.Arguments}
	if p == nil {
		return c
	}
	if m, ok := req.Extra.TokenInfo.Extra[extraMessage].(*message); ok {
		c.client = client{message: m, session: req.Session, lines: linesIn(req.Extra)}
		c.client.revision = c.client.speaks()
	}
	return c
}

// resultOf is a reply as the SDK takes it.
func (s *Server) resultOf(r reply) *mcp.CallToolResult {
	if r.asks != nil {
		q := r.asks.question
		return &mcp.CallToolResult{Content: []mcp.Content{}, RequestState: r.asks.state, InputRequests: mcp.InputRequestMap{
			q.name: &mcp.ElicitParams{Mode: "form", Message: q.message, RequestedSchema: json.RawMessage(q.schema)},
		}}
	}
	res := &mcp.CallToolResult{IsError: r.isError}
	if s.opts.Content != ContentStructured || r.textOnly {
		res.Content = []mcp.Content{&mcp.TextContent{Text: string(r.body)}}
	}
	if s.opts.Content != ContentText && !r.textOnly {
		res.StructuredContent = json.RawMessage(r.body)
	}
	return res
}

// Keys of TokenInfo.Extra.
const (
	extraPrincipal = "principal"
	extraSelection = "selection"
	extraMessage   = "message"
	extraLines     = "lines"
)

// extraOf carries one message and its caller to the tools and the queries. It belongs to the message and never to a
// session or a context: those outlive the token that opened them.
func extraOf(p *auth.Principal, chosen selection, m *message) *mcp.RequestExtra {
	return &mcp.RequestExtra{TokenInfo: &sdkauth.TokenInfo{
		UserID: callerOf(p), Expiration: p.Expires(),
		Extra: map[string]any{extraPrincipal: p, extraSelection: chosen, extraMessage: m},
	}}
}

// callerIn returns the caller of a request, or nil for one that came in by no transport of ours.
func callerIn(e *mcp.RequestExtra) (*auth.Principal, selection) {
	if e == nil || e.TokenInfo == nil {
		return nil, selection{}
	}
	p, _ := e.TokenInfo.Extra[extraPrincipal].(*auth.Principal)
	chosen, _ := e.TokenInfo.Extra[extraSelection].(selection)
	return p, chosen
}

// linesIn returns the stream that a request came in by, or nil.
func linesIn(e *mcp.RequestExtra) *lines {
	if e == nil || e.TokenInfo == nil {
		return nil
	}
	l, _ := e.TokenInfo.Extra[extraLines].(*lines)
	return l
}

// faultOf turns an error of the SDK into one that names no Go type and quotes no input. Codes are kept
// where JSON-RPC and MCP define them; the SDK gives code 0 to what it refuses before it knows better.
func (s *Server) faultOf(m *message, err error) *fault {
	if ours, ok := errors.AsType[*carriedFault](err); ok {
		return ours.fault
	}
	wire, ok := errors.AsType[*jsonrpc.Error](err)
	if !ok {
		wire = &jsonrpc.Error{}
	}
	f := &fault{status: http.StatusOK, code: wire.Code}
	switch wire.Code {
	case jsonrpc.CodeMethodNotFound:
		f.message = "there is no such method here: use tools/list and tools/call"
	case jsonrpc.CodeInvalidParams:
		f.message = "the params are not what this method takes"
		if m.method == methodCall && s.tool(m.name) == nil && s.hosts == nil {
			f.message = unknownTool(m.name, s.names())
		}
	case jsonrpc.CodeInternalError:
		f.message = wire.Message
	case mcp.CodeUnsupportedProtocolVersion:
		f.message, f.data = "this protocol version is not supported: send one of those listed", wire.Data
	default:
		f.code = jsonrpc.CodeInvalidRequest
		if m.method == methodInit {
			f.message = "this stream is in use already, with a session or without: go on as before, or begin a new one"
			break
		}
		f.message = "this request is not accepted here: send initialize first, with the params that MCP describes"
	}
	return f
}

// names are those of the framework's tools.
func (s *Server) names() []string {
	names := make([]string, len(s.tools))
	for i, t := range s.tools {
		names[i] = t.name
	}
	return names
}
