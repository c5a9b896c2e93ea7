package lex

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tenantry/tenantry/schema/internal/words"
)

// Parse reads raw, which must be one document of RFC 8259 in UTF-8 within the limits. A key given twice in
// one object, half of a surrogate pair and U+0000 are refused: no two readers agree on the first, and
// databases hold neither of the others. The error says what to send instead.
func Parse(raw []byte, l Limits) (*Doc, error) {
	d := &Doc{}
	return d, d.Parse(raw, l)
}

// Parse is Parse into a Doc that held another document before, and keeps its memory.
func (d *Doc) Parse(raw []byte, l Limits) error {
	d.raw, d.values = raw, d.values[:0]
	switch {
	case len(raw) > l.Bytes:
		return fmt.Errorf("the document is larger than %d bytes: send a smaller one", l.Bytes)
	case !utf8.Valid(raw):
		return errors.New("the document is not in UTF-8: send text in UTF-8")
	}
	p := parser{Doc: d, limits: l}
	if p.values == nil {
		p.values = make([]value, 0, 64)
	}
	p.blanks()
	if err := p.value(); err != nil {
		return err
	}
	if p.blanks(); p.at != len(raw) {
		return errors.New("there is something behind the end of the document: send one JSON document")
	}
	return nil
}

type parser struct {
	*Doc
	at     int
	depth  int
	seen   int
	limits Limits
}

var (
	errSyntax    = errors.New("the document is no JSON: send one that is")
	errSurrogate = errors.New(`a string has half of a surrogate pair: send \uD8xx and \uDCxx together, or the character itself`)
	errNUL       = errors.New("a string has the character U+0000: leave it away")
)

func (p *parser) blanks() {
	for p.at < len(p.raw) {
		switch p.raw[p.at] {
		case ' ', '\t', '\r', '\n':
			p.at++
		default:
			return
		}
	}
}

// peek returns the next byte that is no blank, or 0 at the end.
func (p *parser) peek() byte {
	if p.blanks(); p.at < len(p.raw) {
		return p.raw[p.at]
	}
	return 0
}

func (p *parser) value() error {
	if p.seen++; p.seen > p.limits.Values {
		return fmt.Errorf("the document has more than %d values: send a smaller one", p.limits.Values)
	}
	switch c := p.peek(); {
	case c == '{' || c == '[':
		return p.nested(c)
	case c == '"':
		return p.str()
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	default:
		return p.word(c)
	}
}

// open begins a value; close ends it.
func (p *parser) open(k Kind) int {
	p.values = append(p.values, value{kind: k, start: int32(p.at)})
	return len(p.values) - 1
}

func (p *parser) close(i int) {
	p.values[i].end, p.values[i].next = int32(p.at), int32(len(p.values))
}

func (p *parser) word(c byte) error {
	word, kind := "null", Null
	switch c {
	case 't':
		word, kind = "true", Bool
	case 'f':
		word, kind = "false", Bool
	}
	if !bytes.HasPrefix(p.raw[p.at:], []byte(word)) {
		return errSyntax
	}
	i := p.open(kind)
	p.at += len(word)
	p.close(i)
	return nil
}

func (p *parser) nested(opening byte) error {
	if p.depth++; p.depth > p.limits.Depth {
		return fmt.Errorf("the document is nested more than %d deep: send a flatter one", p.limits.Depth)
	}
	kind, closing := Array, byte(']')
	if opening == '{' {
		kind, closing = Object, '}'
	}
	i := p.open(kind)
	p.at++
	if p.peek() == closing {
		p.at++
	} else if err := p.list(i, closing); err != nil {
		return err
	}
	p.depth--
	p.close(i)
	if kind == Object {
		return p.unique(i)
	}
	return nil
}

// list reads members or elements up to and with the closing byte.
func (p *parser) list(i int, closing byte) error {
	for {
		if closing == '}' {
			if err := p.key(); err != nil {
				return err
			}
		}
		if err := p.value(); err != nil {
			return err
		}
		p.values[i].count++
		switch c := p.peek(); c {
		case ',':
			p.at++
		case closing:
			p.at++
			return nil
		default:
			return errSyntax
		}
	}
}

