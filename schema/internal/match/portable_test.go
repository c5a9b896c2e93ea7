package match_test

import (
	"testing"

	"github.com/tenantry/tenantry/schema/internal/match"
)

// Go reads all of these, and ECMA-262 does not read them or reads something else.
func TestCompileOwnRefuses(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, src, want string }{
		{"the beginning of the text", `\Aa`, `write ^`},
		{"the end of the text", `a\z`, `from byte 1, "\\z": write $`},
		{"quoted text", `\Qa.b\E`, "for each character that needs one"},
		{"quoted text to the end", `a\Q`, "for each character that needs one"},
		{"a bell", `\a`, `write \x07`},
		{"blanks", `a\s+`, `[ \t\n\f\r]`},
		{"all but blanks", `^\S+$`, `[^ \t\n\f\r]`},
		{"blanks in a class", `[a\s]`, `[ \t\n\f\r]`},
		{"blanks in a negated class", `[^\s]`, `[ \t\n\f\r]`},
		{"NUL", `\0`, `\x00 is NUL`},
		{"an octal number", `\12`, `two hexadecimal digits`},
		{"an octal number in a class", `[\012]`, `two hexadecimal digits`},
		{"any number of hexadecimal digits", `\x{41}`, "two hexadecimal digits, or the character itself"},
		{"the last code point", `[a-\x{10FFFF}]`, "or the character itself"},
		{"a category of one letter", `\pL`, `\p{L}`},
		{"a negated category of one letter", `\PL`, `\P{L}`},
		{"a category negated twice", `\P{^L}`, `\P{L}`},
		{"a category in small letters", `\p{lu}`, `\p{Lu}`},
		{"a category by its name", `\p{Letter}`, `\p{L}`},
		{"a script", `\p{Greek}`, "ranges of a script"},
		{"a script in a class", `[\p{Greek}]`, "ranges of a script"},
		{"everything", `\p{Any}`, `\p{L}`},
		{"both cases", `(?i)a`, "[Aa]"},
		{"both cases in a group", `(?i:a)`, "[Aa]"},
		{"lines", `(?m)^a$`, "no flags"},
		{"dots for everything", `(?s).`, `[\d\D]`},
		{"lazy for greedy", `(?U)a*`, "no flags"},
		{"no flag taken away", `(?-i)a`, "no flags"},
		{"no flags in parentheses", `(?)a`, "no flags"},
		{"a name with a P", `(?P<n>a)`, "(?<name>...) without the P"},
		{"a name that begins with a digit", `(?<1>a)`, "begin with a letter"},
		{"a name twice", `(?<n>a)|(?<n>b)`, "another name"},
		{"a POSIX class", `[[:alpha:]]`, "A-Za-z"},
		{"a POSIX class behind others", `[_[:^digit:]]`, "no POSIX classes"},
		{"the beginning of a POSIX class", `[[:]`, `write ranges such as A-Za-z, or \[`},
		{"a bracket at the beginning of a class", `[]a]`, `write \]`},
		{"a bracket at the beginning of a negated class", `[^]a]`, `write \]`},
		{"both brackets in a class", `[][a]`, "from byte 0"},
		{"both brackets in a negated class", `[^][a]`, "from byte 0"},
		{"a range from a set", `[\d-z]`, `write \-`},
		{"a range from a category", `[\p{L}-z]`, `write \-`},
		{"a bracket", `a]`, `write \]`},
		{"a brace that closes", `a}`, `write \}`},
		{"a brace that opens", `a{`, `write \{`},
		{"a brace at the beginning", `{a`, `write \{`},
		{"a name in braces", `{{name}}`, `write \{`},
		{"a repeat without a least", `a{,2}`, `{0,2}`},
		{"a repeat with a leading zero", `a{02}`, `write \{`},
		{"a repeat to a leading zero", `a{0,02}`, `write \{`},
		{"a repeat with a blank", `a{1, 2}`, `write \{`},
		{"an empty repeat", `a{}`, `write \{`},
		{"a repeated beginning", `^*a`, `from byte 1, "*a": an anchor cannot be repeated`},
		{"a repeated end", `a$+`, "an anchor cannot be repeated"},
		{"an optional boundary", `a\b?`, "an anchor cannot be repeated"},
		{"two boundaries", `a\B{2}`, "an anchor cannot be repeated"},
		{"an escaped hyphen", `a\-b`, "without the backslash"},
		{"an escaped blank", `a\ b`, "without the backslash"},
		{"an escaped quote", `\"`, "without the backslash"},
		{"an escaped underscore", `\_`, "without the backslash"},
		{"an escaped at", `\@`, "without the backslash"},
		{"an escaped line end", "\\\n", "without the backslash"},
		{"an escaped ampersand in a class", `[\&]`, "without the backslash"},
		{"an escape at the end of a range", `[!-\~]`, "without the backslash"},
		{"far behind", `é𐍈abcdefghijklm\z1éééééééé`, `from byte 19, "\\z1éééé..."`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			compile(t, tc.src)
			p, err := match.CompileOwn(tc.src)
			refused(t, tc.src, tc.want, p, err)
		})
	}
}

