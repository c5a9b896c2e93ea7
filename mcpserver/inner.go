package mcpserver

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// innerJSON returns what a well-formed JSON string holds, for the places that take JSON as text. Text with half of
// a surrogate pair is answered as no JSON at all: decoding put another character there in silence, and what is
// inside would no longer be what the client sent.
func innerJSON(raw []byte) []byte {
	text, _ := textOf(raw)
	inner := trim([]byte(text))
	if k := kindOf(inner); halved(raw) && (k == kindObject || k == kindArray) {
		return inner[:1] // of the same kind, and not well-formed
	}
	return inner
}

// halved reports whether an escape in a well-formed JSON string is half of a surrogate pair.
func halved(raw []byte) bool {
	for i := 0; i < len(raw)-1; i++ {
		if raw[i] != '\\' {
			continue
		}
		if i++; raw[i] != 'u' {
			continue
		}
		r := unit(raw[i+1:])
		i += 4
		if !utf16.IsSurrogate(r) {
			continue
		}
		if !bytes.HasPrefix(raw[i+1:], []byte(`\u`)) || utf16.DecodeRune(r, unit(raw[i+3:])) == utf8.RuneError {
			return true
		}
		i += 6
	}
	return false
}

// unit reads the four hexadecimal digits of an escape.
func unit(raw []byte) rune {
	n, _ := strconv.ParseUint(string(raw[:4]), 16, 16)
	return rune(n)
}
