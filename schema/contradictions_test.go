package schema_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/schema"
)

// fieldOf is a struct of one field with these tags, beside a required and an optional one.
func fieldOf[T any](tag string) reflect.Type {
	return reflect.StructOf([]reflect.StructField{
		{Name: "Field", Type: reflect.TypeFor[T](), Tag: reflect.StructTag(tag)},
		{Name: "Must", Type: reflect.TypeFor[int](), Tag: `json:"must"`},
		{Name: "May", Type: reflect.TypeFor[*int](), Tag: `json:"may"`},
	})
}

func TestContradictionsAreMistakes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		typ  reflect.Type
		hint string
	}{
		{"an unknown key", fieldOf[int](`mcp:"minimum=1"`), "min"},
		{"a key of another letter case", fieldOf[int](`mcp:"Min=1"`), "min"},
		{"a misspelt key", fieldOf[string](`mcp:"patern=a"`), "pattern"},
		{"an unknown key of elements", fieldOf[[]string](`mcp:"items.fromat=email"`), "format"},
		{"a key twice", fieldOf[int](`mcp:"min=1;min=1"`), "min"},
		{"min above max", fieldOf[int](`mcp:"min=3;max=2"`), ""},
		{"min length above max length", fieldOf[string](`mcp:"min=3;max=2"`), ""},
		{"min items above max items", fieldOf[[]int](`mcp:"min=3;max=2"`), ""},
		{"exclusive bounds without a number between", fieldOf[float64](`mcp:"xmin=3;xmax=3"`), ""},
		{"min beside len", fieldOf[string](`mcp:"min=1;len=3"`), "len"},
		{"len before max", fieldOf[string](`mcp:"len=3;max=9"`), "len"},
		{"nonempty before min", fieldOf[[]int](`mcp:"nonempty;min=0"`), "nonempty"},
		{"nonempty behind min", fieldOf[[]int](`mcp:"min=0;nonempty"`), "nonempty"},
		{"nonempty beside len", fieldOf[map[string]int](`mcp:"nonempty;len=2"`), "nonempty"},
		{"min beside len of elements", fieldOf[[]string](`mcp:"min=1;items.min=1;items.len=3"`), "items.len"},
		{"nonempty above max", fieldOf[string](`mcp:"nonempty;max=0"`), ""},
		{"min above the most under a pattern", fieldOf[string](`mcp:"min=5000;pattern=a"`), "4096"},
		{"a field that goes no way", fieldOf[*int](`mcp:"readOnly;writeOnly"`), ""},
		{"a pointer to any", fieldOf[*any](``), "nullable"},
		{"a pointer to JSON", fieldOf[*json.RawMessage](``), "nullable"},
		{"any that may be absent", fieldOf[schema.Opt[any]](``), "nullable"},
		{"pointers to any", fieldOf[[]*any](``), "any"},
		{"a media type of a number", fieldOf[int](`mcp:"mediaType=text/plain"`), "mediaType"},
		{"rest with a bound", fieldOf[map[string]any](`mcp:"rest;max=5"`), "rest"},
		{"rest with a rule for keys", fieldOf[map[string]any](`mcp:"rest;keys.pattern=a"`), "rest"},
		{"rest with a description", fieldOf[map[string]any](`mcp:"rest" desc:"What else."`), "rest"},
		{"a negative length", fieldOf[string](`mcp:"min=-1"`), ""},
		{"a fraction of a length", fieldOf[string](`mcp:"max=1.5"`), ""},
		{"no number", fieldOf[int](`mcp:"max=ten"`), ""},
		{"an empty bound", fieldOf[int](`mcp:"max="`), ""},
		{"a bound without a value", fieldOf[int](`mcp:"max"`), ""},
		{"a flag with a value", fieldOf[[]int](`mcp:"unique=yes"`), ""},
		{"a step of zero", fieldOf[int](`mcp:"step=0"`), ""},
		{"a step below zero", fieldOf[int](`mcp:"step=-2"`), ""},
		{"a step of a string", fieldOf[string](`mcp:"step=2"`), ""},
		{"unique of a string", fieldOf[string](`mcp:"unique"`), ""},
		{"a pattern of a number", fieldOf[int](`mcp:"pattern=a"`), ""},
		{"a pattern of a bool", fieldOf[bool](`mcp:"pattern=a"`), ""},
		{"a format of a number", fieldOf[int](`mcp:"format=email"`), ""},
		{"a bound of any", fieldOf[any](`mcp:"min=1"`), ""},
		{"a bound of an object", fieldOf[Addr](`mcp:"min=1"`), ""},
		{"an unknown format", fieldOf[string](`mcp:"format=emial"`), "email"},
		{"elements of a string", fieldOf[string](`mcp:"items.min=1"`), ""},
		{"values of a slice", fieldOf[[]int](`mcp:"values.min=1"`), ""},
		{"keys of a slice", fieldOf[[]int](`mcp:"keys.min=1"`), ""},
		{"an empty enum", fieldOf[string](`mcp:"enum="`), ""},
		{"a value twice in an enum", fieldOf[string](`mcp:"enum=a|b|a"`), ""},
		{"an equal value twice in an enum", fieldOf[float64](`mcp:"enum=1|1.0"`), ""},
		{"an enum of another type", fieldOf[int](`mcp:"enum=a|b"`), ""},
		{"a const outside the enum", fieldOf[string](`mcp:"enum=a|b;const=c"`), ""},
		{"a const of another type", fieldOf[bool](`mcp:"const=1"`), ""},
		{"a default of another type", fieldOf[bool](`mcp:"default=1"`), ""},
		{"a default that is too long", fieldOf[string](`mcp:"max=2;default=abc"`), ""},
		{"a default without the pattern", fieldOf[string](`mcp:"pattern=b;default=a"`), ""},
		{"a default outside the enum", fieldOf[string](`mcp:"enum=a|b;default=c"`), ""},
		{"a default out of the range of the type", fieldOf[int8](`mcp:"default=128"`), ""},
		{"a default off the step", fieldOf[int](`mcp:"step=2;default=3"`), ""},
		{"a default of an enum type", fieldOf[Level](`mcp:"default=none"`), ""},
		{"an example that is too small", fieldOf[int](`mcp:"min=2;example=1"`), ""},
		{"a format that the default lacks", fieldOf[string](`mcp:"format=email;default=me"`), ""},
		{"required with a default", fieldOf[int](`mcp:"required;default=1"`), ""},
		{"required and optional", fieldOf[int](`mcp:"required;optional"`), ""},
		{"required with a field that is always there", fieldOf[*int](`mcp:"requiredWith=must"`), "required"},
		{"required with itself", fieldOf[*int](`json:"self" mcp:"requiredWith=self"`), ""},
		{"needs an unknown field", fieldOf[*int](`mcp:"needs=mai"`), "may"},
		{"a gate on a required field", fieldOf[int](`gate:"requires(admin)"`), ""},
		{"a gate on a present field", fieldOf[*int](`gate:"requires(admin)" mcp:"present;nullable"`), ""},
		{"a malformed gate", fieldOf[*int](`gate:"requires"`), ""},
		{"an upper case gate", fieldOf[*int](`gate:"Requires(admin)"`), ""},
		{"an open quote", fieldOf[string](`mcp:"pattern='a"`), ""},
		{"words behind a quote", fieldOf[string](`mcp:"pattern='a'b"`), ""},
		{"a pattern of another language", fieldOf[string](`mcp:"pattern='(?i)a'"`), ""},
		{"a pattern with a back reference", fieldOf[string](`mcp:"pattern='(a)\\1'"`), ""},
		{"a pattern with a class of POSIX", fieldOf[string](`mcp:"pattern='[[:alpha:]]'"`), ""},
		{"a pattern with a named group", fieldOf[string](`mcp:"pattern='(?P<a>b)'"`), ""},
		{"a pattern with a text anchor", fieldOf[string](`mcp:"pattern='\\Aa'"`), ""},
		{"a pattern with another anchor", fieldOf[string](`mcp:"pattern='a\\z'"`), ""},
		{"a possessive pattern", fieldOf[string](`mcp:"pattern='a++'"`), ""},
		{"an open group", fieldOf[string](`mcp:"pattern='(a'"`), ""},
		{"a long pattern", fieldOf[string](`mcp:"pattern='` + strings.Repeat("a", 513) + `'"`), ""},
		{"a place that is a field", fieldOf[int](`mcp:"at=must.x"`), ""},
		{"an empty step of a place", fieldOf[int](`mcp:"at=a..b"`), ""},
		{"rest of another type", fieldOf[map[string]int](`mcp:"rest"`), ""},
		{"rest of a string", fieldOf[string](`mcp:"rest"`), ""},
		{"a name twice", fieldOf[int](`json:"must"`), ""},
		{"a json string option", fieldOf[int](`json:"n,string"`), ""},
		{"a func", fieldOf[func()](``), ""},
		{"a chan", fieldOf[chan int](``), ""},
		{"a complex number", fieldOf[complex128](``), ""},
		{"an interface without variants", fieldOf[method](``), ""},
		{"a slice of funcs", fieldOf[[]func()](``), ""},
		{"a map with other keys", fieldOf[map[int]string](``), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := schema.ForType(tt.typ, schema.Input)
			if err == nil {
				t.Fatalf("%s was built", tt.typ.Field(0).Tag)
			}
			if !strings.Contains(err.Error(), ".Field") && !strings.Contains(err.Error(), ".Must") {
				t.Errorf("no field is named: %v", err)
			}
			if !strings.Contains(err.Error(), tt.hint) {
				t.Errorf("%q is not named: %v", tt.hint, err)
			}
		})
	}
}

