package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tenantry/tenantry/schema/internal/words"
)

func sortKeys(keys []reflect.Value) {
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
}

func (p *projector) object(o *object, v reflect.Value) {
	p.out = append(p.out, '{')
	first := true
	for _, f := range o.fields {
		if p.failed != nil {
			return
		}
		first = p.field(f, v, first)
	}
	if o.rest != nil {
		p.rest(o, v.FieldByIndex(o.rest), first)
	}
	p.out = append(p.out, '}')
}

// field writes a member, if there is one, and reports whether the next is the first.
func (p *projector) field(f *field, v reflect.Value, first bool) bool {
	held := v
	if f.index != nil {
		held = v.FieldByIndex(f.index)
		if leftOut(f, held) {
			return first
		}
	}
	if !first {
		p.out = append(p.out, ',')
	}
	p.out = append(words.AppendString(p.out, f.name), ':')
	p.enter(f.name)
	switch {
	case f.inside:
		p.object(f.node.def.object, v)
	case f.index == nil: // the discriminator
		p.out = append(p.out, f.node.only.raw...)
	default:
		p.value(f.node, held)
	}
	p.leave()
	return false
}

// leftOut reports whether a member is not written: an absent one, and an empty one that may be left out.
func leftOut(f *field, v reflect.Value) bool {
	if f.node.hold != holdValue {
		_, s := unheld(f.node, v)
		return s == absent || f.omit && s == null
	}
	if !f.omit {
		return false
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	default:
		return v.IsZero()
	}
}

// rest writes undeclared members, which cannot stand in for declared ones.
func (p *projector) rest(o *object, v reflect.Value, first bool) {
	keys := v.MapKeys()
	sortKeys(keys)
	for _, key := range keys {
		if slices.Contains(o.reserved, key.String()) {
			p.stop(fmt.Errorf("the rest holds %q, which is a member of its own", key.String()))
			return
		}
		if !first {
			p.out = append(p.out, ',')
		}
		first = false
		p.out = append(words.AppendString(p.out, key.String()), ':')
		p.any(v.MapIndex(key))
	}
}

// union writes the variant that a value is, if it is a visible one.
func (p *projector) union(n *node, v reflect.Value) {
	if v.IsNil() {
		p.stop(fmt.Errorf("%s is nil", n.typ))
		return
	}
	v = v.Elem()
	for _, alternative := range n.variants {
		own := alternative.node.typ
		switch {
		case v.Type() == own:
			p.object(alternative.node.def.object, v)
			return
		case v.Kind() == reflect.Pointer && v.Type().Elem() == own && !v.IsNil():
			p.object(alternative.node.def.object, v.Elem())
			return
		}
	}
	p.stop(fmt.Errorf("%s is no variant of %s that this caller may see", v.Type(), n.typ))
}
