package mcpserver

import (
	"cmp"
	"slices"
)

// canonical appends a well-formed value in one form for all its spellings: without blanks, the members of
// objects by name, strings with the same escapes. Numbers stay as they are written, and repeated names stay
// repeated, since whoever reads the value might take either.
func canonical(dst, raw []byte) []byte {
	switch raw = trim(raw); kindOf(raw) {
	case kindObject:
		var all []member
		for name, value := range members(raw) {
			all = append(all, member{name, value})
		}
		slices.SortStableFunc(all, func(a, b member) int { return cmp.Compare(a.name, b.name) })
		dst = append(dst, '{')
		for _, m := range all {
			dst = append(canonical(append(appendText(dst, m.name), ':'), m.value), ',')
		}
		return append(dst, '}')
	case kindArray:
		dst = append(dst, '[')
		for value := range elements(raw) {
			dst = append(canonical(dst, value), ',')
		}
		return append(dst, ']')
	case kindString:
		if halved(raw) { // decoding would make another text of it
			return append(dst, raw...)
		}
		text, _ := textOf(raw)
		return appendText(dst, text)
	default:
		return append(dst, raw...)
	}
}