func TestEveryMistakeIsNamed(t *testing.T) {
	t.Parallel()
	type inner struct {
		Deep func() `json:"deep"`
	}
	type whole struct {
		A     int     `json:"a" mcp:"min=x"`
		B     string  `json:"b" mcp:"min=1;max=0"`
		C     bool    `json:"c" mcp:"min=1"`
		Inner []inner `json:"inner"`
	}
	wantMistake[whole](t, "whole.A", "whole.B", "whole.C", "inner.Deep")
}

func TestRootsOfInputs(t *testing.T) {
	t.Parallel()
	for name, typ := range map[string]reflect.Type{
		"a string": reflect.TypeFor[string](), "a slice": reflect.TypeFor[[]Addr](), "a map": reflect.TypeFor[map[string]int](), "any": reflect.TypeFor[any](),
		"a union": reflect.TypeFor[method](), "an enum": reflect.TypeFor[Level](), "a func": reflect.TypeFor[func()](),
	} {
		if _, err := schema.ForType(typ, schema.Input, schema.Union[method]("type", schema.Variant[Card]("card"))); err == nil {
			t.Errorf("%s was built", name)
		}
	}
}

func TestUnionsThatContradictThemselves(t *testing.T) {
	t.Parallel()
	for name, opt := range map[string]schema.Option{
		"a value twice":           schema.Union[method]("type", schema.Variant[Card]("a"), schema.Variant[Bank]("a")),
		"a property of that name": schema.Union[method]("last4", schema.Variant[Card]("a"), schema.Variant[Bank]("b")),
		"no variants":             schema.Union[method]("type"),
		"no discriminator":        schema.Union[method]("", schema.Variant[Card]("a")),
		"a value that is no name": schema.Union[method]("type", schema.Variant[Card](1.5)),
		"a type that is not one":  schema.Union[method]("type", schema.Variant[Addr]("a")),
	} {
		if _, err := schema.For[order](schema.Input, opt); err == nil {
			t.Errorf("%s was built", name)
		}
	}
}
