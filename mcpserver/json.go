package mcpserver

import (
	"bytes"
	"encoding/json"
	"iter"
	"strings"
	"unicode/utf8"
)

// maxDepth bounds the nesting of everything a client sends.
const maxDepth = 100

// wellFormed reports whether raw is exactly one JSON value (RFC 8259) in valid UTF-8, nested at most
// maxDepth deep. Everything below this function may rely on it.
func wellFormed(raw []byte) bool {
	return utf8.Valid(raw) && shallow(raw) && json.Valid(raw)
}

func shallow(raw []byte) bool {
	depth := 0
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '"':
			i = stringEnd(raw, i) - 1
		case '{', '[':
			if depth++; depth > maxDepth {
				return false
			}
		case '}', ']':
			depth--
		}
	}
	return true
}

// stringEnd returns the index behind the string that begins at raw[i], or len(raw) when it never ends.
func stringEnd(raw []byte, i int) int {
	for i++; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}

// valueEnd returns the index behind the well-formed value that begins at raw[i].
func valueEnd(raw []byte, i int) int {
	switch raw[i] {
	case '"':
		return stringEnd(raw, i)
	case '{', '[':
		return nestedEnd(raw, i)
	}
	for i < len(raw) && !blank(raw[i]) && raw[i] != ',' && raw[i] != ']' && raw[i] != '}' {
		i++
	}
	return i
}

func nestedEnd(raw []byte, i int) int {
	depth := 0
	for ; i < len(raw); i++ {
		switch raw[i] {
		case '"':
			i = stringEnd(raw, i) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return i
}

// next skips blanks and the separators between members and elements.
func next(raw []byte, i int) int {
	for i < len(raw) && (blank(raw[i]) || raw[i] == ',' || raw[i] == ':') {
		i++
	}
	return i
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// members yields the members of a well-formed object in order, repeated names included.
func members(object []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for i := next(object, next(object, 0)+1); i < len(object) && object[i] != '}'; i = next(object, i) {
			end := stringEnd(object, i)
			name, _ := textOf(object[i:end])
			i = next(object, end)
			end = valueEnd(object, i)
			if !yield(name, object[i:end]) {
				return
			}
			i = end
		}
	}
}

// elements yields the elements of a well-formed array.
func elements(array []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for i := next(array, next(array, 0)+1); i < len(array) && array[i] != ']'; i = next(array, i) {
			end := valueEnd(array, i)
			if !yield(array[i:end]) {
				return
			}
			i = end
		}
	}
}

// textOf returns what a well-formed JSON string says, and false for any other value.
func textOf(raw []byte) (string, bool) {
	if kindOf(raw) != kindString {
		return "", false
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		inner := raw[1 : len(raw)-1]
		if s, ok := frequent[string(inner)]; ok {
			return s, true
		}
		return string(inner), true
	}
	var s string
	err := json.Unmarshal(raw, &s)
	return s, err == nil
}

// frequent are the strings of nearly every message, kept so that reading them again costs no memory.
var frequent = func() map[string]string {
	out := map[string]string{}
	for _, s := range []string{
		"jsonrpc", "2.0", "id", "method", "params", methodCall, "name", "arguments", "_meta",
		"resource", "filter", "ids", "updated_since", "sort", "limit", "cursor", "offset", "fields", "include", "count",
		"none", "exact", "capped", "list", "get",
	} {
		out[s] = s
	}
	return out
}()

// trim removes the blanks that JSON allows around a value.
func trim(raw []byte) []byte {
	start, end := 0, len(raw)
	for start < end && blank(raw[start]) {
		start++
	}
	for end > start && blank(raw[end-1]) {
		end--
	}
	return raw[start:end]
}

// kind is what sort of JSON value something is, as a message calls it.
type kind string

const (
	kindAbsent kind = "nothing"
	kindNull   kind = "null"
	kindBool   kind = "a boolean"
	kindNumber kind = "a number"
	kindString kind = "a string"
	kindArray  kind = "an array"
	kindObject kind = "an object"
)

// kindOf looks at the first byte of a well-formed value without blanks around it.
func kindOf(raw []byte) kind {
	if len(raw) == 0 {
		return kindAbsent
	}
	switch raw[0] {
	case '{':
		return kindObject
	case '[':
		return kindArray
	case '"':
		return kindString
	case 't', 'f':
		return kindBool
	case 'n':
		return kindNull
	default:
		return kindNumber
	}
}

// appendText appends s as a JSON string, without the escapes that only HTML needs.
func appendText(dst []byte, s string) []byte {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always marshals
	return append(dst, strings.TrimSuffix(b.String(), "\n")...)
}

// appendQuoted appends well-formed JSON as the content of a JSON string. Such text holds no control
// characters inside its strings, so that only quotes, backslashes and blanks need an escape.
func appendQuoted(dst, document []byte) []byte {
	dst = append(dst, '"')
	start := 0
	for i, c := range document {
		if c != '"' && c != '\\' && c >= ' ' {
			continue
		}
		dst = append(dst, document[start:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		default: // a line break or tab between members
			dst = append(dst, ' ')
		}
		start = i + 1
	}
	return append(append(dst, document[start:]...), '"')
}
