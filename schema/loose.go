package schema

import (
	"encoding/json"
	"reflect"

	"github.com/tenantry/tenantry/schema/internal/lex"
)

// assignAny takes whatever is there.
func (d *decoder) assignAny(n *node, i int, target reflect.Value) {
	switch {
	case !target.IsValid():
	case n.codec == codecRaw:
		target.SetBytes(append([]byte(nil), d.doc.Raw(i)...))
	default:
		target.Set(valueOrNil(d.loose(i)))
	}
}

// loose returns value i as encoding/json would, but for numbers, which keep their text.
func (d *decoder) loose(i int) any {
	switch d.doc.Kind(i) {
	case lex.Bool:
		return d.doc.True(i)
	case lex.Number:
		return json.Number(d.doc.Raw(i))
	case lex.String:
		return d.doc.Text(i)
	case lex.Array:
		out := make([]any, 0, d.doc.Len(i))
		for _, e := range d.doc.Elements(i) {
			out = append(out, d.loose(e))
		}
		return out
	case lex.Object:
		out := make(map[string]any, d.doc.Len(i))
		for key, e := range d.doc.Members(i) {
			out[key] = d.loose(e)
		}
		return out
	default:
		return nil
	}
}
