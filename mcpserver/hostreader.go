package mcpserver

import (
	"context"
	"errors"
	"log/slog"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

// Reader reads the registered resources for the caller of a host's tool, by all the rules of the tools get,
// list and aggregate: inside its active tenant, and only what it may see. It can be pointed at nobody else.
// Its errors may be returned by the handler as they are; they have no path, since the caller knows nothing of
// the request. Each read sees the database at a moment of its own.
type Reader struct{ call *Call }

// List answers one page of a resource's rows.
func (r *Reader) List(ctx context.Context, req executors.ListRequest) (*executors.Answer, error) {
	return read(r.call, func(from reader, p *auth.Principal) (*executors.Answer, error) { return from.List(ctx, p, req) })
}

// Get answers one row by its key.
func (r *Reader) Get(ctx context.Context, req executors.GetRequest) (*executors.Answer, error) {
	return read(r.call, func(from reader, p *auth.Principal) (*executors.Answer, error) { return from.Get(ctx, p, req) })
}

// Aggregate answers groups of a resource's rows.
func (r *Reader) Aggregate(ctx context.Context, req executors.AggregateRequest) (*executors.Answer, error) {
	return read(r.call, func(from reader, p *auth.Principal) (*executors.Answer, error) { return from.Aggregate(ctx, p, req) })
}

func read(c *Call, ask func(reader, *auth.Principal) (*executors.Answer, error)) (*executors.Answer, error) {
	p := c.Principal()
	if p == nil {
		return nil, errors.New("mcpserver: the call is over: read before the handler returns")
	}
	if expired(p) { // in the middle of the call, while a person was asked, say
		return nil, errUnauthenticated
	}
	answer, err := ask(c.server.reader, p)
	if err != nil {
		c.refusedRead(err)
		return nil, pathless(err)
	}
	c.spend(answer)
	return answer, nil
}

// refusedRead tells the operator of a request that names what is not there, or not for this caller: the names
// are the host's, and the agent can do nothing about them.
func (c *Call) refusedRead(err error) {
	var all resource.Errors
	for _, e := range all.Add(err) {
		switch e.Code {
		case resource.UnknownResource, resource.UnknownField, resource.UnknownFilter, resource.InvalidFilter, resource.UnknownArgument:
			c.server.opts.Logger.Warn("a tool's read was refused", slog.String("tool", c.call.tool.plain), slog.String("code", string(e.Code)), slog.String("path", e.Path))
		default:
		}
	}
}

// pathless is an error of a read without its paths, which point into a request that the caller has not made.
func pathless(err error) error {
	var all resource.Errors
	switch err := err.(type) {
	case *resource.Error:
		all = resource.Errors{err}
	case resource.Errors:
		all = err
	default:
		return err
	}
	out := make(resource.Errors, len(all))
	for i, e := range all {
		shown := *e
		shown.Path = ""
		out[i] = &shown
	}
	if len(out) == 1 {
		return out[0]
	}
	return out
}
