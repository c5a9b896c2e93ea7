package schema

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// decimal is a number exactly as JSON text says it: digits × 10^exp, without zeros at either end of the
// digits. Zero has no digits. Nothing is ever expanded: 1e999999999 is as small as 1.
type decimal struct {
	negative bool
	digits   string
	exp      int
}

// far is where exponents stop to be told apart. No text that is read here has that many digits.
const far = 1 << 30

// parseDecimal reads a number of JSON's grammar.
func parseDecimal(s string) decimal {
	var d decimal
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
		return decimal{}
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

// whole reports whether the number is an integer, in whatever spelling.
func (d decimal) whole() bool { return d.exp >= 0 }

// int64 returns the number if it is an integer of 64 bits.
func (d decimal) int64() (int64, bool) {
	text, ok := d.integer()
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// uint64 returns the number if it is an unsigned integer of 64 bits.
func (d decimal) uint64() (uint64, bool) {
	text, ok := d.integer()
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(text, 10, 64)
	return n, err == nil
}

// integer returns the digits of an integer that is not far out of every range of Go.
func (d decimal) integer() (string, bool) {
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

// compare returns -1, 0 or 1.
func (d decimal) compare(e decimal) int {
	if s := d.sign(); s != e.sign() {
		if s < e.sign() {
			return -1
		}
		return 1
	}
	if d.negative {
		return e.larger(d)
	}
	return d.larger(e)
}

func (d decimal) sign() int {
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
func (d decimal) larger(e decimal) int {
	a, b := len(d.digits)+d.exp, len(e.digits)+e.exp
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return strings.Compare(d.digits, e.digits)
}

// multipleOf reports whether the number is a whole multiple of step, which is above zero.
func (d decimal) multipleOf(step decimal) bool {
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

// text is one spelling for all of the same number.
func (d decimal) text() string {
	switch {
	case d.digits == "":
		return "0"
	case d.negative:
		return "-" + d.digits + "e" + strconv.Itoa(d.exp)
	default:
		return d.digits + "e" + strconv.Itoa(d.exp)
	}
}

// isNumber reports whether s is a number of JSON's grammar (RFC 8259, section 6).
var isNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`).MatchString
