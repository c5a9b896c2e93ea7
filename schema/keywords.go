package schema

import (
	"strconv"
)

// rulesOf writes what is checked of a value. Beside a reference the values of an enum are the type's.
func (w *writer) rulesOf(o *writtenObject, n *node, referenced bool) {
	switch {
	case n.only != nil && n.null:
		o.key("enum").raw("[" + n.only.raw + ",null]")
	case n.only != nil:
		o.key("const").raw(n.only.raw)
	}
	if n.enum != nil && !referenced && (n.only == nil || !n.null) {
		o.key("enum")
		w.enum(n)
	}
	w.bounds(o, n)
	if n.pattern != nil {
		o.key("pattern").string(n.pattern.Source())
	}
	if n.format != "" {
		o.key("format").string(n.format)
	}
	if !w.strict && (n.encoding != "" || n.base64) {
		o.key("contentEncoding").string(encodingOf(n))
	}
	if !w.strict && n.media != "" {
		o.key("contentMediaType").string(n.media)
	}
}

func encodingOf(n *node) string {
	if n.base64 {
		return "base64"
	}
	return n.encoding
}

func (w *writer) enum(n *node) {
	w.raw("[")
	for i, v := range n.enum {
		if i > 0 {
			w.raw(",")
		}
		w.raw(v.raw)
	}
	if n.null {
		w.raw(",null")
	}
	w.raw("]")
}

// bounds writes limits of numbers and lengths. A number that travels as text has none to show.
func (w *writer) bounds(o *writtenObject, n *node) {
	if w.strict {
		// Hosts in a strict mode know no other bound than these two.
		if n.kind == kindArray && (n.minLen == 0 || n.minLen == 1) {
			o.key("minItems").raw(strconv.Itoa(n.minLen))
		}
		return
	}
	if n.kind == kindInteger || n.kind == kindNumber {
		for _, b := range []struct {
			keyword string
			bound   *bound
		}{{"minimum", n.min}, {"maximum", n.max}, {"exclusiveMinimum", n.xmin}, {"exclusiveMaximum", n.xmax}, {"multipleOf", n.step}} {
			if b.bound != nil {
				o.key(b.keyword).raw(b.bound.raw)
			}
		}
	}
	names := lengthNames[n.kind]
	if n.minLen >= 0 {
		o.key(names[0]).raw(strconv.Itoa(n.minLen))
	}
	if n.maxLen >= 0 {
		o.key(names[1]).raw(strconv.Itoa(n.maxLen))
	}
	if n.unique {
		o.key("uniqueItems").raw("true")
	}
}

var lengthNames = map[kind][2]string{
	kindString: {"minLength", "maxLength"}, kindArray: {"minItems", "maxItems"}, kindMap: {"minProperties", "maxProperties"},
}
