package executors

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
	"github.com/tenantry/tenantry/tenant"
)

// prove runs every resource's own statement once, for a tenant that does not exist and without asking for
// a row, so that a scope or a custom filter that the database refuses stops the start.
func (x *Executor) prove(ctx context.Context, bounds []*bound) error {
	id, err := nobody(x.kind)
	if err != nil {
		return err
	}
	var errs []error
	for _, bd := range bounds {
		if err := x.proveOne(ctx, bd, id, filtering.Filter{}); err != nil {
			errs = append(errs, fmt.Errorf("resource %s: Scope: %w", bd.res.Name(), err))
			continue
		}
		if err := x.proveAggregates(ctx, bd, id); err != nil {
			errs = append(errs, err)
		}
		for _, name := range slices.Sorted(maps.Keys(bd.custom)) {
			if err := x.proveFilter(ctx, bd, id, name); err != nil {
				errs = append(errs, fmt.Errorf("resource %s: filter %q: %w", bd.res.Name(), name, err))
			}
		}
	}
	return errors.Join(errs...)
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
	v := &view{fields: bd.res.Fields()}
	v.members.Fields = v.fields
	sel, err := serializer.Select(v.members, nil)
	if err != nil {
		return err
	}
	terms, err := parseSort(nil, bd, v)
	if err != nil {
		return err
	}
	pl := &plan{bd: bd, v: v, sel: sel, terms: terms, filter: filter, d: x.dialect, limit: -1}
	b := &builder{d: x.dialect, bd: bd, p: pl, kind: x.kind, opts: x.opts}
	c, err := b.page()
	if err != nil {
		return err
	}
	return x.tryOut(ctx, id, pl, c)
}

// tryOut runs a statement whose rows do not matter.
func (x *Executor) tryOut(ctx context.Context, id tenant.ID, pl *plan, c *compiled) error {
	err := x.db.Run(ctx, &Call{
		Tenant: id, StatementTimeout: x.opts.StatementTimeout, LockTimeout: x.opts.LockTimeout,
		Statements: []*Statement{{SQL: c.sql, Args: pl.args(c), Binary: c.binary, OIDs: c.oids, Row: func([][]byte) error { return nil }}},
	})
	if e, ok := errors.AsType[*resource.Error](err); ok && e.Code == resource.CodeInternal && e.Unwrap() != nil {
		return e.Unwrap()
	}
	return err
}
