// Package isolation_test shows how an application proves in its own CI that its tenants are apart.
package isolation_test

import (
	"context"
	"database/sql"
	"testing"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/sqlite"
	"github.com/tenantry/tenantry/isolationtest"
	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
	"github.com/tenantry/tenantry/tenant"
)

// What the application has anyway: its resources, and its endpoint over a database.
var reg = registry.MustNew(nil,
	resource.Spec{
		Name: "customers", Description: "Customers of the account.", Table: "customers", Requires: "customers:read",
		Scope: scope.Column("account_id"), Filterable: resource.Columns{"name": "name"}, Sortable: []string{"name"},
		Serializer: serializer.Columns("id", "name"),
	},
	resource.Spec{
		Name: "orders", Description: "Orders of the account.", Table: "orders",
		Scope: scope.Column("account_id"), Filterable: resource.Columns{"note": "note"}, Groupable: []string{"note"},
		Serializer: serializer.Columns("id", "note"), Relations: []resource.Relation{resource.BelongsTo("customer", "customers", "customer_id")},
	})

const tables = `
	CREATE TABLE customers (id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL, name TEXT);
	CREATE TABLE orders (id INTEGER PRIMARY KEY, account_id INTEGER, customer_id INTEGER, note TEXT)`

// seed gives an account two customers, and orders of one of its own and of one of the other account.
func seed(ctx context.Context, db *sql.DB, m, other isolationtest.Mark) error {
	_, err := db.ExecContext(ctx, `INSERT INTO customers VALUES (?1, ?2, ?3), (?1 + 1, ?2, ?3 || 'twin');
		INSERT INTO orders VALUES (?1, ?2, ?1, ?3), (?1 + 1, ?2, ?4, ?3 || 'of a stranger'), (?1 + 2, NULL, ?1, 'of nobody')`,
		m.Int(1), m.Number(), m.Text("Alice"), other.Int(1))
	return err
}

func TestIsolation(t *testing.T) {
	one, two := isolationtest.MarkOf(1), isolationtest.MarkOf(2)
	db, err := sqlite.OpenMemory(t.Context(), func(ctx context.Context, db *sql.DB) error {
		_, err := db.ExecContext(ctx, tables)
		return first(err, seed(ctx, db, one, two), seed(ctx, db, two, one))
	})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	exec, err := executors.New(t.Context(), db, reg, nil)
	if err != nil {
		t.Fatal(err)
	}
	tokens, err := auth.NewStatic(map[string]auth.Grant{
		"one": grant(1, "customers:read"), "one-orders-alone": grant(1), "two": grant(2, "customers:read"),
	})
	if err != nil {
		t.Fatal(err)
	}
	handler, err := mcpserver.Handler(exec, tokens, nil)
	if err != nil {
		t.Fatal(err)
	}
	isolationtest.Run(t, isolationtest.App{
		Handler: handler, Registry: reg,
		One: isolationtest.Tenant{Token: "one", Fewer: []string{"one-orders-alone"}},
		Two: isolationtest.Tenant{Token: "two"},
	}, nil) // the rows are there already
}

func grant(account int64, scopes ...string) auth.Grant {
	id, _ := tenant.Int(account) // only 0 is no account
	return auth.Grant{Subject: "ci", Tenants: []tenant.ID{id}, Scopes: scopes}
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
