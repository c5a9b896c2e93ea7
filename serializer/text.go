package serializer

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// plain marks the ASCII characters that stand in a JSON string as they are.
var plain = func() (marks [256]bool) {
	for c := byte(' '); c < utf8.RuneSelf; c++ {
		marks[c] = c != '"' && c != '\\'
	}
	return marks
}()

// appendString appends s as a JSON string. Only what JSON demands is escaped: quotes, backslashes and
// control characters. Bytes that are not UTF-8 become U+FFFD.
func appendString(dst, s []byte) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		if plain[s[i]] {
			i++
			continue
		}
		size, width := charWidth(s[i:])
		if size == width {
			i += size
			continue
		}
		dst = append(dst, s[start:i]...)
		dst = appendEscaped(dst, s[i])
		i += size
		start = i
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// charWidth returns the bytes of the first character of s and its bytes within a JSON string. They
// are equal exactly when the character stands there as it is.
func charWidth(s []byte) (size, width int) {
	switch c := s[0]; {
	case plain[c]:
		return 1, 1
	case c >= utf8.RuneSelf:
		r, n := utf8.DecodeRune(s)
		if r == utf8.RuneError && n == 1 {
			return 1, len("\uFFFD")
		}
		return n, n
	case c >= ' ' || shortEscape(c) != 0:
		return 1, 2
	default:
		return 1, len(`\u0000`)
	}
}

func appendEscaped(dst []byte, c byte) []byte {
	switch {
	case c >= utf8.RuneSelf:
		return append(dst, "\uFFFD"...)
	case c >= ' ':
		return append(dst, '\\', c)
	case shortEscape(c) != 0:
		return append(dst, '\\', shortEscape(c))
	default:
		return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
	}
}

func shortEscape(c byte) byte {
	switch c {
	case '\b':
		return 'b'
	case '\t':
		return 't'
	case '\n':
		return 'n'
	case '\f':
		return 'f'
	case '\r':
		return 'r'
	default:
		return 0
	}
}

// appendChar appends a char(n) value without the blanks that pad it.
func appendChar(dst, raw []byte) []byte { return appendString(dst, bytes.TrimRight(raw, " ")) }

func appendBoolText(dst, raw []byte) []byte {
	switch string(raw) {
	case "t", "true", "1":
		return append(dst, "true"...)
	case "f", "false", "0":
		return append(dst, "false"...)
	default:
		return appendString(dst, raw)
	}
}

func appendBinaryBool(dst, raw []byte) []byte {
	if len(raw) != 1 {
		return appendBroken(dst, raw)
	}
	if raw[0] == 0 {
		return append(dst, "false"...)
	}
	return append(dst, "true"...)
}

func appendUUIDText(dst, raw []byte) []byte {
	if !isUUID(raw) {
		return appendString(dst, raw)
	}
	dst = append(dst, '"')
	for _, c := range raw {
		if c >= 'A' && c <= 'F' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return append(dst, '"')
}

func isUUID(s []byte) bool {
	if len(s) != 36 {
		return false
	}
	for i, c := range s {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		hexDigit := isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
		if dash && c != '-' || !dash && !hexDigit {
			return false
		}
	}
	return true
}

func appendBinaryUUID(dst, raw []byte) []byte {
	if len(raw) != 16 {
		return appendBroken(dst, raw)
	}
	dst = append(dst, '"')
	for i, c := range raw {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			dst = append(dst, '-')
		}
		dst = append(dst, hexDigits[c>>4], hexDigits[c&15])
	}
	return append(dst, '"')
}

// appendHexAsBase64 turns the hex form of bytea into base64. The decoded bytes stand at the end of dst
// for a moment, so that no second buffer is needed.
func appendHexAsBase64(dst, raw []byte) []byte {
	from := len(dst)
	if !bytes.HasPrefix(raw, []byte(`\x`)) {
		return appendString(dst, raw)
	}
	dst, err := hex.AppendDecode(dst, raw[2:])
	if err != nil {
		return appendString(dst[:from], raw)
	}
	mid := len(dst)
	dst = append(dst, '"')
	dst = base64.StdEncoding.AppendEncode(dst, dst[from:mid])
	return settle(append(dst, '"'), from, mid)
}

// settle drops the bytes of dst from from to mid, which were needed to write what follows them.
func settle(dst []byte, from, mid int) []byte {
	return dst[:from+copy(dst[from:], dst[mid:])]
}

// appendDocument appends a JSON document as it is. The json type keeps line breaks between tokens
// (within strings they are escaped), and an answer may be sent where a line break ends a message, so
// they become blanks.
func appendDocument(dst, raw []byte) []byte {
	if len(raw) == 0 {
		return appendString(dst, raw)
	}
	if !utf8.Valid(raw) { // a server whose encoding is SQL_ASCII
		raw = bytes.ToValidUTF8(raw, []byte("\uFFFD"))
	}
	from := len(dst)
	dst = append(dst, raw...)
	blank(dst[from:], '\n')
	blank(dst[from:], '\r')
	return dst
}

func blank(s []byte, c byte) {
	for i := bytes.IndexByte(s, c); i >= 0; i = bytes.IndexByte(s, c) {
		s[i] = ' '
		s = s[i+1:]
	}
}

func appendCheckedDocument(dst, raw []byte) []byte {
	if !json.Valid(raw) {
		return appendString(dst, raw)
	}
	return appendDocument(dst, raw)
}

// appendBroken appends bytes of a binary format that make no sense as PostgreSQL shows bytes.
func appendBroken(dst, raw []byte) []byte {
	dst = append(dst, `"\\x`...)
	dst = hex.AppendEncode(dst, raw)
	return append(dst, '"')
}
