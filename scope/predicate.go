// Package scope says which rows belong to a tenant, in a form that cannot forget to ask.
//
//	scope.Column("account_id")
//	scope.Via("customers", "customer_id")
//	scope.Column("account_id").Narrow(squirrel.Expr("t.kind <> ?", "draft"))
//
// A Predicate is sealed: these constructors are the only ones, and each of them binds the tenant.
// Render turns one into a condition over the row, which always has the alias t, and into the
// witnesses that every returned row is checked against.
package scope

import (
	"slices"

	"github.com/Masterminds/squirrel"
)

// Predicate says which rows belong to a tenant. The zero Predicate belongs to no resource and stops
// the start. Predicates are immutable and safe for concurrent use.
type Predicate struct{ n node }

// Column is the predicate of a table that carries its tenant: t.name = the tenant.
func Column(name string) Predicate { return Predicate{column{name}} }

// Via is the predicate of a table that reaches its tenant through a parent: the row's foreign key
// names a row that the parent's own scope, and its own narrowing, lets the tenant see. The parent is a
// registered resource, possibly an internal one; fk lists the columns in the order of its key.
func Via(parent string, fk ...string) Predicate {
	return Predicate{via{parent, slices.Clone(fk)}}
}

// AnyOf lets a row belong by any one of several predicates, each of which binds the tenant itself.
func AnyOf(a, b Predicate, more ...Predicate) Predicate {
	return Predicate{anyOf{append([]Predicate{a, b}, more...)}}
}

// SharedOr adds rows whose boolean flag column is true, which every tenant may read. The reason is
// required: it stands in the audit of the start.
func SharedOr(p Predicate, flag, reason string) Predicate {
	return Predicate{shared{p, flag, reason}}
}

// Func is the free form. The function returns a condition over the row t that uses b.Tenant() at least
// once; an answer without it is refused at the start. Witness names the column of the same table that
// holds the row's tenant: every returned row is checked against it, so that a condition which is true
// too often costs an error, not a customer. The function is called when the executor is built; its
// other arguments are constants. A ? that is an operator is written ??.
func Func(witness string, f func(b Bound) (squirrel.Sqlizer, error)) Predicate {
	return Predicate{free{witness, f}}
}

// Narrow restricts a predicate by a condition over the row t. It can only shrink what the predicate
// shows: it stands in parentheses of its own behind AND. Other tables are out of its reach.
func (p Predicate) Narrow(extra squirrel.Sqlizer) Predicate {
	return Predicate{narrowed{p, extra}}
}

// Valid reports whether the predicate came from a constructor.
func (p Predicate) Valid() bool { return p.n != nil }

// Bound is what a free predicate may use.
type Bound struct{ _ byte }

// Tenant stands for the caller's tenant wherever a squirrel expression takes an argument.
func (Bound) Tenant() any { return tenantArg{} }

// tenantArg is the opaque argument that only a statement's runner replaces. It is no driver.Valuer and
// no list, so that squirrel passes it through untouched.
type tenantArg struct{}

// IsTenant reports whether a rendered argument stands for the caller's tenant.
func IsTenant(arg any) bool {
	_, ok := arg.(tenantArg)
	return ok
}

// TenantArg is the argument that stands for the caller's tenant, for code that builds statements around
// a rendered scope.
func TenantArg() any { return tenantArg{} }
