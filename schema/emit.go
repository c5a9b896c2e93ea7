package schema

import (
	"slices"
)

// root writes the whole, which is never a reference.
func (w *writer) root(n *node) {
	n, single := unwrapped(n)
	o := w.open()
	if n.kind == kindUnion {
		o.key("type").raw(`"object"`)
		o.notes(n.title, n.description())
		w.variants(o, n)
	} else {
		w.body(o, n, single)
	}
	if len(w.hoisted) > 0 {
		o.key("$defs")
		defs := w.open()
		for _, h := range w.hoisted {
			defs.key(w.names[h.def])
			w.definition(h)
		}
		defs.close()
	}
	o.close()
}

// unwrapped returns the object of a union that has one alternative left.
func unwrapped(n *node) (*node, bool) {
	if n.kind == kindUnion && len(n.variants) == 1 {
		out := *n.variants[0].node
		out.null, out.hold = n.null, n.hold
		out.title, out.desc, out.deprecated, out.readOnly, out.writeOnly, out.examples = n.title, n.desc, n.deprecated, n.readOnly, n.writeOnly, n.examples
		return &out, true
	}
	return n, false
}

// definition writes a type for $defs: what belongs to the type and not to a use of it.
func (w *writer) definition(n *node) {
	bare := &node{kind: n.kind, codec: n.codec, typ: n.typ, def: n.def, size: -1, rules: rules{minLen: -1, maxLen: -1, enum: n.enum}}
	o := w.open()
	w.body(o, bare, true)
	o.close()
}

// use writes one use of a type.
func (w *writer) use(n *node, f *field) {
	n, _ = unwrapped(n)
	o := w.open()
	name, hoisted := w.reference(n)
	wrapped := n.null && (hoisted || !n.nullsInType())
	switch {
	case wrapped:
		o.notes(w.titled(n), n.desc)
		o.key("anyOf").raw("[")
		inner := *n
		inner.null, inner.notes = false, notes{}
		w.use(&inner, nil)
		w.raw(`,{"type":"null"}]`)
	case hoisted:
		o.key("$ref").string(name)
		o.notes(w.titled(n), n.desc)
		w.rulesOf(o, n, true)
	default:
		w.body(o, n, false)
	}
	w.tail(o, n, f)
	o.close()
}

// reference returns where the type of a node is written, if not here.
func (w *writer) reference(n *node) (string, bool) {
	if n.def == nil {
		return "", false
	}
	if n.def == w.view.root.def && n.def.object != nil {
		return "#", true
	}
	name, ok := w.names[n.def]
	return "#/$defs/" + name, ok
}

// nullsInType reports whether null is written as a second type.
func (n *node) nullsInType() bool {
	return n.kind == kindString || n.kind == kindInteger || n.kind == kindNumber || n.kind == kindBoolean || n.kind == kindAny || n.kind == kindEither
}

// body writes what a node is, without what a field says of it.
func (w *writer) body(o *writtenObject, n *node, whole bool) {
	switch n.kind {
	case kindAny:
		o.notes(w.titled(n), n.description())
		return
	case kindUnion, kindEither:
		o.notes(w.titled(n), n.description())
		w.variants(o, n)
		return
	default:
	}
	o.key("type")
	if n.null && !whole {
		w.raw(`["` + typeNames[n.kind] + `","null"]`)
	} else {
		w.raw(`"` + typeNames[n.kind] + `"`)
	}
	o.notes(w.titled(n), n.description())
	w.rulesOf(o, n, false)
	switch n.kind {
	case kindArray:
		o.key("items")
		w.use(n.elem, nil)
	case kindMap:
		if k := n.keys; k != nil && (k.pattern != nil || k.format != "" || k.enum != nil || k.only != nil || !w.strict && (k.minLen >= 0 || k.maxLen >= 0)) {
			o.key("propertyNames")
			w.use(k, nil)
		}
		o.key("additionalProperties")
		w.use(n.elem, nil)
	case kindObject:
		w.object(o, n.def.object)
	default:
	}
}

var typeNames = map[kind]string{
	kindString: "string", kindInteger: "integer", kindNumber: "number", kindBoolean: "boolean",
	kindArray: "array", kindMap: "object", kindObject: "object",
}

// description is what the field says, or else its type.
func (n *node) description() string {
	if n.desc == "" && n.def != nil {
		return n.def.desc
	}
	return n.desc
}

func (w *writer) titled(n *node) string {
	if w.strict {
		return ""
	}
	return n.title
}

// variants writes the alternatives of a union, or the two forms of a number.
func (w *writer) variants(o *writtenObject, n *node) {
	o.key("anyOf").raw("[")
	for i, v := range n.variants {
		if i > 0 {
			w.raw(",")
		}
		w.use(v.node, nil)
	}
	if n.kind == kindEither {
		w.use(n.either[0], nil)
		w.raw(",")
		w.use(n.either[1], nil)
		if n.null {
			w.raw(`,{"type":"null"}`)
		}
	}
	w.raw("]")
}

func (w *writer) object(o *writtenObject, obj *object) {
	o.key("properties")
	props := w.open()
	var required []string
	for _, f := range obj.fields {
		props.key(f.name)
		w.use(f.node, f)
		if f.required {
			required = append(required, f.name)
		}
	}
	props.close()
	if required != nil {
		o.key("required").strings(required)
	}
	w.dependent(o, obj)
	if obj.rest == nil {
		o.key("additionalProperties").raw("false")
	}
}

// dependent writes which members another one requires, in the order of the fields.
func (w *writer) dependent(o *writtenObject, obj *object) {
	if w.strict || w.view.plan.direction == Output {
		return
	}
	var deps *writtenObject
	for _, f := range obj.fields {
		wanted := slices.Clone(f.needs)
		for _, other := range obj.fields {
			if slices.Contains(other.with, f.name) && !slices.Contains(wanted, other.name) {
				wanted = append(wanted, other.name)
			}
		}
		if len(wanted) == 0 {
			continue
		}
		if deps == nil {
			o.key("dependentRequired")
			deps = w.open()
		}
		deps.key(f.name).strings(wanted)
	}
	if deps != nil {
		deps.close()
	}
}

// tail writes what stands behind the shape: the default, examples and flags.
func (w *writer) tail(o *writtenObject, n *node, f *field) {
	if f != nil && w.view.plan.direction == Input {
		w.fallback(o, n, f)
	}
	if w.strict {
		return
	}
	if len(n.examples) > 0 {
		o.key("examples").raw("[")
		for i, e := range n.examples {
			if i > 0 {
				w.raw(",")
			}
			w.raw(e.raw)
		}
		w.raw("]")
	}
	for _, flag := range []struct {
		keyword string
		set     bool
	}{{"deprecated", n.deprecated}, {"readOnly", n.readOnly}, {"writeOnly", n.writeOnly}} {
		if flag.set {
			o.key(flag.keyword).raw("true")
		}
	}
}

// fallback writes a default, or the gap for one.
func (w *writer) fallback(o *writtenObject, n *node, f *field) {
	switch {
	case f.defaultFor != "":
		w.form.parts = append(w.form.parts, w.out.String())
		w.out.Reset()
		more := !w.strict && (len(n.examples) > 0 || n.deprecated || n.readOnly || n.writeOnly)
		w.form.slots = append(w.form.slots, slot{node: n, key: f.defaultFor, fallback: f.fallback, first: o.empty, last: !more})
	case f.fallback != nil:
		o.key("default").raw(f.fallback.raw)
	}
}
