package schema

import (
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
)

// Warnings lists what is no mistake and may be one. Descriptions, titles and examples that name what some of
// their readers may not see: texts are the same for every caller, so that a hidden member would be told of all
// the same. And values of an output that some callers may not see, for whom a result that holds one is an
// error. Each names Type.Field.
func (p *Plan) Warnings() []string {
	var out []string
	told := func(where, text string) {
		for _, m := range p.behindGates() {
			if m.where != where && m.named(text) {
				out = append(out, fmt.Sprintf("%s: its text names %s, which is behind a gate", where, m.name))
			}
		}
	}
	const failing = ": a result that holds one of its gated values is an internal error for callers without the gate: leave such results out by Call.Allows"
	if p.direction == Output && hasHiddenValues(p.root) {
		out = append(out, p.name+failing)
	}
	for _, d := range p.defs {
		told(d.name, d.desc)
		if d.object == nil {
			continue
		}
		for _, f := range d.object.fields {
			told(f.where, f.node.words())
			if p.direction == Output && hasHiddenValues(f.node) {
				out = append(out, f.where+failing)
			}
		}
	}
	return out
}

// words are the texts of a use that are told.
func (n *node) words() string {
	var b strings.Builder
	b.WriteString(n.title + "\n" + n.desc)
	for _, e := range n.examples {
		b.WriteString("\n" + e.raw)
	}
	return b.String()
}

// Mentions returns the members behind gates that a text names, such as the description of a tool.
func (p *Plan) Mentions(text string) []string {
	var out []string
	for _, m := range p.behindGates() {
		if m.named(text) && !slices.Contains(out, m.name) {
			out = append(out, m.name)
		}
	}
	return out
}

// hasHiddenValues reports whether some callers may not see some values of a node.
func hasHiddenValues(n *node) bool {
	return slices.ContainsFunc(n.enum, func(v enumValue) bool { return v.place >= 0 }) ||
		slices.ContainsFunc(n.variants, func(v *variant) bool { return v.place >= 0 }) ||
		n.elem != nil && hasHiddenValues(n.elem) || n.keys != nil && hasHiddenValues(n.keys)
}

// mention is the name of something behind a gate.
type mention struct{ name, where string }

// named reports whether a text has the name as a word of its own.
func (m mention) named(text string) bool {
	return regexp.MustCompile(`(^|[^\pL\pN_])` + regexp.QuoteMeta(m.name) + `($|[^\pL\pN_])`).MatchString(text)
}

// behindGates lists the fields, values and variants behind gates.
func (p *Plan) behindGates() []mention {
	var out []mention
	for _, d := range p.defs {
		if d.object == nil {
			continue
		}
		for _, f := range d.object.fields {
			if f.place >= 0 {
				out = append(out, mention{f.name, f.where})
			}
			for n := range f.node.within() {
				for _, v := range n.enum {
					if v.place >= 0 {
						out = append(out, mention{v.text, f.where})
					}
				}
				for _, v := range n.variants {
					if v.place >= 0 {
						out = append(out, mention{v.text, f.where})
					}
				}
			}
		}
	}
	return out
}

// within are a node and the nodes of its elements and keys, however deep.
func (n *node) within() iter.Seq[*node] {
	return func(yield func(*node) bool) {
		for ; n != nil && yield(n); n = n.elem {
			if n.keys != nil && !yield(n.keys) {
				return
			}
		}
	}
}
