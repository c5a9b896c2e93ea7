package filtering

import (
	"strconv"

	"github.com/tenantry/tenantry/resource"
)

// maxDimensions is the most that an array has in PostgreSQL.
const maxDimensions = 6

// array types the operand of an array column. The special spellings of its elements are for equality
// only, as everywhere.
func array(v value, t resource.Type, op resource.Operator) (Nested, *fault) {
	lengths := extents(v)
	if len(lengths) > maxDimensions {
		return nil, wrong("this list has more than %d dimensions; send fewer", maxDimensions)
	}
	if len(lengths) > 1 && lengths[len(lengths)-1] == 0 {
		return nil, wrong("an inner list cannot be empty; send [] for the empty array").like([]any{})
	}
	if len(lengths) > 1 && t.Elem.Kind == resource.JSONB {
		return nil, wrong("a list inside could be an element or a dimension; send the elements in one list, or the whole with eq")
	}
	b := arrayBuilder{elem: *t.Elem, exact: op == resource.Eq || op == resource.NotEq}
	return b.list(v, lengths)
}

// extents returns the length of every dimension, going by the first elements.
func extents(v value) []int {
	var out []int
	for v.kind == arrayKind && len(out) <= maxDimensions {
		out = append(out, len(v.items))
		if len(v.items) == 0 {
			break
		}
		v = v.items[0]
	}
	return out
}

// elements is how many there are in all dimensions, if the inner lists are of one length.
func elements(v value) int {
	n := 1
	for _, length := range extents(v) {
		n *= length
	}
	return n
}

type arrayBuilder struct {
	elem  resource.Type
	exact bool
}

func (b arrayBuilder) list(v value, lengths []int) (Nested, *fault) {
	if v.kind != arrayKind || len(v.items) != lengths[0] {
		return nil, wrong("the inner lists differ in length; send lists of one length")
	}
	out := make(Nested, len(v.items))
	for i, item := range v.items {
		var f *fault
		if len(lengths) > 1 {
			out[i], f = b.list(item, lengths[1:])
		} else {
			out[i], f = b.element(item)
		}
		if f != nil {
			return nil, f.under(strconv.Itoa(i))
		}
	}
	return out, nil
}

func (b arrayBuilder) element(v value) (any, *fault) {
	switch {
	case v.kind == nullKind && !b.exact: // no element equals it
		return nil, wrong("null is no value to look for; send values alone, or the whole list with eq")
	case v.kind == nullKind:
		return nil, nil
	case v.kind == arrayKind:
		return nil, wrong("the inner lists differ in depth; send lists of one depth")
	case b.elem.Kind == resource.JSONB:
		return document(v)
	}
	got, f := single(v, b.elem)
	if f == nil && got.form == spelled && !b.exact {
		f = spelling(v, b.elem)
	}
	if f != nil {
		f.example = nil // it is one of an element, not of the list
		return nil, f
	}
	return got.text, nil
}

// spelling refuses a special spelling where values are ordered or searched.
func spelling(v value, t resource.Type) *fault {
	return wrong("%s is for eq, not_eq, in and not_in only; send an ordinary value such as %s",
		v.show(), shown(sample(t))).like(sample(t))
}
