package auth_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/tenant"
)

func TestVerifierFunc(t *testing.T) {
	t.Parallel()
	alice := principal(t, auth.Grant{Subject: "alice", Tenants: ids(t, tenant.KindInt, "1")})
	own := errors.New("the session store says no")
	for _, tc := range []struct {
		name string
		f    auth.VerifierFunc
		want error // nil: alice
	}{
		{"a principal", func(context.Context, string, *http.Request) (*auth.Principal, error) { return alice, nil }, nil},
		{"nobody", func(context.Context, string, *http.Request) (*auth.Principal, error) { return nil, nil }, auth.ErrInvalid},
		{"an error of the host", func(context.Context, string, *http.Request) (*auth.Principal, error) { return nil, own }, own},
		{"a principal beside an error", func(context.Context, string, *http.Request) (*auth.Principal, error) { return alice, own }, own},
		{"unavailable", func(context.Context, string, *http.Request) (*auth.Principal, error) {
			return nil, fmt.Errorf("dial: %w", auth.ErrUnavailable)
		}, auth.ErrUnavailable},
		{"a panic", func(context.Context, string, *http.Request) (*auth.Principal, error) { panic("token of alice") }, auth.ErrUnavailable},
		{"no function", nil, auth.ErrUnavailable},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p, err := tc.f.Verify(t.Context(), "token", nil)
			if !errors.Is(err, tc.want) {
				t.Fatalf("error %v, want %v", err, tc.want)
			}
			if (p == alice) != (tc.want == nil) || (p != nil && err != nil) {
				t.Errorf("principal %v beside error %v", p, err)
			}
		})
	}
}

func TestStatic(t *testing.T) {
	t.Parallel()
	one := ids(t, tenant.KindInt, "1")
	s, err := auth.NewStatic(map[string]auth.Grant{
		"alices": {Subject: "alice", Tenants: one},
		"bobs":   {Subject: "bob", Tenants: one, Expires: time.Now().Add(time.Hour)},
		"old":    {Subject: "carol", Tenants: one, Expires: time.Now().Add(-time.Hour)},
	})
	if err != nil {
		t.Fatal(err)
	}
	for token, want := range map[string]string{
		"alices": "alice", "bobs": "bob", "old": "", "": "", "alice": "", "alicess": "", "ALICES": "", "alices ": "", "alices\x00": "",
	} {
		p, err := s.Verify(t.Context(), token, nil)
		switch {
		case want == "" && (!errors.Is(err, auth.ErrInvalid) || p != nil):
			t.Errorf("%q: %v, %v; want ErrInvalid", token, p, err)
		case want != "" && (err != nil || p.Subject() != want):
			t.Errorf("%q: %v, want %s", token, err, want)
		}
	}
	if !s.DevelopmentOnly() {
		t.Error("static tokens are for production")
	}
}

func TestNewStaticRefuses(t *testing.T) {
	t.Parallel()
	one := ids(t, tenant.KindInt, "1")
	for name, tokens := range map[string]map[string]auth.Grant{
		"an empty token":   {"": {Subject: "alice", Tenants: one}},
		"no subject":       {"t": {Tenants: one}},
		"no tenant":        {"t": {Subject: "alice"}},
		"the zero tenant":  {"t": {Subject: "alice", Tenants: []tenant.ID{{}}}},
		"one bad of two":   {"t": {Subject: "alice", Tenants: one}, "u": {Subject: "bob"}},
		"tenants of kinds": {"t": {Subject: "alice", Tenants: append(ids(t, tenant.KindText, "1"), one...)}},
	} {
		if s, err := auth.NewStatic(tokens); err == nil || s != nil {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
}

func TestStaticKeepsNoToken(t *testing.T) {
	t.Parallel()
	s, err := auth.NewStatic(map[string]auth.Grant{"very-secret": {Subject: "alice", Tenants: ids(t, tenant.KindInt, "1")}})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%#v", s); strings.Contains(got, "very-secret") {
		t.Errorf("the verifier prints its token: %s", got)
	}
}
