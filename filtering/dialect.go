package filtering

import "github.com/tenantry/tenantry/resource"

// OnDays is the operator of conditions that come from bare dates in a set: the UTC day of the
// timestamp or timestamptz column is one of a set of YYYY-MM-DD. It is never advertised or accepted.
const OnDays resource.Operator = "on_days"

// Dialect is what differs between databases. Implementations are safe for concurrent use.
type Dialect interface {
	// Operator returns the condition over c.Expr with exactly one ?; a question mark of an operator is
	// written ??. Op is positive: Eq, In, Gt, Gteq, Lt, Lteq, Matches, StartsWith, EndsWith, Contains,
	// Overlaps, HasKey or OnDays. The condition is NULL or false where the column is NULL.
	Operator(c Column, op resource.Operator) string

	// Operand returns what that ? is bound to. V is a string, the canonical text of one value; a
	// []string, the set of In and OnDays under one placeholder; or Nested, the operand of an array.
	// The dialect keeps neither v nor changes it. Values of custom filters come with Eq.
	Operand(c Column, op resource.Operator, v any) any
}

// Column is a column as conditions name it.
type Column struct {
	Name     string        // the column, unquoted; never shown to a caller
	Expr     string        // the quoted expression, t."name"; a ? of the name is written ??
	Type     resource.Type // decides operators and values
	Native   string        // the database's own name of the type, for casts; opaque here
	Nullable bool
}

// Nested is the operand of an array: its elements are strings (canonical texts), nil for a null, or
// Nested of the next dimension. It is rectangular, has at most six dimensions and no empty inner array.
type Nested []any
