package schema

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/hashicorp/golang-lru/v2"

	"github.com/tenantry/tenantry/schema/internal/decimal"
	"github.com/tenantry/tenantry/schema/internal/match"
)

// builder builds one plan and gathers every mistake on the way.
type builder struct {
	direction Direction
	name      string
	inline    bool
	lenient   bool
	prefill   bool
	updates   bool // of columns
	steps     int  // of the patterns of one document

	formats   map[string]func(string) bool
	unions    map[reflect.Type]*union
	defs      []*def
	byType    map[reflect.Type]*def
	byVariant map[variantKey]*def
	gates     []Gate
	places    [][]int
	whole     []int

	later []func(*Plan) // checks for when every type is complete
	errs  []error
}

func newBuilder(d Direction, opts []Option) *builder {
	b := &builder{
		direction: d, steps: match.MaxSteps, formats: map[string]func(string) bool{},
		unions: map[reflect.Type]*union{}, byType: map[reflect.Type]*def{}, byVariant: map[variantKey]*def{},
	}
	for _, opt := range opts {
		opt(b)
	}
	return b
}

// mistake notes what is wrong with a place, such as Type.Field.
func (b *builder) mistake(where string, err error) {
	b.errs = append(b.errs, fmt.Errorf("schema: %s: %w", where, err))
}

func (b *builder) lookupFormat(name string) (func(string) bool, bool) {
	if f, ok := b.formats[name]; ok {
		return f, true
	}
	return match.Lookup(name)
}

// gate returns the number of a gate.
func (b *builder) gate(g Gate) int {
	i := slices.Index(b.gates, g)
	if i < 0 {
		i = len(b.gates)
		b.gates = append(b.gates, g)
	}
	return i
}

// place returns the number of a place behind gates, or -1 where there are none.
func (b *builder) place(gates []Gate) int {
	if len(gates) == 0 {
		return -1
	}
	numbers := make([]int, len(gates))
	for i, g := range gates {
		numbers[i] = b.gate(g)
	}
	b.places = append(b.places, numbers)
	return len(b.places) - 1
}

// define adds a type.
func (b *builder) define(d *def) *def {
	d.index = len(b.defs)
	b.defs = append(b.defs, d)
	return d
}

// plan ends the building.
func (b *builder) plan(name string, root *node) (*Plan, error) {
	views, err := lru.New[string, *entry](maxViews)
	if err != nil {
		return nil, err
	}
	p := &Plan{
		name: name, direction: b.direction, root: root, defs: b.defs, gates: b.gates, places: b.places, whole: b.whole,
		inline: b.inline, lenient: b.lenient, steps: b.steps, views: views,
	}
	p.gatedVariants = b.gatedVariants()
	p.findSteps()
	for _, check := range b.later {
		check(p)
	}
	if len(b.errs) > 0 {
		return nil, errors.Join(b.errs...)
	}
	return p, nil
}

// typeOf returns the node of a Go type, or nil after a mistake.
func (b *builder) typeOf(t reflect.Type, where string) *node {
	n := &node{size: -1, rules: rules{minLen: -1, maxLen: -1}}
	n.hold, n.typ = held(t)
	if hold, _ := held(n.typ); hold != holdValue {
		b.mistake(where, fmt.Errorf("%s is held twice: use one of *T, sql.Null[T] and schema.Opt[T]", t))
		return nil
	}
	if n.hold != holdValue && b.direction == Output && n.hold != holdOpt {
		n.null = true
	}
	mistakes := len(b.errs)
	if err := b.shape(n, where); err != nil {
		b.mistake(where, err)
	}
	if len(b.errs) > mistakes {
		return nil
	}
	b.checkMethods(n, where)
	b.describe(n, where)
	return n
}

// held returns what a Go value of the type stands in, and the type of what stands there.
func held(t reflect.Type) (holder, reflect.Type) {
	switch {
	case t.Kind() == reflect.Pointer:
		return holdPointer, t.Elem()
	case t.PkgPath() == "database/sql" && t.Kind() == reflect.Struct && t.NumField() == 2 && t.Field(0).Name == "V":
		return holdNull, t.Field(0).Type
	case t.Implements(optional):
		return holdOpt, reflect.Zero(t).Interface().(opt).inner()
	default:
		return holdValue, t
	}
}

