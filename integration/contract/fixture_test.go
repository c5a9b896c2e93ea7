package contract_test

import (
	"bytes"
	"sync"
	"testing"

	"github.com/Masterminds/squirrel"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// shop are the resources of the shared fixture. On SQLite the columns that it does not have are left out.
func (db *database) shop() []resource.Spec {
	columns := []string{"id", "state", "total", "qty", "urgent", "due", "placed_at", "ref", "note", "extra"}
	filterable := resource.Columns{
		"id": "id", "state": "state", "total": "total", "qty": "qty", "urgent": "urgent", "due": "due",
		"placed_at": "placed_at", "ref": "ref", "note": "note", "customer_id": "bill_to",
	}
	if db.name == "postgres" {
		columns = append(columns, "tags")
		filterable["tags"], filterable["extra"] = "tags", "extra"
	}
	return []resource.Spec{
		{
			Name: "orders", Description: "Orders of the account.", Table: "orders", Requires: "orders:read",
			Scope:      scope.Column("tenant_id"),
			Filterable: filterable,
			Filters: []resource.Filter{{
				Name: "sku", Type: resource.Text, Description: "Orders with a line of this article.",
				Condition: func(v resource.Value) (squirrel.Sqlizer, error) {
					return squirrel.Expr("EXISTS (SELECT 1 FROM order_lines l WHERE l.order_id = t.id AND l.tenant_id = t.tenant_id AND l.sku = ?)", v), nil
				},
			}},
			Sortable:   []string{"id", "state", "total", "qty", "due", "placed_at", "note"},
			UpdatedAt:  "placed_at",
			Serializer: serializer.Columns(columns...),
			Relations: []resource.Relation{
				resource.BelongsTo("customer", "customers", "bill_to"),
				resource.BelongsTo("parent", "orders", "parent_id"),
			},
		},
		{
			Name: "customers", Description: "Customers of the account.", Table: "customers", Requires: "customers:read",
			Scope:      scope.Column("tenant_id"),
			Narrow:     resource.Conditions{"deleted_at": nil},
			Filterable: resource.Columns{"id": "id", "email": "email"},
			Sortable:   []string{"email"},
			Serializer: serializer.Columns("id", "email", "display_name"),
		},
		{
			Name: "lines", Description: "Lines of the account's orders.", Table: "order_lines", Requires: "orders:read",
			Scope:      scope.Via("orders", "order_id"),
			Filterable: resource.Columns{"order": "order_id", "article": "sku"},
			Serializer: serializer.Columns("id", "sku"),
		},
	}
}

// start serves the shop over the rows that the SQL makes, after the two tenants.
func (db *database) start(t *testing.T, rows string) *server {
	t.Helper()
	db.exec(t, `INSERT INTO tenants (id, name) VALUES (1, 'one'), (2, 'two');`+rows)
	return db.serve(t, settings{}, db.shop()...)
}

// lockedBuffer is a log that several goroutines write.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
