package scope

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/Masterminds/squirrel"
)

// Env is what rendering needs to know of the database and the registry.
type Env interface {
	// Quote quotes one identifier.
	Quote(ident string) string
	// Parent describes a registered resource by name.
	Parent(name string) (Parent, error)
}

// Parent is a resource as Via sees it.
type Parent struct {
	Table string // quoted and qualified
	Key   []string
	Scope Predicate

	// Narrow is the resource's own narrowing over the row t, or nil.
	Narrow squirrel.Sqlizer
}

// Rendered is a predicate as SQL.
type Rendered struct {
	// SQL is the condition over the row t, with ? for each argument.
	SQL string
	// Args holds the tenant (see IsTenant) and constants.
	Args []any
	// Witnesses are checked on every row: at least one of them must hold.
	Witnesses []Witness
	// Shared holds the reason of every SharedOr in it.
	Shared []string
	// Uses lists the columns the framework itself names, for checking against the database.
	Uses []Use
}

// Witness is an expression over the row t, selected beside it.
type Witness struct {
	SQL string
	// Flag tells a boolean that marks a shared row from a tenant to be compared with the caller's.
	Flag bool
}

// Use is a column that a predicate names. Resource is empty for the resource itself.
type Use struct {
	Resource, Column string
	Tenant           bool // the column holds a tenant
	Flag             bool // the column is a boolean flag
}

// maxHops bounds a chain of parents; a longer one is a cycle.
const maxHops = 8

// Render returns the predicate as SQL. Every error is a registration mistake.
func Render(p Predicate, env Env) (Rendered, error) {
	r, err := p.render(rendering{env: env, alias: "t"})
	if err != nil {
		return Rendered{}, err
	}
	if err := r.bound(); err != nil {
		return Rendered{}, err
	}
	return r, nil
}

// bound checks that a predicate, or a parent's at its hop, binds the tenant and can be checked afterwards.
func (r Rendered) bound() error {
	if !slices.ContainsFunc(r.Args, IsTenant) || len(r.Witnesses) == 0 {
		return errors.New("the scope does not use the tenant")
	}
	return nil
}

// rendering is the place of a predicate in the statement: the witness expressions of a parent are
// written over an alias of their own, its condition always over t.
type rendering struct {
	env      Env
	alias    string
	resource string
	hops     int
}

func (r rendering) col(name string) string { return r.alias + "." + r.env.Quote(name) }

type node interface {
	render(r rendering) (Rendered, error)
}

func (p Predicate) render(r rendering) (Rendered, error) {
	if p.n == nil {
		return Rendered{}, errors.New("a scope is required: scope.Column, Via, AnyOf, SharedOr or Func")
	}
	return p.n.render(r)
}

type column struct{ name string }

func (c column) render(r rendering) (Rendered, error) {
	if c.name == "" {
		return Rendered{}, errors.New("scope.Column needs a column")
	}
	return Rendered{
		SQL:       "t." + r.env.Quote(c.name) + " = ?",
		Args:      []any{tenantArg{}},
		Witnesses: []Witness{{SQL: r.col(c.name)}},
		Uses:      []Use{{Resource: r.resource, Column: c.name, Tenant: true}},
	}, nil
}

type via struct {
	parent string
	fk     []string
}

func (v via) render(r rendering) (Rendered, error) {
	if r.hops >= maxHops {
		return Rendered{}, fmt.Errorf("scope.Via %q is one of a circle of parents, or more than %d deep", v.parent, maxHops)
	}
	p, err := r.env.Parent(v.parent)
	if err != nil {
		return Rendered{}, fmt.Errorf("scope.Via: %w", err)
	}
	if len(v.fk) == 0 || len(v.fk) != len(p.Key) {
		return Rendered{}, fmt.Errorf("scope.Via %q names %d columns, and the key of %q has %d", v.parent, len(v.fk), v.parent, len(p.Key))
	}
	alias := fmt.Sprintf("w%d", r.hops+1)
	inner, err := p.Scope.render(rendering{env: r.env, alias: alias, resource: v.parent, hops: r.hops + 1})
	if err == nil {
		err = inner.bound()
	}
	if err != nil {
		return Rendered{}, err
	}
	where, args := "("+inner.SQL+")", inner.Args
	if p.Narrow != nil {
		sql, more, err := p.Narrow.ToSql()
		if err != nil {
			return Rendered{}, fmt.Errorf("scope.Via: narrowing of %q: %w", v.parent, err)
		}
		where, args = where+" AND ("+sql+")", append(args, more...)
	}
	out := Rendered{
		// The parent takes the alias t inside its own sub-select, so that a condition written for it
		// means its own columns and can mean nothing else.
		SQL:  fmt.Sprintf("%s IN (SELECT %s FROM %s AS t WHERE %s)", tuple(r.env, "t", v.fk), list(r.env, "t", p.Key), p.Table, where),
		Args: args,
		Uses: inner.Uses,
	}
	for i := range v.fk {
		out.Uses = append(out.Uses, Use{Resource: r.resource, Column: v.fk[i]})
	}
	for _, w := range inner.Witnesses {
		out.Witnesses = append(out.Witnesses, Witness{
			SQL: fmt.Sprintf("(SELECT %s FROM %s AS %s WHERE %s = %s)", w.SQL, p.Table, alias,
				tuple(r.env, alias, p.Key), tuple(r.env, r.alias, v.fk)),
			Flag: w.Flag,
		})
	}
	return out, nil
}

