// Package decimal holds numbers exactly as JSON text says them, at whatever size, and compares them.
//
//	at := decimal.Parse("1e400")
//	at.Compare(decimal.Parse("9007199254740993")) // 1
//
// It belongs to package schema.
package decimal

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// Number is a number exactly as JSON text says it: digits × 10^exp, without zeros at either end of the
// digits. Zero has no digits. Nothing is ever expanded: 1e999999999 is as small as 1. The zero Number is 0.
type Number struct {
	negative bool
	digits   string
	exp      int
}

// far is where exponents stop to be told apart. No text that is read here has that many digits.
const far = 1 << 30

// Parse reads a number of JSON's grammar.
func Parse(s string) Number {
	var d Number
	s, d.negative = strings.CutPrefix(s, "-")
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		d.exp = exponent(s[i+1:])
		s = s[:i]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	d.exp -= len(fraction)
	d.digits = whole + fraction
	d.digits = strings.TrimLeft(d.digits, "0")
	n := len(d.digits)
	d.digits = strings.TrimRight(d.digits, "0")
	d.exp += n - len(d.digits)
	if d.digits == "" {
		return Number{}
	}
	return d
}

func exponent(s string) int {
	n, err := strconv.Atoi(s)
	if err == nil && -far < n && n < far {
		return n
	}
	if strings.HasPrefix(s, "-") {
		return -far
	}
	return far
}

// Whole reports whether the number is an integer, in whatever spelling.
func (d Number) Whole() bool { return d.exp >= 0 }

// Int64 returns the number if it is an integer of 64 bits.
func (d Number) Int64() (int64, bool) {
	text, ok := d.integer()
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// Uint64 returns the number if it is an unsigned integer of 64 bits.
func (d Number) Uint64() (uint64, bool) {
	text, ok := d.integer()
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(text, 10, 64)
	return n, err == nil
}

// integer returns the digits of an integer that is not far out of every range of Go.
func (d Number) integer() (string, bool) {
	const longest = 20
	switch {
	case d.digits == "":
		return "0", true
	case d.exp < 0 || len(d.digits)+d.exp > longest:
		return "", false
	}
	text := d.digits + strings.Repeat("0", d.exp)
	if d.negative {
		text = "-" + text
	}
	return text, true
}

// Compare returns -1, 0 or 1.
func (d Number) Compare(e Number) int {
	if s := d.Sign(); s != e.Sign() {
		if s < e.Sign() {
			return -1
		}
		return 1
	}
	if d.negative {
		return e.larger(d)
	}
	return d.larger(e)
}

// Sign returns -1, 0 or 1.
func (d Number) Sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.negative:
		return -1
	default:
		return 1
	}
}

// larger compares without the signs.
func (d Number) larger(e Number) int {
	a, b := len(d.digits)+d.exp, len(e.digits)+e.exp
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return strings.Compare(d.digits, e.digits)
}

// MultipleOf reports whether the number is a whole multiple of step, which is above zero.
func (d Number) MultipleOf(step Number) bool {
	k := d.exp - step.exp
	switch {
	case d.digits == "":
		return true
	case k < 0:
		// A multiple would end in zeros that the digits do not have.
		return false
	}
	n, _ := new(big.Int).SetString(d.digits, 10)
	s, _ := new(big.Int).SetString(step.digits, 10)
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(k)), s)
	return n.Mul(n, power).Mod(n, s).Sign() == 0
}

// Text is one spelling for all of the same number.
func (d Number) Text() string {
	switch {
	case d.digits == "":
		return "0"
	case d.negative:
		return "-" + d.digits + "e" + strconv.Itoa(d.exp)
	default:
		return d.digits + "e" + strconv.Itoa(d.exp)
	}
}

var form = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// Valid reports whether s is a number of JSON's grammar (RFC 8259, section 6).
func Valid(s string) bool { return form.MatchString(s) }

// Negative reports whether the number is below zero.
func (d Number) Negative() bool { return d.negative }

// longest is up to how many digits Rounded writes out.
const longest = 30

// Rounded returns the nearest whole number that is not above the number, or not below it, as JSON; false for
// one that is too large to be written out.
func (d Number) Rounded(up bool) (string, bool) {
	size := len(d.digits) + d.exp // before the point
	if d.Whole() && size > longest {
		return "", false
	}
	text := "0"
	switch {
	case d.exp >= 0:
		text += d.digits + strings.Repeat("0", d.exp)
	case size > 0:
		text = d.digits[:size]
	}
	n, _ := new(big.Int).SetString(text, 10)
	if !d.Whole() && up != d.negative {
		n.Add(n, big.NewInt(1))
	}
	if d.negative {
		n.Neg(n)
	}
	return n.String(), true
}
