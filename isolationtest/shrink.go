package isolationtest

import (
	"maps"
	"slices"
)

// shrink drops what it can of a leaking call while it still leaks.
func (k *kit) shrink(s *side, token string, r request) request {
	if r.arguments() == nil {
		return r
	}
	leaks := func(a args) bool { return k.foreign(s, k.send(token, r.with(a))) != "" }
	a := r.arguments()
	for again := true; again; {
		again = false
		for smaller := range smallerObjects(a) {
			if leaks(smaller) {
				a, again = smaller, true
				break
			}
		}
	}
	return r.with(a)
}

// smallerObjects yields the object with one thing less, at whatever depth.
func smallerObjects(object args) func(func(args) bool) {
	return func(yield func(args) bool) {
		for _, name := range slices.Sorted(maps.Keys(object)) {
			if name != "resource" && !yield(without(object, name)) {
				return
			}
		}
		for _, name := range slices.Sorted(maps.Keys(object)) {
			for smaller := range smallerValues(object[name]) {
				next := maps.Clone(object)
				next[name] = smaller
				if !yield(next) {
					return
				}
			}
		}
	}
}

func smallerValues(v any) func(func(any) bool) {
	return func(yield func(any) bool) {
		switch v := v.(type) {
		case args:
			for smaller := range smallerObjects(v) {
				if !yield(smaller) {
					return
				}
			}
		case []string:
			for i := range v {
				if len(v) > 1 && !yield(slices.Delete(slices.Clone(v), i, i+1)) {
					return
				}
			}
		case []any:
			for i := range v {
				if len(v) > 1 && !yield(slices.Delete(slices.Clone(v), i, i+1)) {
					return
				}
			}
		}
	}
}
