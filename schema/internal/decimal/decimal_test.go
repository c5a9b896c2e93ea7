package decimal_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/schema/internal/decimal"
)

var numbers = []string{
	"0", "-0", "0.0", "1", "1.0", "1e0", "10e-1", "-1", "1.5", "-1.5", "0.07", "7e-2", "0.01", "9007199254740993", "9007199254740992",
	"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
	"18446744073709551616", "1e3", "1000", "1E+3", "1e-3", "123456789.123456789", "0.1", "100e-1", "12", "123", "1e40", "-1e40", "3e-40",
}

func exact(t *testing.T, s string) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		t.Fatal(s)
	}
	return r
}

// Every pair is compared as fractions of whole numbers compare.
func TestNumbers(t *testing.T) {
	t.Parallel()
	for _, a := range numbers {
		x := decimal.Parse(a)
		ra := exact(t, a)
		if x.Whole() != ra.IsInt() || x.Sign() != ra.Sign() || x.Negative() != (ra.Sign() < 0) {
			t.Errorf("%s: whole %v, sign %d", a, x.Whole(), x.Sign())
		}
		if n, ok := x.Int64(); ok != (ra.IsInt() && ra.Num().IsInt64()) || ok && n != ra.Num().Int64() {
			t.Errorf("%s as int64 is %d, %v", a, n, ok)
		}
		if n, ok := x.Uint64(); ok != (ra.IsInt() && ra.Num().IsUint64()) || ok && n != ra.Num().Uint64() {
			t.Errorf("%s as uint64 is %d, %v", a, n, ok)
		}
		for _, b := range numbers {
			y, rb := decimal.Parse(b), exact(t, b)
			if got := x.Compare(y); got != ra.Cmp(rb) {
				t.Errorf("%s and %s compare as %d", a, b, got)
			}
			if (x.Text() == y.Text()) != (ra.Cmp(rb) == 0) {
				t.Errorf("%s and %s are written %s and %s", a, b, x.Text(), y.Text())
			}
			if rb.Sign() > 0 && x.MultipleOf(y) != new(big.Rat).Quo(ra, rb).IsInt() {
				t.Errorf("%s as a multiple of %s: %v", a, b, x.MultipleOf(y))
			}
		}
	}
}

// Numbers that nobody could write out are told apart all the same.
func TestFarNumbers(t *testing.T) {
	t.Parallel()
	far, small := decimal.Parse("1e999999999999"), decimal.Parse("1e-999999999999")
	one := decimal.Parse("1")
	if far.Compare(one) != 1 || small.Compare(one) != -1 || small.Sign() != 1 || !far.Whole() || small.Whole() {
		t.Error("a far number is not where it is")
	}
	if _, ok := far.Int64(); ok {
		t.Error("a far number is an int64")
	}
	if !far.MultipleOf(decimal.Parse("0.01")) || small.MultipleOf(one) || !far.MultipleOf(decimal.Parse("1")) {
		t.Error("multiples of far numbers")
	}
	if _, ok := far.Rounded(true); ok {
		t.Error("a far number was written out")
	}
}

func TestRounded(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ number, down, up string }{
		{"0", "0", "0"},
		{"1.5", "1", "2"},
		{"-1.5", "-2", "-1"},
		{"0.01", "0", "1"},
		{"-0.01", "-1", "0"},
		{"12e1", "120", "120"},
		{"9007199254740993.0", "9007199254740993", "9007199254740993"},
	} {
		n := decimal.Parse(tt.number)
		down, _ := n.Rounded(false)
		up, _ := n.Rounded(true)
		if down != tt.down || up != tt.up {
			t.Errorf("%s is rounded to %s and %s", tt.number, down, up)
		}
	}
}

func TestValid(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		"0": true, "-0": true, "1.5e+3": true, "1E2": true, "": false, "-": false, "01": false, "1.": false, ".5": false, "+1": false,
		"1e": false, "0x1": false, "1 ": false, "NaN": false, strings.Repeat("9", 500): true, "1_0": false,
	} {
		if decimal.Valid(s) != want {
			t.Errorf("Valid(%q) = %v", s, !want)
		}
	}
}
