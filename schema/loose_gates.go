package schema

import (
	"reflect"
	"slices"
	"sync"
)

// gatedTypes remembers which types have gates.
var gatedTypes sync.Map // of reflect.Type to bool

// gated returns a type behind gates that a value without a schema holds, or nil: what is behind them would leave
// unasked. Those are structs with tags of gates, enums with gated values and gated variants of the plan. It looks
// as deep as a value may be.
func (p *projector) gated(v reflect.Value, depth int) reflect.Type {
	if !v.IsValid() || depth > maxNested {
		return nil
	}
	if t := v.Type(); hasGates(t) || slices.Contains(p.plan.gatedVariants, t) {
		return t
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return p.gated(v.Elem(), depth+1)
	case reflect.Slice, reflect.Array:
		if plain(v.Type().Elem()) {
			return nil
		}
		for i := range v.Len() {
			if t := p.gated(v.Index(i), depth+1); t != nil {
				return t
			}
		}
	case reflect.Map:
		if plain(v.Type().Elem()) && plain(v.Type().Key()) {
			return nil
		}
		for k, e := range v.Seq2() {
			if t := p.gated(k, depth+1); t != nil {
				return t
			}
			if t := p.gated(e, depth+1); t != nil {
				return t
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if t := p.gated(v.Field(i), depth+1); t != nil {
				return t
			}
		}
	default:
	}
	return nil
}

// plain reports whether values of a type hold no others and have no gates.
func plain(t reflect.Type) bool {
	return (t.Kind() <= reflect.Complex128 || t.Kind() == reflect.String) && !hasGates(t)
}

// hasGates reports whether a type says itself that something of it is behind gates.
func hasGates(t reflect.Type) bool {
	if t.Kind() != reflect.Struct && t.PkgPath() == "" {
		return false
	}
	if known, ok := gatedTypes.Load(t); ok {
		return known.(bool)
	}
	found := t.Implements(gateLister) || reflect.PointerTo(t).Implements(gateLister)
	for i := range fieldsOf(t) {
		_, ok := t.Field(i).Tag.Lookup("gate")
		found = found || ok
	}
	gatedTypes.Store(t, found)
	return found
}

func fieldsOf(t reflect.Type) int {
	if t.Kind() != reflect.Struct {
		return 0
	}
	return t.NumField()
}
