package sqlite

// Internal, since what a cursor carries passes through the executor's seal before a caller sees it.

import (
	"bytes"
	"database/sql/driver"
	"math"
	"testing"
	"unicode/utf8"
)

// FuzzRaw takes every number and blob back as it was, and never fails on a text.
func FuzzRaw(f *testing.F) {
	for _, s := range []string{
		"", "0", "-1", "1.5", "1e+300", "Infinity", "-Infinity", "inf", "NaN", "0x1p-2", "1_000", "+7", "007", "1e999",
		`\x`, `\x00ff`, `\x0`, `\xzz`, "2026-07-01", "9223372036854775808", "-9223372036854775808", "e", ".", "--",
	} {
		f.Add(s, int64(len(s)), math.Pi*float64(len(s)), []byte(s))
	}
	f.Fuzz(func(t *testing.T, s string, n int64, x float64, b []byte) {
		values := []driver.Value{n, b}
		if !math.IsNaN(x) && (x != math.Trunc(x) || math.IsInf(x, 0)) {
			values = append(values, x)
		}
		for _, v := range values {
			got := parseRaw(string(appendRaw(nil, v)))
			if back, ok := got.([]byte); ok && bytes.Equal(back, b) {
				continue
			}
			if _, blob := v.([]byte); blob || got != v {
				t.Errorf("%T %v became %T %v", v, v, got, got)
			}
		}
		if x == math.Trunc(x) {
			whole, ok := parseFloat(string(appendFloat(nil, x)))
			if !ok || whole != x {
				t.Errorf("%v became %v", x, whole)
			}
		}
		switch got := parseRaw(s).(type) {
		case string:
			if got != s {
				t.Errorf("text %q became %q", s, got)
			}
		case float64:
			if math.IsNaN(got) {
				t.Errorf("text %q became no number", s)
			}
		}
	})
}

// FuzzTypeOf gives every declared type a name and consistent rules.
func FuzzTypeOf(f *testing.F) {
	for name := range kinds {
		f.Add(name)
	}
	for _, s := range []string{"", "VARCHAR(20)", "unsigned big int", "ENUM('a)','b')", "INTEGER[]", "((", "\x00", "ſ(", "  any  "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, declared string) {
		got := typeOf(declared)
		if got.Name == "" || !utf8.ValidString(got.Name) || got.Elem != nil || got.Labels != nil {
			t.Errorf("%q is %+v", declared, got)
		}
		if textKind(got) && !long(got) {
			t.Errorf("%q is a text whose length nothing bounds", declared)
		}
	})
}
