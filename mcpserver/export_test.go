package mcpserver

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tenantry/tenantry/auth"
)

// Source lets the tests put a fake in place of an executor.
type Source = reader

// NewServer is New over any Source.
var NewServer = newServer

// Message is what the front read of one message.
type Message struct {
	ID, Params, Arguments string
	Method, Name          string
	Reply                 bool
}

// Parse reads one message as the front does, and returns the code of its fault, or 0.
func Parse(body []byte) (Message, int64) {
	m, f := parse(body)
	out := Message{string(m.id), string(m.params), string(m.arguments), m.method, m.name, m.reply}
	if f != nil {
		return out, f.code
	}
	return out, 0
}

// WellFormed is what the front accepts as JSON.
var WellFormed = wellFormed

// Members returns names and values of a well-formed object in turn.
func Members(object []byte) (out []string) {
	for name, value := range members(object) {
		out = append(out, name, string(value))
	}
	return out
}

// Elements returns the elements of a well-formed array.
func Elements(array []byte) (out []string) {
	for value := range elements(array) {
		out = append(out, string(value))
	}
	return out
}

// Quoted is appendQuoted.
func Quoted(document []byte) string { return string(appendQuoted(nil, document)) }

// Canonical is the one form of a well-formed value.
func Canonical(raw []byte) string { return string(canonical(nil, raw)) }

// ViaSDK answers a well-formed call of a tool as the SDK would, and Direct as our front does.
func (s *Server) ViaSDK(ctx context.Context, p *auth.Principal, body []byte, version string) ([]byte, error) {
	m, _ := parse(body)
	x, err := s.ask(ctx, m, version, extraOf(p, selection{meta: find(m.meta, metaTenant)}, m))
	if err != nil {
		return nil, err
	}
	return appendResult(nil, m.id, x.answer.Result), nil
}

// Direct answers a call as the front does.
func (s *Server) Direct(ctx context.Context, p *auth.Principal, body []byte, version string) []byte {
	m, _ := parse(body)
	c := &call{tool: s.named(m.name), principal: p, arguments: m.arguments, selection: selection{meta: find(m.meta, metaTenant)}, client: client{message: m, revision: version}}
	return s.appendReply(nil, m.id, s.run(ctx, c), version)
}

// Contain wraps a method of the SDK as the server does.
func (s *Server) Contain(h mcp.MethodHandler) mcp.MethodHandler { return s.contain(h) }

// SDK returns the SDK's server, for a transport that is none of ours.
func (s *Server) SDK() *mcp.Server { return s.sdk }

// SetNow sets the clock of requestState, before the server serves.
func (s *Server) SetNow(now func() time.Time) { s.now = now }
