package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// nest moves the fields with a path, such as error.message, into objects of their own, which stand where the
// first of their fields stood.
func (b *builder) nest(o *object, paths map[*field]string, t reflect.Type) {
	if len(paths) == 0 {
		return
	}
	fields := o.fields
	o.fields = nil
	for _, f := range fields {
		path, ok := paths[f]
		if !ok {
			b.insert(o, f)
			continue
		}
		at := o
		steps := strings.Split(path, ".")
		for _, step := range steps[:len(steps)-1] {
			if at = b.inside(at, step, f, t); at == nil {
				return
			}
		}
		f.name = steps[len(steps)-1]
		b.insert(at, f)
	}
	b.closeInside(o)
}

func (b *builder) insert(o *object, f *field) {
	if o.find(f.name) >= 0 {
		b.mistake(f.where, fmt.Errorf("there is another member %q at the same place", f.name))
		return
	}
	o.fields = append(o.fields, f)
}

// inside returns the object of that name that f is to stand in, among those that lie in the same struct.
func (b *builder) inside(o *object, name string, f *field, t reflect.Type) *object {
	if i := o.find(name); i >= 0 {
		if o.fields[i].inside {
			return o.fields[i].node.def.object
		}
		b.mistake(f.where, fmt.Errorf("the way to it meets the field %q", name))
		return nil
	}
	d := b.define(&def{typ: t, object: &object{}})
	n := &node{kind: kindObject, codec: codecStruct, def: d, size: -1, rules: rules{minLen: -1, maxLen: -1}, typ: t}
	o.fields = append(o.fields, &field{name: name, node: n, inside: true, place: -1})
	return d.object
}

// closeInside has each such object be required if a member of it is.
func (b *builder) closeInside(o *object) {
	for _, f := range o.fields {
		if f.inside {
			inner := f.node.def.object
			b.closeInside(inner)
			inner.indexed()
			f.required = slices.ContainsFunc(inner.fields, func(f *field) bool { return f.required })
		}
	}
}
