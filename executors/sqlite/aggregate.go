package sqlite

import (
	"database/sql/driver"
	"math/big"
	"time"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
)

// Key groups by a value itself, or by the first day of its period.
func (Dialect) Key(c executors.Column, expr string, unit resource.Unit) executors.Aggregate {
	if unit == "" {
		return executors.Aggregate{Expr: alike(c.Type, expr), Column: c}
	}
	return executors.Aggregate{
		Expr:   "tenantry_period(" + expr + ", '" + string(unit) + "')",
		Column: executors.Column{Type: resource.Plain(resource.Date), Nullable: true, Long: true},
	}
}

// alike is the value that all spellings of a value share.
func alike(t resource.Type, expr string) string {
	switch t.Kind {
	case resource.UUID:
		return "lower(" + expr + ")"
	case resource.Char:
		return "rtrim(" + expr + ")"
	case resource.CIText:
		return "tenantry_fold(" + expr + ")"
	default:
		return expr
	}
}

// Measure applies a function. Sums and averages are over the values that are numbers of the column's type.
func (d Dialect) Measure(fn resource.Function, c executors.Column, expr string) executors.Aggregate {
	double := executors.Column{Type: resource.Plain(resource.Double), Nullable: true}
	integer := c.Type.Kind == resource.BigInt
	number := "CASE WHEN typeof(" + expr + ") IN ('integer', 'real') THEN CAST(" + expr + " AS REAL) END"
	if integer {
		number = "CASE typeof(" + expr + ") WHEN 'integer' THEN " + expr + " END"
	}
	switch {
	case fn == resource.CountDistinct:
		return executors.Aggregate{Expr: "count(DISTINCT " + alike(c.Type, expr) + ")", Column: executors.Column{Type: resource.Plain(resource.BigInt)}}
	case fn == resource.Min, fn == resource.Max:
		return executors.Aggregate{Expr: string(fn) + "(" + expr + ")", Column: c}
	case fn == resource.Sum && integer:
		return wholeSum(number)
	default:
		return executors.Aggregate{Expr: string(fn) + "(" + number + ")", Column: double}
	}
}

// wholeSum is an exact sum of integers, of which SQLite's own fails beyond 64 bits: the sums of their upper
// and lower halves, put together when they are shown.
func wholeSum(integer string) executors.Aggregate {
	upper, lower := "sum(("+integer+") >> 32)", "sum(("+integer+") & 4294967295)"
	kind := resource.Plain(resource.BigInt)
	return executors.Aggregate{
		Expr: "tenantry_halves(" + upper + ", " + lower + ")", Column: executors.Column{Type: kind, Nullable: true},
		Write: serializer.TextWriter(kind),
		Order: []string{upper + " + (" + lower + " >> 32)", lower + " & 4294967295"},
	}
}

func halves(args []driver.Value) driver.Value {
	upper, ok := args[0].(int64)
	lower, all := args[1].(int64)
	if !ok || !all {
		return nil
	}
	sum := new(big.Int).Lsh(big.NewInt(upper), 32)
	return sum.Add(sum, big.NewInt(lower)).String()
}

// period is the first day of the period of a date or a timestamp. What is stored in another form is left as it
// is: a group of its own.
func period(args []driver.Value) driver.Value {
	text, ok := args[0].(string)
	if !ok || len(text) < len(time.DateOnly) {
		return args[0]
	}
	day, err := time.Parse(time.DateOnly, text[:len(time.DateOnly)])
	if err != nil || day.Year() == 0 || !ofPeriod(text[len(time.DateOnly):]) {
		return args[0]
	}
	unit, _ := args[1].(string)
	return firstDay(day, resource.Unit(unit)).Format(time.DateOnly)
}

// ofPeriod reports whether what stands behind a day is nothing, or a time of that day in UTC.
func ofPeriod(rest string) bool {
	if rest == "" {
		return true
	}
	for _, form := range []string{"T15:04:05Z", "T15:04:05"} { // a fraction is taken with either
		if _, err := time.Parse(form, rest); err == nil {
			return true
		}
	}
	return false
}

func firstDay(day time.Time, unit resource.Unit) time.Time {
	year, month, _ := day.Date()
	switch unit {
	case resource.Day:
		return day
	case resource.Week:
		const saturdays = 6 // days since Monday are those since Sunday, less one
		return day.AddDate(0, 0, -(int(day.Weekday())+saturdays)%7)
	case resource.Month:
		return time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	case resource.Quarter:
		return time.Date(year, month-(month-1)%3, 1, 0, 0, 0, 0, time.UTC)
	case resource.Year:
		return time.Date(year, time.January, 1, 0, 0, 0, 0, time.UTC)
	default:
		return day
	}
}

// Fence keeps SQLite from merging a derived table with what is around it.
func (Dialect) Fence() string { return "LIMIT -1" }
