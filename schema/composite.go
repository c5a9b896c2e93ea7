package schema

import (
	"fmt"
	"reflect"
	"strconv"

	"github.com/tenantry/tenantry/schema/internal/lex"
	"github.com/tenantry/tenantry/schema/internal/words"
)

func (d *decoder) composite(n *node, i int, target reflect.Value) {
	want := lex.Object
	if n.kind == kindArray {
		want = lex.Array
	}
	if d.doc.Kind(i) != want {
		if d.lenient && d.doc.Kind(i) == lex.String && d.inText(n, i, want, target) {
			return
		}
		d.wrongType(n)
		return
	}
	switch n.kind {
	case kindArray:
		d.array(n, i, target)
	case kindMap:
		d.mapping(n, i, target)
	case kindUnion:
		d.union(n, i, target)
	default:
		d.object(n.def.object, i, target)
		d.guard(n.def.object, target)
	}
}

func (d *decoder) wrongType(n *node) {
	d.fail(FieldError{Code: WrongType, Keyword: "type", Limit: typeNames[n.kind], Msg: "must be " + n.noun()})
}

// inText reads the JSON that a string holds where an array or an object is declared.
func (d *decoder) inText(n *node, i int, want lex.Kind, target reflect.Value) bool {
	limits := inputLimits
	limits.Depth -= len(d.path)
	inner, err := lex.Parse([]byte(d.doc.Text(i)), limits)
	if err != nil || inner.Kind(0) != want || d.nested {
		return false
	}
	outer := d.doc
	d.doc = inner
	d.nested = true
	d.bare(n, 0, target)
	d.doc = outer
	d.nested = false
	return true
}

func (d *decoder) array(n *node, i int, target reflect.Value) {
	count := d.doc.Len(i)
	d.countItems(n, count)
	assign := target.IsValid()
	if assign && n.codec == codecSlice {
		target.Set(reflect.MakeSlice(n.typ, count, count))
	}
	var loose []any
	for at, e := range d.doc.Elements(i) {
		d.enterAt(at)
		switch {
		case assign && n.codec == codecLoose:
			var v any
			d.value(n.elem, e, reflect.ValueOf(&v).Elem())
			loose = append(loose, v)
		case assign && at < target.Len():
			d.value(n.elem, e, target.Index(at))
		default:
			d.value(n.elem, e, none)
		}
		d.leave()
	}
	if assign && n.codec == codecLoose {
		target.Set(reflect.ValueOf(loose))
	}
	if n.unique && !d.unique(i) {
		d.fail(FieldError{Code: NotUnique, Keyword: "uniqueItems", Msg: "has two equal elements: send each of them once"})
	}
}

func (d *decoder) countItems(n *node, count int) {
	switch {
	case n.minLen >= 0 && count < n.minLen:
		d.fail(limited(BadItems, "minItems", n.minLen, "needs at least %d element%s"))
	case n.maxLen >= 0 && count > n.maxLen:
		d.fail(limited(BadItems, "maxItems", n.maxLen, "takes at most %d element%s"))
	}
}

func (d *decoder) countMembers(n *node, count int) {
	switch {
	case n.minLen >= 0 && count < n.minLen:
		d.fail(limited(BadProps, "minProperties", n.minLen, "needs at least %d member%s"))
	case n.maxLen >= 0 && count > n.maxLen:
		d.fail(limited(BadProps, "maxProperties", n.maxLen, "takes at most %d member%s"))
	}
}

// limited is the error of a length out of its bounds.
func limited(code Code, keyword string, limit int, format string) FieldError {
	plural := "s"
	if limit == 1 {
		plural = ""
	}
	return FieldError{Code: code, Keyword: keyword, Limit: strconv.Itoa(limit), Msg: fmt.Sprintf(format, limit, plural)}
}

// unique reports whether no two elements are equal, as JSON Schema compares them.
func (d *decoder) unique(i int) bool {
	seen := make(map[string]bool, d.doc.Len(i))
	for _, e := range d.doc.Elements(i) {
		key := canonical(d.doc, e)
		if seen[key] {
			return false
		}
		seen[key] = true
	}
	return true
}

func (d *decoder) mapping(n *node, i int, target reflect.Value) {
	count := d.doc.Len(i)
	d.countMembers(n, count)
	assign := target.IsValid()
	if assign {
		target.Set(reflect.MakeMapWithSize(n.typ, count))
	}
	for key, e := range d.doc.Members(i) {
		d.enter(words.Clip(key))
		d.text(n.keys, key)
		if !assign {
			d.value(n.elem, e, none)
		} else {
			v := reflect.New(n.typ.Elem()).Elem()
			d.value(n.elem, e, v)
			target.SetMapIndex(reflect.ValueOf(key).Convert(n.typ.Key()), v)
		}
		d.leave()
	}
}

func (d *decoder) union(n *node, i int, target reflect.Value) {
	at, ok := d.doc.Member(i, n.disc)
	if !ok {
		d.failAt(n.disc, FieldError{Code: Missing, Keyword: "required", Msg: "is missing: send " + words.Listed(n.choices())})
		return
	}
	v := n.variantOf(d.doc, at)
	if v == nil {
		d.failAt(n.disc, FieldError{Code: NotInEnum, Keyword: "enum", Limit: n.choices(), Msg: "must be " + words.Listed(n.choices())})
		return
	}
	if !target.IsValid() {
		d.object(v.node.def.object, i, none)
		return
	}
	p := reflect.New(v.node.typ)
	d.object(v.node.def.object, i, p.Elem())
	d.guard(v.node.def.object, p.Elem())
	if v.typ.Kind() != reflect.Pointer {
		p = p.Elem()
	}
	target.Set(p)
}

// variantOf returns the alternative that value i of a document names, or nil.
func (n *node) variantOf(doc *lex.Doc, i int) *variant {
	key := canonical(doc, i)
	for _, v := range n.variants {
		if v.value.key == key {
			return v
		}
	}
	return nil
}

// choices lists the values of the discriminator, as a message shows them.
func (n *node) choices() []string {
	out := make([]string, len(n.variants))
	for i, v := range n.variants {
		out[i] = v.text
	}
	return out
}
