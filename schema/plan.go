package schema

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/hashicorp/golang-lru/v2"

	"github.com/tenantry/tenantry/schema/internal/match"
)

// Plan is what a type says, checked. It is immutable and safe for concurrent use.
type Plan struct {
	name      string // for errors of the setup
	direction Direction
	root      *node
	defs      []*def
	gates     []Gate  // distinct, in declared order
	places    [][]int // of each gated place, the gates
	whole     []int   // the gates of all of it
	inline    bool
	lenient   bool
	steps     int      // of the patterns of one document
	columns   []Column // of FromColumns

	gatedVariants []reflect.Type
	views         *lru.Cache[string, *entry]
}

// maxViews bounds how many views of a plan are kept. A view that is dropped is built again.
const maxViews = 256

// For returns the plan of a Go struct, or of an interface that Union gave variants if values go out. The
// error lists every mistake, each naming Type.Field.
func For[T any](d Direction, opts ...Option) (*Plan, error) {
	return ForType(reflect.TypeFor[T](), d, opts...)
}

// ForType is For with the type as a value.
func ForType(t reflect.Type, d Direction, opts ...Option) (*Plan, error) {
	b := newBuilder(d, opts)
	if t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct {
		b.mistake(t.String(), fmt.Errorf("the whole is never null: use %s in place of %s", t.Elem(), t))
		t = t.Elem()
	}
	root := b.typeOf(t, t.String())
	switch {
	case root == nil:
	case root.kind == kindObject && root.hold == holdValue:
	case root.kind == kindUnion && d == Output:
	default:
		b.mistake(t.String(), errors.New("the whole must be a struct, or a registered union if it goes out"))
	}
	name := t.String()
	if b.name != "" {
		name = b.name
	}
	return b.plan(name, root)
}

// Named is what errors call the plan in place of its Go type.
func Named(name string) Option { return func(b *builder) { b.name = name } }

// DefaultKeys returns the keys of defaultFor that the plan asks for, in order.
func (p *Plan) DefaultKeys() []string {
	var out []string
	for _, d := range p.defs {
		if d.object == nil {
			continue
		}
		for _, f := range d.object.fields {
			if f.defaultFor != "" && !slices.Contains(out, f.defaultFor) {
				out = append(out, f.defaultFor)
			}
		}
	}
	return out
}

// Gates returns the distinct gates of the plan in declared order, those of the whole first.
func (p *Plan) Gates() []Gate { return slices.Clone(p.gates) }

// gateAt names a place that a gate stands at: Type.Field, or the plan itself.
func (p *Plan) gateAt(g Gate) string {
	at := slices.Index(p.gates, g)
	guards := func(place int) bool { return place >= 0 && slices.Contains(p.places[place], at) }
	for _, d := range p.defs {
		if d.object == nil || slices.Contains(p.whole, at) {
			continue
		}
		for _, f := range d.object.fields {
			if guards(f.place) {
				return f.where
			}
			for n := range f.node.within() {
				if slices.ContainsFunc(n.enum, func(v enumValue) bool { return guards(v.place) }) ||
					slices.ContainsFunc(n.variants, func(v *variant) bool { return guards(v.place) }) {
					return f.where
				}
			}
		}
	}
	return p.name
}

// Option changes how a plan is built.
type Option func(*builder)

// Inline writes every type where it is used, for hosts that ignore what stands beside a $ref. A type within
// itself keeps its $ref.
func Inline() Option { return func(b *builder) { b.inline = true } }

// Lenient has Decode take what some clients send: a number as its exact text, "true" and "false", and JSON
// text where an object or an array is declared. The schema stays the same.
func Lenient() Option { return func(b *builder) { b.lenient = true } }

// PatternSteps lowers what the patterns of one document may cost, in instructions of a pattern times bytes of
// a text: at most about 0.1 microseconds each. The default is also the most, 4,000,000. A pattern for texts
// so long that they alone may cost more is an error of the plan.
func PatternSteps(most int) Option {
	return func(b *builder) {
		if most < 1 || most > match.MaxSteps {
			b.mistake("PatternSteps", fmt.Errorf("%d must be from 1 to %d", most, match.MaxSteps))
			return
		}
		b.steps = most
	}
}

// ToolGates puts gates around all of it: without them there is no View.
func ToolGates(gates ...Gate) Option {
	return func(b *builder) {
		for _, g := range gates {
			b.whole = append(b.whole, b.gate(g))
		}
	}
}

// Format adds a format that strings may have; it is asserted. A name that is there already is an error.
func Format(name string, check func(string) bool) Option {
	return func(b *builder) {
		if _, taken := b.lookupFormat(name); taken || name == "" || check == nil {
			b.mistake("Format", fmt.Errorf("%q needs a name of its own and a function", name))
			return
		}
		b.formats[name] = check
	}
}

// Form has required fields keep their defaults, which a person sees and may change. It is for elicitation.
func Form() Option { return func(b *builder) { b.prefill = true } }
