package match

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// CompileOwn is Compile for a pattern that others are to enforce too: it also refuses whatever ECMA-262
// with the flag u, the dialect of JSON Schema, does not read or reads as something else. An error says what
// to write instead.
//
// Blanks are such a case: \s is five characters here and twenty-five there. The dot is one too, but too
// common to be refused, so here it is the one of ECMA-262: it matches neither \n nor \r, U+2028 and U+2029.
// Categories such as \p{L} are read alike up to the version of Unicode that either side knows.
func CompileOwn(src string) (*Pattern, error) {
	if _, err := Compile(src); err != nil {
		return nil, err
	}
	text, err := portable(src)
	if err != nil {
		return nil, err
	}
	return compile(src, text)
}

// dot is the one of ECMA-262. Only the text can be changed: once parsed, Go takes [^\n] for a dot as well.
const dot = "[^\n\r\u2028\u2029]"

// portable looks at a pattern that Go reads for what ECMA-262 does not read alike, and returns it for Go.
func portable(src string) (text string, err error) {
	var out strings.Builder
	s := scanner{rest: src}
	for s.rest != "" {
		before := s.rest
		if advice := s.next(); advice != "" {
			at := len(src) - len(before)
			return "", fmt.Errorf("the pattern is not portable to ECMA-262 from byte %d, %q: %s", at, excerpt(before), advice)
		}
		piece := before[:len(before)-len(s.rest)]
		if piece == "." {
			piece = dot
		}
		out.WriteString(piece)
	}
	return out.String(), nil
}

// excerpt is the beginning of a text for a message.
func excerpt(s string) string {
	const most = 12
	if len(s) <= most {
		return s
	}
	end := most
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "..."
}

// scanner takes a pattern apart from left to right. Its methods return advice for what is not portable.
type scanner struct {
	rest   string
	names  []string // of groups
	anchor bool     // whether the last piece was one: it cannot be repeated
}

// next takes one piece outside of classes.
func (s *scanner) next() (advice string) {
	anchor := s.anchor
	s.anchor = false
	switch c := s.rest[0]; c {
	case '*', '+', '?', '{':
		return s.quantifier(anchor)
	case '^', '$':
		s.anchor = true
	case '\\':
		s.anchor = strings.HasPrefix(s.rest, `\b`) || strings.HasPrefix(s.rest, `\B`)
		_, advice = s.escape("bB")
		return advice
	case '[':
		return s.class()
	case '(':
		return s.group()
	case ']', '}':
		return `write \` + string(c)
	}
	s.rest = s.rest[1:] // of a longer character the rest means nothing either
	return ""
}

// counted is a repeat that both read as one. Of others Go makes text, and ECMA-262 a mistake or, with a
// leading zero, a repeat.
var counted = regexp.MustCompile(`^\{(?:0|[1-9][0-9]*)(?:,(?:0|[1-9][0-9]*)?)?\}`)

func (s *scanner) quantifier(anchor bool) (advice string) {
	size := 1
	if s.rest[0] == '{' {
		size = len(counted.FindString(s.rest))
	}
	switch {
	case size == 0:
		return `write \{ for the character, or a repeat as {2}, {2,} or {0,2}`
	case anchor:
		return `an anchor cannot be repeated; leave the quantifier out`
	}
	s.rest = s.rest[size:]
	return ""
}

// opening is the beginning of a group, with the name that it may have.
var opening = regexp.MustCompile(`^\((?:\?:|\?<([A-Za-z_][A-Za-z0-9_]*)>)?`)

func (s *scanner) group() (advice string) {
	found := opening.FindStringSubmatch(s.rest)
	s.rest = s.rest[len(found[0]):]
	switch name := found[1]; {
	case strings.HasPrefix(s.rest, "?P<"):
		return "write (?<name>...) without the P"
	case strings.HasPrefix(s.rest, "?<"):
		return "let the name of a group begin with a letter"
	case strings.HasPrefix(s.rest, "?"):
		return `there are no flags in a pattern; write [Aa] for both cases and [\d\D] for any character`
	case name != "" && slices.Contains(s.names, name):
		return "give each group another name"
	case name != "":
		s.names = append(s.names, name)
	}
	return ""
}

// class takes a class in brackets, and what stands between them as Go and ECMA-262 both do.
func (s *scanner) class() (advice string) {
	s.rest = strings.TrimPrefix(s.rest[1:], "^")
	if strings.HasPrefix(s.rest, "]") {
		return `write \] for a bracket at the beginning of a class`
	}
	for s.rest != "" && s.rest[0] != ']' {
		set, advice := s.member()
		if advice != "" {
			return advice
		}
		if len(s.rest) < 2 || s.rest[0] != '-' || s.rest[1] == ']' {
			continue
		}
		if set {
			return `write \- for the character in a class, or put it last`
		}
		s.rest = s.rest[1:]
		if _, advice := s.member(); advice != "" {
			return advice
		}
	}
	s.rest = strings.TrimPrefix(s.rest, "]")
	return ""
}

// member takes one character of a class, or an escape that may stand for a set of them.
func (s *scanner) member() (set bool, advice string) {
	switch {
	case s.rest == "":
		return false, ""
	case s.rest[0] == '\\':
		return s.escape("-")
	case strings.HasPrefix(s.rest, "[:"):
		return false, `there are no POSIX classes; write ranges such as A-Za-z, or \[ for the character`
	}
	_, size := utf8.DecodeRuneInString(s.rest)
	s.rest = s.rest[size:]
	return false, ""
}

const (
	sets       = "dDwW"
	controls   = "nrtfv"
	characters = `^$\.*+?()[]{}|/`
)

var (
	hexadecimal = regexp.MustCompile(`^\\x[0-9A-Fa-f]{2}`)
	category    = regexp.MustCompile(`^\\[pP]\{(?:C[cfnos]?|L[Clmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)\}`)
)

// escape takes an escape; here are those that are read alike only outside, or only inside, of classes.
func (s *scanner) escape(here string) (set bool, advice string) {
	if found := category.FindString(s.rest); found != "" {
		s.rest = s.rest[len(found):]
		return true, ""
	}
	if found := hexadecimal.FindString(s.rest); found != "" {
		s.rest = s.rest[len(found):]
		return false, ""
	}
	if len(s.rest) < 2 || !strings.Contains(sets+controls+characters+here, s.rest[1:2]) {
		return false, adviseEscape(s.rest)
	}
	set = strings.Contains(sets, s.rest[1:2])
	s.rest = s.rest[2:]
	return set, ""
}

// rewritten has advice for escapes by the character behind the backslash.
var rewritten = map[byte]string{
	'A': "write ^",
	'z': "write $",
	'Q': "write a backslash for each character that needs one",
	'a': `write \x07`,
	's': `the sets of blanks differ; write yours out, as in [ \t\n\f\r]`,
	'S': `the sets of blanks differ; write yours out, as in [^ \t\n\f\r]`,
	'x': `write \x and two hexadecimal digits, or the character itself`,
	'p': `write a general category in braces, such as \p{L} or \p{Lu}, or the ranges of a script`,
	'P': `write a general category in braces, such as \P{L} or \P{Lu}, or the ranges of a script`,
}

func adviseEscape(s string) (advice string) {
	if len(s) < 2 {
		return `write \\ for a backslash`
	}
	switch c := s[1]; {
	case rewritten[c] != "":
		return rewritten[c]
	case c >= '0' && c <= '9':
		return `write \x and two hexadecimal digits; \x00 is NUL`
	default:
		return "write the character without the backslash"
	}
}
