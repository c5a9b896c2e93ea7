package resource

// Function is what aggregate can ask of a field's values in a group of rows. Values that are null are
// left out by all of them.
type Function string

// The functions. Which of them a field takes depends on its type; see Type.Functions.
const (
	CountDistinct Function = "count_distinct"
	Sum           Function = "sum"
	Avg           Function = "avg"
	Min           Function = "min"
	Max           Function = "max"
)

// Count is the one measure without a field: the number of rows.
const Count = "count"

// Functions returns the functions of the type in advertised order; nil when nothing can be measured. The
// same list is advertised and enforced.
func (t Type) Functions() []Function {
	switch t.Kind {
	case SmallInt, Integer, BigInt, Numeric, Real, Double:
		return []Function{Sum, Avg, Min, Max, CountDistinct}
	case Text, VarChar, CIText, Char, Date, Timestamp, TimestampTZ:
		return []Function{Min, Max, CountDistinct}
	case Boolean, UUID, Enum:
		return []Function{CountDistinct}
	case Bytea, XML, JSON, JSONB, Array, Printed:
		return nil
	default:
		return nil
	}
}

// Unit is a period of the calendar that dates and timestamps are grouped by, in UTC.
type Unit string

// The units. A week begins on Monday, as in ISO 8601.
const (
	Day     Unit = "day"
	Week    Unit = "week"
	Month   Unit = "month"
	Quarter Unit = "quarter"
	Year    Unit = "year"
)

// Units returns the units of the type in advertised order; nil when it has none.
func (t Type) Units() []Unit {
	switch t.Kind {
	case Date, Timestamp, TimestampTZ:
		return []Unit{Day, Week, Month, Quarter, Year}
	default:
		return nil
	}
}
