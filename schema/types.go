package schema

import (
	"cmp"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/tenantry/tenantry/schema/internal/match"
)

var (
	typeTime    = reflect.TypeFor[time.Time]()
	typeDate    = reflect.TypeFor[Date]()
	typeDecimal = reflect.TypeFor[Decimal]()
	typeNumber  = reflect.TypeFor[json.Number]()
	typeRaw     = reflect.TypeFor[json.RawMessage]()
	typeAny     = reflect.TypeFor[any]()
	typeByte    = reflect.TypeFor[byte]()
	typeRest    = reflect.TypeFor[map[string]any]()

	optional        = reflect.TypeFor[opt]()
	gateLister      = reflect.TypeFor[interface{ EnumGates() []ValueGate }]()
	selfDescriber   = reflect.TypeFor[interface{ SchemaDescription() string }]()
	describing      = reflect.TypeFor[describer]()
	jsonMarshaler   = reflect.TypeFor[json.Marshaler]()
	jsonUnmarshaler = reflect.TypeFor[json.Unmarshaler]()
	validator       = reflect.TypeFor[Validator]()
	textMarshaler   = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// decimalForm is what a Decimal is in JSON.
var decimalForm = mustCompile(`^-?[0-9]+(\.[0-9]+)?$`)

func mustCompile(pattern string) *match.Pattern {
	p, err := match.Compile(pattern)
	if err != nil {
		panic(err)
	}
	return p
}

// Date is a day of the calendar, without a time or a zone: "2006-01-02" in JSON.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// String returns the day as YYYY-MM-DD.
func (d Date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day) }

// Compare returns -1, 0 or 1 for a day before, on or after e.
func (d Date) Compare(e Date) int {
	return cmp.Or(cmp.Compare(d.Year, e.Year), cmp.Compare(d.Month, e.Month), cmp.Compare(d.Day, e.Day))
}

// In returns the beginning of the day at a place.
func (d Date) In(loc *time.Location) time.Time {
	return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, loc)
}

// MarshalText returns String. A day that the calendar does not have is an error.
func (d Date) MarshalText() ([]byte, error) {
	text := d.String()
	if t, err := time.Parse(time.DateOnly, text); err != nil || t.Day() != d.Day {
		return nil, fmt.Errorf("schema: %s is no day", text)
	}
	return []byte(text), nil
}

// UnmarshalText reads YYYY-MM-DD.
func (d *Date) UnmarshalText(text []byte) error {
	t, err := time.Parse(time.DateOnly, string(text))
	if err != nil {
		return fmt.Errorf("schema: write a day as YYYY-MM-DD")
	}
	d.Year, d.Month, d.Day = t.Date()
	return nil
}

// Decimal is an exact number as text, such as "19.90": a string in JSON, since clients round numbers.
// Bounds in its tags are of its value and are not advertised.
type Decimal string

// NewDecimal returns the Decimal of a number of smallest units: NewDecimal(1990, 2) is 19.90. A scale below
// zero is zero.
func NewDecimal(units int64, scale int) Decimal {
	digits := strconv.FormatInt(units, 10)
	if scale <= 0 {
		return Decimal(digits)
	}
	digits, negative := strings.CutPrefix(digits, "-")
	if missing := scale + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	at := len(digits) - scale
	text := digits[:at] + "." + digits[at:]
	if negative {
		text = "-" + text
	}
	return Decimal(text)
}
