package auth_test

import (
	"testing"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/tenant"
)

func ids(t *testing.T, kind tenant.Kind, keys ...string) []tenant.ID {
	t.Helper()
	out := make([]tenant.ID, len(keys))
	for i, k := range keys {
		id, err := tenant.Parse(kind, k)
		if err != nil {
			t.Fatal(err)
		}
		out[i] = id
	}
	return out
}

func principal(t *testing.T, g auth.Grant) *auth.Principal {
	t.Helper()
	p, err := auth.NewPrincipal(g)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
