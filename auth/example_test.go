package auth_test

import (
	"context"
	"fmt"
	"net/http"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/tenant"
)

func tenants(keys ...string) []tenant.ID {
	var out []tenant.ID
	for _, k := range keys {
		id, err := tenant.Text(k)
		if err != nil {
			panic(err)
		}
		out = append(out, id)
	}
	return out
}

func ExampleNewPrincipal() {
	p, err := auth.NewPrincipal(auth.Grant{Subject: "alice", Tenants: tenants("acme"), Scopes: []string{"orders:read"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Subject(), p.Tenant().Key(), p.Has("orders:read"))
	// Output: alice acme true
}

func ExamplePrincipal_Activate() {
	p, err := auth.NewPrincipal(auth.Grant{Subject: "alice", Tenants: tenants("acme", "bolt")})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = p.Activate() // neither a header nor _meta names one
	fmt.Println(err, "of", p.GrantedKeys())

	active, err := p.Activate("bolt")
	fmt.Println(active.Tenant().Key(), err)
	// Output:
	// auth: the call names no single granted tenant of acme, bolt
	// bolt <nil>
}

func ExampleDecide() {
	p, err := auth.NewPrincipal(auth.Grant{Subject: "alice", Tenants: tenants("acme"), Scopes: []string{"orders:read"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(auth.Decide(p, "orders:read"), auth.Decide(p, "payroll:read"), auth.Decide(nil))
	// Output: allow hide hide
}

func ExampleNewStatic() {
	v, err := auth.NewStatic(map[string]auth.Grant{"dev-token": {Subject: "alice", Tenants: tenants("acme")}})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := v.Verify(context.Background(), "dev-token", nil)
	fmt.Println(p.Subject(), err)
	_, err = v.Verify(context.Background(), "another", nil)
	fmt.Println(err)
	// Output:
	// alice <nil>
	// auth: the token is not valid
}

func ExampleVerifierFunc() {
	var v auth.Verifier = auth.VerifierFunc(func(_ context.Context, token string, _ *http.Request) (*auth.Principal, error) {
		if token != "session-1" {
			return nil, auth.ErrInvalid
		}
		return auth.NewPrincipal(auth.Grant{Subject: "alice", Tenants: tenants("acme")})
	})
	p, err := v.Verify(context.Background(), "session-1", nil)
	fmt.Println(p.Subject(), err)
	// Output: alice <nil>
}
