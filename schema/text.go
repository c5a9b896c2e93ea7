package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tenantry/tenantry/schema/internal/decimal"
	"github.com/tenantry/tenantry/schema/internal/lex"
)

// noun says what a value must be, as a message puts it.
func (n *node) noun() string {
	switch n.kind {
	case kindInteger:
		return "a whole number"
	case kindNumber:
		return "a number"
	case kindBoolean:
		return "true or false"
	case kindArray:
		return "an array"
	case kindObject, kindMap, kindUnion:
		return "an object"
	case kindEither:
		return "a number or its text"
	case kindAny:
		return "a value"
	default:
		return n.stringNoun()
	}
}

func (n *node) stringNoun() string {
	switch {
	case n.enum != nil:
		return listed(n.values())
	case n.format != "":
		return formatNoun(n.format)
	case n.codec == codecIntText || n.codec == codecUintText:
		return "a string of digits"
	case n.typ == typeDecimal:
		return `a string such as "19.90"`
	default:
		return "a string"
	}
}

// patternNoun says what a text must match, in words where the pattern is ours.
func (n *node) patternNoun() string {
	if n.codec == codecIntText || n.codec == codecUintText || n.typ == typeDecimal {
		return "be " + n.stringNoun()
	}
	return "match " + n.pattern.Source()
}

var formatNouns = map[string]string{
	"date":      "a date such as 2026-07-01",
	"date-time": "a time with its offset such as 2026-07-01T09:30:00Z",
	"email":     "an e-mail address",
	"uri":       "an absolute URI",
	"uuid":      "a UUID such as 6ba7b810-9dad-11d1-80b4-00c04fd430c8",
	"hostname":  "a host name",
	"ipv4":      "an IPv4 address",
	"ipv6":      "an IPv6 address",
}

func formatNoun(format string) string {
	if text, ok := formatNouns[format]; ok {
		return text
	}
	return "of the format " + format
}

// listed writes choices as "a, b or c".
func listed(choices []string) string {
	const shown = 50
	if len(choices) > shown {
		return fmt.Sprintf("one of %d values", len(choices))
	}
	if len(choices) < 2 {
		return strings.Join(choices, "")
	}
	last := len(choices) - 1
	return strings.Join(choices[:last], ", ") + " or " + choices[last]
}

// clip shortens a key of the client's that is echoed in a path.
func clip(s string) string {
	const shown = 40
	if utf8.RuneCountInString(s) <= shown {
		return s
	}
	r := []rune(s)
	return string(r[:shown]) + "…"
}

// oneLine keeps a host's text from looking like several errors.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func upper(s string) string { return strings.ToUpper(s) }

// hint names what was probably meant: the nearest name, if it is near.
func hint(name string, known []string) string {
	best, least := "", len(name)/2+1
	for _, k := range known {
		if d := distance(name, k); d < least || d == least && best == "" {
			best, least = k, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", best)
}

// distance is how many insertions, deletions and replacements make one name the other.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := last
			if a[i] != b[j] {
				cost++
			}
			last = row[j+1]
			row[j+1] = min(cost, row[j]+1, last+1)
		}
	}
	return row[len(b)]
}

// appendString appends a JSON string, without the escapes that only HTML needs.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); i++ {
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

const hexDigits = "0123456789abcdef"

// compacted is value i of a document without blanks.
func compacted(doc *lex.Doc, i int) string {
	var b bytes.Buffer
	if json.Compact(&b, doc.Raw(i)) != nil {
		return string(doc.Raw(i))
	}
	return b.String()
}

// canonical is the same text for equal values (JSON Schema, draft 2020-12, section 4.2.2): keys are sorted,
// and numbers are in one spelling.
func canonical(doc *lex.Doc, i int) string { return string(appendCanonical(nil, doc, i)) }

func appendCanonical(dst []byte, doc *lex.Doc, i int) []byte {
	switch doc.Kind(i) {
	case lex.Number:
		return append(dst, decimal.Parse(string(doc.Raw(i))).Text()...)
	case lex.String:
		return appendString(dst, doc.Text(i))
	case lex.Array:
		dst = append(dst, '[')
		for _, e := range doc.Elements(i) {
			dst = append(appendCanonical(dst, doc, e), ',')
		}
		return append(dst, ']')
	case lex.Object:
		members := make([]string, 0, doc.Len(i))
		for key, e := range doc.Members(i) {
			members = append(members, string(appendCanonical(append(appendString(nil, key), ':'), doc, e)))
		}
		slices.Sort(members)
		return append(append(append(dst, '{'), strings.Join(members, ",")...), '}')
	default:
		return append(dst, doc.Raw(i)...)
	}
}
