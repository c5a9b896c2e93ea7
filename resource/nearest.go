package resource

import (
	"slices"
	"unicode/utf8"

	"github.com/tenantry/tenantry/internal/nearest"
)

const (
	maxDistance    = 2
	maxSuggestions = 3
	maxNameLength  = 64 // a longer input is near no name, and costs nothing to refuse
)

// Nearest returns at most 3 of names at edit distance 2 or less from name, nearest first, then in
// the given order. Callers pass only names that the caller of the tool may see. The cost is bounded
// whatever the length of name.
func Nearest(name string, names []string) []string {
	if len(name) > 4*maxNameLength || utf8.RuneCountInString(name) > maxNameLength {
		return nil
	}
	in := []rune(name)
	type near struct {
		name string
		d    int
	}
	var found []near
	for _, n := range names {
		if d := nearest.Distance(in, []rune(n), maxDistance); d <= maxDistance {
			found = append(found, near{n, d})
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return a.d - b.d })
	var out []string
	for _, f := range found[:min(len(found), maxSuggestions)] {
		out = append(out, f.name)
	}
	return out
}
