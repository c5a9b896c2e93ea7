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

// prove runs every resource's own statements once, for a tenant that does not exist and without asking for
// a row, so that a scope or a custom filter that the database refuses stops the start.
func (x *Executor) prove(ctx context.Context, st *state, bounds []*bound) {
	id, err := nobody(st.kind)
	if err != nil {
		st.mistakes = append(st.mistakes, err)
		return
	}
	written := slices.DeleteFunc(slices.Clone(bounds), func(bd *bound) bool { return st.misfits[bd.res.Name()] != nil })
	var all []*proof
	for some := range slices.Chunk(written, provenAtOnce) {
		var together []*proof
		for _, bd := range some {
			together = append(together, x.proofs(bd)...)
		}
		x.tryAll(ctx, id, together)
		all = append(all, together...)
	}
	st.judge(all)
}

// proofs are the statements of a resource: its scope first, without which the others mean nothing.
func (x *Executor) proofs(bd *bound) []*proof {
	out := []*proof{x.proveOne(bd, filtering.Filter{}).of(bd, scopeMember)}
	for _, r := range bd.relations {
		if r.target == nil || r.broken(bd.st) {
			continue // nothing of what does not fit can be reached, which is no fault of this resource
		}
		out = append(out, x.proveRelation(bd, r).of(bd, r.member()).to(r.target), x.proveInclude(bd, r).of(bd, r.member()).to(r.target))
	}
	if len(bd.res.Groupable())+len(bd.res.Measures()) > 0 {
		out = append(out, x.proveAggregates(bd).of(bd, "Groupable or Measures"))
	}
	for _, filter := range slices.Sorted(maps.Keys(bd.custom)) {
		out = append(out, x.proveFilter(bd, filter).of(bd, fmt.Sprintf("filter %q", filter)))
	}
	return out
}

// nobody is a tenant for statements that must find nothing.
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

func (x *Executor) proveFilter(bd *bound, name string) *proof {
	custom := x.guarded(bd, name)
	for _, f := range bd.res.Filters() {
		if f.Name != name {
			continue
		}
		key := filtering.Key{Name: name, Column: filtering.Column{Name: name, Type: resource.Plain(f.Type)}, Custom: &custom}
		raw, err := json.Marshal(map[string]any{name: sample(key.Column.Type)})
		if err != nil {
			return &proof{err: err}
		}
		filter, err := filtering.Parse(raw, filtering.NewKeys([]filtering.Key{key}))
		if err != nil {
			return &proof{err: err}
		}
		return x.proveOne(bd, filter)
	}
	return &proof{}
}

func (x *Executor) proveOne(bd *bound, filter filtering.Filter) *proof {
	pl, err := x.everything(bd)
	if err != nil {
		return &proof{err: err}
	}
	pl.filter = filter
	c, err := pl.proven(x.builder(pl).page)
	if err == nil {
		err = x.provenTexts(pl)
	}
	return pl.proof(c, err)
}

// proveRelation compares the columns of a relation in both of the ways in which it is followed.
func (x *Executor) proveRelation(bd *bound, r *relation) *proof {
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
	return pl.proof(c, err)
}

// proveInclude embeds related rows in the rows of an empty page.
func (x *Executor) proveInclude(bd *bound, r *relation) *proof {
	pl, err := x.everything(bd)
	if err != nil {
		return &proof{err: err}
	}
	c, err := x.compileInclude(pl, r)
	return pl.proof(c, err)
}
