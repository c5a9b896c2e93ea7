package schema

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/tenantry/tenantry/schema/internal/lex"
	"github.com/tenantry/tenantry/schema/internal/words"
)

// projectColumns writes a row by its columns' names.
func (v *View) projectColumns(p *projector, src any) (json.RawMessage, error) {
	raw, ok := src.(json.RawMessage)
	if !ok {
		if _, ok := src.(map[string]any); !ok {
			return nil, fmt.Errorf("schema: Project of %s needs a map[string]any or JSON, and not %T", v.plan.name, src)
		}
		err := gatesWithin(reflect.ValueOf(src), v.plan.gatedVariants)
		if err == nil {
			raw, err = plainJSON(src)
		}
		if err != nil {
			return nil, fmt.Errorf("schema: %s: %w", v.plan.name, err)
		}
	}
	doc, err := lex.Parse(raw, outputLimits)
	if err != nil {
		return nil, fmt.Errorf("schema: %s: %w", v.plan.name, err)
	}
	if doc.Kind(0) != lex.Object {
		return nil, fmt.Errorf("schema: %s: a row is an object", v.plan.name)
	}
	p.doc = doc
	p.row(v.root.def.object, v.plan.root.def.object)
	return p.result(v.plan.name)
}

// row writes the columns that are visible. What is none of the plan's is an error, and a hidden one is left
// out.
func (p *projector) row(o, all *object) {
	for key := range p.doc.Members(0) {
		if all.find(key) < 0 {
			p.stop(fmt.Errorf("there is no column %s", key))
			return
		}
	}
	p.out = append(p.out, '{')
	for i, f := range o.fields {
		at, ok := p.doc.Member(0, f.name)
		if !ok {
			p.stop(fmt.Errorf("the column %s is missing", f.name))
			return
		}
		p.enter(f.name)
		p.decoder.value(f.node, at, none)
		p.leave()
		if i > 0 {
			p.out = append(p.out, ',')
		}
		p.out = append(append(words.AppendString(p.out, f.name), ':'), p.doc.Raw(at)...)
	}
	p.out = append(p.out, '}')
}