// Each pattern has a text that matches and, unless every text does, one that does not, in Go as in ECMA-262.
func TestCompileOwnAccepts(t *testing.T) {
	t.Parallel()
	const none = "\x00none"
	for _, tc := range []struct{ name, src, good, bad string }{
		{"a code", `^[A-Z]{2};\d+$`, "AB;1", "ab;1"},
		{"a decimal", `^-?[0-9]+(\.[0-9]{1,2})?$`, "-12.50", "12."},
		{"nothing", ``, "", none},
		{"unanchored", `b`, "abc", "ac"},
		{"the end", `a$`, "ba", "a\n"},
		{"the beginning", `^a`, "ab", "\na"},
		{"a dot", `^.$`, "𐍈", "\n"},
		{"a dot and a carriage return", `^a.b$`, "a\x0bb", "a\rb"},
		{"a dot and the line separator", `^..$`, "é\t", "\u2028a"},
		{"a dot and the paragraph separator", `^.*$`, "\u2027\u202a", "a\u2029"},
		{"an escaped dot", `^\.$`, ".", "a"},
		{"a dot in a class", `^[.]$`, ".", "a"},
		{"all but a line feed", `^[^\n]$`, "\r", "\n"},
		{"all but a", `^[^a]$`, "\n", "a"},
		{"anything", `^[\d\D]$`, "\n", "ab"},
		{"digits are ASCII", `^\d$`, "7", "٧"},
		{"words are ASCII", `^\w+$`, "aZ_9", "é"},
		{"negated sets in a class", `^[^\W_]$`, "a", "_"},
		{"a boundary is one of ASCII", `a\b`, "aé", "ab"},
		{"no boundary", `a\B`, "ab", "a"},
		{"lazy", `^a*?b+?c??d{2}?e{1,}?$`, "abdde", "abde"},
		{"counted", `^a{2}b{1,}c{0,2}$`, "aabcc", "aabccc"},
		{"never", `^a{0}b$`, "b", "ab"},
		{"groups", `^(?:a|(b)|(?<n_1>c)|(?<N>d))$`, "d", "n"},
		{"empty groups", `^(?:)()(?:)*$`, "", "a"},
		{"a repeated group of anchors", `(?:^|,)+a(?:$)?`, ",ab", "b"},
		{"an empty alternative", `^(?:a|)$`, "", "b"},
		{"all that needs escapes", `^\^\$\\\.\*\+\?\(\)\[\]\{\}\|\/$`, `^$\.*+?()[]{}|/`, `^$.*+?()[]{}|/`},
		{"all that needs escapes, in a class", `^[\^\$\\\.\*\+\?\(\)\[\]\{\}\|\/\-]+$`, `^$\.*+?()[]{}|/-`, `a`},
		{"all that does not, in a class", `^[$.*+?(){}|/[^]+$`, `$.*+?(){}|/[^`, `]`},
		{"controls", `^\n\r\t\f\v$`, "\n\r\t\f\v", "nrtfv"},
		{"controls in a class", `^[\n\r\t\f\v]{5}$`, "\n\r\t\f\v", "nrtfv"},
		{"hexadecimal", `^\x41\xe9[\x00-\x1F]$`, "Aé\x00", "Aé "},
		{"hexadecimal and more", `^\x413$`, "A3", "\u0413"},
		{"a category", `^\p{Lu}\P{L}$`, "É1", "éa"},
		{"categories in a class", `^[\p{L}\p{Nd}_-]+$`, "é٧_-", "a "},
		{"cased letters", `^\p{LC}$`, "ǅ", "ª"},
		{"a hyphen first", `^[-a]$`, "-", "b"},
		{"a hyphen last", `^[a-]$`, "-", "b"},
		{"a hyphen behind a set", `^[\d-]$`, "-", "b"},
		{"a hyphen before a set", `^[-\d]$`, "-", "b"},
		{"a hyphen behind a range", `^[a-c-e]$`, "-", "d"},
		{"a range to a hyphen", `^[+--]$`, ",", "a"},
		{"a range from a hyphen", `^[--a]$`, "A", "b"},
		{"a range from an escaped hyphen", `^[\--/]$`, ".", ","},
		{"a range to a bracket", `^[A-\]]$`, "]", "^"},
		{"a range beyond the first plane", `^[𐌰-𐍊]$`, "𐍈", "𐍋"},
		{"a code point is one character", `^.{2}$`, "𐍈a", "𐍈"},
		{"what needs no escape", `^"'/#&,:;<=>@_~! -$`, `"'/#&,:;<=>@_~! -`, `"'/#&,:;<=>@_~!-`},
		{"controls themselves", "^\t\n$", "\t\n", "\t"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p := compileOwn(t, tc.src)
			if p.Source() != tc.src {
				t.Errorf("%q has the source %q", tc.src, p.Source())
			}
			if !p.Match(tc.good) {
				t.Errorf("%q does not match %q", tc.src, tc.good)
			}
			if tc.bad != none && p.Match(tc.bad) {
				t.Errorf("%q matches %q", tc.src, tc.bad)
			}
		})
	}
}
