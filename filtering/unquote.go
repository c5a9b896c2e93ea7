package filtering

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The reasons why a string of JSON is none that a database takes.
const (
	flawUTF8      = "it is not valid UTF-8"
	flawNUL       = "it holds the character NUL"
	flawSurrogate = "it holds half of a surrogate pair"
)

// unquote decodes what stands between the quotes of a valid JSON string. encoding/json would replace
// broken text in silence; here it is named, and replaced only for display.
func unquote(s string) (text, flaw string) {
	if !utf8.ValidString(s) {
		s, flaw = strings.ToValidUTF8(s, "\uFFFD"), flawUTF8
	}
	if strings.IndexByte(s, '\\') < 0 {
		return s, flaw
	}
	if flaw == "" {
		flaw = escapeFlaw(s)
	}
	return decode(s), flaw
}

// decode resolves the escapes. It is a function of its own so that text without any costs no
// allocation.
func decode(s string) string {
	var text string
	_ = json.Unmarshal([]byte(`"`+s+`"`), &text) // the text is valid JSON, so this cannot fail
	return text
}

// escapeFlaw looks for escapes that stand for no character a database takes.
func escapeFlaw(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			continue
		}
		i++
		if s[i] != 'u' {
			continue
		}
		r := unit(s[i+1:])
		i += 4
		switch {
		case r == 0:
			return flawNUL
		case utf16.IsSurrogate(r):
			if !strings.HasPrefix(s[i+1:], `\u`) || utf16.DecodeRune(r, unit(s[i+3:])) == utf8.RuneError {
				return flawSurrogate
			}
			i += 6
		}
	}
	return ""
}

// unit reads the four hexadecimal digits of a \u escape.
func unit(s string) rune {
	n, _ := strconv.ParseUint(s[:4], 16, 16)
	return rune(n)
}