func (p *parser) key() error {
	if p.peek() != '"' {
		return errSyntax
	}
	if err := p.str(); err != nil {
		return err
	}
	if p.peek() != ':' {
		return errSyntax
	}
	p.at++
	return nil
}

// few is up to how many keys are compared each with each.
const few = 16

// unique refuses an object that has a key twice, in whatever spelling.
func (p *parser) unique(i int) error {
	if n := p.values[i].count; n < 2 {
		return nil
	} else if n > few {
		return p.uniqueOfMany(i)
	}
	var keys [few][]byte
	n := 0
	at := i + 1
	for range p.values[i].count {
		key := p.Raw(at)
		if bytes.IndexByte(key, '\\') >= 0 {
			key = []byte(`"` + text(key) + `"`)
		}
		for _, k := range keys[:n] {
			if bytes.Equal(k, key) {
				return twice(text(p.Raw(at)))
			}
		}
		keys[n] = key
		n++
		at = int(p.values[at+1].next)
	}
	return nil
}

func twice(key string) error {
	return fmt.Errorf("the key %q is given twice in one object: send it once", words.Clip(key))
}

func (p *parser) uniqueOfMany(i int) error {
	seen := make(map[string]bool, p.values[i].count)
	for key := range p.Members(i) {
		if seen[key] {
			return twice(key)
		}
		seen[key] = true
	}
	return nil
}

func (p *parser) str() error {
	i := p.open(String)
	for p.at++; p.at < len(p.raw); p.at++ {
		switch c := p.raw[p.at]; {
		case c == '"':
			p.at++
			p.close(i)
			return nil
		case c == '\\':
			if err := p.escape(); err != nil {
				return err
			}
		case c < ' ':
			return errSyntax
		}
	}
	return errSyntax
}

// escape reads an escape and stays on its last byte.
func (p *parser) escape() error {
	if p.at++; p.at >= len(p.raw) {
		return errSyntax
	}
	switch p.raw[p.at] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return nil
	case 'u':
	default:
		return errSyntax
	}
	first, ok := p.unit()
	switch {
	case !ok:
		return errSyntax
	case first == 0:
		return errNUL
	case !utf16.IsSurrogate(first):
		return nil
	}
	if !bytes.HasPrefix(p.raw[p.at+1:], []byte(`\u`)) {
		return errSurrogate
	}
	p.at += 2
	second, ok := p.unit()
	switch {
	case !ok:
		return errSyntax
	case utf16.DecodeRune(first, second) == utf8.RuneError:
		return errSurrogate
	}
	return nil
}

// unit reads the four digits behind a u and stays on the last.
func (p *parser) unit() (r rune, ok bool) {
	if p.at+4 >= len(p.raw) {
		return 0, false
	}
	for range 4 {
		p.at++
		switch c := p.raw[p.at]; {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

func (p *parser) number() error {
	i := p.open(Number)
	start := p.at
	if p.raw[p.at] == '-' {
		p.at++
	}
	switch whole := p.digits(); {
	case whole == 0, whole > 1 && p.raw[p.at-whole] == '0':
		return errSyntax
	}
	if p.at < len(p.raw) && p.raw[p.at] == '.' {
		if p.at++; p.digits() == 0 {
			return errSyntax
		}
	}
	if p.at < len(p.raw) && p.raw[p.at]|0x20 == 'e' {
		if p.at++; p.at < len(p.raw) && (p.raw[p.at] == '+' || p.raw[p.at] == '-') {
			p.at++
		}
		if p.digits() == 0 {
			return errSyntax
		}
	}
	if p.at-start > MaxNumber {
		return fmt.Errorf("a number has more than %d characters: send a shorter one", MaxNumber)
	}
	p.close(i)
	return nil
}

// digits skips digits and returns how many.
func (p *parser) digits() int {
	start := p.at
	for p.at < len(p.raw) && p.raw[p.at] >= '0' && p.raw[p.at] <= '9' {
		p.at++
	}
	return p.at - start
}
