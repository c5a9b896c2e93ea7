package match_test

import (
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tenantry/tenantry/schema/internal/match"
)

var patterns = []string{
	"", "a", "^a$", ".", "^.*$", `^[^\n]$`, `.|\n`, `[.]\.`, `(?:.*a){200}`, heavy, `(?:a?){1000}`, `(?:a?){1000}(?:a?){1000}(?:a?){1000}`,
	`((((a{9}){9}){9}))`, `\p{L}+\d*?[\w-]{2,3}`, `(?i)k.*(?s:.)`, `\Q.\E.`, `(?<n>.)(?P<m>a)`, `[[:alpha:]]`, `[]a]`, `[^]a]`, `[a-`, `a{,2}`,
	`a{02}`, `^*`, `\b+`, `\`, `[\`, `(?`, `(?<`, `(?P<n`, `[[:`, `\x`, `\x{`, `\p`, `\p{`, `{`, `]`, "\xff", "[\xff]", "\x00", "\u2028", `[a-\d]`,
	`(?=a)`, `(?<=a)`, `(?>a)`, `\1`, `\12`, `()*`, `(|)*`, `(?:^)*`, `[\d-z]`, `[--a-c-\]]`, `(((((((((((a*)*)*)*)*)*)*)*)*)*)*)*`,
}

// FuzzCompile checks that a pattern which compiles is as cheap as promised, and that an own one means
// what it means to Go but for the line ends that a dot does not match.
func FuzzCompile(f *testing.F) {
	for i, src := range patterns {
		f.Add(src, patterns[len(patterns)-1-i])
		f.Add(src, "aΩ𐍈\n\r\u2028 ")
	}
	f.Fuzz(func(t *testing.T, src, piece string) {
		p, err := match.Compile(src)
		own, errOwn := match.CompileOwn(src)
		if err != nil {
			if p != nil || own != nil || errOwn == nil {
				t.Fatalf("%q: %v, %v with %v", src, p, own, err)
			}
			return
		}
		text := stretched(piece)
		bounded(t, p, src, text)
		got := p.Match(text)
		if want := regexp.MustCompile(src).MatchString(text); got != want {
			t.Errorf("%q matches %q: %t", src, text, got)
		}
		if errOwn != nil {
			return
		}
		bounded(t, own, src, text)
		dots := strings.Contains(src, ".") && strings.ContainsAny(text, "\r\u2028\u2029")
		if gotOwn := own.Match(text); gotOwn != got && !dots {
			t.Errorf("%q matches %q: %t, as an own pattern %t", src, text, got, gotOwn)
		}
	})
}

// stretched repeats a text to MaxLength code points.
func stretched(piece string) string {
	runes := []rune(piece)
	if len(runes) == 0 {
		return ""
	}
	return string([]rune(strings.Repeat(string(runes), match.MaxLength/len(runes)+1))[:match.MaxLength])
}

func bounded(t *testing.T, p *match.Pattern, src, text string) {
	t.Helper()
	n := p.Cost(1)
	if p.Source() != src || len(src) > match.MaxPattern || n < 1 || n > match.MaxInstructions {
		t.Fatalf("%q of %d bytes has %d instructions", p.Source(), len(src), n)
	}
	if cost := p.Cost(len(text)); cost != n*int64(max(len(text), 1)) {
		t.Fatalf("%q: %d instructions on %d bytes are %d steps", src, n, len(text), cost)
	}
	var budget match.Budget
	if p.Fits(match.MaxLength, match.MaxSteps) && !budget.Spend(p, text) {
		t.Fatalf("%q fits and is over budget for %d bytes", src, len(text))
	}
}

// FuzzFormats holds what is accepted against readers of the standard library and plain properties.
func FuzzFormats(f *testing.F) {
	for _, s := range []string{
		"", "a@b.c", `"a"@b.c`, "A <a@b.c>", "a@[192.0.2.1]", "https://example.com/a?b#c", "javascript:alert(1)", `C:\dir`, "urn:a:b",
		"2026-07-01", "2024-02-29", "2026-02-30", "2026-07-01T09:30:00Z", "2026-07-01t09:30:00.5+02:00", "2026-07-01T09:30:00,5Z",
		"2026-07-01T24:00:00Z", "2026-07-01T09:30:60Z", "2026-07-01T9:30:00Z", "2026-07-01T09:30:00+24:00",
		"7d444840-9dc0-11d1-b245-5ffdce74fad2", "192.0.2.1", "1.2.3.04", "::1", "fe80::1%eth0", "::ffff:1.2.3.4", "example.com", "0x7f", "a-.b",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, name := range match.Names() {
			check, _ := match.Lookup(name)
			if check(s) && !properties[name](s) {
				t.Errorf("%q is accepted as %s", s, name)
			}
		}
	})
}

// properties hold of whatever a format accepts.
var properties = map[string]func(string) bool{
	"email": func(s string) bool {
		a, err := mail.ParseAddress("<" + s + ">")
		return err == nil && a.Address == s && a.Name == "" && len(s) <= 254 && printable(s)
	},
	"uri": func(s string) bool {
		u, err := url.Parse(s)
		return err == nil && u.Scheme != "" && printable(s)
	},
	"date": func(s string) bool {
		at, err := time.Parse(time.DateOnly, s)
		return err == nil && at.Format(time.DateOnly) == s
	},
	"date-time": func(s string) bool {
		at, err := time.Parse(time.RFC3339, strings.ToUpper(s))
		return err == nil && strings.HasPrefix(at.Format(time.RFC3339), strings.ToUpper(s[:19])) && !strings.ContainsAny(s, ", ")
	},
	"uuid": func(s string) bool { return len(s) == 36 && strings.Count(s, "-") == 4 },
	"ipv4": func(s string) bool {
		a, err := netip.ParseAddr(s)
		return err == nil && a.String() == s && strings.Count(s, ".") == 3
	},
	"ipv6": func(s string) bool {
		_, err := netip.ParseAddr(s)
		return err == nil && strings.Contains(s, ":") && !strings.Contains(s, "%")
	},
	"hostname": func(s string) bool {
		u, err := url.Parse("http://" + s + "/")
		_, notAddress := netip.ParseAddr(s)
		return err == nil && u.Hostname() == s && notAddress != nil && len(s) <= 253 && printable(s)
	},
}

// printable reports whether s is of ASCII without blanks and controls.
func printable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}
