package schema

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// VariantDef is one alternative of a union.
type VariantDef struct {
	typ   reflect.Type
	value any
	gates []Gate
}

// union is the declaration of an interface's variants.
type union struct {
	disc     string
	variants []VariantDef
}

// Union says which structs an interface I may hold, told apart by the property disc, which is put before
// their own. Each variant has a value of its own there.
func Union[I any](disc string, vs ...VariantDef) Option {
	return func(b *builder) {
		t := reflect.TypeFor[I]()
		switch {
		case t.Kind() != reflect.Interface:
			b.mistake(t.String(), errors.New("a union is of an interface"))
		case b.unions[t] != nil:
			b.mistake(t.String(), errors.New("the union is declared twice"))
		case disc == "" || len(vs) == 0:
			b.mistake(t.String(), errors.New("a union needs a discriminator and variants"))
		default:
			b.unions[t] = &union{disc: disc, variants: vs}
		}
	}
}

// gatedVariants are the structs that stand behind gates in some union, used here or not.
func (b *builder) gatedVariants() []reflect.Type {
	var out []reflect.Type
	for _, u := range b.unions {
		for _, v := range u.variants {
			switch {
			case len(v.gates) == 0:
			case v.typ.Kind() == reflect.Pointer:
				out = append(out, v.typ.Elem())
			default:
				out = append(out, v.typ)
			}
		}
	}
	return out
}

// Variant is a struct T, or a pointer to one, as an alternative of a union. The value of the discriminator
// is a string or a bool.
func Variant[T any](value any, gates ...Gate) VariantDef {
	return VariantDef{typ: reflect.TypeFor[T](), value: value, gates: gates}
}

func (b *builder) unionOf(n *node) error {
	u := b.unions[n.typ]
	if u == nil {
		return fmt.Errorf("%s is an interface without variants: register them with schema.Union", n.typ)
	}
	n.kind, n.codec, n.disc = kindUnion, codecUnion, u.disc
	seen := map[string]bool{}
	for _, v := range u.variants {
		out, err := b.variantOf(n, v)
		if err != nil {
			return err
		}
		switch {
		case seen[out.value.key]:
			return fmt.Errorf("two variants have the value %s", out.value.raw)
		case slices.ContainsFunc(n.variants, func(w *variant) bool { return w.node.typ == out.node.typ }):
			return fmt.Errorf("%s is two variants: a result could not be told from the other; declare a type for each", out.node.typ)
		}
		seen[out.value.key] = true
		n.variants = append(n.variants, out)
	}
	return nil
}

// variantOf builds the object of a variant: the struct's, behind the discriminator.
func (b *builder) variantOf(n *node, v VariantDef) (*variant, error) {
	value, text, err := scalarLiteral(reflect.ValueOf(v.value))
	if kind := reflect.ValueOf(v.value).Kind(); err != nil || kind != reflect.String && kind != reflect.Bool {
		return nil, fmt.Errorf("the value of a variant is a string or a bool, not %v", v.value)
	}
	t := v.typ
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	} else if !t.Implements(n.typ) {
		v.typ = reflect.PointerTo(t)
	}
	switch {
	case t.Kind() != reflect.Struct:
		return nil, fmt.Errorf("the variant %s is no struct", v.typ)
	case !v.typ.Implements(n.typ):
		return nil, fmt.Errorf("the variant %s is no %s", v.typ, n.typ)
	}
	return &variant{value: value, text: text, typ: v.typ, place: b.place(v.gates), node: b.variantNode(n, t, value)}, nil
}

// variantKey finds the definition of a variant again, for unions within themselves.
type variantKey struct {
	typ         reflect.Type
	disc, value string
}

func (b *builder) variantNode(n *node, t reflect.Type, value literal) *node {
	out := &node{kind: kindObject, codec: codecStruct, typ: t, size: -1, rules: rules{minLen: -1, maxLen: -1}}
	key := variantKey{t, n.disc, value.key}
	if out.def = b.byVariant[key]; out.def != nil {
		return out
	}
	out.def = b.define(&def{name: t.Name(), pkg: t.PkgPath(), typ: t, desc: describedBy(t)})
	b.byVariant[key] = out.def
	o := b.objectOf(t)
	if o.find(n.disc) >= 0 {
		b.mistake(t.Name(), fmt.Errorf("the field %q is named like the discriminator", n.disc))
	}
	only := value
	mark := &node{kind: kindString, codec: codecString, size: -1, rules: rules{minLen: -1, maxLen: -1, only: &only}}
	if value.raw[0] != '"' {
		mark.kind, mark.codec = kindBoolean, codecBool
	}
	o.fields = append([]*field{{name: n.disc, node: mark, required: true, place: -1}}, o.fields...)
	if o.rest != nil {
		o.reserved = append(o.reserved, n.disc)
	}
	out.def.object = o.indexed()
	return out
}
