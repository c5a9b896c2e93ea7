package serializer

import (
	"bytes"

	"github.com/tenantry/tenantry/resource"
)

// maxDimensions is PostgreSQL's MAXDIM.
const maxDimensions = 6

// arrayWriter returns the writer for arrays in the text form that array_out prints (PostgreSQL manual,
// 8.15.6). Text that is not of that form becomes a string.
func arrayWriter(t resource.Type, document Writer) Writer {
	if t.Elem == nil {
		return appendString
	}
	elem, delimiter := textWriter(*t.Elem, document), byte(',')
	if t.Elem.Name == "box" { // the only type of PostgreSQL's own with another typdelim
		delimiter = ';'
	}
	return func(dst, raw []byte) []byte {
		a := array{elem: elem, delimiter: delimiter, rest: withoutBounds(raw)}
		out, ok := a.append(dst, maxDimensions)
		if !ok || len(a.rest) > 0 {
			return appendString(out[:len(dst)], raw)
		}
		return out
	}
}

// withoutBounds drops explicit lower bounds, "[0:1]={1,2}". JSON has no place for them.
func withoutBounds(raw []byte) []byte {
	if len(raw) == 0 || raw[0] != '[' {
		return raw
	}
	bounds, values, _ := bytes.Cut(raw, []byte("="))
	if len(bytes.Trim(bounds, "[:]-0123456789")) > 0 {
		return raw
	}
	return values
}

type array struct {
	elem      Writer
	delimiter byte
	rest      []byte // what is still to be read
}

// append reads one array, braces included.
func (a *array) append(dst []byte, depth int) (out []byte, ok bool) {
	if depth == 0 || !a.take('{') {
		return dst, false
	}
	dst = append(dst, '[')
	if a.take('}') {
		return append(dst, ']'), true
	}
	for {
		if dst, ok = a.appendElement(dst, depth); !ok {
			return dst, false
		}
		if a.take('}') {
			return append(dst, ']'), true
		}
		if !a.take(a.delimiter) {
			return dst, false
		}
		dst = append(dst, ',')
	}
}

func (a *array) take(c byte) bool {
	if len(a.rest) == 0 || a.rest[0] != c {
		return false
	}
	a.rest = a.rest[1:]
	return true
}

func (a *array) appendElement(dst []byte, depth int) (out []byte, ok bool) {
	switch {
	case len(a.rest) > 0 && a.rest[0] == '{':
		return a.append(dst, depth-1)
	case a.take('"'):
		return a.appendQuoted(dst)
	}
	text := a.takeBare()
	switch string(text) {
	case "":
		return dst, false
	case "NULL":
		return append(dst, "null"...), true
	default:
		return a.elem(dst, text), true
	}
}

// takeBare reads an element without quotes: up to the first character that would need them.
func (a *array) takeBare() []byte {
	end := 0
	for end < len(a.rest) && a.rest[end] != a.delimiter && !structural(a.rest[end]) {
		end++
	}
	text := a.rest[:end]
	a.rest = a.rest[end:]
	return text
}

func structural(c byte) bool { return c == '{' || c == '}' || c == '"' || c == '\\' }

// appendQuoted reads the rest of a quoted element. Its text without backslashes stands at the end of
// dst for a moment, so that no second buffer is needed.
func (a *array) appendQuoted(dst []byte) (out []byte, ok bool) {
	from := len(dst)
	for {
		end := bytes.IndexAny(a.rest, `"\`)
		if end < 0 || a.rest[end] == '\\' && end+1 == len(a.rest) {
			return dst, false
		}
		dst = append(dst, a.rest[:end]...)
		if a.rest[end] == '"' {
			a.rest = a.rest[end+1:]
			break
		}
		dst = append(dst, a.rest[end+1])
		a.rest = a.rest[end+2:]
	}
	mid := len(dst)
	return settle(a.elem(dst, dst[from:mid]), from, mid), true
}