func list(env Env, alias string, cols []string) string {
	out := make([]string, len(cols))
	for i, c := range cols {
		out[i] = alias + "." + env.Quote(c)
	}
	return strings.Join(out, ", ")
}

func tuple(env Env, alias string, cols []string) string {
	if len(cols) == 1 {
		return list(env, alias, cols)
	}
	return "(" + list(env, alias, cols) + ")"
}

type anyOf struct{ branches []Predicate }

func (a anyOf) render(r rendering) (Rendered, error) {
	var out Rendered
	parts := make([]string, len(a.branches))
	for i, b := range a.branches {
		one, err := b.render(r)
		if err == nil {
			err = one.bound()
		}
		if err != nil {
			return Rendered{}, fmt.Errorf("scope.AnyOf: %w", err)
		}
		parts[i] = "(" + one.SQL + ")"
		out.Args = append(out.Args, one.Args...)
		out.Witnesses = append(out.Witnesses, one.Witnesses...)
		out.Uses = append(out.Uses, one.Uses...)
	}
	out.SQL = strings.Join(parts, " OR ")
	return out, nil
}

type shared struct {
	p            Predicate
	flag, reason string
}

func (s shared) render(r rendering) (Rendered, error) {
	if s.flag == "" || strings.TrimSpace(s.reason) == "" {
		return Rendered{}, errors.New("scope.SharedOr needs a flag column and a reason")
	}
	out, err := s.p.render(r)
	if err != nil {
		return Rendered{}, fmt.Errorf("scope.SharedOr: %w", err)
	}
	out.SQL = "(" + out.SQL + ") OR t." + r.env.Quote(s.flag)
	out.Witnesses = append(out.Witnesses, Witness{SQL: r.col(s.flag), Flag: true})
	out.Shared = append(out.Shared, s.reason)
	out.Uses = append(out.Uses, Use{Resource: r.resource, Column: s.flag, Flag: true})
	return out, nil
}

type narrowed struct {
	p     Predicate
	extra squirrel.Sqlizer
}

func (n narrowed) render(r rendering) (Rendered, error) {
	out, err := n.p.render(r)
	if err != nil {
		return Rendered{}, err
	}
	sql, args, err := Condition(n.extra, TextRules{})
	if err != nil {
		return Rendered{}, fmt.Errorf("Narrow: %w", err)
	}
	out.SQL = "(" + out.SQL + ") AND (" + sql + ")"
	out.Args = append(out.Args, args...)
	return out, nil
}

type free struct {
	witness string
	f       func(Bound) (squirrel.Sqlizer, error)
}

func (f free) render(r rendering) (out Rendered, err error) {
	if f.witness == "" || f.f == nil {
		return Rendered{}, errors.New("scope.Func needs a witness column and a function")
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("scope.Func panicked: %v", p)
		}
	}()
	cond, err := f.f(Bound{})
	if err != nil {
		return Rendered{}, fmt.Errorf("scope.Func: %w", err)
	}
	sql, args, err := Condition(cond, TextRules{Tables: true})
	if err != nil {
		return Rendered{}, fmt.Errorf("scope.Func: %w", err)
	}
	if !slices.ContainsFunc(args, IsTenant) {
		return Rendered{}, errors.New("scope.Func: the condition does not use b.Tenant(), so it could not tell one tenant from another")
	}
	return Rendered{
		SQL: sql, Args: args,
		Witnesses: []Witness{{SQL: r.col(f.witness)}},
		Uses:      []Use{{Resource: r.resource, Column: f.witness, Tenant: true}},
	}, nil
}
