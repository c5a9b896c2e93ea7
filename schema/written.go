package schema

import (
	"github.com/tenantry/tenantry/schema/internal/words"
)

// writtenObject is a JSON object on its way out.
type writtenObject struct {
	w     *writer
	empty bool
}

func (w *writer) raw(s string) { w.out.WriteString(s) }

func (w *writer) open() *writtenObject {
	w.raw("{")
	return &writtenObject{w: w, empty: true}
}

func (o *writtenObject) close() { o.w.raw("}") }

// key begins a member, whose value must follow.
func (o *writtenObject) key(name string) *writtenObject {
	if !o.empty {
		o.w.raw(",")
	}
	o.empty = false
	o.string(name)
	o.w.raw(":")
	return o
}

func (o *writtenObject) raw(s string) { o.w.raw(s) }

func (o *writtenObject) string(s string) { o.w.out.Write(words.AppendString(nil, s)) }

func (o *writtenObject) strings(list []string) {
	o.w.raw("[")
	for i, s := range list {
		if i > 0 {
			o.w.raw(",")
		}
		o.string(s)
	}
	o.w.raw("]")
}

func (o *writtenObject) notes(title, desc string) {
	if title != "" {
		o.key("title").string(title)
	}
	if desc != "" {
		o.key("description").string(desc)
	}
}
