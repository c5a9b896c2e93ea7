package executors

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tenantry/tenantry/resource"
)

// term is one step of the order of a listing.
type term struct {
	col  Column
	desc bool
}

// parseSort types the sort argument and ends it in the key, in the direction of the last named term, so
// that the order is total.
func parseSort(names []string, bd *bound, v *view) ([]term, error) {
	if len(names) > maxNames {
		return nil, resource.Errorf(resource.LimitExceeded, "/sort", "sort takes at most %d names: send fewer", maxNames)
	}
	var (
		errs  resource.Errors
		terms []term
		desc  bool
	)
	for i, given := range names {
		name, d := strings.CutPrefix(given, "-")
		desc = d
		c, ok := v.sorts[name]
		switch {
		case !ok:
			errs = append(errs, unknownSort(name, sortPath(i), v, len(errs) < maxSuggested))
		case slices.ContainsFunc(names[:i], func(n string) bool { return strings.TrimPrefix(n, "-") == name }):
			errs = append(errs, resource.Errorf(resource.InvalidArgument, sortPath(i),
				"sort names %s twice: name it once", resource.Echo(name)))
		default:
			terms = append(terms, term{c, desc})
		}
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	for _, c := range bd.key {
		if !slices.ContainsFunc(terms, func(t term) bool { return t.col.Name == c.Name }) {
			terms = append(terms, term{c, desc})
		}
	}
	return terms, nil
}

func sortPath(i int) string { return resource.Pointer("/sort", strconv.Itoa(i)) }

// maxSuggested is how many unknown names get suggestions: an answer reports no more mistakes, and each costs
// a walk over all names.
const maxSuggested = 10

func unknownSort(name, path string, v *view, suggest bool) *resource.Error {
	e := resource.Errorf(resource.UnknownField, path, "rows cannot be sorted by %s: %s", resource.Echo(name), sortAdvice(v))
	e.Allowed = v.sortable
	if suggest {
		e.Suggestions = resource.Nearest(name, v.sortable)
	}
	return e
}

func sortAdvice(v *view) string {
	if len(v.sortable) == 0 {
		return "leave sort away; the order is by key"
	}
	return `send one of the sortable fields, with "-" before it for descending`
}
