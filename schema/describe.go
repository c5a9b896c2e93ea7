package schema

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Builder takes what a type says of itself in its method DescribeSchema(*Builder): the keys of the mcp tag
// and descriptions, for texts and patterns that are too long for a tag. What a field's own tags say wins.
type Builder struct {
	items map[string][]item
	texts map[string]string
}

// Set is an item of the mcp tag: of the field of that Go name, or with "" of the type itself, if it is no struct.
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
	for _, it := range d.items[""] {
		if slices.Contains(ofMembers, it.key) {
			b.mistake(where, fmt.Errorf("DescribeSchema of %s: %s is of a field, not of a type", n.typ, it.key))
			return
		}
	}
	u := &use{builder: b, where: where, field: &field{}, node: n}
	u.apply(flagged(d.items[""]))
}

// ofMembers are the keys that say something of a member and not of its value.
var ofMembers = []string{"default", "defaultFor", "readOnly", "writeOnly", "optional", "required", "present", "requiredWith", "needs", "at", "rest"}

// flagged turns items without a value into the flags that they are.
func flagged(items []item) []item {
	out := slices.Clone(items)
	for i := range out {
		k, _ := lookupKey(out[i].key[strings.LastIndexByte(out[i].key, '.')+1:])
		out[i].flag = k.flag && out[i].value == ""
	}
	return out
}

// saidOf returns what the types around a field say of it: one that hides it behind a field of the same name
// says nothing of it.
func saidOf(owners []owner, m member) []*Builder {
	var out []*Builder
	for _, o := range owners {
		if o.said == nil {
			continue
		}
		if f, ok := o.typ.FieldByName(m.sf.Name); ok && slices.Equal(f.Index, m.index[o.depth:]) {
			out = append(out, o.said)
		}
	}
	return out
}

// complete returns the items and the description of a field: what types say of it unless the tags say otherwise,
// and an outer type wins over what it embeds.
func (m member) complete(tag []item) (items []item, desc string) {
	over := func(more []item) {
		items = slices.DeleteFunc(items, func(it item) bool {
			return slices.ContainsFunc(more, func(t item) bool {
				both := map[string]bool{t.key: true, it.key: true}
				return t.key == it.key || overlap(both, t.key) != nil || overlap(both, it.key) != nil
			})
		})
		items = append(items, more...)
	}
	for _, said := range m.said {
		over(flagged(said.items[m.sf.Name]))
		desc = cmp.Or(said.texts[m.sf.Name], desc)
	}
	over(tag)
	if text, ok := m.sf.Tag.Lookup("desc"); ok {
		desc = text
	}
	return items, desc
}

// checkSaid refuses what a struct says of fields that it does not have, and items that are of no field.
func (b *builder) checkSaid(said *Builder, t reflect.Type) {
	if said == nil {
		return
	}
	if items := said.items[""]; len(items) > 0 {
		b.mistake(t.Name(), fmt.Errorf("DescribeSchema says %s of the struct itself: name the field that it is of", items[0].key))
	}
	names := slices.Sorted(maps.Keys(said.items))
	for name := range said.texts {
		if said.items[name] == nil {
			names = append(names, name)
		}
	}
	for _, name := range names {
		if _, ok := t.FieldByName(name); !ok && name != "" {
			b.mistake(t.Name(), fmt.Errorf("DescribeSchema names the field %s, which is not there", name))
		}
	}
}
