package executors

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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
	for some := range slices.Chunk(written, provenAtOnce) {
		var all []*proof
		for _, bd := range some {
			all = append(all, x.proofs(bd)...)
		}
		x.tryAll(ctx, id, all)
		st.judge(all)
	}
}

// proofs are the statements of a resource: its scope first, without which the others mean nothing.
func (x *Executor) proofs(bd *bound) []*proof {
	out := []*proof{x.proveOne(bd, filtering.Filter{}).of(bd, scopeMember)}
	for _, r := range bd.relations {
		if r.target != nil {
			out = append(out, x.proveRelation(bd, r).of(bd, r.member()))
		}
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
		return tenant.Int(-1 << 63)
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
	v := &view{fields: bd.res.Fields()}
	v.members.Fields = v.fields
	sel, err := serializer.Select(v.members, nil)
	if err != nil {
		return &proof{err: err}
	}
	terms, err := parseSort(nil, bd, v)
	if err != nil {
		return &proof{err: err}
	}
	pl := &plan{bd: bd, v: v, sel: sel, terms: terms, filter: filter, d: x.dialect, limit: -1}
	c, err := x.builder(pl).page()
	return pl.proof(c, err)
}

// proveRelation compares the columns of a relation in both of the ways in which it is followed.
func (x *Executor) proveRelation(bd *bound, r *relation) *proof {
	v := &view{links: []link{{relation: r, columns: r.local}}}
	pl := &plan{bd: bd, v: v, sel: serializer.Selection{Links: []int{0}}, d: x.dialect, limit: -1, get: true}
	b := x.builder(pl)
	o, c := b.layout()
	s := selected{exprs: o.exprs}.from(b.source(b.columns(b.need(o.need)), true)).
		Where(squirrel.ConcatExpr(r.fulfilled(x.dialect, nil, false), "1=1", r.closing())).Suffix("LIMIT ?", argLimit{})
	sql, args, err := s.ToSql()
	if err == nil {
		c.sql, c.slots, err = b.finish(sql, args)
	}
	return pl.proof(c, err)
}
