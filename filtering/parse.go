package filtering

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/tenantry/tenantry/resource"
)

// MaxValues is how many values the sets of one filter hold together.
const MaxValues = 500

const (
	maxDepth      = 5   // any and not inside each other
	maxConditions = 100 // in the whole filter
	maxMistakes   = 100 // collected; a caller shows fewer
)

// Parse checks a filter against the keys that the caller may use. Nothing and null are the empty
// filter. The error is a resource.Errors with every mistake in the order of the text, each with its
// path under /filter, up to a hundred.
func Parse(raw json.RawMessage, keys *Keys) (Filter, error) {
	p := &parser{keys: keys}
	v, f := read(raw)
	switch {
	case f != nil:
		p.fail(nil, f)
	case v.kind == nullKind:
		return Filter{}, nil
	case v.kind != objectKind:
		p.fail(nil, wrong("a filter is an object of keys and values, not %s; send an object such as the example",
			v.show()).like(keys.any()))
	case len(v.members) == 0:
		return Filter{}, nil
	}
	if len(p.errs) > 0 {
		return Filter{}, p.errs
	}
	parsed := p.object(v, nil, 0)
	if len(p.errs) > 0 {
		return Filter{}, p.errs
	}
	return Filter{parsed}, nil
}

// parser collects mistakes while it builds nodes. What it builds counts only when there are none, so
// that a mistaken part may be nil.
type parser struct {
	keys       *Keys
	errs       resource.Errors
	conditions int
	values     int
}

func (p *parser) fail(path *place, f *fault) {
	if len(p.errs) < maxMistakes {
		p.errs = append(p.errs, f.at(resource.InvalidFilter, path.String()))
	}
}

// enough reports that looking for more mistakes would tell nobody anything.
func (p *parser) enough() bool {
	return p.conditions > maxConditions || len(p.errs) == maxMistakes
}

// part is a condition of an object, under the name that it stands by.
type part struct {
	name string
	path []*Relation
	node node
}

// object returns the AND of the members, in the order of their names.
func (p *parser) object(v value, path *place, depth int) node {
	var parts []part
	for _, m := range v.members {
		if p.enough() {
			break
		}
		at := path.below(m.name)
		switch {
		case m.again:
			p.fail(at, twice(m.name))
		case m.name == "any":
			parts = append(parts, part{name: m.name, node: p.any(m.value, at, depth+1)})
		case m.name == "not":
			parts = append(parts, part{name: m.name, node: p.not(m.value, at, depth+1)})
		default:
			parts = append(parts, p.entry(m, at)...)
		}
	}
	p.companions(v, path)
	slices.SortStableFunc(parts, func(a, b part) int { return strings.Compare(a.name, b.name) })
	return together(parts)
}

// together is the AND of parts. Those behind one relation are about one related row.
func together(parts []part) node {
	var nodes []node
	var behind related
	for _, p := range parts {
		if len(p.path) == 0 {
			nodes = append(nodes, p.node)
		} else if n := behind.add(p.path, p.node); n != nil {
			nodes = append(nodes, n)
		}
	}
	for _, h := range behind.hops {
		nodes = append(nodes, h.node())
	}
	return join(false, nodes)
}

// any returns the OR of a list of filters.
func (p *parser) any(v value, path *place, depth int) node {
	if v.kind != arrayKind || len(v.items) == 0 {
		p.fail(path, wrong("any takes a list of at least one filter, not %s; send a list such as the example",
			v.showEmpty()).like(p.wrapped("any")))
		return nil
	}
	nodes := make([]node, len(v.items))
	for i, item := range v.items {
		if p.enough() {
			break
		}
		nodes[i] = p.inner(item, path.below(strconv.Itoa(i)), depth)
	}
	return join(true, nodes)
}

// not returns the complement of a filter.
func (p *parser) not(v value, path *place, depth int) node {
	return negate(p.inner(v, path, depth))
}

// inner reads a filter inside any or not.
func (p *parser) inner(v value, path *place, depth int) node {
	switch {
	case depth > maxDepth:
		p.fail(path, tooMuch("any and not nest deeper than %d levels; send a flatter filter", maxDepth))
	case v.kind != objectKind || len(v.members) == 0:
		p.fail(path, wrong("a filter inside any or not is an object with at least one key, not %s; "+
			"send an object such as the example", v.showEmpty()).like(p.keys.any()))
	default:
		return p.object(v, path, depth)
	}
	return nil
}

// wrapped is an example of any or not.
func (p *parser) wrapped(word string) any {
	inner := p.keys.any()
	if inner == nil {
		return nil
	}
	return map[string]any{word: []any{inner}}
}

// showEmpty is show that tells an empty list or object.
func (v value) showEmpty() string {
	switch {
	case v.kind == arrayKind && len(v.items) == 0:
		return "an empty list"
	case v.kind == objectKind && len(v.members) == 0:
		return "an empty object"
	default:
		return v.show()
	}
}
