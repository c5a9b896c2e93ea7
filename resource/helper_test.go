package resource_test

import (
	"errors"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
)

// fields is a serializer of fields alone.
type fields []resource.Field

func (f fields) Fields() ([]resource.Field, error) { return f, nil }

func (fields) Compute(resource.Row, []string) ([]any, error) {
	return nil, errors.New("nothing is computed")
}

// columns shows columns under their own names.
func columns(names ...string) fields {
	out := make(fields, len(names))
	for i, n := range names {
		out[i] = resource.Field{Name: n, Column: n}
	}
	return out
}

// broken is a serializer that cannot say what its fields are.
type broken struct{ fields }

func (broken) Fields() ([]resource.Field, error) { return nil, errors.New("no tags") }

// orders is a spec without a mistake.
func orders() resource.Spec {
	return resource.Spec{
		Name:       "orders",
		Table:      "sales.orders",
		Scope:      scope.Column("account_id"),
		Filterable: resource.Columns{"status": "status", "booking_id": "synced_booking_id"},
		Serializer: columns("id", "number", "status"),
	}
}
