package executors

import (
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
)

// AggregateDialect is what differs in the SQL of aggregates. Both expressions are total: no value makes
// them fail.
type AggregateDialect interface {
	// Key is what rows are grouped by for a column, whose expression is given: its value, or with a unit
	// the first day of the unit's period in UTC. Values that are shown alike are one group.
	Key(c Column, expr string, unit resource.Unit) Aggregate

	// Measure applies one of the type's functions to a column, whose expression is given.
	Measure(fn resource.Function, c Column, expr string) Aggregate

	// Fence ends a derived table whose expressions are to be evaluated once a row, however often they are
	// used outside of it.
	Fence() string
}

// Aggregate is one expression of the answer of aggregate.
type Aggregate struct {
	Expr string

	// Column describes its values as that of a table would be described. Its name is not used.
	Column Column

	// Write writes a value; nil stands for the writer of the column.
	Write serializer.Writer

	// Order are the expressions by whose order the values are ordered; nil stands for Expr.
	Order []string
}
