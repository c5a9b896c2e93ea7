package executors

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/tenant"
)

// proof is a statement that stands or falls with one member of a resource.
type proof struct {
	bd     *bound
	member string
	target *bound     // of a relation
	s      *Statement // nil when it could not be written
	err    error
}

// scopeMember is where a resource's own rows come from.
const scopeMember = "Scope"

// provenAtOnce is how many resources are proven in one call: enough to make a start of hundreds short, and few
// enough for the locks of one transaction.
const provenAtOnce = 8

func (p *proof) of(bd *bound, member string) *proof {
	p.bd, p.member = bd, member
	return p
}

func (p *proof) to(target *bound) *proof {
	p.target = target
	return p
}

// proof is the plan's statement as one to try: its rows are wanted by nobody.
func (pl *plan) proof(c *compiled, err error) *proof {
	if err != nil {
		return &proof{err: err}
	}
	return &proof{s: &Statement{
		SQL: c.sql, Args: pl.args(c), Binary: c.binary, OIDs: c.oids, Once: true, Row: func([][]byte) error { return nil },
	}}
}

// tryAll runs the statements together, and each by itself when something is wrong with one of them: a call
// says what failed and not which statement.
func (x *Executor) tryAll(ctx context.Context, id tenant.ID, proofs []*proof) {
	var all []*Statement
	for _, p := range proofs {
		if p.s != nil {
			all = append(all, p.s)
		}
	}
	if len(all) == 0 || x.try(ctx, id, all...) == nil {
		return
	}
	for _, p := range proofs {
		if p.s != nil {
			p.err = x.try(ctx, id, p.s)
		}
	}
}

// try runs statements in one call. Its error is the cause.
func (x *Executor) try(ctx context.Context, id tenant.ID, statements ...*Statement) error {
	err := x.db.Run(ctx, &Call{
		Tenant: id, StatementTimeout: x.opts.StatementTimeout, LockTimeout: x.opts.LockTimeout, Statements: statements,
	})
	if e, ok := errors.AsType[*resource.Error](err); ok && e.Code == resource.CodeInternal && e.Unwrap() != nil {
		return e.Unwrap()
	}
	return err
}

// judge notes what failed. Behind a scope that did, nothing else of the resource is worth telling; and a relation
// to a resource that failed by itself is no fault of the one it leads from.
func (st *state) judge(proofs []*proof) {
	without := map[*bound]bool{}
	for _, p := range proofs {
		if p.err != nil && p.member == scopeMember {
			without[p.bd] = true
		}
	}
	for _, p := range proofs {
		if p.err == nil || p.member != scopeMember && without[p.bd] || without[p.target] {
			continue
		}
		name := p.bd.res.Name()
		st.misfit(name, fmt.Errorf("resource %s: %s: %w", name, p.member, p.err))
	}
}
