package schema

import (
	"fmt"
	"reflect"
	"slices"
)

// Builder takes what a type says of itself in its method DescribeSchema(*Builder): the keys of the mcp tag
// and descriptions, for texts and patterns that are too long for a tag. What a field's own tags say wins.
type Builder struct {
	items map[string][]item
	texts map[string]string
}

// Set is an item of the mcp tag: of the type itself, or of its field of that Go name.
func (b *Builder) Set(field, key, value string) *Builder {
	b.items[field] = append(b.items[field], item{key: key, value: value})
	return b
}

// Describe is the description of the type itself (field ""), or of its field of that Go name.
func (b *Builder) Describe(field, text string) *Builder {
	b.texts[field] = text
	return b
}

type describer interface{ DescribeSchema(*Builder) }

// describedBy returns the description that a type gives of itself.
func describedBy(t reflect.Type) string {
	v := reflect.New(t).Interface()
	if d := selfDescribed(t); d != nil && d.texts[""] != "" {
		return d.texts[""]
	}
	if d, ok := v.(interface{ SchemaDescription() string }); ok {
		return d.SchemaDescription()
	}
	return ""
}

// selfDescribed runs a type's DescribeSchema, or returns nil.
func selfDescribed(t reflect.Type) *Builder {
	d, ok := reflect.New(t).Interface().(describer)
	if !ok {
		return nil
	}
	b := &Builder{items: map[string][]item{}, texts: map[string]string{}}
	d.DescribeSchema(b)
	return b
}

// describe adds what the type of a node says of itself. A type with a definition keeps it there.
func (b *builder) describe(n *node, where string) {
	if n.typ == nil || n.typ.Name() == "" || n.kind == kindUnion || n.typ.Kind() == reflect.Interface {
		return
	}
	text := describedBy(n.typ)
	if n.def != nil {
		n.def.desc = text
	} else {
		n.desc = text
	}
	d := selfDescribed(n.typ)
	if d == nil || n.kind == kindObject {
		return
	}
	u := &use{builder: b, where: where, field: &field{}, node: n}
	u.apply(flagged(d.items[""]))
}

// flagged turns items without a value into the flags that they are.
func flagged(items []item) []item {
	out := slices.Clone(items)
	for i := range out {
		k, _ := lookupKey(out[i].key)
		out[i].flag = k.flag && out[i].value == ""
	}
	return out
}

// itemsOf returns the items of a field: those of its type's DescribeSchema first, unless the tag says
// otherwise.
func itemsOf(owner *Builder, name string, tag []item) []item {
	if owner == nil {
		return tag
	}
	said := slices.DeleteFunc(flagged(owner.items[name]), func(it item) bool {
		return slices.ContainsFunc(tag, func(t item) bool { return t.key == it.key })
	})
	return append(said, tag...)
}

// checkNames refuses what a type says of fields that it does not have.
func (b *builder) checkNames(owner *Builder, t reflect.Type) {
	if owner == nil {
		return
	}
	names := map[string]bool{}
	for name := range owner.items {
		names[name] = true
	}
	for name := range owner.texts {
		names[name] = true
	}
	for name := range names {
		if _, ok := t.FieldByName(name); !ok && name != "" {
			b.mistake(t.Name(), fmt.Errorf("DescribeSchema names the field %s, which is not there", name))
		}
	}
}
