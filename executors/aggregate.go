package executors

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/resource"
)

// AggregateRequest is one call of aggregate. Its zero members are what absent arguments mean.
type AggregateRequest struct {
	Resource string

	// Filter is a filter object as JSON, as in ListRequest; nil means every row.
	Filter json.RawMessage

	// GroupBy names at most three groupable fields; dates and timestamps with a unit, "placed_at:month".
	// Empty: all rows are one group.
	GroupBy []string

	// Measures names what is measured, "count" or "sum:total", at most ten. Empty: count.
	Measures []string

	// Sort names members of GroupBy and Measures, "-" before a name for descending. What remains of
	// GroupBy follows, ascending.
	Sort []string

	// Limit is the number of groups; nil means the default.
	Limit *int

	// Mistakes: as in ListRequest.
	Mistakes resource.Errors
}

// Aggregates reports whether some resource that clients can reach lets aggregate group or measure its fields.
func (x *Executor) Aggregates() bool {
	return slices.ContainsFunc(x.reg.All(), func(r *resource.Resource) bool {
		return !r.Internal() && len(r.Groupable())+len(r.Measures()) > 0
	})
}

// Aggregate answers groups of a resource's rows in the principal's active tenant, and what was measured in
// each. Errors are as for List.
func (x *Executor) Aggregate(ctx context.Context, p *auth.Principal, req AggregateRequest) (*Answer, error) {
	return x.afresh(ctx, func() (*Answer, error) { return x.aggregate(ctx, p, req) })
}

func (x *Executor) aggregate(ctx context.Context, p *auth.Principal, req AggregateRequest) (*Answer, error) {
	if err := needTenant(p); err != nil {
		return nil, req.Mistakes.Add(err)
	}
	pl, err := x.planAggregate(p, req)
	if err != nil {
		return nil, err
	}
	c, err := x.compiled(pl, shapeGroups, x.builder(pl).groups)
	if err != nil {
		return nil, resource.Internal(err)
	}
	g := &groups{}
	g.start(x, pl, c)
	defer g.release()
	if err := g.run(ctx, p); err != nil {
		return nil, err
	}
	return g.answer(), nil
}

// groups is one call of aggregate on its way.
type groups struct{ rows }

func (g *groups) run(ctx context.Context, p *auth.Principal) error {
	x := g.x
	g.tenant = p.Tenant().Key()
	// The statement's budget is that of any other, but running out of it is told in words of its own.
	s := &Statement{
		SQL: g.c.sql, Args: g.pl.args(g.c), Binary: g.c.binary, OIDs: g.c.oids, Row: g.row, Timeout: x.opts.StatementTimeout,
	}
	began := time.Now()
	err := x.db.Run(ctx, &Call{
		Tenant: p.Tenant(), StatementTimeout: x.opts.StatementTimeout, LockTimeout: x.opts.LockTimeout, Statements: []*Statement{s},
	})
	g.spent = time.Since(began)
	if err == nil && s.TimedOut {
		return resource.Errorf(resource.Timeout, "",
			"the groups were not ready in time: send a filter that finds fewer rows, or ask for fewer groups and measures")
	}
	return g.failed(ctx, err)
}

// row takes one group.
func (g *groups) row(values [][]byte) error {
	switch {
	case !g.ours(values[g.c.witness:]):
		g.foreign = g.bd
		return ErrForeign
	case g.n == g.pl.limit:
		g.more = true
		return ErrStop
	}
	mark, budget := len(g.buf), g.x.opts.PageBytes-metaBytes
	if g.n > 0 {
		g.buf = append(g.buf, ',')
	}
	out, err := g.c.enc.Append(g.buf, values, nil, g.x.opts.PageBytes)
	switch {
	case err == nil && len(out) <= budget:
		g.buf = out
	case g.n > 0: // only whole groups
		g.buf, g.more, g.truncated = g.buf[:mark], true, true
		return ErrStop
	default:
		if g.buf, g.cut, err = g.c.enc.AppendCut(g.buf, values, nil, budget-mark-g.c.naming); err != nil {
			return resource.Internal(err)
		}
	}
	g.n++
	return nil
}

// groupWitnesses is how many values tell whose rows a group is made of: their number, how many are not the
// caller's, and the least and the greatest tenant.
const groupWitnesses = 4

// ours is the witness of a group. It trusts the statement no more than that of a row does: the tenants are
// compared here. Rows that are flagged as shared have none to compare.
func (g *groups) ours(w [][]byte) bool {
	if g.bd.global() || !witnessWall {
		return true
	}
	rows, foreign, least, greatest := w[0], w[1], w[2], w[3]
	if string(foreign) != "0" {
		return false
	}
	if least == nil && greatest == nil {
		return string(rows) == "0" || slices.Contains(g.c.flags, true)
	}
	return string(least) == g.tenant && string(greatest) == g.tenant
}

// answer closes the JSON of the groups.
func (g *groups) answer() *Answer {
	buf := strconv.AppendInt(append(g.buf, `],"meta":{"limit":`...), int64(g.pl.limit), 10)
	buf = strconv.AppendInt(append(buf, `,"returned":`...), int64(g.n), 10)
	buf = strconv.AppendBool(append(buf, `,"has_more":`...), g.more)
	if g.truncated {
		buf = append(buf, `,"truncated":true`...)
	}
	if len(g.cut) > 0 {
		buf = appendNames(append(buf, `,"cut_fields":`...), g.cut)
	}
	g.buf = append(buf, "}}"...)
	return g.done()
}
