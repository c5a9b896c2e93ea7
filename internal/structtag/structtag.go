// Package structtag reads the whole tag of a struct field. reflect's own look-up stops silently at the first
// malformed pair, and what stands behind it would be lost: a gate, say.
package structtag

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Pair is one key of a tag with its unquoted value.
type Pair struct{ Key, Value string }

// Parse returns the pairs of a tag in order. A tag that is not key:"value" pairs with blanks between them is an
// error.
func Parse(tag reflect.StructTag) ([]Pair, error) {
	var out []Pair
	for rest := strings.TrimLeft(string(tag), " "); rest != ""; rest = strings.TrimLeft(rest, " ") {
		key, quoted, ok := strings.Cut(rest, ":")
		literal, err := strconv.QuotedPrefix(quoted)
		if !ok || key == "" || strings.ContainsAny(key, " \"") || err != nil || literal[0] != '"' {
			return nil, fmt.Errorf("the tag is malformed at %q: write key:\"value\" pairs with blanks between them", rest)
		}
		value, err := strconv.Unquote(literal)
		if err != nil {
			return nil, fmt.Errorf("the tag %s: %w", key, err)
		}
		out = append(out, Pair{key, value})
		rest = quoted[len(literal):]
	}
	return out, nil
}
