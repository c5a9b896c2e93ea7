package auth

import (
	"errors"
	"slices"
	"strings"

	"github.com/tenantry/tenantry/tenant"
)

// ErrTenant is what Activate returns when the selectors do not name exactly one granted tenant.
var ErrTenant = errors.New("auth: the call names no single granted tenant")

// Activate returns the principal with exactly one active tenant. Each selector is the text of a tenant
// key, from the Tenantry-Tenant header or the call's _meta; empty selectors do not count. The error is
// ErrTenant when two selectors disagree, one names a tenant outside the grant, or none is given
// although the grant has several. A selector can only narrow what the token granted.
func (p *Principal) Activate(selectors ...string) (*Principal, error) {
	if p == nil {
		return nil, ErrTenant
	}
	active := p.active
	chosen := false
	for _, s := range selectors {
		if s == "" {
			continue
		}
		id, err := tenant.Parse(p.tenants[0].Kind(), s)
		if err != nil || !p.grants(id) || (chosen && id != active) {
			return nil, ErrTenant
		}
		active, chosen = id, true
	}
	if !active.Valid() {
		return nil, ErrTenant
	}
	if active == p.active {
		return p, nil
	}
	q := *p
	q.active = active
	return &q, nil
}

func (p *Principal) grants(id tenant.ID) bool {
	return slices.Contains(p.tenants, id)
}

// GrantedKeys returns the keys of the granted tenants, comma-separated, for the error that asks a
// caller to choose one. It names nothing that the token did not grant.
func (p *Principal) GrantedKeys() string {
	keys := make([]string, len(p.tenants))
	for i, id := range p.tenants {
		keys[i] = id.Key()
	}
	return strings.Join(keys, ", ")
}
