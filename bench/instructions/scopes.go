package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
	"github.com/tenantry/tenantry/tenant"
)

// pageRows is the size of the page.
const pageRows = 25

// others is a table with a tenant, without which nothing says what a tenant is.
const others = "others"

// scopes are the ways in which the same rows are registered. Those of a global resource have no witness, and are
// what the others stand against: nothing else of a call differs but the column that brings the witness.
var scopes = []struct {
	name     string
	registry func() (*registry.Registry, error)
}{
	{"global", func() (*registry.Registry, error) {
		other := resource.Spec{
			Name: others, Table: others, Key: []string{"id"}, Scope: scope.Column("owner_id"), Serializer: serializer.Columns("id"),
		}
		return registry.NewWithGlobals(nil, []resource.Global{{Reason: "the rows are nobody's", Spec: widgets(scope.Predicate{})}}, other)
	}},
	{"column", func() (*registry.Registry, error) { return registry.New(nil, widgets(scope.Column("account_id"))) }},
	{"via", func() (*registry.Registry, error) {
		parent := widgets(scope.Column("account_id"))
		parent.Name, parent.Table = "parents", "parents"
		return registry.New(nil, widgets(scope.Via("parents", "account_id")), parent)
	}},
}

func names() string {
	var out []string
	for _, s := range scopes {
		out = append(out, s.name)
	}
	return strings.Join(out, ", ")
}

func widgets(s scope.Predicate) resource.Spec {
	var shown []string
	for _, c := range columns {
		shown = append(shown, c.Name)
	}
	return resource.Spec{
		Name: "widgets", Table: "widgets", Key: []string{"id"}, Scope: s,
		Serializer: serializer.Columns(shown...), Sortable: []string{"created_at"},
	}
}

// repeat lists the rows of a scope again and again.
func repeat(ctx context.Context, name string, calls int) error {
	x, err := serving(ctx, name, recording(pageRows+1))
	if err != nil {
		return err
	}
	p, err := caller()
	if err != nil {
		return err
	}
	for range calls {
		if err := once(ctx, x, p); err != nil {
			return err
		}
	}
	return nil
}

func once(ctx context.Context, x *executors.Executor, p *auth.Principal) error {
	answer, err := x.List(ctx, p, executors.ListRequest{Resource: "widgets", Sort: []string{"created_at"}})
	if err != nil {
		return err
	}
	if answer.Rows != pageRows {
		return fmt.Errorf("a page has %d rows", answer.Rows)
	}
	return nil
}

func serving(ctx context.Context, name string, rows [][][]byte) (*executors.Executor, error) {
	for _, s := range scopes {
		if s.name != name {
			continue
		}
		reg, err := s.registry()
		if err != nil {
			return nil, err
		}
		return executors.New(ctx, recorded{rows}, reg, &executors.Options{
			DefaultLimit: pageRows, Logger: slog.New(slog.DiscardHandler),
		})
	}
	return nil, fmt.Errorf("there is no scope %q: name one of %s", name, names())
}

func caller() (*auth.Principal, error) {
	id, err := tenant.Int(account)
	if err != nil {
		return nil, err
	}
	return auth.NewPrincipal(auth.Grant{Subject: "alice", Tenants: []tenant.ID{id}})
}
