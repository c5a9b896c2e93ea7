package registry_test

import (
	"errors"
	"testing"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/tenant"
)

// columns is a serializer that shows columns under their own names.
type columns []string

func (c columns) Fields() ([]resource.Field, error) {
	out := make([]resource.Field, len(c))
	for i, name := range c {
		out[i] = resource.Field{Name: name, Column: name}
	}
	return out, nil
}

func (columns) Compute(resource.Row, []string) ([]any, error) {
	return nil, errors.New("nothing is computed")
}

func spec(name, requires string) resource.Spec {
	return resource.Spec{
		Name: name, Table: name, Requires: requires,
		Scope: scope.Column("account_id"), Serializer: columns{"id"},
	}
}

func internal(name string) resource.Spec {
	s := spec(name, "")
	s.Internal = true
	return s
}

func caller(t *testing.T, scopes ...string) *auth.Principal {
	t.Helper()
	id, err := tenant.Int(1)
	if err != nil {
		t.Fatal(err)
	}
	p, err := auth.NewPrincipal(auth.Grant{Subject: "alice", Tenants: []tenant.ID{id}, Scopes: scopes})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
