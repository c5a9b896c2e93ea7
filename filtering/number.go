package filtering

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// What numeric holds: digits before and after the point. Table 8.2 of the PostgreSQL manual; trailing
// zeros after the point count.
const (
	numericBefore = 131072
	numericAfter  = 16383
)

var (
	jsonNumber  = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)
	jsonInteger = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)
)

// decimal is a number of JSON taken apart: ±digits × 10^exp, without leading and trailing zeros, so
// that zero has no digits.
type decimal struct {
	minus  bool
	digits string
	exp    int
	scale  int // digits after the point as they were written; negative for 1e5
}

// takeApart reads JSON number syntax. Exponents beyond any use are cut to ±1e9.
func takeApart(s string) decimal {
	var d decimal
	s, d.minus = strings.CutPrefix(s, "-")
	exp := 0
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		exp, _ = strconv.Atoi(s[i+1:]) // out of range gives the nearest int
		exp = max(-1e9, min(exp, 1e9))
		s = s[:i]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	d.scale = len(fraction) - exp
	digits := strings.TrimLeft(whole+fraction, "0")
	d.digits = strings.TrimRight(digits, "0")
	d.exp = len(digits) - len(d.digits) - d.scale
	return d
}

// numberText returns the literal of a number, or of a string that is one; ok is false for anything
// else.
func numberText(v value) (s string, ok bool) {
	switch v.kind {
	case numberKind:
		return v.text, true
	case stringKind:
		return v.text, jsonNumber.MatchString(v.text)
	default:
		return "", false
	}
}

// integer types a value of an integer column. 10.0 and 1e1 are integers as JSON numbers, not as text.
func integer(v value, bits int) (typed, *fault) {
	s, ok := numberText(v)
	if !ok || v.kind == stringKind && !jsonInteger.MatchString(s) {
		return typed{}, wrong("%s is not an integer; send a whole number such as 10", v.show()).like(10)
	}
	d := takeApart(s)
	if d.exp < 0 && d.digits != "" {
		return typed{}, wrong("%s is not an integer; send a number without a fraction such as 10", v.show()).like(10)
	}
	limit := uint64(1) << (bits - 1)
	if text, ok := d.within(limit); ok {
		return typed{text: text}, nil
	}
	return typed{}, wrong("%s is out of range; send an integer from -%d to %d", v.show(), limit, limit-1).like(10)
}

// within returns the digits of a whole number from -limit to limit-1.
func (d decimal) within(limit uint64) (string, bool) {
	if d.digits == "" {
		return "0", true
	}
	if len(d.digits)+d.exp > 19 {
		return "", false
	}
	text := d.digits + strings.Repeat("0", d.exp)
	n, err := strconv.ParseUint(text, 10, 64)
	switch {
	case err != nil || n > limit || n == limit && !d.minus:
		return "", false
	case d.minus:
		return "-" + text, true
	default:
		return text, true
	}
}

// numeric types a value of a numeric column, which keeps its digits as they were sent.
func numeric(v value) (typed, *fault) {
	if special(v, "NaN", "Infinity", "-Infinity") {
		return typed{text: v.text, form: spelled}, nil
	}
	s, ok := numberText(v)
	if !ok {
		return typed{}, wrong("%s is not a number; send one such as \"19.90\"", v.show()).like("19.90")
	}
	if f := numericRange(v, s); f != nil {
		return typed{}, f.like("19.90")
	}
	return typed{text: s}, nil
}

// numericRange refuses a number that no numeric holds.
func numericRange(v value, s string) *fault {
	d := takeApart(s)
	if d.scale > numericAfter || d.digits != "" && len(d.digits)+d.exp > numericBefore || d.scale < -1e8 {
		return wrong("%s is out of range; send at most %d digits before and %d after the point",
			v.show(), numericBefore, numericAfter)
	}
	return nil
}

// float types a value of a floating column: the nearest number of that many bits, in the shortest text
// that reads back as the same.
func float(v value, bits int) (typed, *fault) {
	if special(v, "NaN", "Infinity", "-Infinity") {
		return typed{text: v.text, form: spelled}, nil
	}
	s, ok := numberText(v)
	if !ok {
		return typed{}, wrong("%s is not a number; send one such as 1.5", v.show()).like(1.5)
	}
	n, err := strconv.ParseFloat(s, bits)
	if err != nil || math.IsInf(n, 0) {
		return typed{}, wrong("%s is out of range; send a number this column can hold such as 1.5", v.show()).like(1.5)
	}
	if n == 0 && takeApart(s).digits != "" {
		return typed{}, wrong("%s is too near to zero for this column; send 0 or a number such as 1.5", v.show()).like(0)
	}
	return typed{text: strconv.FormatFloat(n, 'g', -1, bits)}, nil
}

// special reports whether v is one of the words a column prints for values that are not numbers or
// days.
func special(v value, words ...string) bool {
	return v.kind == stringKind && slices.Contains(words, v.text)
}
