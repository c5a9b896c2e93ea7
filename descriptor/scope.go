package descriptor

import (
	"strings"

	"github.com/tenantry/tenantry/scope"
)

// readScope reads which rows belong to a tenant, or why those of the table belong to none.
func (d *draft) readScope() {
	global := d.get("global")
	if d.global = global.present(); !d.global {
		d.spec.Scope = d.predicate(d.need("scope", "it says which rows belong to a tenant, such as {column: tenant_id}"))
		return
	}
	if scope := d.get("scope"); scope.present() {
		scope.fail("a resource has a scope or is global: take one of them out")
	}
	reason := global.object("reason").need("reason", "why every tenant may read every row, for the audit")
	var ok bool
	if d.reason, ok = reason.filled(); ok && strings.TrimSpace(d.reason) == "" {
		reason.fail("is blank")
	}
}

// scopeForms are the keys that choose a form of scope; exactly one of them is there.
var scopeForms = []string{"column", "via", "any", "shared"}

// predicate reads one scope. It is the zero Predicate after a mistake.
func (d *draft) predicate(p place) scope.Predicate {
	if !p.present() {
		return scope.Predicate{}
	}
	o := p.object("column", "via", "fk", "any", "shared", "flag", "reason")
	if o.members == nil && !o.empty() {
		return scope.Predicate{}
	}
	switch o.form(scopeForms) {
	case "column":
		o.only("column")
		column, ok := o.get("column").filled()
		if !ok {
			return scope.Predicate{}
		}
		return scope.Column(column)
	case "via":
		return d.via(o)
	case "any":
		return d.anyOf(o)
	case "shared":
		return d.shared(o)
	default:
		return scope.Predicate{}
	}
}

func (d *draft) via(o object) scope.Predicate {
	o.only("via", "fk")
	parent, ok := o.get("via").filled()
	if ok {
		d.targets = append(d.targets, o.get("via"))
	}
	fk := o.need("fk", "the column here that holds the parent's key, or a list in key order").names()
	return scope.Via(parent, fk...)
}

func (d *draft) anyOf(o object) scope.Predicate {
	o.only("any")
	var branches []scope.Predicate
	for _, item := range o.get("any").items() {
		branches = append(branches, d.predicate(item))
	}
	if len(branches) < 2 {
		o.get("any").fail("needs a list of at least two scopes")
		return scope.Predicate{}
	}
	return scope.AnyOf(branches[0], branches[1], branches[2:]...)
}

func (d *draft) shared(o object) scope.Predicate {
	o.only("shared", "flag", "reason")
	p := d.predicate(o.get("shared"))
	flag, _ := o.need("flag", "the boolean column that is true for rows every tenant may read").filled()
	reason, ok := o.need("reason", "why every tenant may read such rows, for the audit").filled()
	if ok && strings.TrimSpace(reason) == "" {
		o.get("reason").fail("is blank")
	}
	return scope.SharedOr(p, flag, reason)
}
