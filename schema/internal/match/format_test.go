package match_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema/internal/match"
)

func TestFormats(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name      string
		good, bad []string
	}{
		{"email", []string{
			"a@b.c", "first.last+tag@example.com", "a@localhost", "o'hara@example.com", "!#$%&*/=?^_`{|}~@b.c", "a@[192.0.2.1]",
			strings.Repeat("a", 64) + "@" + strings.Repeat("b", 185) + ".com",
		}, []string{
			"", "a", "a@", "@b.c", "a@b@c", "a b@c.d", " a@b.c", "a@b.c ", "a@b.c\n", "\ta@b.c", "a@b.c\x00", "a@\nb.c", "<a@b.c>",
			"A <a@b.c>", `"A" <a@b.c>`, "a@b.c (comment)", "(comment)a@b.c", "a(c)@b.c", `"a"@b.c`, `"a b"@c.d`, "a@b.c, d@e.f", "a@b.c,",
			"g:a@b.c;", ".a@b.c", "a.@b.c", "a..b@c.d", "a@.b", "a@b.", "a@b..c", "a@[192.0.2.999]", "a @b.c", "a@ b.c", "a\r\n b@c.d",
			"é@b.c", "a@é.c", "\u202ea@b.c", "a@b.c\u00a0", "a@b.c\x7f", "mailto:a@b.c", "a@b.c>", "a@\xff.c",
			strings.Repeat("a", 65) + "@" + strings.Repeat("b", 185) + ".com",
		}},
		{"uri", []string{
			"https://example.com", "http://a/b?c=d&e#f", "mailto:a@b.c", "urn:isbn:0451450523", "javascript:alert(1)", "file:///etc/passwd",
			"HTTP://EXAMPLE.COM:8080/", "http://[::1]:80/", "http://u:p@h/", "a:", "http://a/%20", "data:,x", "tel:+1-816-555-1212",
		}, []string{
			"", "a", "/a/b", "//a/b", "a/b", "?q", "#f", ":", ":a", "://a", "1http://a", "ht tp://a", " http://a", "http://a ", "http://a\n",
			"http://a/b c", "http://a/\t", "http://a/\x00", "http://a/\x7f", "http://a/\u00a0", "http://a/\u2028", "http://a/\u202e",
			"http://a/é", "http://é/", `C:\dir`, `http://a\@b/`, `http://a/\b`, "http://a/<b>", `http://a/"`, "http://a/{b}", "http://a/^",
			"http://a/`", "http://a/|", "http://a/%zz", "http://a/%", "http://a:b/", "http://[::1", "http://a/\xff",
		}},
		{"date", []string{"2026-07-01", "2024-02-29", "0001-01-01", "9999-12-31", "2000-02-29"}, []string{
			"", "2026-7-1", "2026-07-1", "26-07-01", "02026-07-01", "12026-07-01", "2026-02-29", "2026-02-30", "1900-02-29", "2026-04-31",
			"2026-00-01", "2026-13-01", "2026-01-00", "2026-01-32", "20260701", "2026/07/01", "2026-182", "2026-W27-3", "2026-07",
			"2026-07-01T00:00:00Z", "2026-07-01Z", " 2026-07-01", "2026-07-01 ", "2026-07-01\n", "+2026-07-01", "-2026-07-01",
			"２０２６-07-01", "2026-07-0１", "2026\u201007\u201001", "2026-07-01\x00", "today",
		}},
		{"date-time", []string{
			"2026-07-01T09:30:00Z", "2026-07-01t09:30:00z", "2026-07-01T09:30:00+02:00", "2026-07-01T09:30:00-00:00",
			"2026-07-01T09:30:00.1Z", "2026-07-01T09:30:00.123456789012Z", "2026-07-01T00:00:00+23:59", "2024-02-29T23:59:59-23:59",
		}, []string{
			"", "2026-07-01", "2026-07-01T09:30:00", "2026-07-01T09:30Z", "2026-07-01T09Z", "2026-07-01T9:30:00Z", "2026-07-01T09:3:00Z",
			"2026-07-01T09:30:00,1Z", "2026-07-01T09:30:00.Z", "2026-07-01T09:30:60Z", "2016-12-31T23:59:60Z", "2026-07-01T24:00:00Z",
			"2026-07-01T09:60:00Z", "2026-02-30T09:30:00Z", "2026-02-29T09:30:00Z", "2026-13-01T09:30:00Z", "2026-00-01T09:30:00Z",
			"2026-07-01T09:30:00+24:00", "2026-07-01T09:30:00+02:60", "2026-07-01T09:30:00+02", "2026-07-01T09:30:00+0200",
			"2026-07-01T09:30:00+2:00", "2026-07-01T09:30:00 +02:00", "2026-07-01T09:30:00\u221202:00", "2026-07-01T09:30:00ZZ",
			"2026-07-01 09:30:00Z", "2026-07-01_09:30:00Z", "2026-07-0109:30:00Z", " 2026-07-01T09:30:00Z", "2026-07-01T09:30:00Z ",
			"2026-07-01T09:30:00Z\n", "2026-07-01T09:30:00UTC", "2026-07-01T09:30:00Z+02:00", "12026-07-01T09:30:00Z", "-026-07-01T09:30:00Z",
			"2026-07-01T09:30:00.1٧Z", "2026-07-01T09:30:00.-1Z", "2026-07-01ſ09:30:00Z", "20260701T093000Z",
		}},
		{"uuid", []string{"7d444840-9dc0-11d1-b245-5ffdce74fad2", "7D444840-9DC0-41D5-9F0A-1E0F5E2C8B11", "00000000-0000-0000-0000-000000000000"}, []string{
			"", "7d4448409dc011d1b2455ffdce74fad2", "{7d444840-9dc0-11d1-b245-5ffdce74fad2}", "urn:uuid:7d444840-9dc0-11d1-b245-5ffdce74fad2",
			"7d444840-9dc0-11d1-b245-5ffdce74fad", "7d444840-9dc0-11d1-b245-5ffdce74fad22", "7d44484-09dc0-11d1-b245-5ffdce74fad2",
			"7d444840-9dc0-11d1-b2455-ffdce74fad2", "7g444840-9dc0-11d1-b245-5ffdce74fad2", "7d444840-9dc0-11d1-b245-5ffdce74fad2\n",
			" 7d444840-9dc0-11d1-b245-5ffdce74fad2", "7d444840_9dc0_11d1_b245_5ffdce74fad2", "7d444840-9dc0-11d1-b245-5ffdce74fadé",
		}},
		{"ipv4", []string{"192.0.2.1", "0.0.0.0", "255.255.255.255"}, []string{
			"", "1", "1.2.3", "1.2.3.4.5", "256.0.0.1", "1.2.3.04", "0x7f.0.0.1", "127.1", "2130706433", "1.2.3.4/8", "1.2.3.4:80", " 1.2.3.4",
			"1.2.3.4 ", "1.2.3.4\n", "1.2.3.-4", "1..2.3", "1.2.3.", "::1.2.3.4", "::ffff:1.2.3.4", "::1", "1.2.3.4%eth0", "１.2.3.4",
		}},
		{"ipv6", []string{"::", "::1", "2001:db8::8a2e:370:7334", "2001:DB8:0:0:0:0:0:1", "::ffff:192.0.2.1", "fe80::1"}, []string{
			"", ":", ":::", "1.2.3.4", "fe80::1%eth0", "fe80::1%", "[::1]", "::1/128", "1::2::3", "12345::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
			"::g", " ::1", "::1 ", "::1\n", "::ffff:1.2.3", "::ffff:1.2.3.256", "::1.2.3.4:5", "localhost",
		}},
		{"hostname", []string{
			"a", "localhost", "example.com", "EXAMPLE.com", "3com.com", "1.2.3.com", "a-b.c--d.e", "xn--bcher-kva.example", "1a",
			strings.Repeat("a", 63), strings.Repeat("a.", 126) + "a", "0x7g", "0.x7f",
		}, []string{
			"", ".", "a.", ".a", "a..b", "-a", "a-", "a-.b", "a.-b", "a_b", "_dmarc.example.com", "a b", " a", "a ", "a\n", "a\x00", "bücher.example",
			"a:80", "a/b", "*.a", "[::1]", "::1", "127.0.0.1", "1", "a.1", "0x7f", "0X7F.0x1", "0x", "a.0x7F", strings.Repeat("a", 64),
			strings.Repeat("a.", 126) + "ab", "ａ.com", "a\u3002b", "a\xff",
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			check, ok := match.Lookup(tc.name)
			if !ok {
				t.Fatal("no such format")
			}
			for _, s := range tc.good {
				if !check(s) {
					t.Errorf("%q is refused", s)
				}
			}
			for _, s := range tc.bad {
				if check(s) {
					t.Errorf("%q is accepted", s)
				}
			}
		})
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	want := []string{"date", "date-time", "email", "hostname", "ipv4", "ipv6", "uri", "uuid"}
	if diff := cmp.Diff(want, match.Names()); diff != "" {
		t.Error(diff)
	}
	for _, name := range append(match.Names(), match.ElicitationNames()...) {
		if check, ok := match.Lookup(name); !ok || check == nil || !slices.Contains(want, name) {
			t.Errorf("%s is not there", name)
		}
	}
	if diff := cmp.Diff([]string{"email", "uri", "date", "date-time"}, match.ElicitationNames()); diff != "" {
		t.Error(diff)
	}
}

func TestUnknownFormats(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "time", "Email", "EMAIL", "datetime", "date_time", "idn-email", "iri", "url", "regex", " uuid", "uuid "} {
		if check, ok := match.Lookup(name); ok || check != nil {
			t.Errorf("%q is a format", name)
		}
	}
}

// What a caller does to the names changes them for nobody else.
func TestNamesAreTheCallers(t *testing.T) {
	t.Parallel()
	for _, names := range []func() []string{match.Names, match.ElicitationNames} {
		want := names()
		clear(names())
		if diff := cmp.Diff(want, names()); diff != "" {
			t.Error(diff)
		}
	}
}
