package resource

import (
	"slices"
	"unicode/utf8"
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
		if d := distance(in, []rune(n)); d <= maxDistance {
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

// distance is the optimal string alignment distance: insertions, deletions, substitutions and swaps
// of neighbours each cost one. Anything above maxDistance is reported as maxDistance+1.
func distance(a, b []rune) int {
	if d := len(a) - len(b); d > maxDistance || -d > maxDistance {
		return maxDistance + 1
	}
	before := make([]int, len(b)+1)
	last := make([]int, len(b)+1)
	row := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], maxDistance+1)
}
