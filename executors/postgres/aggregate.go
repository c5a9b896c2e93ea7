package postgres

import (
	"encoding/binary"
	"math"
	"strconv"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
)

// The types of what aggregate answers, by their numbers in pg_type.
const (
	int8OID    = 20
	dateOID    = 1082
	numericOID = 1700
)

// Key groups by a value itself, or by the first day of its period.
func (Dialect) Key(c executors.Column, expr string, unit resource.Unit) executors.Aggregate {
	if unit == "" {
		return executors.Aggregate{Expr: expr, Column: c}
	}
	if c.Type.Kind == resource.TimestampTZ {
		expr = "(" + expr + " AT TIME ZONE 'UTC')"
	}
	return executors.Aggregate{
		Expr:   period("("+expr+")::pg_catalog.date", unit),
		Column: executors.Column{Type: resource.Plain(resource.Date), OID: dateOID, Binary: true, Nullable: true},
	}
}

// period is the first day of a date's period. date_trunc knows timestamps alone, whose years end at 294276, so
// that a date is moved by whole cycles of the Gregorian calendar, of 400 years and 146097 days that begin on
// the same day of the week, into the present one and back. An infinite date is its own period, and before
// the first whole year of the calendar there is but one.
func period(date string, unit resource.Unit) string {
	if unit == resource.Day {
		return date
	}
	const first, firstYear = "'4713-11-24 BC'::pg_catalog.date", "'4712-01-01 BC'::pg_catalog.date"
	days := "((" + date + " - '2000-01-01'::pg_catalog.date) / 146097 * 146097)"
	return "CASE WHEN NOT pg_catalog.isfinite(" + date + ") THEN " + date +
		" WHEN " + date + " < " + firstYear + " THEN " + first +
		" ELSE pg_catalog.date_trunc('" + string(unit) + "', (" + date + " - " + days + ")::pg_catalog.timestamp)::pg_catalog.date + " + days + " END"
}

// Measure applies a function. Sums and averages of floats are those of the decimals that rows show: exact,
// the same in every order, and without the overflow that fails a statement.
func (Dialect) Measure(fn resource.Function, c executors.Column, expr string) executors.Aggregate {
	switch fn {
	case resource.CountDistinct:
		return executors.Aggregate{
			Expr: "pg_catalog.count(DISTINCT " + expr + ")", Column: executors.Column{Type: resource.Plain(resource.BigInt), OID: int8OID, Binary: true},
		}
	case resource.Min, resource.Max:
		c.Nullable = true
		return executors.Aggregate{Expr: string(fn) + "(" + expr + ")", Column: c}
	case resource.Sum, resource.Avg:
		return total(fn, c, expr)
	default:
		return executors.Aggregate{Expr: "NULL", Column: c} // not a function of PostgreSQL's
	}
}

// total is a sum or an average. A sum of bigints is a numeric, and shown as any integer is.
func total(fn resource.Function, c executors.Column, expr string) executors.Aggregate {
	out := executors.Aggregate{
		Expr:   "pg_catalog." + string(fn) + "(" + expr + ")",
		Column: executors.Column{Type: resource.Plain(resource.Numeric), OID: numericOID, Binary: true, Nullable: true},
	}
	switch kind := c.Type.Kind; {
	case kind == resource.Real, kind == resource.Double:
		out.Expr = "pg_catalog." + string(fn) + "(" + expr + "::pg_catalog.text::pg_catalog.numeric)"
		out.Column.Type, out.Column.Binary, out.Write = resource.Plain(resource.Double), false, writeDouble
	case kind != resource.Numeric && fn == resource.Sum:
		out.Column.Type, out.Column.Binary = resource.Plain(resource.BigInt), false
		out.Write = serializer.TextWriter(out.Column.Type)
		if kind != resource.BigInt {
			out.Column.OID = int8OID
		}
	}
	return out
}

var doubleWriter, _ = serializer.BinaryWriter(resource.Plain(resource.Double))

// writeDouble writes a decimal as the nearest double; one beyond all doubles is infinite.
func writeDouble(dst, raw []byte) []byte {
	f, _ := strconv.ParseFloat(string(raw), 64)
	var bits [8]byte
	binary.BigEndian.PutUint64(bits[:], math.Float64bits(f))
	return doubleWriter(dst, bits[:])
}

// Fence keeps the planner from merging a derived table with what is around it.
func (Dialect) Fence() string { return "OFFSET 0" }
