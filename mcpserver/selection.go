package mcpserver

import (
	"net/http"
	"strings"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/tenant"
)

// metaTenant is the member of _meta that names a tenant.
const metaTenant = "tenantry/tenant"

// selection is what one call says of its tenant. It can only narrow what the token grants.
type selection struct {
	header []string // the values of the Tenantry-Tenant header
	meta   []byte   // the JSON value in _meta, or nil
}

func selectionOf(h http.Header, m *message) selection {
	return selection{header: h[headerTenant], meta: find(m.meta, metaTenant)}
}

// named returns the tenants that the call names, and false when it names one in a form that is none.
func (s selection) named(kind tenant.Kind) (selectors []string, ok bool) {
	if len(s.header) > 1 {
		return nil, false
	}
	for _, h := range s.header {
		if h != "" {
			selectors = append(selectors, h)
		}
	}
	switch kindOf(s.meta) {
	case kindAbsent, kindNull:
	case kindString:
		if text, _ := textOf(s.meta); text != "" {
			selectors = append(selectors, text)
		}
	case kindNumber:
		if kind != tenant.KindInt {
			return nil, false
		}
		selectors = append(selectors, string(s.meta))
	default:
		return nil, false
	}
	return selectors, true
}

// activate returns the principal with the one tenant of the call. A call that reads no rows may leave it
// open; whoever is named must be granted all the same.
func activate(p *auth.Principal, s selection, kind tenant.Kind, needed bool) (*auth.Principal, error) {
	selectors, ok := s.named(kind)
	if !ok {
		return nil, foreign(p)
	}
	if len(selectors) == 0 && (!needed || p.Tenant().Valid()) {
		return p, nil
	}
	active, err := p.Activate(selectors...)
	switch {
	case err == nil:
		return active, nil
	case len(selectors) == 0:
		return nil, choice(p, `this token is for several tenants: name one of them in the Tenantry-Tenant header or in _meta["`+metaTenant+`"]`)
	default:
		return nil, foreign(p)
	}
}

func foreign(p *auth.Principal) error {
	return choice(p, "the call names a tenant that its token does not grant, or two different ones: name a granted one, or none if there is only one")
}

// choice is the refusal that names the granted tenants and no other.
func choice(p *auth.Principal, message string) error {
	const shown = 20
	granted := strings.SplitN(p.GrantedKeys(), ", ", shown+1)
	err := resource.Errorf(resource.Forbidden, "", "%s", message)
	if len(granted) <= shown {
		err.Allowed = granted
	}
	return err
}
