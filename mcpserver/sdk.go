package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"

	sdkauth "github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/resource"
)

func (s *Server) implementation() *mcp.Implementation {
	return &mcp.Implementation{Name: s.opts.Name, Version: s.opts.Version}
}

// newSDK returns the one long-lived server of the SDK. It serves the same tools to every caller.
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
	no := false
	for _, t := range s.tools {
		declared := &mcp.Tool{
			Name: t.name, Title: t.Tool.Title, Description: t.Tool.Description, InputSchema: t.Tool.InputSchema,
			Annotations: &mcp.ToolAnnotations{
				Title: t.Tool.Title, ReadOnlyHint: true, DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no,
			},
		}
		if s.opts.Content != ContentText {
			declared.OutputSchema = t.Tool.OutputSchema
		}
		server.AddTool(declared, s.handler(t))
	}
	s.addQueries(server)
	server.AddReceivingMiddleware(s.contain)
	return server
}

// contain keeps a crash behind the SDK's own methods from ending the process: it runs them on
// goroutines that nobody else guards.
func (s *Server) contain(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		defer func() {
			if v := recover(); v != nil {
				reference := newReference()
				s.opts.Logger.LogAttrs(ctx, slog.LevelError, "a method crashed", slog.String("reference", reference),
					slog.String("cause", (&crash{value: v, stack: debug.Stack()}).Error()))
				res, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: internalMessage + reference}
			}
		}()
		return next(ctx, method, req)
	}
}

// handler runs a tool for the SDK.
func (s *Server) handler(t *tool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		p, chosen := callerIn(req.Extra)
		r := s.run(ctx, &call{tool: t, principal: p, selection: chosen, arguments: req.Params.Arguments})
		res := &mcp.CallToolResult{IsError: r.isError}
		if s.opts.Content != ContentStructured {
			res.Content = []mcp.Content{&mcp.TextContent{Text: string(r.body)}}
		}
		if s.opts.Content != ContentText {
			res.StructuredContent = json.RawMessage(r.body)
		}
		return res, nil
	}
}

// Keys of TokenInfo.Extra.
const (
	extraPrincipal = "principal"
	extraSelection = "selection"
	extraMessage   = "message"
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
		if m.method == methodCall && s.tool(m.name) == nil {
			f.message = s.unknownTool(m.name)
		}
	case jsonrpc.CodeInternalError:
		f.message = wire.Message
	case mcp.CodeUnsupportedProtocolVersion:
		f.message, f.data = "this protocol version is not supported: send one of those listed", wire.Data
	default:
		f.code = jsonrpc.CodeInvalidRequest
		f.message = "this request is not accepted here: send initialize first, with the params that MCP describes"
	}
	return f
}

func (s *Server) unknownTool(name string) string {
	var names []string
	for _, t := range s.tools {
		names = append(names, t.name)
	}
	return "there is no tool " + resource.Echo(name) + ": use one of " + strings.Join(names, ", ")
}
