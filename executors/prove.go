package executors

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/Masterminds/squirrel"

	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
	"github.com/tenantry/tenantry/tenant"
)

// prove runs every resource's own statement once, for a tenant that does not exist and without asking for
// a row, so that a scope or a custom filter that the database refuses stops the start.
func (x *Executor) prove(ctx context.Context, st *state, bounds []*bound) {
	id, err := nobody(st.kind)
	if err != nil {
		st.mistakes = append(st.mistakes, err)
		return
	}
	for _, bd := range bounds {
		name := bd.res.Name()
		if st.misfits[name] != nil {
			continue // it cannot be written down
		}
		if err := x.proveOne(ctx, bd, id, filtering.Filter{}); err != nil {
			st.misfit(name, fmt.Errorf("resource %s: Scope: %w", name, err))
			continue
		}
		for _, r := range bd.relations {
			if err := x.proveRelation(ctx, bd, id, r); err != nil {
				st.misfit(name, fmt.Errorf("resource %s: %s: %w", name, r.member(), err))
			}
		}
		if err := x.proveAggregates(ctx, bd, id); err != nil {
			st.misfit(name, err)
		}
		for _, filter := range slices.Sorted(maps.Keys(bd.custom)) {
			if err := x.proveFilter(ctx, bd, id, filter); err != nil {
				st.misfit(name, fmt.Errorf("resource %s: filter %q: %w", name, filter, err))
			}
		}
	}
}

// nobody is a tenant for statements that must find nothing. The number is one that a policy can cast to the
// column's own type, whichever integer that is.
func nobody(kind tenant.Kind) (tenant.ID, error) {
	switch kind {
	case tenant.KindInt:
		return tenant.Int(math.MinInt16)
	case tenant.KindUUID:
		return tenant.UUID([16]byte{15: 1})
	case tenant.KindText:
		return tenant.Text("tenantry:nobody")
	default:
		return tenant.ID{}, errors.New("executors: no resource has a tenant column")
	}
}

func (x *Executor) proveFilter(ctx context.Context, bd *bound, id tenant.ID, name string) error {
	custom := x.guarded(bd, name)
	for _, f := range bd.res.Filters() {
		if f.Name != name {
			continue
		}
		key := filtering.Key{Name: name, Column: filtering.Column{Name: name, Type: resource.Plain(f.Type)}, Custom: &custom}
		raw, err := json.Marshal(map[string]any{name: sample(key.Column.Type)})
		if err != nil {
			return err
		}
		filter, err := filtering.Parse(raw, filtering.NewKeys([]filtering.Key{key}))
		if err != nil {
			return err
		}
		return x.proveOne(ctx, bd, id, filter)
	}
	return nil
}

func (x *Executor) proveOne(ctx context.Context, bd *bound, id tenant.ID, filter filtering.Filter) error {
	pl, err := x.everything(bd)
	if err != nil {
		return err
	}
	pl.filter = filter
	c, err := pl.proven(x.builder(pl).page)
	if err == nil {
		err = x.provenTexts(pl)
	}
	if err != nil {
		return err
	}
	return x.try(ctx, id, &Statement{SQL: c.sql, Args: pl.args(c), Binary: c.binary, OIDs: c.oids})
}

// proveRelation compares the columns of a relation in both of the ways in which it is followed.
func (x *Executor) proveRelation(ctx context.Context, bd *bound, id tenant.ID, r *relation) error {
	if r.target == nil {
		return nil
	}
	v := &view{links: []link{{relation: r, columns: r.local}}}
	pl := &plan{bd: bd, v: v, sel: serializer.Selection{Links: []int{0}}, d: x.dialect, limit: -1, get: true}
	c, err := pl.proven(func() (*compiled, error) {
		b := x.builder(pl)
		o, c := b.layout()
		s := selected{exprs: o.exprs}.from(b.source(b.columns(b.need(o.need)), true)).
			Where(squirrel.ConcatExpr(r.fulfilled(x.dialect, nil, false), "1=1", r.closing())).Suffix("LIMIT ?", argLimit{})
		sql, args, err := s.ToSql()
		if err != nil {
			return nil, err
		}
		c.sql, c.slots, err = b.finish(sql, args)
		return c, err
	})
	if err != nil {
		return err
	}
	if err := x.try(ctx, id, &Statement{SQL: c.sql, Args: pl.args(c), Binary: c.binary, OIDs: c.oids}); err != nil {
		return err
	}
	if pl.bd.st.misfits[r.target.res.Name()] != nil {
		return nil // nothing of it can be embedded, which is no fault of this resource
	}
	return x.proveInclude(ctx, bd, id, r)
}

// proveInclude embeds related rows in the rows of an empty page.
func (x *Executor) proveInclude(ctx context.Context, bd *bound, id tenant.ID, r *relation) error {
	pl, err := x.everything(bd)
	if err != nil {
		return err
	}
	c, err := x.compileInclude(pl, r)
	if err != nil {
		return err
	}
	return x.try(ctx, id, &Statement{SQL: c.sql, Args: pl.args(c), Binary: c.binary, OIDs: c.oids})
}

// try runs a statement whose rows nobody wants. Its error is the cause.
func (x *Executor) try(ctx context.Context, id tenant.ID, s *Statement) error {
	s.Row = func([][]byte) error { return nil }
	err := x.db.Run(ctx, &Call{
		Tenant: id, StatementTimeout: x.opts.StatementTimeout, LockTimeout: x.opts.LockTimeout, Statements: []*Statement{s},
	})
	if e, ok := errors.AsType[*resource.Error](err); ok && e.Code == resource.CodeInternal && e.Unwrap() != nil {
		return e.Unwrap()
	}
	return err
}
