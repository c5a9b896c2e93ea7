package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"runtime/debug"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/schema"
)

var errUnauthenticated = resource.Errorf(resource.Unauthenticated, "", "the call carries no valid token: authenticate again")

// dispatchHosted runs a tool of the host. Whether the caller sees it is decided before anything else of the
// call is looked at.
func (s *Server) dispatchHosted(ctx context.Context, c *call, e *Event) (*executors.Answer, error) {
	e.Tool = other
	p, refusal := s.judged(c.principal, c.selection)
	h, d, err := s.find(ctx, c, p, e)
	if err != nil {
		return nil, err
	}
	e.Tool = c.tool.plain
	if refusal != nil {
		return nil, refusal
	}
	c.principal = p
	if c.client.answers() {
		if _, err := s.talk(c); err != nil {
			return nil, err
		}
	}
	active, err := s.activated(ctx, c)
	if err != nil {
		return nil, err
	}
	if active != p { // another caller to the predicates, and perhaps one that does not see the tool
		e.Tool = other
		if h, d, err = s.find(ctx, c, active, e); err != nil {
			return nil, err
		}
		e.Tool = c.tool.plain
	}
	c.principal = active
	handled := &Call{server: s, call: *c, principal: active, decision: d, asking: make(chan struct{}, 1)}
	defer func() { e.Rows, e.Database = handled.spent() }()
	return s.handle(ctx, handled, h)
}

// find returns the tool of a call with what its caller is allowed of it.
func (s *Server) find(ctx context.Context, c *call, p *auth.Principal, e *Event) (*hostTool, schema.Decision, error) {
	h, first := c.tool.host, s.hosts.decoy(c.tool.name)
	if h != nil {
		first = h.gates
	}
	d := s.decide(ctx, p, schema.Decision{}, first, e)
	if ctx.Err() != nil {
		return nil, d, ctx.Err()
	}
	if h != nil {
		v, ok := h.seen(d)
		c.client.noticed(p, h, v)
		if ok {
			return h, d, nil
		}
	}
	return nil, d, s.absent(ctx, p, d, cmp.Or(c.named, c.tool.name), e)
}

// handle decodes the arguments, has the handler answer, and lets nothing of the call outlive it.
func (s *Server) handle(ctx context.Context, c *Call, h *hostTool) (*executors.Answer, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer c.end()
	v, ok := h.seen(c.decision)
	if !ok {
		return nil, errors.New("a tool is not seen by who calls it")
	}
	arguments := trim(c.call.arguments)
	if k := kindOf(arguments); k == kindAbsent || k == kindNull {
		arguments = []byte("{}")
	}
	c.alive = ctx
	body, err := apart(func() (json.RawMessage, error) { return h.run(ctx, c, v, arguments, h.defaults(c.principal)) })
	asks := c.asked()
	returned, ok := errors.AsType[*asking](err)
	switch {
	case ok && (asks == nil || returned.question != asks.question):
		return nil, errors.New("the handler returned the question of another call")
	case ok:
		return nil, asks
	case err != nil:
		return nil, argumentMistakes(err, v.in)
	case asks != nil:
		return nil, errors.New("the handler did not return the error of Ask")
	}
	rows, database := c.spent()
	return &executors.Answer{JSON: body, Rows: rows, Database: database}, nil
}

// apart runs the host's code on a goroutine of its own: one that ends its goroutine ends its call, and not the
// connection that the call came by.
func apart(run func() (json.RawMessage, error)) (json.RawMessage, error) {
	var body json.RawMessage
	err := errors.New("the handler ended its goroutine")
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if v := recover(); v != nil {
				err = &crash{value: v, stack: debug.Stack()}
			}
		}()
		body, err = run()
	}()
	<-done
	return body, err
}

// defaults are the dynamic defaults of one caller, or nil.
func (h *hostTool) defaults(p *auth.Principal) schema.Defaults {
	if h.spec.Defaults == nil || p == nil {
		return nil
	}
	return func(ctx context.Context, key string) (any, bool, error) { return h.spec.Defaults(ctx, p, key) }
}
