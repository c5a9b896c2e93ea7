package main

import (
	"context"
	"database/sql"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/sqlite"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

var books = registry.MustNew(nil, resource.Spec{
	Name: "entries", Description: "What was booked.", Table: "entries", Requires: "books:read",
	Scope:      scope.Column("company_id"),
	Filterable: resource.Columns{"memo": "memo"},
	Sortable:   []string{"amount"},
	Groupable:  []string{"memo"}, // so that the tool aggregate is there as well
	Serializer: serializer.Columns("id", "amount", "memo"),
})

func openBooks(ctx context.Context) (executors.DB, error) {
	return sqlite.OpenMemory(ctx, func(ctx context.Context, db *sql.DB) error {
		_, err := db.ExecContext(ctx, `
			CREATE TABLE entries (id BIGINT NOT NULL PRIMARY KEY, company_id INTEGER NOT NULL, amount BIGINT NOT NULL, memo TEXT);
			INSERT INTO entries VALUES
				(1, 1, 100, 'north'), (3, 1, 9007199254740993, 'north'), (2, 2, 70, 'south'), (4, 2, -9007199254740993, NULL)`)
		return err
	})
}
