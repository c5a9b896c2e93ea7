// Package mcpserver serves the tools over the Model Context Protocol: resources, resource_schema, get and
// list, and aggregate where a resource takes part in it, over HTTP and over stdio.
//
//	handler, err := mcpserver.Handler(exec, verifier, &mcpserver.Options{Name: "acme", Prefix: "acme_"})
//	http.Handle("/mcp", handler)
//
// A front of our own reads every message once, strictly, and refuses what is malformed, too large, of a
// foreign origin or without a good token, always as JSON. It runs the calls of the tools itself,
// since the SDK's way costs several times a whole page; everything else goes to the official SDK's
// server, which also has the tools registered and runs their calls on stdio. Tests compare both ways.
//
// A host's own tools stand beside these: a Toolset holds them, AddTool makes one of two Go structs and a
// handler, and each caller is told, and may send and gets back, what a Policy allows it. A handler reads
// through its Call, tells of progress, and asks the person behind the client.
//
// Beside the tools, a row can be read by its URI, tenantry://RESOURCE/ID, and tenantry://RESOURCE describes
// a resource: the MCP resources and completions of the same callers, by the same rules.
//
// HTTP is stateless: any replica answers any call, a session id is ignored and none is given.
package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/internal/seal"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/tenant"
)

// reader is what the tools need of an executor.
type reader interface {
	List(ctx context.Context, p *auth.Principal, req executors.ListRequest) (*executors.Answer, error)
	Get(ctx context.Context, p *auth.Principal, req executors.GetRequest) (*executors.Answer, error)
	Aggregate(ctx context.Context, p *auth.Principal, req executors.AggregateRequest) (*executors.Answer, error)
	Aggregates() bool
	Resources(p *auth.Principal) *executors.Answer
	Schema(ctx context.Context, p *auth.Principal, name string, mistakes resource.Errors) (*executors.Answer, error)
	TenantKind() tenant.Kind
}

// Server answers the calls of the tools. It is immutable after New and safe for concurrent use.
type Server struct {
	reader reader
	opts   Options
	peers  *peers
	tools  []*tool
	hosts  *hosts // nil without tools of the host
	seal   *seal.Ring
	now    func() time.Time
	sdk    *mcp.Server

	entries [][]byte // of the framework's tools in tools/list
	about   []byte   // what sessionless results say of the server, as a member with its comma
}

// newServer builds a Server over any reader.
func newServer(r reader, opts *Options) (*Server, error) {
	o, err := opts.resolve()
	if err != nil {
		return nil, err
	}
	s := &Server{reader: r, opts: o, now: time.Now}
	if s.seal, err = seal.New("tenantry request state", o.StateKeys); err != nil {
		return nil, fmt.Errorf("mcpserver: StateKeys: %w", err)
	}
	if s.peers, err = newPeers(&o); err != nil {
		return nil, err
	}
	if s.tools, err = newTools(o.Prefix); err != nil {
		return nil, err
	}
	s.tools = offered(r, s.tools)
	if s.hosts, err = newHosts(o.Tools, &o); err != nil {
		return nil, err
	}
	about, err := json.Marshal(s.implementation())
	if err != nil {
		return nil, fmt.Errorf("mcpserver: %w", err)
	}
	if s.hosts != nil {
		for _, h := range s.hosts.tools {
			h.warn(o.Logger)
		}
	}
	s.about = fmt.Appendf(nil, `"_meta":{%q:%s},`, mcp.MetaKeyServerInfo, about)
	s.entries = s.newEntries()
	s.sdk = s.newSDK()
	return s, nil
}

// HTTP returns the handler of one MCP endpoint, for any ServeMux. A verifier that is for development
// only is refused unless the host listens on a loopback address.
func (s *Server) HTTP(v auth.Verifier) (http.Handler, error) {
	if v == nil {
		return nil, errors.New("mcpserver: the handler needs a verifier")
	}
	f := &front{Server: s, verifier: v}
	if d, ok := v.(interface{ DevelopmentOnly() bool }); ok {
		f.development = d.DevelopmentOnly()
	}
	if f.development && s.opts.Listen != "" && !loopbackAddress(s.opts.Listen) {
		return nil, fmt.Errorf("mcpserver: static tokens are for development: listen on 127.0.0.1 instead of %s, or use a real verifier", s.opts.Listen)
	}
	return f, nil
}

// Call runs one tool for an already verified principal, without a network: the answer's JSON, or the
// error's with isError true. The tool may be named with or without the prefix; err is for a name that is
// no tool for the principal. A principal with several tenants must have one of them active for list, get and aggregate.
func (s *Server) Call(ctx context.Context, p *auth.Principal, tool string, args json.RawMessage) (body []byte, isError bool, err error) {
	t := s.named(tool)
	if t == nil {
		return nil, false, fmt.Errorf("mcpserver: there is no tool %s: use %s", resource.Echo(tool), s.plainTools())
	}
	if args != nil && !wellFormed(args) {
		return nil, false, errors.New("mcpserver: the arguments are not one JSON document in UTF-8")
	}
	r := s.run(ctx, &call{tool: t, named: tool, principal: p, arguments: args})
	if r.fault != nil {
		return nil, false, errors.New("mcpserver: " + r.fault.message)
	}
	return r.body, r.isError, nil
}

// named is a tool by its name with or without the prefix, or nil where there can be none of that name.
func (s *Server) named(name string) *tool {
	for _, n := range []string{name, s.opts.Prefix + name} {
		if t := s.tool(n); t != nil {
			return t
		}
		if s.hosts != nil && s.hosts.byName[n] != nil {
			return s.hosts.tool(n)
		}
	}
	if s.hosts != nil {
		return s.hosts.tool(name)
	}
	return nil
}

// plainTools names the tools without their prefix, in the order in which an agent meets them.
func (s *Server) plainTools() string {
	names := "resources, resource_schema, get or list"
	if s.tool(s.opts.Prefix+plainAggregate) != nil {
		names = "resources, resource_schema, get, list or " + plainAggregate
	}
	return names
}

func (s *Server) tool(name string) *tool {
	for _, t := range s.tools {
		if t.name == name {
			return t
		}
	}
	return nil
}
