package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"log/slog"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/sqlite"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
	"github.com/tenantry/tenantry/tenant"
)

func ExampleOpenMemory() {
	ctx := context.Background()
	db, err := sqlite.OpenMemory(ctx, func(ctx context.Context, db *sql.DB) error {
		_, err := db.ExecContext(ctx, `
			CREATE TABLE orders (id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL, total NUMERIC, placed_at TIMESTAMPTZ);
			INSERT INTO orders VALUES (1, 7, 19.90, '2026-07-01T09:30:00.000000Z'), (2, 8, 5, NULL), (3, 7, 12, NULL)`)
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()

	reg := registry.MustNew(nil, resource.Spec{
		Name: "orders", Table: "orders", Scope: scope.Column("account_id"),
		Serializer: serializer.Columns("id", "total", "placed_at"),
	})
	exec, err := executors.New(ctx, db, reg, &executors.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		log.Fatal(err)
	}
	account, err := tenant.Int(7)
	if err != nil {
		log.Fatal(err)
	}
	alice, err := auth.NewPrincipal(auth.Grant{Subject: "alice", Tenants: []tenant.ID{account}})
	if err != nil {
		log.Fatal(err)
	}
	answer, err := exec.List(ctx, alice, executors.ListRequest{Resource: "orders"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(answer.JSON))
	// Output:
	// {"resource":"orders","rows":[{"id":1,"total":19.9,"placed_at":"2026-07-01T09:30:00.000000Z"},{"id":3,"total":12,"placed_at":null}],"meta":{"limit":25,"returned":2,"has_more":false}}
}

func ExampleOpen() {
	_, err := sqlite.Open(context.Background(), "/nowhere/shop.db")
	fmt.Println(err)
	// Output:
	// sqlite: /nowhere/shop.db: unavailable: the database cannot be reached: send the same call again later (unable to open database file (14))
}
