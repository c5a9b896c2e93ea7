// Package auth says who calls and what a caller may use.
//
//	p, err := auth.NewPrincipal(auth.Grant{Subject: "alice", Tenants: []tenant.ID{acme}, Scopes: []string{"orders:read"}})
//
// A Verifier turns a token into a Principal; Decide says whether a Principal may use a thing that
// requires a permission scope. The package never reads tenant data.
package auth

import (
	"errors"
	"slices"
	"time"

	"github.com/tenantry/tenantry/tenant"
)

// Grant is what a verifier learnt about a caller. NewPrincipal checks it.
type Grant struct {
	Issuer  string // who vouches for the subject; empty for a single issuer
	Subject string // the caller; required
	Client  string // the OAuth client that acts for the subject, if known

	// Tenants lists the tenants the caller may read. Required. With several, each call names one.
	Tenants []tenant.ID

	// Scopes lists the permission scopes of the token, such as "orders:read".
	Scopes []string

	// Expires is when the grant ends. Zero means that the verifier checks it on every call.
	Expires time.Time
}

// Principal is a verified caller. It is immutable and safe for concurrent use; nil stands for no caller.
type Principal struct {
	issuer, subject, client string
	tenants                 []tenant.ID
	active                  tenant.ID
	scopes                  map[string]bool
	expires                 time.Time
}

// NewPrincipal checks a grant. A missing subject, no tenant, an invalid tenant or tenants of
// different kinds are errors: such a grant could only be served by guessing.
func NewPrincipal(g Grant) (*Principal, error) {
	if g.Subject == "" {
		return nil, errors.New("auth: a grant needs a subject")
	}
	if len(g.Tenants) == 0 {
		return nil, errors.New("auth: a grant needs at least one tenant")
	}
	p := &Principal{
		issuer: g.Issuer, subject: g.Subject, client: g.Client,
		scopes: make(map[string]bool, len(g.Scopes)), expires: g.Expires,
	}
	for _, id := range g.Tenants {
		switch {
		case !id.Valid():
			return nil, errors.New("auth: a grant names an invalid tenant")
		case id.Kind() != g.Tenants[0].Kind():
			return nil, errors.New("auth: a grant mixes tenants of different kinds")
		case !slices.Contains(p.tenants, id):
			p.tenants = append(p.tenants, id)
		}
	}
	for _, s := range g.Scopes {
		if s != "" {
			p.scopes[s] = true
		}
	}
	if len(p.tenants) == 1 {
		p.active = p.tenants[0]
	}
	return p, nil
}

// Issuer returns who vouched for the subject.
func (p *Principal) Issuer() string { return p.issuer }

// Subject returns the caller's own identifier within its issuer.
func (p *Principal) Subject() string { return p.subject }

// Client returns the OAuth client that acts for the subject, or "".
func (p *Principal) Client() string { return p.client }

// Expires returns when the grant ends, or the zero time.
func (p *Principal) Expires() time.Time { return p.expires }

// Tenant returns the one active tenant. It is the zero ID, which no query accepts, for a nil
// principal and for one with several tenants of which none was chosen.
func (p *Principal) Tenant() tenant.ID {
	if p == nil {
		return tenant.ID{}
	}
	return p.active
}

// Granted returns a copy of the tenants of the grant, in its order.
func (p *Principal) Granted() []tenant.ID { return slices.Clone(p.tenants) }

// Has reports whether the token carries the permission scope. Comparison is exact.
func (p *Principal) Has(scope string) bool { return p != nil && p.scopes[scope] }
