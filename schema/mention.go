package schema

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Warnings lists descriptions, titles and examples that name what some of their readers may not see: texts
// are the same for every caller, so that a hidden member would be told of all the same. Each names
// Type.Field.
func (p *Plan) Warnings() []string {
	var out []string
	for _, d := range p.defs {
		if d.object == nil {
			continue
		}
		for _, f := range d.object.fields {
			var text strings.Builder
			text.WriteString(f.node.title + "\n" + f.node.desc)
			for _, e := range f.node.examples {
				text.WriteString("\n" + e.raw)
			}
			for _, m := range p.gated() {
				if m.where != f.where && m.named(text.String()) {
					out = append(out, fmt.Sprintf("%s: its text names %s, which is behind a gate", f.where, m.name))
				}
			}
		}
	}
	return out
}

// Mentions returns the members behind gates that a text names, such as the description of a tool.
func (p *Plan) Mentions(text string) []string {
	var out []string
	for _, m := range p.gated() {
		if m.named(text) && !slices.Contains(out, m.name) {
			out = append(out, m.name)
		}
	}
	return out
}

// mention is the name of something behind a gate.
type mention struct{ name, where string }

// named reports whether a text has the name as a word of its own.
func (m mention) named(text string) bool {
	return regexp.MustCompile(`(^|[^\pL\pN_])` + regexp.QuoteMeta(m.name) + `($|[^\pL\pN_])`).MatchString(text)
}

// gated lists the fields, values and variants behind gates.
func (p *Plan) gated() []mention {
	var out []mention
	for _, d := range p.defs {
		if d.object == nil {
			continue
		}
		for _, f := range d.object.fields {
			if f.place >= 0 {
				out = append(out, mention{f.name, f.where})
			}
			for _, v := range f.node.enum {
				if v.place >= 0 {
					out = append(out, mention{v.text, f.where})
				}
			}
			for _, v := range f.node.variants {
				if v.place >= 0 {
					out = append(out, mention{v.text, f.where})
				}
			}
		}
	}
	return out
}
