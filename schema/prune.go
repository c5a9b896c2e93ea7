package schema

import (
	"slices"
)

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

// empty reports whether an object has lost all of the fields that it declares. The discriminator is none.
func (pr *pruner) empty(o *object) bool {
	declared, shown := false, pr.shown(o)
	for i, f := range o.fields {
		if f.index == nil && !f.inside && f.column == "" {
			continue
		}
		if shown[i] {
			return false
		}
		declared = true
	}
	return declared && o.rest == nil
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
			if out[i] && slices.ContainsFunc(f.needs, func(name string) bool { at := o.find(name); return at >= 0 && !out[at] }) {
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
		return pr.alive(n.elem) && (n.keys == nil || pr.alive(n.keys))
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
	out.elem, out.keys = pr.node(n.elem), pr.node(n.keys)
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
	return n.def != nil && n.def.steps != nil || n.elem != nil && pr.touches(n.elem) || n.keys != nil && pr.touches(n.keys) ||
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
		} else if f.fallback != nil || f.defaultFor != "" || f.inside {
			o.unseen = append(o.unseen, f)
		}
	}
	for _, f := range o.fields {
		f.with = slices.DeleteFunc(slices.Clone(f.with), func(name string) bool { return o.find(name) < 0 })
	}
	c.object = o.indexed()
	return &c
}
