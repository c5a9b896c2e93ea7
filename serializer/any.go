package serializer

import (
	"bytes"
	"encoding"
	"encoding/json"
	"reflect"
	"strconv"
	"time"

	"github.com/tenantry/tenantry/resource"
)

var (
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// appendAny appends the value of a computed member in the forms that columns have: times in UTC with
// six decimals, integers beyond 2^53-1 and special floats as strings. Everything else, and what stands
// within structs, maps and slices, is encoding/json's, without HTML escapes.
func appendAny(dst []byte, v any) ([]byte, error) {
	if v == nil {
		return append(dst, "null"...), nil
	}
	if t, ok := v.(time.Time); ok {
		return appendInstant(dst, t.UTC(), true), nil
	}
	value := reflect.ValueOf(v)
	if value.Kind() == reflect.Pointer {
		return appendPointer(dst, value)
	}
	if _, number := v.(json.Number); number || marshalsItself(value.Type()) {
		return appendMarshalled(dst, v)
	}
	switch {
	case value.CanInt():
		return appendInt(dst, value.Int()), nil
	case value.CanUint():
		return appendUint(dst, value.Uint()), nil
	case value.CanFloat():
		return appendFloat(dst, value.Float(), value.Type().Bits()), nil
	case value.Kind() == reflect.String:
		return appendString(dst, []byte(value.String())), nil
	default:
		return appendMarshalled(dst, v)
	}
}

func appendPointer(dst []byte, p reflect.Value) ([]byte, error) {
	t := p.Type()
	if p.IsNil() {
		return append(dst, "null"...), nil
	}
	if marshalsItself(t) && t.Elem() != reflect.TypeFor[time.Time]() {
		return appendMarshalled(dst, p.Interface())
	}
	return appendAny(dst, p.Elem().Interface())
}

func marshalsItself(t reflect.Type) bool {
	return t.Implements(jsonMarshaler) || t.Implements(textMarshaler)
}

// kindOf returns the word of resource_schema for what appendAny makes of the type.
func kindOf(t reflect.Type) resource.Kind {
	for t.Kind() == reflect.Pointer && !marshalsItself(t) {
		t = t.Elem()
	}
	zero := reflect.Zero(t)
	switch {
	case t == reflect.TypeFor[time.Time]() || t == reflect.TypeFor[*time.Time]():
		return resource.TimestampTZ
	case t.Implements(jsonMarshaler):
		return resource.JSON
	case t.Implements(textMarshaler) || t.Kind() == reflect.String:
		return resource.Text
	case t.Kind() == reflect.Bool:
		return resource.Boolean
	case zero.CanInt() && t.Bits() <= 32 || zero.CanUint() && t.Bits() <= 16:
		return resource.Integer
	case zero.CanInt() || zero.CanUint():
		return resource.BigInt
	case zero.CanFloat():
		return resource.Double
	case t == reflect.TypeFor[[]byte]():
		return resource.Bytea
	default:
		return resource.JSON
	}
}

func appendUint(dst []byte, v uint64) []byte {
	if v <= maxSafe {
		return strconv.AppendUint(dst, v, 10)
	}
	dst = strconv.AppendUint(append(dst, '"'), v, 10)
	return append(dst, '"')
}

func appendMarshalled(dst []byte, v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return dst, err
	}
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...), nil
}
