package executors

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
	"github.com/tenantry/tenantry/tenant"
)

// TenantKey is the key that a runner binds for the caller's tenant. A call without a tenant is an error, and
// never a statement.
func (c *Call) TenantKey() (string, error) {
	if !c.Tenant.Valid() {
		return "", errors.New("executors: a call has no tenant")
	}
	return c.Tenant.Key(), nil
}

// bindTo returns the arguments with the call's tenant in the places that are its.
func (c *Call) bindTo(args []any) ([]any, error) {
	key, err := c.TenantKey()
	if err != nil {
		return nil, err
	}
	out := slices.Clone(args)
	for i, a := range out {
		if scope.IsTenant(a) {
			out[i] = key
		}
	}
	return out, nil
}

// render renders the scope of a resource, with the host's arguments as constants.
func (b *binder) render(bd *bound) (scope.Rendered, error) {
	r, err := scope.Render(bd.res.Scope(), env{b})
	if err != nil {
		return r, err
	}
	for i, a := range r.Args {
		if scope.IsTenant(a) {
			continue
		}
		constant, bad := constant(a)
		if bad != nil {
			err = errors.Join(err, bad)
		}
		r.Args[i] = constant
	}
	return r, err
}

// proof applies the rules that need no database: a scope that breaks one stops the start, whatever a host
// may have meant by it. There is no way to be warned only.
func (b *binder) proof(bd *bound, kind tenant.Kind) {
	if b.st.misfits[bd.res.Name()] != nil {
		return // told already
	}
	for _, r := range bd.relations {
		if r.broken(b.st) {
			continue // it is not followed
		}
		if err := r.provenHops(); err != nil {
			b.fail(bd, r.member(), "%v", err)
		}
	}
	if bd.free != tenantBound {
		return
	}
	if err := b.provenScope(bd, kind); err != nil {
		b.fail(bd, "Scope", "%v", err)
	}
}

func (b *binder) provenScope(bd *bound, kind tenant.Kind) error {
	if err := scope.Constant(bd.scope.SQL); err != nil {
		return err
	}
	again, err := b.render(bd)
	switch {
	case err != nil:
		return fmt.Errorf("rendered once more: %w", err)
	case again.SQL != bd.scope.SQL || !reflect.DeepEqual(again.Args, bd.scope.Args):
		return errors.New("two renderings differ: a scope is a constant, whatever else changes")
	}
	return provenArgs(bd.scope.Args, kind)
}

// provenArgs binds the arguments of one text to two tenants and to none: nothing else than the tenant tells
// the one from the other, and without a tenant there is no statement.
func provenArgs(args []any, kind tenant.Kind) error {
	x, y, err := twoTenants(kind)
	if err != nil {
		return err
	}
	if _, err := (&Call{}).bindTo(args); err == nil {
		return errors.New("it can be bound to no tenant at all")
	}
	ofX, err := (&Call{Tenant: x}).bindTo(args)
	if err != nil {
		return err
	}
	ofY, err := (&Call{Tenant: y}).bindTo(args)
	if err != nil {
		return err
	}
	tenants := 0
	for i := range args {
		differ := !reflect.DeepEqual(ofX[i], ofY[i])
		if differ != scope.IsTenant(args[i]) {
			return fmt.Errorf("argument %d does not tell two tenants apart as it should", i+1)
		}
		if differ {
			tenants++
		}
	}
	if tenants == 0 {
		return errors.New("it does not use the tenant")
	}
	return nil
}

// twoTenants are tenants that no database has.
func twoTenants(kind tenant.Kind) (x, y tenant.ID, err error) {
	if x, err = nobody(kind); err != nil {
		return x, y, err
	}
	switch kind {
	case tenant.KindInt:
		y, err = tenant.Int(math.MinInt16 + 1)
	case tenant.KindUUID:
		y, err = tenant.UUID([16]byte{15: 2})
	case tenant.KindText:
		y, err = tenant.Text("tenantry:nobody else")
	}
	return x, y, err
}

// provenHops looks at the text that leads through the relation: every table on the way that has a tenant
// binds it.
func (r *relation) provenHops() error {
	if r.target == nil {
		return nil
	}
	hops := []*bound{r.target}
	if r.join != nil {
		hops = append(hops, r.join.bd)
	}
	want, got := 0, 0
	for _, h := range hops {
		if h.free != tenantBound {
			continue
		}
		want++
		if !slices.ContainsFunc(h.scope.Args, scope.IsTenant) || len(h.scope.Witnesses) == 0 {
			return fmt.Errorf("%q is not read inside a scope", qualified(h.table.Name))
		}
	}
	for _, a := range r.args {
		if scope.IsTenant(a) {
			got++
		}
	}
	if got < want {
		return fmt.Errorf("%d tables on the way have a tenant, and %d are bound to it", want, got)
	}
	return nil
}

// proven compiles a statement twice. Both are the same, and bound to the caller's tenant.
func (pl *plan) proven(compile func() (*compiled, error)) (*compiled, error) {
	c, err := compile()
	if err != nil {
		return nil, err
	}
	again, err := compile()
	switch {
	case err != nil:
		return nil, err
	case c.sql != again.sql || !reflect.DeepEqual(c.slots, again.slots):
		return nil, errors.New("two renderings of its statement differ")
	case pl.bd.global():
		return c, nil
	default:
		return c, provenArgs(pl.args(c), pl.bd.st.kind)
	}
}

// provenTexts proves the other statements over the same rows: both counts and, without a filter, get.
func (x *Executor) provenTexts(pl *plan) error {
	for _, capped := range []bool{false, true} {
		if _, err := pl.proven(func() (*compiled, error) { return x.builder(pl).countAll(capped) }); err != nil {
			return err
		}
	}
	one := *pl
	one.get, one.key, one.terms, one.filter = true, make([]string, len(pl.bd.key)), nil, filtering.Filter{}
	_, err := one.proven(x.builder(&one).one)
	return err
}

// everything is a plan of listing all that a resource shows, without asking for a row.
func (x *Executor) everything(bd *bound) (*plan, error) {
	v := &view{fields: bd.res.Fields()}
	v.members.Fields = v.fields
	sel, err := serializer.Select(v.members, nil)
	if err != nil {
		return nil, err
	}
	terms, err := parseSort(nil, bd, v)
	return &plan{bd: bd, v: v, sel: sel, terms: terms, d: x.dialect, limit: -1}, err
}

// compileInclude compiles the statement that embeds all that the related rows show.
func (x *Executor) compileInclude(pl *plan, r *relation) (*compiled, error) {
	rows, err := x.everything(r.target)
	if err != nil {
		return nil, err
	}
	rows.get, rows.limit, rows.terms = true, 1, nil
	return pl.proven(func() (*compiled, error) {
		return x.builder(pl).included(&include{link: link{relation: r}, rows: rows})
	})
}