func (b *builder) shape(n *node, where string) error {
	t := n.typ
	if special(n) {
		return nil
	}
	if isEnum(t) {
		return b.enumOf(n)
	}
	if t.Implements(textMarshaler) && reflect.PointerTo(t).Implements(textUnmarshaler) {
		n.kind, n.codec = kindString, codecText
		b.checkInText(n, where)
		return nil
	}
	if err := b.checkOwnJSON(n); err != nil {
		return err
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return b.arrayOf(n, where)
	case reflect.Map:
		return b.mapOf(n, where)
	case reflect.Struct:
		if t.PkgPath() == "database/sql" {
			return fmt.Errorf("%s has no plain JSON: use sql.Null[T]", t)
		}
		n.kind, n.codec, n.def = kindObject, codecStruct, b.structOf(t)
		return nil
	case reflect.Interface:
		return b.unionOf(n)
	default:
		return scalar(n)
	}
}

// special takes the types that JSON has a form of its own for.
func special(n *node) bool {
	switch n.typ {
	case typeTime:
		n.kind, n.codec, n.format, n.check = kindString, codecTime, "date-time", mustFormat("date-time")
	case typeDate:
		n.kind, n.codec, n.format, n.check = kindString, codecText, "date", mustFormat("date")
	case typeDecimal:
		n.kind, n.codec, n.pattern = kindString, codecString, decimalForm
	case typeNumber:
		n.kind, n.codec = kindNumber, codecNumberText
	case typeRaw:
		n.kind, n.codec = kindAny, codecRaw
	case typeAny:
		n.kind, n.codec = kindAny, codecAny
	default:
		if n.typ.Kind() != reflect.Slice || n.typ.Elem() != typeByte {
			return false
		}
		n.kind, n.codec, n.base64 = kindString, codecBytes, true
	}
	return true
}

func mustFormat(name string) func(string) bool {
	f, ok := match.Lookup(name)
	if !ok {
		panic("schema: there is no format " + name)
	}
	return f
}

func scalar(n *node) error {
	switch k := n.typ.Kind(); k {
	case reflect.String:
		n.kind, n.codec = kindString, codecString
	case reflect.Bool:
		n.kind, n.codec = kindBoolean, codecBool
	case reflect.Float32, reflect.Float64:
		n.kind, n.codec = kindNumber, codecFloat
	case reflect.Int, reflect.Int64:
		n.kind, n.codec = kindInteger, codecInt
	case reflect.Int8, reflect.Int16, reflect.Int32:
		n.kind, n.codec = kindInteger, codecInt
		n.min, n.max = exactly(-1<<(n.typ.Bits()-1)), exactly(1<<(n.typ.Bits()-1)-1)
	case reflect.Uint, reflect.Uint64:
		n.kind, n.codec = kindInteger, codecUint
		n.min = exactly(0)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		n.kind, n.codec = kindInteger, codecUint
		n.min, n.max = exactly(0), exactly(1<<n.typ.Bits()-1)
	default:
		return fmt.Errorf("%s has no JSON Schema: use a struct, a string, a number, a bool, a slice or a map of them", n.typ)
	}
	return nil
}

func exactly(n int64) *bound {
	raw := fmt.Sprint(n)
	return &bound{raw: raw, at: decimal.Parse(raw)}
}

func (b *builder) arrayOf(n *node, where string) error {
	n.kind, n.codec = kindArray, codecSlice
	if n.typ.Kind() == reflect.Array {
		n.codec, n.size = codecArray, n.typ.Len()
		n.minLen, n.maxLen = n.size, n.size
	}
	n.elem = b.typeOf(n.typ.Elem(), where)
	return inElement(n.elem)
}

func (b *builder) mapOf(n *node, where string) error {
	n.kind, n.codec = kindMap, codecMap
	if n.typ.Key().Kind() != reflect.String {
		return fmt.Errorf("the keys of %s are no strings: use map[string]T", n.typ)
	}
	n.keys = &node{kind: kindString, typ: n.typ.Key(), size: -1, rules: rules{minLen: -1, maxLen: -1}}
	if isEnum(n.typ.Key()) {
		if err := b.enumOf(n.keys); err != nil {
			return err
		}
	}
	n.elem = b.typeOf(n.typ.Elem(), where)
	return inElement(n.elem)
}

func inElement(n *node) error {
	if n != nil && n.hold == holdOpt {
		return errors.New("an element cannot be absent: use T, *T or sql.Null[T] in place of schema.Opt[T]")
	}
	return nil
}
