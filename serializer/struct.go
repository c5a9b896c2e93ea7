package serializer

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/tenantry/tenantry/resource"
)

// Computed marks a struct field as a computed member for [For].
type Computed struct{}

// For shows the exported fields of the struct T, in declared order, by their tags:
//
//	json      the public name; without it the Go name in snake_case. "-" hides the field
//	db        the column; without it the public name
//	desc      the description for resource_schema
//	requires  the permission scope that shows the field
//	reads     of a computed member: the columns it reads, comma-separated; without it all of T
//
// A field X of type [Computed] is a computed member: the method ComputeX of T or *T, which returns V or
// (V, error), gives its value. It is called on a fresh T in which only the columns that the computed members
// of the call read are set, by the rules of [resource.Row]: the field of a nullable column must be a pointer or
// of a type that takes NULL.
// A field with json:"-" and a db tag is not shown but can be read. The type in resource_schema follows
// V: strings are text, integers integer or bigint, floats double, [time.Time] is timestamptz, and what
// has no word of its own is json.
//
// Embedded structs are flattened as encoding/json does; a name at a lesser depth hides a deeper one.
// Whatever is wrong with T is returned by the Fields method, every mistake with its Type.Field. The
// serializer is immutable and safe for concurrent use.
func For[T any]() resource.Serializer { return newStruct(reflect.TypeFor[T]()) }

// structSerializer is what For learns of a struct type.
type structSerializer struct {
	typ     reflect.Type
	fields  []Field
	sources []source
	methods map[string]method // by public name
	err     error
}

// source is a struct field that Compute can fill.
type source struct {
	column string
	index  []int
}

// method gives the value of a computed member.
type method struct {
	call  reflect.Value // func(*T) V or func(*T) (V, error)
	index []int         // of the marker, whose embedded structs must exist
	reads []string
}

func newStruct(t reflect.Type) *structSerializer {
	s := &structSerializer{typ: t, methods: map[string]method{}}
	if t.Kind() != reflect.Struct {
		s.err = fmt.Errorf("serializer.For: %s is not a struct type", t)
		return s
	}
	var w walker
	w.walk(t, place{where: cmp.Or(t.Name(), "struct")})
	members := w.members()
	columns := columnsOf(members)
	for _, d := range members {
		switch {
		case d.computed:
			w.fail(d.place, s.addComputed(d, columns))
			continue
		case !d.hidden:
			s.fields = append(s.fields, d.Field)
		}
		s.sources = append(s.sources, source{d.Column, d.index})
	}
	s.err = errors.Join(w.errs...)
	return s
}

// addComputed finds the method of a computed member of a struct with the columns.
func (s *structSerializer) addComputed(d declared, columns []string) error {
	name := "Compute" + d.goName
	m, ok := reflect.PointerTo(s.typ).MethodByName(name)
	if !ok {
		return fmt.Errorf("the method %s is missing: declare func (%s) %s() V, or (V, error)", name, s.typ.Name(), name)
	}
	if !computes(m.Type) {
		return fmt.Errorf("the method %s takes no argument and returns a value, or a value and an error", name)
	}
	if d.Reads == nil {
		d.Reads = columns
	}
	for _, column := range d.Reads {
		if !slices.Contains(columns, column) {
			return fmt.Errorf("the tag reads names %q, which is no column of %s", column, s.typ.Name())
		}
	}
	d.Type = kindOf(m.Type.Out(0))
	s.fields = append(s.fields, d.Field)
	s.methods[d.Name] = method{call: m.Func, index: d.index, reads: d.Reads}
	return nil
}

// computes reports whether a method, whose first argument is its receiver, can give a value.
func computes(m reflect.Type) bool {
	failure := reflect.TypeFor[error]()
	switch {
	case m.NumIn() != 1:
		return false
	case m.NumOut() == 1:
		return m.Out(0) != failure
	default:
		return m.NumOut() == 2 && m.Out(0) != failure && m.Out(1) == failure
	}
}

// Fields returns the public members in declared order, or every mistake in the struct.
func (s *structSerializer) Fields() ([]Field, error) {
	if s.err != nil {
		return nil, s.err
	}
	return slices.Clone(s.fields), nil
}
