package sqlite

import (
	"fmt"
	"strings"

	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/resource"
)

// Operator writes one condition.
func (Dialect) Operator(c filtering.Column, op resource.Operator) string {
	switch op {
	case resource.Eq:
		return equal(c, "SELECT ?", side(c)+" = "+operand(c.Type, "?"))
	case resource.In:
		return equal(c, "SELECT value FROM json_each(?)",
			side(c)+" IN (SELECT "+operand(c.Type, "value")+" FROM json_each(?))")
	case resource.Gt:
		return side(c) + " > " + operand(c.Type, "?")
	case resource.Gteq:
		return side(c) + " >= " + operand(c.Type, "?")
	case resource.Lt:
		return side(c) + " < " + operand(c.Type, "?")
	case resource.Lteq:
		return side(c) + " <= " + operand(c.Type, "?")
	case resource.Matches:
		return "tenantry_matches(" + c.Expr + ", ?)"
	case resource.StartsWith:
		return "tenantry_starts_with(" + c.Expr + ", ?)"
	case resource.EndsWith:
		return "tenantry_ends_with(" + c.Expr + ", ?)"
	case filtering.OnDays:
		return "substr(" + c.Expr + ", 1, 11) IN (SELECT value || 'T' FROM json_each(?))"
	default:
		return "NULL = ?" // not an operator of SQLite's types: holds for no row
	}
}

// equal is the given equality, but for a UUID: it may be stored in capitals, and asking for both spellings
// leaves the column to its index.
func equal(c filtering.Column, values, otherwise string) string {
	if c.Type.Kind != resource.UUID {
		return otherwise
	}
	return c.Expr + " IN (WITH s(v) AS (" + values + ") SELECT v FROM s UNION ALL SELECT upper(v) FROM s)"
}

// side is the column as it is compared with operands.
func side(c filtering.Column) string {
	switch c.Type.Kind {
	case resource.CIText:
		return "tenantry_fold(" + c.Expr + ")"
	case resource.Char:
		return "rtrim(" + c.Expr + ")" // the padding is no part of the value
	case resource.Printed:
		return printed(c.Expr)
	default:
		return c.Expr
	}
}

// operand gives the canonical text of a value its type.
func operand(t resource.Type, value string) string {
	switch t.Kind {
	case resource.SmallInt, resource.Integer, resource.BigInt:
		return "CAST(" + value + " AS INTEGER)"
	case resource.Numeric, resource.Real, resource.Double:
		return "tenantry_value(" + value + ")"
	case resource.Boolean:
		return "tenantry_boolean(" + value + ")"
	case resource.CIText:
		return "tenantry_fold(" + value + ")"
	default:
		return value
	}
}

// Operand is what the placeholder of Operator takes.
func (Dialect) Operand(_ filtering.Column, op resource.Operator, v any) any {
	s, ok := v.(string)
	if !ok {
		return v
	}
	switch op {
	case resource.Matches, resource.StartsWith, resource.EndsWith:
		return fold(s)
	default:
		return s
	}
}

// KeySet compares a row of columns with rows of values, one list for each column: the first is taken
// apart, and the others give what stands in the same place.
func (Dialect) KeySet(cols []filtering.Column) string {
	var left, right, from []string
	for i, c := range cols {
		value := "k0.value"
		if i == 0 {
			from = append(from, "json_each(?) AS k0")
		} else {
			from = append(from, fmt.Sprintf("(SELECT ? AS list) AS k%d", i))
			value = fmt.Sprintf("(k%d.list ->> k0.key)", i)
		}
		l := side(c)
		if c.Type.Kind == resource.UUID {
			l = "lower(" + l + ")"
		}
		left, right = append(left, l), append(right, operand(c.Type, value))
	}
	return "(" + strings.Join(left, ", ") + ") IN (SELECT " + strings.Join(right, ", ") + " FROM " + strings.Join(from, ", ") + ")"
}
