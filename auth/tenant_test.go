package auth_test

import (
	"errors"
	"testing"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/tenant"
)

func TestActivate(t *testing.T) {
	t.Parallel()
	const upper, lower = "6F1F2C9E-3B1A-4F0E-9A52-1F7F4C0D2B11", "6f1f2c9e-3b1a-4f0e-9a52-1f7f4c0d2b11"
	for _, tc := range []struct {
		name      string
		kind      tenant.Kind
		granted   []string
		selectors []string
		want      string // "": refused
	}{
		{"one tenant needs no selector", tenant.KindInt, []string{"1"}, nil, "1"},
		{"one tenant, empty selectors", tenant.KindInt, []string{"1"}, []string{"", ""}, "1"},
		{"one tenant, named", tenant.KindInt, []string{"1"}, []string{"1"}, "1"},
		{"one tenant, another named", tenant.KindInt, []string{"1"}, []string{"2"}, ""},
		{"one tenant, nonsense named", tenant.KindInt, []string{"1"}, []string{"one"}, ""},
		{"one tenant, another spelling", tenant.KindInt, []string{"1"}, []string{"01"}, ""},
		{"one tenant, then another", tenant.KindInt, []string{"1"}, []string{"1", "2"}, ""},
		{"several, none named", tenant.KindInt, []string{"1", "2"}, nil, ""},
		{"several, empty selectors", tenant.KindInt, []string{"1", "2"}, []string{"", ""}, ""},
		{"several, the second named", tenant.KindInt, []string{"1", "2"}, []string{"2"}, "2"},
		{"several, named twice", tenant.KindInt, []string{"1", "2"}, []string{"2", "2"}, "2"},
		{"several, named beside an empty one", tenant.KindInt, []string{"1", "2"}, []string{"", "2"}, "2"},
		{"several, two named", tenant.KindInt, []string{"1", "2"}, []string{"2", "1"}, ""},
		{"several, a foreign one", tenant.KindInt, []string{"1", "2"}, []string{"3"}, ""},
		{"several, a foreign one beside a granted one", tenant.KindInt, []string{"1", "2"}, []string{"1", "3"}, ""},
		{"several, zero", tenant.KindInt, []string{"1", "2"}, []string{"0"}, ""},
		{"a uuid in capitals", tenant.KindUUID, []string{lower, "00000000-0000-0000-0000-000000000002"}, []string{upper}, lower},
		{"two spellings of one uuid", tenant.KindUUID, []string{lower, "00000000-0000-0000-0000-000000000002"}, []string{upper, lower}, lower},
		{"a text of other letters", tenant.KindText, []string{"acme", "bolt"}, []string{"Acme"}, ""},
		{"a text that is a list", tenant.KindText, []string{"acme", "bolt"}, []string{"acme,bolt"}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p := principal(t, auth.Grant{Subject: "alice", Tenants: ids(t, tc.kind, tc.granted...), Scopes: []string{"a"}})
			got, err := p.Activate(tc.selectors...)
			if tc.want == "" {
				if !errors.Is(err, auth.ErrTenant) || got != nil {
					t.Fatalf("Activate(%q) = %v, %v; want ErrTenant", tc.selectors, got, err)
				}
				return
			}
			if err != nil || got.Tenant().Key() != tc.want {
				t.Fatalf("Activate(%q) = %q, %v; want %q", tc.selectors, got.Tenant().Key(), err, tc.want)
			}
			if !got.Has("a") || got.Subject() != "alice" {
				t.Error("the rest of the grant is gone")
			}
		})
	}
}

// A choice is good for one call: the principal that it was made on stays without one.
func TestActivateRemembersNothing(t *testing.T) {
	t.Parallel()
	p := principal(t, auth.Grant{Subject: "alice", Tenants: ids(t, tenant.KindInt, "1", "2")})
	if _, err := p.Activate("2"); err != nil {
		t.Fatal(err)
	}
	if p.Tenant().Valid() {
		t.Error("the choice is remembered")
	}
	if _, err := p.Activate(); !errors.Is(err, auth.ErrTenant) {
		t.Errorf("a call without a selector: %v", err)
	}
}
