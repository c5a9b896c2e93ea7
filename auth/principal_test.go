package auth_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/tenant"
)

func TestNewPrincipal(t *testing.T) {
	t.Parallel()
	one := ids(t, tenant.KindInt, "1")
	for _, tc := range []struct {
		name  string
		grant auth.Grant
		want  string // in the error; "": accepted
	}{
		{"one tenant", auth.Grant{Subject: "alice", Tenants: one}, ""},
		{"several tenants", auth.Grant{Subject: "alice", Tenants: ids(t, tenant.KindInt, "1", "2")}, ""},
		{"no subject", auth.Grant{Tenants: one}, "subject"},
		{"no tenant", auth.Grant{Subject: "alice"}, "at least one tenant"},
		{"no tenant in a list", auth.Grant{Subject: "alice", Tenants: []tenant.ID{}}, "at least one tenant"},
		{"the zero tenant", auth.Grant{Subject: "alice", Tenants: []tenant.ID{{}}}, "invalid tenant"},
		{"the zero tenant among others", auth.Grant{Subject: "alice", Tenants: append(ids(t, tenant.KindInt, "1"), tenant.ID{})}, "invalid tenant"},
		{
			"two kinds",
			auth.Grant{Subject: "alice", Tenants: append(ids(t, tenant.KindInt, "1"), ids(t, tenant.KindText, "1")...)},
			"different kinds",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p, err := auth.NewPrincipal(tc.grant)
			switch {
			case tc.want == "" && err != nil:
				t.Fatal(err)
			case tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)):
				t.Fatalf("error %v, want one about %q", err, tc.want)
			case (p == nil) != (err != nil):
				t.Errorf("principal %v beside error %v", p, err)
			}
		})
	}
}

func TestPrincipalTellsItsGrant(t *testing.T) {
	t.Parallel()
	until := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)
	p := principal(t, auth.Grant{
		Issuer: "idp", Subject: "alice", Client: "cli", Expires: until,
		Tenants: ids(t, tenant.KindInt, "2", "1", "2"), Scopes: []string{"a", "", "a", "b c"},
	})
	got := []any{p.Issuer(), p.Subject(), p.Client(), p.Expires(), p.GrantedKeys(), len(p.Granted())}
	if diff := cmp.Diff([]any{"idp", "alice", "cli", until, "2, 1", 2}, got); diff != "" {
		t.Error(diff)
	}
	for scope, want := range map[string]bool{"a": true, "b c": true, "b": false, "A": false, "": false} {
		if p.Has(scope) != want {
			t.Errorf("Has(%q) = %v", scope, !want)
		}
	}
}

// Whoever made the grant, or reads the principal, cannot change it.
func TestPrincipalIsImmutable(t *testing.T) {
	t.Parallel()
	g := auth.Grant{Subject: "alice", Tenants: ids(t, tenant.KindInt, "1", "2"), Scopes: []string{"a"}}
	p := principal(t, g)
	g.Tenants[0], g.Scopes[0] = ids(t, tenant.KindInt, "9")[0], "b"
	p.Granted()[1] = ids(t, tenant.KindInt, "9")[0]
	if p.GrantedKeys() != "1, 2" || !p.Has("a") || p.Has("b") {
		t.Errorf("the principal has changed: %q", p.GrantedKeys())
	}
}

func TestNobody(t *testing.T) {
	t.Parallel()
	var p *auth.Principal
	if p.Has("a") || p.Has("") || p.Tenant().Valid() {
		t.Error("a nil principal has rights")
	}
	if auth.Decide(p) != auth.Hide || auth.Decide(p, "") != auth.Hide || auth.Decide(p, "a") != auth.Hide {
		t.Error("a nil principal is allowed something")
	}
	if _, err := p.Activate("1"); err == nil {
		t.Error("a nil principal has an active tenant")
	}
}

func TestPrincipalPrintsNoTenant(t *testing.T) {
	t.Parallel()
	p := principal(t, auth.Grant{Subject: "alice", Tenants: ids(t, tenant.KindText, "secret-key")})
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		for _, v := range []any{p, *p, []*auth.Principal{p}, p.Granted()} {
			if got := fmt.Sprintf(verb, v); strings.Contains(got, "secret") {
				t.Errorf("%s prints %s", verb, got)
			}
		}
	}
}

func TestDecide(t *testing.T) {
	t.Parallel()
	p := principal(t, auth.Grant{Subject: "alice", Tenants: ids(t, tenant.KindInt, "1"), Scopes: []string{"a", "b"}})
	for _, tc := range []struct {
		name     string
		requires []string
		want     auth.Decision
	}{
		{"nothing", nil, auth.Allow},
		{"the empty scope", []string{""}, auth.Allow},
		{"one of two", []string{"a"}, auth.Allow},
		{"both", []string{"a", "b"}, auth.Allow},
		{"one too many", []string{"a", "c"}, auth.Hide},
		{"another", []string{"c"}, auth.Hide},
		{"a prefix", []string{"a:read"}, auth.Hide},
		{"other letters", []string{"A"}, auth.Hide},
		{"two in one", []string{"a b"}, auth.Hide},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := auth.Decide(p, tc.requires...); got != tc.want {
				t.Errorf("Decide(%q) = %s, want %s", tc.requires, got, tc.want)
			}
		})
	}
}
