package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/tenantry/tenantry/schema/internal/decimal"
	"github.com/tenantry/tenantry/schema/internal/words"
)

// ValueGate puts gates before one value of an enum. A type lists them by the method EnumGates() []ValueGate
// beside EnumValues() []E, which lists the values in order.
type ValueGate struct {
	value any
	gates []Gate
}

// EnumGate returns the gates of one value of an enum.
func EnumGate(value any, gates ...Gate) ValueGate { return ValueGate{value: value, gates: gates} }

const enumMethod = "EnumValues"

// isEnum reports whether the type lists its values.
func isEnum(t reflect.Type) bool {
	m, ok := reflect.PointerTo(t).MethodByName(enumMethod)
	return ok && m.Type.NumIn() == 1 && m.Type.NumOut() == 1 && m.Type.Out(0).Kind() == reflect.Slice && m.Type.Out(0).Elem() == t
}

// enumOf reads the values of a type that lists them. The values belong to the type, the rest to the use.
func (b *builder) enumOf(n *node) error {
	if err := scalar(n); err != nil {
		return err
	}
	n.min, n.max = nil, nil
	values := reflect.New(n.typ).MethodByName(enumMethod).Call(nil)[0]
	for i := range values.Len() {
		l, text, err := scalarLiteral(values.Index(i))
		if err != nil {
			return err
		}
		n.enum = append(n.enum, enumValue{literal: l, text: text, place: -1})
	}
	if d := b.byType[n.typ]; d != nil {
		n.def = d
	} else {
		n.def = b.define(&def{name: n.typ.Name(), pkg: n.typ.PkgPath(), typ: n.typ, enum: true})
		b.byType[n.typ] = n.def
	}
	return errors.Join(checkEnum(n.enum), b.gateValues(n))
}

// checkEnum refuses an enum that has no value, or one twice.
func checkEnum(values []enumValue) error {
	if len(values) == 0 {
		return errors.New("an enum needs a value")
	}
	seen := map[string]bool{}
	for _, v := range values {
		if seen[v.key] {
			return fmt.Errorf("the enum has %s twice", v.raw)
		}
		seen[v.key] = true
	}
	return nil
}

// gateValues reads the gates of single values.
func (b *builder) gateValues(n *node) error {
	lister, ok := reflect.New(n.typ).Interface().(interface{ EnumGates() []ValueGate })
	if !ok {
		return nil
	}
	for _, g := range lister.EnumGates() {
		l, _, err := scalarLiteral(reflect.ValueOf(g.value))
		if err != nil {
			return err
		}
		i := indexOf(n.enum, l.key)
		switch {
		case i < 0:
			return fmt.Errorf("EnumGates names %s, which is none of EnumValues", l.raw)
		case n.enum[i].place >= 0:
			return fmt.Errorf("EnumGates names %s twice: list all of its gates together", l.raw)
		case len(g.gates) == 0:
			return fmt.Errorf("EnumGates names %s without a gate", l.raw)
		}
		n.enum[i].place = b.place(g.gates)
	}
	return nil
}

// indexOf returns the position of an equal value, or -1.
func indexOf(values []enumValue, key string) int {
	for i := range values {
		if values[i].key == key {
			return i
		}
	}
	return -1
}

// scalarLiteral returns the JSON of a string, number or boolean of Go, and how a message shows it.
func scalarLiteral(v reflect.Value) (l literal, text string, err error) {
	switch {
	case !v.IsValid():
		return l, "", errors.New("nil is no value")
	case v.Kind() == reflect.String:
		return stringLiteral(v.String()), v.String(), nil
	case v.Kind() == reflect.Bool, v.CanInt(), v.CanUint(), v.CanFloat():
		raw, err := json.Marshal(v.Interface())
		if err != nil {
			return l, "", err
		}
		return literal{raw: string(raw), key: scalarKey(string(raw))}, string(raw), nil
	default:
		return l, "", fmt.Errorf("%s is no string, number or bool", v.Type())
	}
}

func stringLiteral(s string) literal {
	raw := words.Quote(s)
	return literal{raw: raw, key: raw}
}

// scalarKey is the same for equal values: 1 and 1.0 are.
func scalarKey(raw string) string {
	if raw != "" && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9') {
		return decimal.Parse(raw).Text()
	}
	return raw
}
