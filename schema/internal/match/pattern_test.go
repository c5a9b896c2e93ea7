package match_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema/internal/match"
)

func compile(tb testing.TB, src string) *match.Pattern {
	tb.Helper()
	p, err := match.Compile(src)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func compileOwn(tb testing.TB, src string) *match.Pattern {
	tb.Helper()
	p, err := match.CompileOwn(src)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// refused checks that there is an error which mentions want, and no pattern.
func refused(t *testing.T, src, want string, p *match.Pattern, err error) {
	t.Helper()
	if err == nil || p != nil {
		t.Fatalf("%q is accepted", src)
	}
	if !strings.Contains(err.Error(), want) {
		t.Errorf("%q: %v; want it to mention %s", src, err, want)
	}
}

func TestCompileRefuses(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, src, want string }{
		{"one byte too long", strings.Repeat("a", match.MaxPattern+1), "513 bytes; write at most 512"},
		{"too long in bytes, not in characters", strings.Repeat("é", 257), "514 bytes"},
		{"too costly to be compiled", `(?:a?){1000}(?:a?){1000}(?:a?){1000}`, "over 4000 instructions"},
		{"costly within a star", `(?:(?:(?:a?){1000})*(?:b?){1000}|(?:c?){1000})+`, "over 4000 instructions"},
		{"many long repeats", strings.Repeat("a{1000}", 73), "over 4000 instructions"},
		{"many captures", `(a){1000}(b){400}`, "over 4000 instructions"},
		{"least numbers of repeats", `(?:abc){1000,}(?:de){600,}`, "over 4000 instructions"},
		{"optional repeats", `a{0,1000}b{0,1000}c{0,2}`, "over 4000 instructions"},
		{"many alternatives", `(?:ab|cd){700}`, "over 4000 instructions"},
		{"just over the estimate", `a{1000}b{1000}c{1000}d{1000}e`, "over 4000 instructions"},
		{"just under the estimate", `a{1000}b{1000}c{1000}d{1000}`, "4002 instructions; repeat less, at most 1000"},
		{"one short repeat", `(?:a?){1000}`, "2002 instructions"},
		{"slow for a backtracker and for RE2", `^(?:.*a){500}$`, "1504 instructions"},
		{"one instruction too many", "a{999}", "1001 instructions"},
		{"a least number of repeats", "(?:ab){600,}", "1203 instructions"},
		{"captures", "((((a)))){112}", "1010 instructions"},
		{"repeats multiplied", `(?:a{100}){11}`, "repeat at most 1000 times"},
		{"a repeat over 1000", `a{1001}`, "repeat at most 1000 times"},
		{"a repeat that overflows", `a{99999999999999999999}`, "repeat at most 1000 times"},
		{"a repeat the wrong way", `a{3,2}`, "repeat at most 1000 times"},
		{"look-ahead", `^(?=a)b`, "no look-ahead"},
		{"negative look-ahead", `^(?!a)b`, "no look-ahead"},
		{"look-behind", `(?<=a)b`, "no look-behind"},
		{"an atomic group", `(?>a)`, "atomic group"},
		{"a possessive quantifier", `a++`, "no possessive"},
		{"two stars", `a**`, "one quantifier"},
		{"two repeats", `a{2}{3}`, "one quantifier"},
		{"a back-reference", `(a)\1`, "no back-references"},
		{"a named back-reference", `(?<n>a)\k<n>`, "no back-references"},
		{"four hexadecimal digits", `\u0041`, `write the character itself`},
		{"a control letter", `\cA`, `write the character itself`},
		{"the end of the text", `a\Z`, `write the character itself`},
		{"blanks of a line", `\h`, `write the character itself`},
		{"a byte", `\C`, `write the character itself`},
		{"any character", `[^]`, `write \]`},
		{"an open class", `[a`, `close the class`},
		{"a range the wrong way", `[z-a]`, "from its lower to its higher end"},
		{"a range to a set", `[a-\d]`, `write the character itself`},
		{"a script by its property", `\p{Script=Greek}`, "general category"},
		{"no category", `\p{Nothing}`, "general category"},
		{"an unknown POSIX class", `[[:word-ish:]]`, "from its lower to its higher end"},
		{"an open group", `(a`, "close every group"},
		{"a closed group", `a)`, `write \)`},
		{"a bare star", `*a`, "in front of the quantifier"},
		{"a star in a group", `(*a)`, "in front of the quantifier"},
		{"a bare backslash", `a\`, `write \\`},
		{"no UTF-8", "a\xff", "write UTF-8"},
		{"an unnamed group", `(?<>a)`, "name of ASCII letters"},
		{"a name beyond ASCII", `(?<é>a)`, "name of ASCII letters"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p, err := match.Compile(tc.src)
			refused(t, tc.src, tc.want, p, err)
			p, err = match.CompileOwn(tc.src)
			refused(t, tc.src, tc.want, p, err)
		})
	}
}

// Whatever a peer writes is read as Go reads it, where ECMA-262 differs as well.
func TestCompileReadsGo(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		src, text string
		want      bool
	}{
		{"", "", true},
		{"b", "abc", true},
		{"^b", "abc", false},
		{`^(?i)abc\z`, "ABC", true},
		{`^\Aa\s$`, "a\t", true},
		{`^a\s$`, "a\v", false},
		{`^.$`, "\r", true},
		{`^[[:alpha:]]+$`, "abc", true},
		{"a$", "a\n", false},
	} {
		if got := compile(t, tc.src).Match(tc.text); got != tc.want {
			t.Errorf("%q matches %q: %t", tc.src, tc.text, got)
		}
	}
}

func TestLongestPatterns(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		strings.Repeat("a", match.MaxPattern), strings.Repeat("é", match.MaxPattern/2), "a{998}", "(?:a?){499}", "[a-z]{0,499}",
		strings.Repeat(".", match.MaxPattern), // which is written out
	} {
		p := compileOwn(t, src)
		if p.Source() != src {
			t.Errorf("%q has the source %q", src, p.Source())
		}
	}
}

func TestCost(t *testing.T) {
	t.Parallel()
	type costs struct{ Negative, Empty, One, Four int64 }
	for src, want := range map[string]costs{
		"":       {3, 3, 3, 12}, // what there is at least
		"a":      {3, 3, 3, 12},
		"a{998}": {1000, 1000, 1000, 4000},
		"a?b":    {5, 5, 5, 20},
	} {
		p := compile(t, src)
		got := costs{p.Cost(-1), p.Cost(0), p.Cost(1), p.Cost(4)}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", src, diff)
		}
	}
}

// The dots of an own pattern cost what they cost elsewhere.
func TestCostOfDots(t *testing.T) {
	t.Parallel()
	const src = `^.{3}(?:.*a){40}$`
	if peer, own := compile(t, src).Cost(1), compileOwn(t, src).Cost(1); peer != own {
		t.Errorf("%d instructions became %d", peer, own)
	}
}

func TestFits(t *testing.T) {
	t.Parallel()
	const most = int(^uint(0) >> 1)
	for _, tc := range []struct {
		name      string
		src       string
		maxLength int
		want      bool
	}{
		{"the largest pattern, all of the budget", "a{998}", 1000, true},
		{"one code point more", "a{998}", 1001, false},
		{"the longest text", "a{242}", match.MaxLength, true},
		{"the longest text, one instruction more", "a{243}", match.MaxLength, false},
		{"900 instructions", heavy, 1000, true},
		{"900 instructions, a long text", heavy, 4000, false},
		{"no text", "a{998}", 0, true},
		{"a negative length", "a{998}", -1, true},
		{"a length that overflows", "a", most, false},
		{"a length that overflows to nothing", "a", most/4 + 1, false},
		{"a length that overflows once multiplied", "a{998}", most / 4, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := compile(t, tc.src).Fits(tc.maxLength, match.MaxSteps); got != tc.want {
				t.Errorf("%d code points: %t", tc.maxLength, got)
			}
		})
	}
}
