package descriptor

import (
	"go.yaml.in/yaml/v3"

	"github.com/tenantry/tenantry/resource"
)

// conditions reads a filter object over columns. Its grammar is checked when the types of the columns
// are known; here its values become what the grammar is made of, numbers with every digit.
func conditions(p place) resource.Conditions {
	if !p.present() {
		return nil
	}
	out := resource.Conditions{}
	for _, e := range p.entries() {
		out[e.key] = e.value()
	}
	if p.empty() {
		p.fail("is empty: write a condition such as {deleted_at: null}, or leave the key out")
	}
	return out
}

// value reads anything a filter may hold.
func (p place) value() any {
	switch {
	case p.r.unusable[p.node], p.scalar(nullTag):
		return nil
	case p.is(yaml.MappingNode):
		return conditions(p)
	case p.is(yaml.SequenceNode):
		list := []any{}
		for _, item := range p.items() {
			list = append(list, item.value())
		}
		return list
	case p.scalar(boolTag):
		b, _ := p.boolean()
		return b
	case p.scalar(intTag, floatTag):
		n, ok := number(p.node)
		if !ok {
			p.fail("write a number in JSON's syntax, or put the text in quotes")
		}
		return n
	default:
		return p.node.Value // text, and a date, which is text in the grammar
	}
}
