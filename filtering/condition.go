package filtering

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tenantry/tenantry/resource"
)

// site is where a condition stands and what it is about.
type site struct {
	keys *Keys
	key  *Key
	path *place
	op   resource.Operator
	bare bool // op is what a value without {op, value} means
}

// refuse reports a fault of the site's value, with an example that can be sent as it is.
func (p *parser) refuse(at site, f *fault) {
	g := *f
	g.message = at.key.Name + ": " + f.message
	if f.example != nil {
		g.example = at.fragment(f.example)
	}
	p.fail(at.path, &g)
}

// fragment is a filter of the site's form with the value.
func (s site) fragment(v any) any {
	set := s.op == resource.In || s.op == resource.NotIn
	if _, isList := v.([]any); set && !isList {
		v = []any{v}
	}
	if s.bare {
		return s.keys.beside(s.key, v)
	}
	return s.keys.beside(s.key, condition(s.op, v))
}

// admit counts one condition, and reports once that there are too many.
func (p *parser) admit(path *place) bool {
	p.conditions++
	if p.conditions == maxConditions+1 {
		p.fail(path, tooMuch("a filter has at most %d conditions; send fewer", maxConditions))
	}
	return p.conditions <= maxConditions
}

// entry reads what stands under a key: a bare value, a condition, or a list of conditions.
func (p *parser) entry(m member, path *place) []part {
	key := p.keys.find(m.name)
	if key == nil {
		if p.admit(path) {
			p.unknown(m.name, path)
		}
		return nil
	}
	var nodes []node
	at := site{keys: p.keys, key: key, path: path}
	switch {
	case key.down:
		f := wrong("%s goes through rows that are out of service; their operator knows why", resource.Echo(key.Name))
		f.code = resource.Unavailable
		p.fail(path, f)
	case len(key.Operators()) == 0:
		if p.admit(path) {
			p.fail(path, wrong("%s: values of type %s cannot be compared; send a filter without it",
				key.Name, key.Column.Type.Name))
		}
	case m.value.kind == objectKind:
		nodes = []node{p.condition(at, m.value)}
	case m.value.kind == arrayKind && m.value.holds(objectKind):
		nodes = p.conditionList(at, m.value)
	case p.admit(path):
		nodes = []node{p.bare(at, m.value)}
	}
	parts := make([]part, len(nodes))
	for i, n := range nodes {
		parts[i] = part{m.name, key.path, n}
	}
	return parts
}

func (p *parser) unknown(name string, path *place) {
	f, allowed, near := p.unknownName(name)
	f.code = resource.UnknownFilter
	f.allowed, f.suggestions = allowed, resource.Nearest(name, near)
	p.fail(path, f)
}

// unknownName says what an unknown name should have been: the names that could stand there, and those that it
// may be a misspelling of, which are more.
func (p *parser) unknownName(name string) (f *fault, allowed, near []string) {
	keys, prefix, rest := p.keys.descend(name)
	allowed = keys.behind(prefix)
	near = append(slices.Clone(allowed), keys.onward(prefix)...)
	echo := resource.Echo(name)
	switch {
	case rest == "":
		return wrong("%s is a relation; send one of its keys behind it, as the allowed ones", echo), allowed, nil
	case strings.Count(prefix, ".") == MaxHops && strings.Contains(rest, "."):
		return wrong("there is no filter %s: at most %d relations stand before a key; send one of the allowed ones", echo, MaxHops), allowed, near
	case len(near) == 0:
		return wrong("there is no filter %s; nothing can be filtered here, so send no filter", echo), nil, nil
	case len(allowed) == len(near):
		return wrong("there is no filter %s; send one of the allowed ones, which any and not can join", echo), allowed, near
	default:
		return wrong("there is no filter %s; send one of the allowed ones, which any and not can join, or a key of a related row, such as %s",
			echo, resource.Echo(near[len(allowed)])), allowed, near
	}
}

// holds reports whether one of the items is of the kind.
func (v value) holds(k kind) bool {
	return slices.ContainsFunc(v.items, func(item value) bool { return item.kind == k })
}

// conditionList reads a list of conditions on one key, all of which must hold.
func (p *parser) conditionList(at site, v value) []node {
	if slices.ContainsFunc(v.items, func(item value) bool { return item.kind != objectKind }) {
		f := wrong("%s: a list holds conditions or values, not both; send one kind", at.key.Name)
		p.fail(at.path, f.like(p.keys.example(at.key)))
		return nil
	}
	nodes := make([]node, len(v.items))
	for i, item := range v.items {
		inner := at
		inner.path = at.path.below(strconv.Itoa(i))
		nodes[i] = p.condition(inner, item)
	}
	return nodes
}

// condition reads {"op": …, "value": …}.
func (p *parser) condition(at site, v value) node {
	if !p.admit(at.path) {
		return nil
	}
	before := len(p.errs)
	for _, m := range v.members {
		p.conditionMember(at, m)
	}
	op, operand := v.member("op"), v.member("value")
	if len(p.errs) == before && op == nil {
		f := wrong(`%s: a condition without "op" has no meaning; send one of the allowed operators as "op"`, at.key.Name)
		f.allowed = words(at.key.Operators())
		p.fail(at.path, f.like(at.good()))
	}
	if op == nil || !p.operator(&at, *op) || len(p.errs) > before {
		return nil
	}
	if operand == nil {
		advice := "send one, null for rows without a value"
		if at.op == resource.IsNull {
			advice = "send true for rows without a value, or false"
		}
		p.fail(at.path, wrong(`%s: the condition has no "value"; %s`, at.key.Name, advice).like(at.good()))
		return nil
	}
	at.path = at.path.below("value")
	return p.apply(at, *operand)
}

func (p *parser) conditionMember(at site, m member) {
	switch {
	case m.again:
		p.fail(at.path.below(m.name), twice(m.name))
	case m.name != "op" && m.name != "value":
		if slices.Contains(at.key.Operators(), resource.Operator(m.name)) { // {"gt": 5} for {"op": "gt", "value": 5}
			at.op = resource.Operator(m.name)
		}
		allowed := []string{"op", "value"}
		f := wrong(`%s: a condition has no member %s; send "op" and "value" only`,
			at.key.Name, resource.Echo(m.name)).like(at.good())
		f.allowed, f.suggestions = allowed, resource.Nearest(m.name, allowed)
		p.fail(at.path.below(m.name), f)
	}
}

// operator sets the operator of the site, or reports that the key does not take it.
func (p *parser) operator(at *site, v value) bool {
	ops := at.key.Operators()
	at.op = resource.Operator(v.text)
	if v.kind == stringKind && slices.Contains(ops, at.op) {
		return true
	}
	names := words(ops)
	f := wrong("%s: there is no operator %s for type %s; send one of %s",
		at.key.Name, v.show(), at.key.Column.Type.Name, strings.Join(names, ", "))
	at.op = ""
	f.allowed, f.suggestions = names, resource.Nearest(v.text, names)
	p.fail(at.path.below("op"), f.like(at.good()))
	return false
}

// good is a filter with a condition that the key accepts, by the site's operator if it has one.
func (s site) good() any {
	op := s.op
	if op == "" {
		op = resource.Eq
	}
	return s.keys.beside(s.key, condition(op, fitting(s.key, op)))
}

func words(ops []resource.Operator) []string {
	out := make([]string, len(ops))
	for i, op := range ops {
		out[i] = string(op)
	}
	return out
}
