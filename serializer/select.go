package serializer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tenantry/tenantry/resource"
)

const (
	maxNames   = 500
	maxSuggest = 10 // an answer reports no more mistakes, and each suggestion costs a walk over all names
)

// Members is what the principal may see of a resource: fields in output order and relations sorted by
// name. A name is never both.
type Members struct {
	Fields []resource.Field
	Links  []string
	Asked  []bool // which links are shown only when they are named; nil: none

	// Declared are the links in the order in which a caller is told them; nil: as they stand.
	Declared []string
}

// Selection is what one call asked for, as ascending indexes into [Members], each at most once. Make one
// with [Select].
type Selection struct {
	Fields []int
	Links  []int
	All    bool // no name was given
}

// Select reads the fields argument: names of fields and relations in one namespace. No name selects
// everything but the links that must be named, and a name may stand twice. The error is a [resource.Errors] with every name that is not a
// member, or the one that there are too many.
func Select(m Members, names []string) (Selection, error) {
	if len(names) == 0 {
		return Selection{Fields: upTo(len(m.Fields)), Links: m.unasked(), All: true}, nil
	}
	if len(names) > maxNames {
		return Selection{}, resource.Errors{resource.Errorf(resource.LimitExceeded, "/fields",
			"fields takes at most %d names; leave it out to get every field", maxNames)}
	}
	all := m.names()
	place := make(map[string]int, len(all))
	for i, name := range all {
		place[name] = i
	}
	marked := make([]bool, len(all))
	var mistakes resource.Errors
	for n, name := range names {
		if i, ok := place[name]; ok {
			marked[i] = true
			continue
		}
		mistakes = append(mistakes, unknownField(n, name, m.told(), len(mistakes) < maxSuggest))
	}
	if err := mistakes.Err(); err != nil {
		return Selection{}, err
	}
	return Selection{Fields: indexes(marked[:len(m.Fields)]), Links: indexes(marked[len(m.Fields):])}, nil
}

// names returns fields and relations in the order of the answer.
func (m Members) names() []string {
	all := make([]string, 0, len(m.Fields)+len(m.Links))
	for _, f := range m.Fields {
		all = append(all, f.Name)
	}
	return append(all, m.Links...)
}

// unasked returns the links that are shown without being named.
func (m Members) unasked() []int {
	out := upTo(len(m.Links))
	return slices.DeleteFunc(out, func(i int) bool { return i < len(m.Asked) && m.Asked[i] })
}

// told returns the names as a caller is told them.
func (m Members) told() []string {
	if m.Declared != nil {
		m.Links = m.Declared
	}
	return m.names()
}

func unknownField(n int, name string, all []string, suggest bool) *resource.Error {
	advice := "send names from allowed, or leave fields out to get all"
	if strings.Contains(name, ".") {
		advice = "send names from allowed; include embeds the rows of a relation with all their fields"
	}
	e := resource.Errorf(resource.UnknownField, "/fields/"+strconv.Itoa(n),
		"%s is not a field or relation of this resource; %s", resource.Echo(name), advice)
	e.Allowed = all
	if suggest {
		e.Suggestions = resource.Nearest(name, all)
	}
	return e
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func indexes(marked []bool) []int {
	var out []int
	for i, yes := range marked {
		if yes {
			out = append(out, i)
		}
	}
	return out
}
