package resource

// Kind is the type of a column or filter as an agent is told it. Types a database has and this list
// lacks are Printed: shown as the text the database prints and compared by that text.
type Kind string

// The kinds of value.
const (
	SmallInt    Kind = "smallint"
	Integer     Kind = "integer"
	BigInt      Kind = "bigint"
	Numeric     Kind = "numeric"
	Real        Kind = "real"
	Double      Kind = "double"
	Boolean     Kind = "boolean"
	Text        Kind = "text"
	VarChar     Kind = "varchar"
	CIText      Kind = "citext"
	Char        Kind = "char"
	UUID        Kind = "uuid"
	Enum        Kind = "enum"
	Date        Kind = "date"
	Timestamp   Kind = "timestamp"
	TimestampTZ Kind = "timestamptz"
	Bytea       Kind = "bytea"
	XML         Kind = "xml"
	JSON        Kind = "json"
	JSONB       Kind = "jsonb"
	Array       Kind = "array"
	Printed     Kind = "printed"
)

// Type is the type of one column. The zero Type belongs to no column.
type Type struct {
	Kind Kind

	// Name is what resource_schema shows: the kind's own word, "text[]" for an array, and the
	// database's word ("interval", "int4range") for a printed type.
	Name string

	// Elem is the element type of an array, of any number of dimensions. Nil otherwise.
	Elem *Type

	// Labels are the labels of an enum in the database's order, also for an array of enums' element.
	Labels []string

	// NoMatch says that the column's collation cannot search within text, so that the operators
	// matches, does_not_match, starts_with and ends_with are not offered.
	NoMatch bool
}

// Plain returns the Type of a kind that needs no more than its name.
func Plain(k Kind) Type { return Type{Kind: k, Name: string(k)} }

// ArrayOf returns the Type of an array of the element type.
func ArrayOf(elem Type) Type { return Type{Kind: Array, Name: elem.Name + "[]", Elem: &elem} }

// Operators returns the filter operators of the type in advertised order; nil when the type cannot
// be filtered. The same list is advertised and enforced.
func (t Type) Operators() []Operator {
	switch t.Kind {
	case SmallInt, Integer, BigInt, Numeric, Real, Double, Date, Timestamp, TimestampTZ:
		return []Operator{Eq, NotEq, In, NotIn, Gt, Gteq, Lt, Lteq, IsNull}
	case Text, VarChar, CIText:
		if t.NoMatch {
			return []Operator{Eq, NotEq, In, NotIn, IsNull}
		}
		return []Operator{Eq, NotEq, In, NotIn, Matches, DoesNotMatch, StartsWith, EndsWith, IsNull}
	case Boolean:
		return []Operator{Eq, NotEq, IsNull}
	case UUID, Enum, Char, Printed:
		return []Operator{Eq, NotEq, In, NotIn, IsNull}
	case JSONB:
		return []Operator{Eq, NotEq, Contains, HasKey, IsNull}
	case Array:
		if t.Elem == nil || t.Elem.Operators() == nil {
			return nil
		}
		return []Operator{Eq, NotEq, Contains, Overlaps, IsNull}
	case Bytea, XML, JSON:
		return nil
	default:
		return nil
	}
}

// Sortable reports whether rows can be ordered by the type.
func (t Type) Sortable() bool {
	switch t.Kind {
	case SmallInt, Integer, BigInt, Numeric, Real, Double, Boolean, Text, VarChar, CIText, Char,
		UUID, Enum, Date, Timestamp, TimestampTZ:
		return true
	case Bytea, XML, JSON, JSONB, Array, Printed:
		return false
	default:
		return false
	}
}

// Textual reports whether the type holds text of the host's own, so that a JSON number sent for it is
// taken by its literal text.
func (t Type) Textual() bool {
	switch t.Kind {
	case Text, VarChar, CIText, Char:
		return true
	default:
		return false
	}
}

// Operator is a filter operator of the contract. Operators are case-sensitive.
type Operator string

// The operators. Which of them a key takes depends on its type; see Type.Operators.
const (
	Eq           Operator = "eq"
	NotEq        Operator = "not_eq"
	In           Operator = "in"
	NotIn        Operator = "not_in"
	Gt           Operator = "gt"
	Gteq         Operator = "gteq"
	Lt           Operator = "lt"
	Lteq         Operator = "lteq"
	Matches      Operator = "matches"
	DoesNotMatch Operator = "does_not_match"
	StartsWith   Operator = "starts_with"
	EndsWith     Operator = "ends_with"
	Contains     Operator = "contains"
	Overlaps     Operator = "overlaps"
	HasKey       Operator = "has_key"
	IsNull       Operator = "is_null"
)
