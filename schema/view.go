package schema

import (
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
	return append(append(out, stepsIn(n.keys)...), stepsIn(n.elem)...)
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
