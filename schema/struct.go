package schema

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tenantry/tenantry/schema/internal/words"
)

// structOf returns the shared definition of a struct. It is there before its fields are, so that a struct
// may be within itself.
func (b *builder) structOf(t reflect.Type) *def {
	if d := b.byType[t]; d != nil {
		return d
	}
	d := b.define(&def{name: t.Name(), pkg: t.PkgPath(), typ: t})
	b.byType[t] = d
	d.object = b.objectOf(t)
	return d
}

// objectOf reads the fields of a struct.
func (b *builder) objectOf(t reflect.Type) *object {
	o := &object{validate: t.Implements(validator) || reflect.PointerTo(t).Implements(validator)}
	paths := map[*field]string{}
	declared := b.membersOf(t)
	for _, m := range declared {
		b.addField(o, m, paths)
	}
	b.nest(o, paths, t)
	b.relate(o, declared)
	if o.rest != nil {
		o.reserved = o.names()
	}
	return o.indexed()
}

// member is a struct field as JSON sees it.
type member struct {
	name  string
	omit  bool
	index []int
	sf    reflect.StructField
	where string     // Type.Field
	said  []*Builder // what the types around it say of it, the innermost first
}

// owner is a struct that has fields, of its own or of what it embeds.
type owner struct {
	typ   reflect.Type
	said  *Builder
	depth int
}

// membersOf returns the fields of a struct and what it embeds, in declared order. As in encoding/json, a
// field hides those of the same name that lie deeper; two at the same depth are a mistake.
func (b *builder) membersOf(t reflect.Type) []member {
	var out []member
	b.collect(t, nil, &out, nil)
	depth := map[string]int{}
	for _, m := range out {
		if d, ok := depth[m.name]; !ok || len(m.index) < d {
			depth[m.name] = len(m.index)
		}
	}
	kept := map[string]bool{}
	return slices.DeleteFunc(out, func(m member) bool {
		if len(m.index) > depth[m.name] {
			return true
		}
		if kept[m.name] {
			b.mistake(m.where, fmt.Errorf("there is another field %q: give one of them another name", m.name))
			return true
		}
		kept[m.name] = true
		return false
	})
}

func (b *builder) collect(t reflect.Type, index []int, out *[]member, around []owner) {
	own := owner{t, selfDescribed(t), len(index)}
	b.checkSaid(own.said, t)
	owners := append([]owner{own}, around...)
	for i := range t.NumField() {
		sf := t.Field(i)
		m := member{sf: sf, index: append(slices.Clone(index), i), where: whereOf(t, sf)}
		m.said = saidOf(owners, m)
		b.checkTag(m)
		tag, named := sf.Tag.Lookup("json")
		name, options, _ := strings.Cut(tag, ",")
		switch {
		case tag == "-":
			if m.name = sf.Name; !takesRest(sf) {
				b.checkUnused(m, "takes no part in JSON")
				continue
			}
			*out = append(*out, m)
			continue
		case sf.Anonymous && name == "" && embeds(sf.Type):
			if slices.ContainsFunc(owners, func(o owner) bool { return o.typ == sf.Type }) {
				b.mistake(m.where, errors.New("a struct cannot embed itself"))
				continue
			}
			b.checkUnused(m, "is embedded, and its fields are those of the struct around it")
			b.collect(sf.Type, m.index, out, owners)
			continue
		case sf.Anonymous && name == "" && sf.Type.Kind() == reflect.Pointer && embeds(sf.Type.Elem()):
			b.mistake(m.where, errors.New("embed the struct itself, not a pointer to it"))
			continue
		case !sf.IsExported():
			b.checkUnused(m, "is not exported")
			if named {
				b.mistake(m.where, errors.New("the field is not exported: its tags have no effect"))
			}
			continue
		}
		if m.name = name; name == "" {
			m.name = sf.Name
		}
		m.omit = b.jsonOptions(m.where, options)
		*out = append(*out, m)
	}
}

// embeds reports whether the fields of an embedded type are those of the struct around it.
func embeds(t reflect.Type) bool {
	hold, _ := held(t)
	return t.Kind() == reflect.Struct && hold == holdValue && t != typeTime && t != typeDate && !reflect.PointerTo(t).Implements(textUnmarshaler)
}

