package schema

import (
	"fmt"
	"reflect"
	"slices"
	"sync"
)

// gatesWithin returns an error if a value without a schema, of which encoding/json is to write the JSON, holds a
// type behind gates: what is behind them would leave unasked. Those are structs with tags of gates, enums with
// gated values, and the given structs. It looks at what encoding/json would write, and no further: what a type
// writes by a method of its own is the host's.
func gatesWithin(v reflect.Value, variants []reflect.Type) error {
	w := walk{variants: variants}
	return w.value(v, 0)
}

// walk is one look at a value.
type walk struct {
	variants []reflect.Type
	seen     map[visit]bool // pointers, maps and slices that were looked at
}

type visit struct {
	typ reflect.Type
	at  uintptr
	len int
}

func (w *walk) value(v reflect.Value, depth int) error {
	if !v.IsValid() {
		return nil
	}
	t := v.Type()
	switch {
	case hasGates(t) || slices.Contains(w.variants, t):
		return fmt.Errorf("%s has gates, which nobody asks inside an any", t)
	case depth > 2*maxNested:
		return fmt.Errorf("%s lies too deep inside an any", t)
	case t.Kind() == reflect.Struct && t.Implements(optional) && v.CanInterface():
		inner, now := v.Interface().(opt).now()
		if now != given {
			return nil
		}
		return w.value(inner, depth+1)
	case writesItself(v):
		return nil
	}
	switch v.Kind() {
	case reflect.Interface:
		return w.value(v.Elem(), depth+1)
	case reflect.Pointer:
		if w.again(v, 0) {
			return nil
		}
		return w.value(v.Elem(), depth+1)
	case reflect.Slice, reflect.Array:
		return w.elements(v, depth)
	case reflect.Map:
		return w.members(v, depth)
	case reflect.Struct:
		return w.fields(v, depth)
	default:
		return nil
	}
}

// writesItself reports whether encoding/json calls a method of the value.
func writesItself(v reflect.Value) bool {
	t := v.Type()
	if v.CanAddr() {
		t = reflect.PointerTo(t)
	}
	return v.Kind() != reflect.Interface && (t.Implements(jsonMarshaler) || t.Implements(textMarshaler))
}

// again reports whether something was looked at before, also where it is within itself.
func (w *walk) again(v reflect.Value, size int) bool {
	at := visit{v.Type(), v.Pointer(), size}
	if w.seen[at] {
		return true
	}
	if w.seen == nil {
		w.seen = map[visit]bool{}
	}
	w.seen[at] = true
	return false
}

func (w *walk) elements(v reflect.Value, depth int) error {
	if plain(v.Type().Elem()) || v.Kind() == reflect.Slice && w.again(v, v.Len()) {
		return nil
	}
	for i := range v.Len() {
		if err := w.value(v.Index(i), depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (w *walk) members(v reflect.Value, depth int) error {
	if plain(v.Type().Elem()) && plain(v.Type().Key()) || w.again(v, 0) {
		return nil
	}
	for key, e := range v.Seq2() {
		if err := w.value(key, depth+1); err != nil {
			return err
		}
		if err := w.value(e, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (w *walk) fields(v reflect.Value, depth int) error {
	t := v.Type()
	for i := range t.NumField() {
		if sf := t.Field(i); sf.Tag.Get("json") == "-" || !sf.IsExported() && !sf.Anonymous {
			continue
		}
		if err := w.value(v.Field(i), depth+1); err != nil {
			return err
		}
	}
	return nil
}

// plain reports whether values of a type hold no others and have no gates.
func plain(t reflect.Type) bool {
	return (t.Kind() <= reflect.Complex128 || t.Kind() == reflect.String) && !hasGates(t)
}

// gatedTypes remembers which types have gates.
var gatedTypes sync.Map // of reflect.Type to bool

// hasGates reports whether a type says itself that something of it is behind gates.
func hasGates(t reflect.Type) bool {
	if t.Kind() != reflect.Struct && t.PkgPath() == "" || t.Kind() == reflect.Interface {
		return false
	}
	if known, ok := gatedTypes.Load(t); ok {
		return known.(bool)
	}
	found := t.Implements(gateLister) || reflect.PointerTo(t).Implements(gateLister)
	if t.Kind() == reflect.Struct {
		for i := range t.NumField() {
			_, ok := t.Field(i).Tag.Lookup("gate")
			found = found || ok
		}
	}
	gatedTypes.Store(t, found)
	return found
}
