package schema

import (
	"reflect"
	"sync"
)

// gatedTypes remembers which structs have tags of gates.
var gatedTypes sync.Map // of reflect.Type to bool

// gated returns a struct type with tags of gates that a value without a schema holds, or nil: what is behind
// them would leave unasked. It looks as deep as a value may be.
func gated(v reflect.Value, depth int) reflect.Type {
	if !v.IsValid() || depth > maxNested {
		return nil
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return gated(v.Elem(), depth+1)
	case reflect.Slice, reflect.Array:
		if plain(v.Type().Elem().Kind()) {
			return nil
		}
		for i := range v.Len() {
			if t := gated(v.Index(i), depth+1); t != nil {
				return t
			}
		}
	case reflect.Map:
		if plain(v.Type().Elem().Kind()) {
			return nil
		}
		for _, e := range v.Seq2() {
			if t := gated(e, depth+1); t != nil {
				return t
			}
		}
	case reflect.Struct:
		if hasGates(v.Type()) {
			return v.Type()
		}
		for i := range v.NumField() {
			if t := gated(v.Field(i), depth+1); t != nil {
				return t
			}
		}
	default:
	}
	return nil
}

// plain reports whether values of the kind hold no others.
func plain(k reflect.Kind) bool {
	return k <= reflect.Complex128 || k == reflect.String
}

func hasGates(t reflect.Type) bool {
	if known, ok := gatedTypes.Load(t); ok {
		return known.(bool)
	}
	found := false
	for i := range t.NumField() {
		_, ok := t.Field(i).Tag.Lookup("gate")
		found = found || ok
	}
	gatedTypes.Store(t, found)
	return found
}
