package schema

import (
	"encoding/json"
	"errors"
	"reflect"
)

// Opt holds a member of an input that may be absent, null or a value, and says which: the type for updates.
// The zero Opt is absent. In an output an absent one is left out.
type Opt[T any] struct {
	value T
	state state
}

type state uint8

const (
	absent state = iota
	null
	given
)

// Some returns an Opt with a value.
func Some[T any](v T) Opt[T] { return Opt[T]{value: v, state: given} }

// NullOpt returns an Opt that is null.
func NullOpt[T any]() Opt[T] { return Opt[T]{state: null} }

// Get returns the value, and false when there is none.
func (o Opt[T]) Get() (T, bool) { return o.value, o.state == given }

// Null reports whether the member was null.
func (o Opt[T]) Null() bool { return o.state == null }

// Absent reports whether the member was not there.
func (o Opt[T]) Absent() bool { return o.state == absent }

// IsZero reports whether it is absent, for the json option omitzero.
func (o Opt[T]) IsZero() bool { return o.state == absent }

// MarshalJSON writes null or the value. An absent one has no JSON: leave it out with omitzero.
func (o Opt[T]) MarshalJSON() ([]byte, error) {
	switch o.state {
	case given:
		return json.Marshal(o.value)
	case null:
		return []byte("null"), nil
	default:
		return nil, errors.New("schema: an absent Opt has no JSON: give its field the json option omitzero")
	}
}

// UnmarshalJSON takes null or a value.
func (o *Opt[T]) UnmarshalJSON(raw []byte) error {
	if string(raw) == "null" {
		*o = NullOpt[T]()
		return nil
	}
	var v T
	err := json.Unmarshal(raw, &v)
	if err == nil {
		*o = Some(v)
	}
	return err
}

// opt is an Opt of any type.
type opt interface {
	inner() reflect.Type
	now() (reflect.Value, state)
}

func (o Opt[T]) inner() reflect.Type { return reflect.TypeFor[T]() }

func (o Opt[T]) now() (reflect.Value, state) { return reflect.ValueOf(o.value), o.state }

// settable is a pointer to an Opt of any type.
type settable interface {
	setNull()
	slot() any
}

func (o *Opt[T]) setNull() { o.state = null }

// slot makes it a value and returns a pointer to that.
func (o *Opt[T]) slot() any {
	o.state = given
	return &o.value
}
