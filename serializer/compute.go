package serializer

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/tenantry/tenantry/resource"
)

// Compute reads what the named members need, each column once, and calls their methods.
func (s *structSerializer) Compute(row resource.Row, names []string) ([]any, error) {
	if s.err != nil {
		return nil, s.err
	}
	target := reflect.New(s.typ)
	if err := s.scan(target.Elem(), row, names); err != nil {
		return nil, err
	}
	values := make([]any, 0, len(names))
	for _, name := range names {
		m, ok := s.methods[name]
		if !ok {
			return nil, fmt.Errorf("serializer: %s computes no member %q", s.typ, name)
		}
		v, err := m.value(target)
		if err != nil {
			return nil, fmt.Errorf("serializer: %s computes %q: %w", s.typ, name, err)
		}
		values = append(values, v)
	}
	return values, nil
}

func (s *structSerializer) scan(target reflect.Value, row resource.Row, names []string) error {
	for _, src := range s.sources {
		needed := slices.ContainsFunc(names, func(name string) bool {
			return slices.Contains(s.methods[name].reads, src.column)
		})
		if !needed {
			continue
		}
		if err := row.Scan(src.column, fieldAt(target, src.index).Addr().Interface()); err != nil {
			return fmt.Errorf("serializer: %s reads column %q: %w", s.typ, src.column, err)
		}
	}
	return nil
}

func (m method) value(target reflect.Value) (any, error) {
	fieldAt(target.Elem(), m.index)
	out := m.call.Call([]reflect.Value{target})
	if len(out) == 2 && !out[1].IsNil() {
		return nil, out[1].Interface().(error)
	}
	return out[0].Interface(), nil
}

// fieldAt returns the field and makes the embedded structs on the way to it that are pointers.
func fieldAt(v reflect.Value, index []int) reflect.Value {
	for _, i := range index {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v
}