func whereOf(t reflect.Type, sf reflect.StructField) string {
	name := t.Name()
	if name == "" {
		name = "struct"
	}
	return name + "." + sf.Name
}

// takesRest reports whether a field without a name is where undeclared members go.
func takesRest(sf reflect.StructField) bool {
	items, err := parseTag(sf.Tag.Get("mcp"))
	return err == nil && slices.ContainsFunc(items, func(it item) bool { return it.key == "rest" })
}

// checkUnused refuses tags that would have no effect.
func (b *builder) checkUnused(m member, why string) {
	for _, key := range []string{"mcp", "gate", "desc"} {
		if _, ok := m.sf.Tag.Lookup(key); ok {
			b.mistake(m.where, fmt.Errorf("the field %s: its tag %s has no effect", why, key))
		}
	}
}

func (b *builder) jsonOptions(where, options string) (omit bool) {
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "":
		case "omitempty", "omitzero":
			omit = true
		case "string":
			b.mistake(where, errors.New(`the json option string is not supported: write mcp:"as=string"`))
		default:
			b.mistake(where, fmt.Errorf("unknown json option %q%s", option, words.Hint(option, []string{"omitempty", "omitzero"})))
		}
	}
	return omit
}

// addField builds one field and puts it into the object, unless it takes no part in this direction.
func (b *builder) addField(o *object, m member, paths map[*field]string) {
	items, err := parseTag(m.sf.Tag.Get("mcp"))
	if err != nil {
		b.mistake(m.where, err)
		return
	}
	n := b.typeOf(m.sf.Type, m.where)
	if n == nil {
		return
	}
	f := &field{name: m.name, where: m.where, node: n, index: m.index, omit: m.omit, place: -1}
	u := &use{builder: b, where: m.where, field: f, node: n}
	u.optional = m.omit
	mistakes := len(b.errs)
	items, desc := m.complete(items)
	u.apply(items)
	if desc != "" {
		n.desc = desc
	}
	tag, tagged := m.sf.Tag.Lookup("gate")
	gates, err := ParseGates(tag)
	switch {
	case err != nil:
		b.mistake(m.where, err)
	case tagged && len(gates) == 0:
		b.mistake(m.where, errors.New("the tag gate is empty: leave it away, or write a gate"))
	}
	if n.readOnly && n.writeOnly {
		b.mistake(m.where, errors.New("readOnly and writeOnly leave nothing of the field"))
	}
	if len(b.errs) > mistakes || n.readOnly && b.direction == Input || n.writeOnly && b.direction == Output {
		return
	}
	f.place = b.place(gates)
	if u.rest {
		u.takeRest(o, len(items) == 1 && desc == "")
		return
	}
	u.settle(len(gates) > 0)
	if u.path != "" {
		paths[f] = u.path
	}
	o.fields = append(o.fields, f)
}

// relate checks what the fields of one object say of each other.
func (b *builder) relate(o *object, declared []member) {
	for _, f := range o.fields {
		if f.inside {
			b.relate(f.node.def.object, declared)
		}
		if b.direction != Input {
			f.with = nil
		}
		for _, other := range slices.Concat(f.with, f.needs) {
			switch {
			case other == f.name:
				b.mistake(f.where, fmt.Errorf("it cannot depend on itself, %q", other))
			case o.find(other) >= 0:
			case !slices.ContainsFunc(declared, func(m member) bool { return m.name == other }):
				b.mistake(f.where, fmt.Errorf("there is no field %q beside it%s", other, words.Hint(other, o.names())))
			case b.direction == Input:
				b.mistake(f.where, fmt.Errorf("the field %q is not beside it: it has a mistake, takes no part in an input, or stands elsewhere", other))
			}
		}
		for _, other := range f.with {
			if i := o.find(other); i >= 0 && o.fields[i].required {
				b.mistake(f.where, fmt.Errorf("requiredWith=%s is always so: just mark it required", other))
			}
		}
	}
}

func (o *object) names() []string {
	out := make([]string, len(o.fields))
	for i, f := range o.fields {
		out[i] = f.name
	}
	return out
}
