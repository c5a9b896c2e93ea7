package schema

import (
	"slices"
	"sync"
)

// View is the part of a plan that one decision allows. It is immutable and safe for concurrent use; callers
// with the same decisions share it.
type View struct {
	plan     *Plan
	root     *node
	forms    [2]form // by Profile
	compiled [2]sync.Once
}

// entry is a view that is being built by the first who asks for it.
type entry struct {
	once sync.Once
	view *View // nil: nothing valid remains
}

// View returns what the decision allows, or false when nothing valid remains: the gates of the whole are not
// allowed, or a member that must be there can have no value. The whole is then to be hidden.
func (p *Plan) View(d Decision) (*View, bool) {
	if !p.allows(d, p.whole) {
		return nil, false
	}
	visible := p.visible(d)
	key := string(visible)
	e, ok := p.views.Get(key)
	if !ok {
		mine := &entry{}
		if e, ok, _ = p.views.PeekOrAdd(key, mine); !ok {
			e = mine
		}
	}
	e.once.Do(func() { e.view = p.build(visible) })
	return e.view, e.view != nil
}

// Columns returns the names of what the whole may hold, in order: for a plan of columns the columns to
// select, else the members.
func (v *View) Columns() []string {
	if v.root.kind != kindObject {
		return nil
	}
	var out []string
	for _, f := range v.root.def.object.fields {
		if f.column != "" {
			out = append(out, f.column)
		} else {
			out = append(out, f.name)
		}
	}
	return out
}

// Fields returns the names of the members of the whole, in order.
func (v *View) Fields() []string {
	if v.root.kind != kindObject {
		return nil
	}
	return v.root.def.object.names()
}

func (p *Plan) allows(d Decision, gates []int) bool {
	for _, g := range gates {
		if !d.Allows(p.gates[g]) {
			return false
		}
	}
	return true
}

// step is a gated place with what lies behind it, or a type with gated places. Steps leave out everything
// that no gate decides about.
type step struct {
	place int  // -1: none
	def   *def // nil: none
	steps []step
}

// findSteps notes for each type where gates are on the way through it.
func (p *Plan) findSteps() {
	// A type within itself is found to have gates in a later round than what it holds.
	for changed := true; changed; {
		changed = false
		for _, d := range p.defs {
			if d.object == nil {
				continue
			}
			var steps []step
			for _, f := range d.object.fields {
				steps = append(steps, stepsAt(f.place, stepsIn(f.node))...)
			}
			if count(steps) != count(d.steps) {
				d.steps, changed = steps, true
			}
		}
	}
}

func count(steps []step) int {
	n := len(steps)
	for _, s := range steps {
		n += count(s.steps)
	}
	return n
}

func stepsAt(place int, inner []step) []step {
	if place < 0 {
		return inner
	}
	return []step{{place: place, steps: inner}}
}

func stepsIn(n *node) []step {
	if n == nil {
		return nil
	}
	var out []step
	for _, v := range n.enum {
		out = append(out, stepsAt(v.place, nil)...)
	}
	for _, v := range n.variants {
		out = append(out, stepsAt(v.place, stepsIn(v.node))...)
	}
	if n.def != nil && n.def.steps != nil {
		out = append(out, step{place: -1, def: n.def})
	}
	return append(out, stepsIn(n.elem)...)
}

// visible returns a byte for each place: 1 where it is allowed and everything around it too. What lies
// behind a closed gate is not looked at, so that callers who see the same share a view.
func (p *Plan) visible(d Decision) []byte {
	out := make([]byte, len(p.places))
	if len(out) == 0 {
		return out
	}
	seen := make([]bool, len(p.defs))
	var walk func(steps []step)
	walk = func(steps []step) {
		for _, s := range steps {
			if s.place >= 0 {
				if !p.allows(d, p.places[s.place]) {
					continue
				}
				out[s.place] = 1
			}
			if s.def != nil && !seen[s.def.index] {
				seen[s.def.index] = true
				walk(s.def.steps)
			}
			walk(s.steps)
		}
	}
	walk(stepsIn(p.root))
	return out
}

// build makes a view, or nil when nothing valid remains.
func (p *Plan) build(visible []byte) *View {
	pr := p.pruner(visible)
	if pr.deadRoot() {
		return nil
	}
	return &View{plan: p, root: pr.node(p.root)}
}

// onlyWith returns the pruner for a caller who may pass the gates of one place and no others.
func (p *Plan) onlyWith(place int) *pruner {
	visible := make([]byte, len(p.places))
	for i, gates := range p.places {
		if place >= 0 && !slices.ContainsFunc(gates, func(g int) bool { return !slices.Contains(p.places[place], g) }) {
			visible[i] = 1
		}
	}
	return p.pruner(visible)
}

