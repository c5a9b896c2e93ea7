package filtering

import (
	"encoding/json"
	"strings"
)

// maxNesting bounds the nesting of the JSON before anything walks it: five groups of two levels each,
// a list of conditions, and a document of maxDocument levels.
const maxNesting = 128

type kind byte

const (
	nullKind kind = iota
	boolKind
	numberKind
	stringKind
	arrayKind
	objectKind
)

// value is a JSON value as it was sent: numbers keep their digits and objects the order of their
// members, and of two equal names both are there.
type value struct {
	kind    kind
	raw     string // the JSON text
	text    string // a string decoded; a number, boolean or null literally
	flaw    string // why a string is none that a database takes; "" when it is
	items   []value
	members []member
}

type member struct {
	name  string
	flaw  string
	again bool // the same name stands before in this object
	value value
}

// read parses one JSON text. Nothing at all reads as null.
func read(raw []byte) (value, *fault) {
	switch {
	case len(raw) == 0:
		return value{}, nil
	case nesting(raw) > maxNesting:
		return value{}, tooMuch("this is nested deeper than %d levels; send a flatter filter", maxNesting)
	case !json.Valid(raw):
		return value{}, wrong("this is not valid JSON; send one JSON value and nothing after it")
	}
	r := reader{text: string(raw)}
	return r.value(), nil
}

// nesting returns how deep arrays and objects nest, for any bytes.
func nesting(raw []byte) int {
	depth, deepest, quoted := 0, 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
			deepest = max(deepest, depth)
		case c == ']' || c == '}':
			depth--
		}
	}
	return deepest
}

// reader walks text that is known to be valid JSON, so that nothing here can fail.
type reader struct {
	text string
	at   int
}

// next skips blanks and separators and returns the first byte of a token. In valid JSON a comma or a
// colon separates and says nothing more.
func (r *reader) next() byte {
	for strings.IndexByte(" \t\r\n,:", r.text[r.at]) >= 0 {
		r.at++
	}
	return r.text[r.at]
}

func (r *reader) value() value {
	var v value
	first := r.next()
	start := r.at
	switch first {
	case '{':
		v.kind, v.members = objectKind, r.members()
	case '[':
		v.kind, v.items = arrayKind, r.items()
	case '"':
		v.kind = stringKind
		v.text, v.flaw = r.quoted()
	default:
		v.kind, v.text = r.literal(first)
	}
	v.raw = r.text[start:r.at]
	return v
}

func (r *reader) members() []member {
	var out []member
	seen := map[string]bool{}
	for r.at++; r.next() != '}'; {
		var m member
		m.name, m.flaw = r.quoted()
		m.again, seen[m.name] = seen[m.name], true
		m.value = r.value()
		out = append(out, m)
	}
	r.at++
	return out
}

func (r *reader) items() []value {
	var out []value
	for r.at++; r.next() != ']'; {
		out = append(out, r.value())
	}
	r.at++
	return out
}

func (r *reader) quoted() (text, flaw string) {
	start := r.at + 1
	for r.at = start; r.text[r.at] != '"'; r.at++ {
		if r.text[r.at] == '\\' {
			r.at++
		}
	}
	r.at++
	return unquote(r.text[start : r.at-1])
}

func (r *reader) literal(first byte) (kind, string) {
	start := r.at
	for r.at < len(r.text) && strings.IndexByte(" \t\r\n,]}", r.text[r.at]) < 0 {
		r.at++
	}
	text := r.text[start:r.at]
	switch first {
	case 'n':
		return nullKind, text
	case 't', 'f':
		return boolKind, text
	default:
		return numberKind, text
	}
}

// plain reports whether v is one string, number or boolean.
func (v value) plain() bool {
	return v.kind == stringKind || v.kind == numberKind || v.kind == boolKind
}

// member returns the member of that name, or nil.
func (v value) member(name string) *value {
	for i := range v.members {
		if v.members[i].name == name {
			return &v.members[i].value
		}
	}
	return nil
}
