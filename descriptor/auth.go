package descriptor

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/tenant"
)

// Auth says who may call.
type Auth struct {
	// Static are fixed tokens, for development on a loopback listener.
	Static []StaticToken
}

// StaticToken is one fixed token and what it grants.
type StaticToken struct {
	Token   Secret      // what the caller sends
	Subject string      // who the caller is
	Tenants []TenantKey // at least one
	Scopes  []string    // permission scopes, such as orders:read

	mistake Mistake // its place, for what Grants finds
}

// TenantKey is a tenant as the file writes it. What sort of key it is depends on the column that holds
// it, which is known once the database has been asked.
type TenantKey struct {
	Text   string
	Number bool // written as a number, without quotes
}

// auth reads the verifiers. Those of tokens issued elsewhere have their place in the format, and no
// implementation behind it.
func (r *reader) auth(p place) Auth {
	o := p.object("static", "jwt", "introspection")
	for _, other := range []string{"jwt", "introspection"} {
		if v := o.get(other); v.present() {
			v.fail("is not available in this build: use auth.static on a loopback address, or a Go program with an auth.Verifier of its own")
		}
	}
	var a Auth
	if !o.get("static").present() {
		return a
	}
	lines := map[Secret]int{}
	for _, item := range o.get("static").items() {
		item.private = true
		t := staticToken(item)
		if line := lines[t.Token]; line > 0 && t.Token != "" {
			item.fail("the same token as on line %d", line)
		}
		lines[t.Token] = item.line
		a.Static = append(a.Static, t)
	}
	return a
}

func staticToken(p place) StaticToken {
	o := p.object("token", "subject", "tenant", "tenants", "scopes")
	t := StaticToken{mistake: Mistake{File: p.r.name, Line: p.line, Path: p.path}}
	token, _ := o.need("token", "the text a caller sends").filled()
	t.Token = Secret(token)
	t.Subject, _ = o.need("subject", "who calls with this token").filled()
	one, many := o.get("tenant"), o.get("tenants")
	switch {
	case one.present() && many.present():
		many.fail("tenant and tenants exclude each other: write tenants for a caller of several")
	case many.present():
		t.Tenants = tenantKeys(many)
	default:
		if key, ok := tenantKey(o.need("tenant", "the tenant whose rows the caller reads, or tenants for several")); ok {
			t.Tenants = []TenantKey{key}
		}
	}
	if o.get("scopes").present() {
		t.Scopes = o.get("scopes").list()
	}
	return t
}

func tenantKeys(p place) (keys []TenantKey) {
	for _, item := range p.items() {
		key, ok := tenantKey(item)
		if ok && slices.Contains(keys, key) {
			item.fail("the same tenant twice")
		}
		if ok {
			keys = append(keys, key)
		}
	}
	if p.empty() {
		p.fail("is an empty list: a caller has at least one tenant")
	}
	return keys
}

func tenantKey(p place) (TenantKey, bool) {
	if !p.want("a tenant as a whole number or text", p.scalar(strTag, intTag, floatTag, timeTag)) {
		return TenantKey{}, false
	}
	key := TenantKey{Text: p.node.Value, Number: p.node.Tag != strTag}
	if _, exact := number(p.node); key.Number && (!exact || p.node.Tag != intTag || key.Text == "-0") {
		p.fail("a tenant as a number is a whole number in plain digits: put any other in quotes")
		return TenantKey{}, false
	}
	if key.Text == "" {
		p.fail("is empty")
		return TenantKey{}, false
	}
	return key, true
}

// Grants returns what each token grants, for auth.NewStatic, with the tenants read as keys of the given
// kind (executors.Executor.TenantKind). The error is every tenant that is no such key, joined, each a
// *Mistake.
func (f *File) Grants(kind tenant.Kind) (map[string]auth.Grant, error) {
	grants := make(map[string]auth.Grant, len(f.Auth.Static))
	var errs []error
	for _, t := range f.Auth.Static {
		g := auth.Grant{Subject: t.Subject, Scopes: slices.Clone(t.Scopes)}
		for _, key := range t.Tenants {
			id, err := tenant.Parse(kind, key.Text)
			if err != nil {
				m := t.mistake
				m.Message = fmt.Sprintf("a tenant does not fit the column of the scope (%s): %v", kind, err)
				errs = append(errs, &m)
				continue
			}
			g.Tenants = append(g.Tenants, id)
		}
		grants[string(t.Token)] = g
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return grants, nil
}
