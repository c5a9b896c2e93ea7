package mcpserver

import (
	"context"
	"errors"
	"log/slog"
	"slices"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

// Reader reads the registered resources for the caller of a host's tool, by all the rules of the tools get,
// list and aggregate: inside its active tenant, and only what it may see. It can be pointed at nobody else.
// Its errors may be returned by the handler as they are; they have no path, since the caller knows nothing of
// the request. A request that names what is not there, or not for this caller, is a mistake of the host: the
// agent gets a reference, and the log the rest. Each read sees the database at a moment of its own.
type Reader struct {
	call  *Call
	relay bool
}

// Relay returns the Reader for requests whose names are the agent's own, from its arguments: it is told what is
// wrong with them, and what there is.
func (r *Reader) Relay() *Reader { return &Reader{call: r.call, relay: true} }

// List answers one page of a resource's rows.
func (r *Reader) List(ctx context.Context, req executors.ListRequest) (*executors.Answer, error) {
	return read(r, func(from reader, p *auth.Principal) (*executors.Answer, error) { return from.List(ctx, p, req) })
}

// Get answers one row by its key.
func (r *Reader) Get(ctx context.Context, req executors.GetRequest) (*executors.Answer, error) {
	return read(r, func(from reader, p *auth.Principal) (*executors.Answer, error) { return from.Get(ctx, p, req) })
}

// Aggregate answers groups of a resource's rows.
func (r *Reader) Aggregate(ctx context.Context, req executors.AggregateRequest) (*executors.Answer, error) {
	return read(r, func(from reader, p *auth.Principal) (*executors.Answer, error) { return from.Aggregate(ctx, p, req) })
}

func read(r *Reader, ask func(reader, *auth.Principal) (*executors.Answer, error)) (*executors.Answer, error) {
	c := r.call
	p := c.Principal()
	if p == nil {
		return nil, errors.New("mcpserver: the call is over: read before the handler returns")
	}
	if expired(p) { // in the middle of the call, while a person was asked, say
		return nil, errUnauthenticated
	}
	answer, err := ask(c.server.reader, p)
	if err != nil {
		if err = pathless(err); misnamed(err) && !r.relay {
			c.server.opts.Logger.Error("a tool's read names what is not there, or not for its caller", slog.String("tool", c.call.tool.plain), slog.String("message", err.Error()))
			return nil, resource.Internal(err)
		}
		return nil, err
	}
	c.spend(answer)
	return answer, nil
}

// misnamed reports whether a request names what is not there, or not for this caller: where the names are the
// host's, the agent can do nothing about them and is not to learn them.
func misnamed(err error) bool {
	var all resource.Errors
	return slices.ContainsFunc(all.Add(err), func(e *resource.Error) bool {
		switch e.Code {
		case resource.UnknownResource, resource.UnknownField, resource.UnknownFilter, resource.UnknownArgument:
			return true
		default:
			return false
		}
	})
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
