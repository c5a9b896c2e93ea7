package isolation_test

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

// call is one call of a tool.
type call struct {
	tool, resource string
	tenant         int
	token          token

	filter  *expr
	raw     any // a filter that the model does not understand
	ids     []string
	since   string
	sort    []string
	limit   int // negative: the default
	offset  int
	cursor  string
	fields  []string
	include []string
	count   string
	id      string
	groups  []string
	measure []string

	modelled bool          // the model says what the answer is
	fails    bool          // the host's own condition fails on a row of the tenant
	cancel   time.Duration // after which the caller is gone; 0 for one who waits
}

// token is what a caller has in its hands.
type token string

const (
	full token = "full" // every permission
	low  token = "low"  // neither staff nor secrets
	both token = "both" // full, for two tenants, of which each call names one
)

func (c *call) where() any {
	if c.filter != nil {
		return c.filter.json()
	}
	return c.raw
}

// arguments are those of the tool as a client sends them.
func (c *call) arguments() map[string]any {
	out := map[string]any{}
	put := func(name string, v any, given bool) {
		if given {
			out[name] = v
		}
	}
	put("resource", c.resource, c.tool != "resources")
	put("filter", c.where(), c.where() != nil)
	put("ids", c.ids, c.ids != nil)
	put("updated_since", c.since, c.since != "")
	put("sort", c.sort, len(c.sort) > 0)
	put("limit", c.limit, c.limit >= 0 && (c.tool == "list" || c.tool == "aggregate"))
	put("offset", c.offset, c.offset != 0)
	put("cursor", c.cursor, c.cursor != "")
	put("fields", c.fields, len(c.fields) > 0)
	put("include", c.include, len(c.include) > 0)
	put("count", c.count, c.count != "")
	put("id", c.id, c.tool == "get")
	put("group_by", c.groups, len(c.groups) > 0)
	put("measures", c.measure, len(c.measure) > 0)
	return out
}

func (c *call) String() string {
	return string(encoded(map[string]any{"tool": c.tool, "tenant": c.tenant, "token": c.token, "arguments": c.arguments()}))
}

func encoded(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

func optional(v any) json.RawMessage {
	if v == nil {
		return nil
	}
	return encoded(v)
}

// on runs the call on an executor and returns the answer, or the public half of its error.
func (c *call) on(ctx context.Context, x *executors.Executor, p *auth.Principal) (body []byte, failed bool) {
	if c.cancel > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, c.cancel)
		defer stop()
	}
	answer, err := c.read(ctx, x, p)
	if err != nil {
		return public(err), true
	}
	return answer.JSON, false
}

func (c *call) read(ctx context.Context, x *executors.Executor, p *auth.Principal) (*executors.Answer, error) {
	var limit *int
	if c.limit >= 0 {
		limit = &c.limit
	}
	switch c.tool {
	case "get":
		return x.Get(ctx, p, executors.GetRequest{Resource: c.resource, ID: encoded(c.id), Fields: c.fields, Include: c.include})
	case "list":
		var ids json.RawMessage
		if c.ids != nil {
			ids = encoded(c.ids)
		}
		return x.List(ctx, p, executors.ListRequest{
			Resource: c.resource, Filter: optional(c.where()), IDs: ids, UpdatedSince: c.since, Sort: c.sort, Limit: limit,
			Offset: c.offset, Cursor: c.cursor, Fields: c.fields, Include: c.include, Count: executors.CountMode(c.count),
		})
	case "aggregate":
		return x.Aggregate(ctx, p, executors.AggregateRequest{
			Resource: c.resource, Filter: optional(c.where()), GroupBy: c.groups, Measures: c.measure, Sort: c.sort, Limit: limit,
		})
	case "resource_schema":
		return x.Schema(ctx, p, c.resource, nil)
	default:
		return x.Resources(p), nil
	}
}

// public is an error as a client gets it, all of its mistakes included.
func public(err error) []byte {
	if all, ok := errors.AsType[resource.Errors](err); ok {
		return encoded(map[string]any{"error": all[0], "errors": all})
	}
	if one, ok := errors.AsType[*resource.Error](err); ok {
		return encoded(map[string]any{"error": one})
	}
	return encoded(map[string]any{"error": map[string]any{"code": "none", "message": err.Error()}})
}

// code is the one of an error document.
func code(body []byte) resource.Code {
	var doc struct {
		Error struct{ Code resource.Code }
	}
	_ = json.Unmarshal(body, &doc) // anything else has none
	return doc.Error.Code
}
