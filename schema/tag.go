package schema

import (
	"errors"
	"fmt"
	"strings"
)

// item is one key of an mcp tag with its value; a flag has none.
type item struct {
	key, value string
	flag       bool
}

// parseTag reads an mcp tag:
//
//	mcp    = item *( ";" item ) ;  item = flag | key "=" value ;  value = quoted | bare
//	quoted = "'" *( any | "''" ) "'" ;  bare = chars without ";" (trimmed)
func parseTag(tag string) ([]item, error) {
	var out []item
	for rest := strings.TrimSpace(tag); rest != ""; {
		var it item
		var err error
		if it, rest, err = parseItem(rest); err != nil {
			return nil, err
		}
		out = append(out, it)
	}
	return out, nil
}

func parseItem(s string) (it item, rest string, err error) {
	end := strings.IndexAny(s, "=;")
	if end < 0 || s[end] == ';' {
		name, rest, more := strings.Cut(s, ";")
		it = item{key: strings.TrimSpace(name), flag: true}
		return it, strings.TrimSpace(rest), emptyItem(it, more, rest)
	}
	it.key = strings.TrimSpace(s[:end])
	value := strings.TrimLeft(s[end+1:], " \t")
	if !strings.HasPrefix(value, "'") {
		bare, rest, more := strings.Cut(value, ";")
		it.value = strings.TrimSpace(bare)
		return it, strings.TrimSpace(rest), emptyItem(it, more, rest)
	}
	it.value, rest, err = parseQuoted(value)
	if err != nil {
		return it, "", fmt.Errorf("%s: %w", it.key, err)
	}
	rest = strings.TrimSpace(rest)
	after, more := strings.CutPrefix(rest, ";")
	if rest != "" && !more {
		return it, "", fmt.Errorf("%s: something stands behind the closing quote: write ; between items", it.key)
	}
	return it, strings.TrimSpace(after), emptyItem(it, more, after)
}

func emptyItem(it item, more bool, rest string) error {
	if it.key == "" || more && strings.TrimSpace(rest) == "" {
		return errors.New("an item is empty: write items with one ; between them")
	}
	return nil
}

// parseQuoted reads a value in single quotes, in which two of them stand for one.
func parseQuoted(s string) (value, rest string, err error) {
	var b strings.Builder
	for s = s[1:]; ; {
		i := strings.IndexByte(s, '\'')
		if i < 0 {
			return "", "", errors.New("a quote is not closed: write '…'")
		}
		b.WriteString(s[:i])
		if s = s[i+1:]; !strings.HasPrefix(s, "'") {
			return b.String(), s, nil
		}
		b.WriteByte('\'')
		s = s[1:]
	}
}
