package schema

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tenantry/tenantry/schema/internal/decimal"
	"github.com/tenantry/tenantry/schema/internal/lex"
	"github.com/tenantry/tenantry/schema/internal/words"
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
		return words.Listed(n.values())
	case n.format != "":
		return words.Format(n.format)
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

// oneLine keeps a host's text from looking like several errors.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

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
		return words.AppendString(dst, doc.Text(i))
	case lex.Array:
		dst = append(dst, '[')
		for _, e := range doc.Elements(i) {
			dst = append(appendCanonical(dst, doc, e), ',')
		}
		return append(dst, ']')
	case lex.Object:
		members := make([]string, 0, doc.Len(i))
		for key, e := range doc.Members(i) {
			members = append(members, string(appendCanonical(append(words.AppendString(nil, key), ':'), doc, e)))
		}
		slices.Sort(members)
		return append(append(append(dst, '{'), strings.Join(members, ",")...), '}')
	default:
		return append(dst, doc.Raw(i)...)
	}
}
