// Package words puts what schemas and forms say of a mistake into words, the same for both.
package words

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tenantry/tenantry/internal/nearest"
)

// Escape escapes a token of a JSON Pointer (RFC 6901).
var Escape = strings.NewReplacer("~", "~0", "/", "~1").Replace

var formats = map[string]string{
	"date":      "a date such as 2026-07-01",
	"date-time": "a time with its offset such as 2026-07-01T09:30:00Z",
	"email":     "an e-mail address",
	"uri":       "an absolute URI",
	"uuid":      "a UUID such as 6ba7b810-9dad-11d1-80b4-00c04fd430c8",
	"hostname":  "a host name",
	"ipv4":      "an IPv4 address",
	"ipv6":      "an IPv6 address",
}

// Format says what a text of a format is.
func Format(name string) string {
	if text, ok := formats[name]; ok {
		return text
	}
	return "of the format " + name
}

// Listed writes choices as "a, b or c".
func Listed(choices []string) string {
	const shown = 50
	if len(choices) > shown {
		return fmt.Sprintf("one of %d values", len(choices))
	}
	tidied := each(choices)
	if len(tidied) < 2 {
		return strings.Join(tidied, "")
	}
	last := len(tidied) - 1
	return strings.Join(tidied[:last], ", ") + " or " + tidied[last]
}

// Accepted names what an object takes, behind the mistake of a name that it does not.
func Accepted(names []string) string {
	const shown = 40
	switch {
	case len(names) == 0:
		return "; it takes none"
	case len(names) > shown:
		return ""
	default:
		return "; it takes " + strings.Join(each(names), ", ")
	}
}

func each(texts []string) []string {
	out := make([]string, len(texts))
	for i, s := range texts {
		out[i] = tidy(s)
	}
	return out
}

// tidy keeps a text from being long or looking like several messages.
func tidy(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, Clip(s))
}

// Clip shortens what the other side wrote to 40 characters.
func Clip(s string) string {
	const shown = 40
	if utf8.RuneCountInString(s) <= shown {
		return s
	}
	return string([]rune(s)[:shown]) + "…"
}

// Counted writes a number of things.
func Counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Hint names what was probably meant: the nearest name, if it is near.
func Hint(name string, known []string) string {
	best, least := "", len(name)/2+2
	for _, k := range known {
		if d := nearest.Distance([]rune(name), []rune(k), least); d < least {
			best, least = k, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", best)
}

const hexDigits = "0123456789abcdef"

// Quote is a text as JSON.
func Quote(s string) string { return string(AppendString(nil, s)) }

// AppendString appends a JSON string, without the escapes that only HTML needs.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\r':
			dst = append(dst, '\\', 'r')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	return append(append(dst, s[start:]...), '"')
}
