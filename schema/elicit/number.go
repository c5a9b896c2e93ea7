package elicit

import (
	"cmp"
	"math/big"
	"strconv"
	"strings"
)

// number is a number exactly as JSON text says it: digits × 10^exp, without zeros at either end of the
// digits. Zero has no digits. Nothing is ever expanded: 1e999999999 is as small as 1.
type number struct {
	negative bool
	digits   string
	exp      int
}

// far is where exponents stop to be told apart. No text that is read here has that many digits.
const far = 1 << 30

// parseNumber reads a number of JSON's grammar.
func parseNumber(s string) (n number) {
	s, n.negative = strings.CutPrefix(s, "-")
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		n.exp = exponent(s[i+1:])
		s = s[:i]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	n.digits = strings.TrimRight(digits, "0")
	n.exp += len(digits) - len(n.digits) - len(fraction)
	if n.digits == "" {
		return number{}
	}
	return n
}

func exponent(s string) int {
	n, err := strconv.Atoi(s)
	switch {
	case err == nil && -far < n && n < far:
		return n
	case strings.HasPrefix(s, "-"):
		return -far
	default:
		return far
	}
}

// whole reports whether the number is an integer, in whatever spelling.
func (n number) whole() bool { return n.exp >= 0 }

func (n number) sign() int {
	switch {
	case n.digits == "":
		return 0
	case n.negative:
		return -1
	default:
		return 1
	}
}

// compare returns -1, 0 or 1.
func (n number) compare(m number) int {
	if a, b := n.sign(), m.sign(); a != b {
		return cmp.Compare(a, b)
	}
	if n.negative {
		n, m = m, n
	}
	if c := cmp.Compare(len(n.digits)+n.exp, len(m.digits)+m.exp); c != 0 {
		return c
	}
	return strings.Compare(n.digits, m.digits)
}

// short is up to how many digits a whole number is written out.
const short = 30

// rounded returns the nearest whole number at or below b, or at or above it, as JSON.
func (b *bound) rounded(up bool) string {
	n := b.at
	size := len(n.digits) + n.exp // before the point
	if n.whole() && size > short {
		return b.raw
	}
	text := "0"
	switch {
	case n.exp >= 0:
		text += n.digits + strings.Repeat("0", n.exp)
	case size > 0:
		text = n.digits[:size]
	}
	whole, _ := new(big.Int).SetString(text, 10)
	if !n.whole() && up != n.negative {
		whole.Add(whole, big.NewInt(1))
	}
	if n.negative {
		whole.Neg(whole)
	}
	return whole.String()
}