// pruner cuts a plan down to what is visible.
type pruner struct {
	plan    *Plan
	visible []byte
	dead    []bool // types of which no value remains
	copies  []*def
}

func (p *Plan) pruner(visible []byte) *pruner {
	pr := &pruner{plan: p, visible: visible, dead: make([]bool, len(p.defs)), copies: make([]*def, len(p.defs))}
	for pr.bury() {
	}
	return pr
}

func (pr *pruner) sees(place int) bool { return place < 0 || pr.visible[place] == 1 }

// bury finds types of which no value remains, and reports whether it found one.
func (pr *pruner) bury() bool {
	found := false
	for _, d := range pr.plan.defs {
		if d.object != nil && !pr.dead[d.index] && (pr.empty(d.object) || pr.impossible(d.object)) {
			pr.dead[d.index], found = true, true
		}
	}
	return found
}

// empty reports whether an object has lost all of its fields.
func (pr *pruner) empty(o *object) bool {
	declared := slices.ContainsFunc(o.fields, func(f *field) bool { return f.index != nil || f.inside || f.column != "" })
	return declared && o.rest == nil && !slices.ContainsFunc(o.fields, func(f *field) bool { return pr.shows(o, f) })
}

// impossible reports whether an input would need a member that nobody could send.
func (pr *pruner) impossible(o *object) bool {
	return pr.plan.direction == Input && slices.ContainsFunc(o.fields, func(f *field) bool { return f.required && !pr.shows(o, f) })
}

// deadRoot is impossible for the whole, which may well be empty.
func (pr *pruner) deadRoot() bool {
	if pr.plan.root.kind == kindObject {
		return pr.impossible(pr.plan.root.def.object)
	}
	return !pr.alive(pr.plan.root)
}

// shows reports whether a field of an object remains.
func (pr *pruner) shows(o *object, f *field) bool {
	return pr.shown(o)[slices.Index(o.fields, f)]
}

// shown says of each field of an object whether it remains: it is visible, something of it is, and so is all
// that it needs.
func (pr *pruner) shown(o *object) []bool {
	out := make([]bool, len(o.fields))
	for i, f := range o.fields {
		out[i] = pr.sees(f.place) && pr.alive(f.node)
	}
	for changed := true; changed; {
		changed = false
		for i, f := range o.fields {
			if out[i] && slices.ContainsFunc(f.needs, func(name string) bool { return !out[o.find(name)] }) {
				out[i], changed = false, true
			}
		}
	}
	return out
}

// alive reports whether a node may have a value.
func (pr *pruner) alive(n *node) bool {
	switch {
	case n.kind == kindObject:
		return !pr.dead[n.def.index]
	case n.kind == kindUnion:
		return slices.ContainsFunc(n.variants, pr.has)
	case n.elem != nil:
		return pr.alive(n.elem)
	case n.enum != nil:
		return slices.ContainsFunc(n.enum, func(v enumValue) bool { return pr.sees(v.place) })
	default:
		return true
	}
}

func (pr *pruner) has(v *variant) bool { return pr.sees(v.place) && pr.alive(v.node) }

// node returns a node of what remains: itself where nothing is cut.
func (pr *pruner) node(n *node) *node {
	if n == nil || !pr.touches(n) {
		return n
	}
	out := *n
	out.elem = pr.node(n.elem)
	if n.def != nil {
		out.def = pr.def(n.def)
	}
	out.enum = slices.DeleteFunc(slices.Clone(n.enum), func(v enumValue) bool { return !pr.sees(v.place) })
	out.variants = nil
	for _, v := range n.variants {
		if pr.has(v) {
			kept := *v
			kept.node = pr.node(v.node)
			out.variants = append(out.variants, &kept)
		}
	}
	return &out
}

// touches reports whether anything in a node may be cut.
func (pr *pruner) touches(n *node) bool {
	return n.def != nil && n.def.steps != nil || n.elem != nil && pr.touches(n.elem) ||
		len(n.variants) > 0 || slices.ContainsFunc(n.enum, func(v enumValue) bool { return v.place >= 0 })
}

func (pr *pruner) def(d *def) *def {
	if d.object == nil || d.steps == nil {
		return d
	}
	if c := pr.copies[d.index]; c != nil {
		return c
	}
	c := *d
	pr.copies[d.index] = &c
	o := *d.object
	o.fields, o.byName = nil, nil
	for _, f := range d.object.fields {
		if pr.shows(d.object, f) {
			kept := *f
			kept.node = pr.node(f.node)
			o.fields = append(o.fields, &kept)
		} else if f.fallback != nil || f.defaultFor != "" {
			o.unseen = append(o.unseen, f)
		}
	}
	for _, f := range o.fields {
		f.with = slices.DeleteFunc(slices.Clone(f.with), func(name string) bool { return o.find(name) < 0 })
	}
	c.object = o.indexed()
	return &c
}
