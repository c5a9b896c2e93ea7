package schema_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/tenantry/tenantry/schema"
)

type (
	gatedInside struct {
		Secret string `json:"secret" gate:"requires(admin)"`
	}
	wire      interface{ isWire() }
	byPointer struct{ IBAN string }
	byValue   struct{ IBAN string }
	knot      struct {
		Name   string
		Kids   []*knot
		Up     *knot `json:"-"`
		parent *knot
	}
	selfWritten struct{ inner map[string]gatedInside }
)

func (*byPointer) isWire() {}
func (byValue) isWire()    {}

func (selfWritten) MarshalJSON() ([]byte, error) { return []byte(`"own"`), nil }

func wires(way func(gates ...schema.Gate) schema.VariantDef) schema.Option {
	return schema.Union[wire]("kind", way(schema.Gate{Pred: "requires", Arg: "admin"}))
}

// However a gated variant is declared, and whether or not this plan uses its union, it does not leave by an any.
func TestGatedVariantsInsideAnAny(t *testing.T) {
	t.Parallel()
	type body struct {
		Any any `json:"any"`
	}
	for name, tt := range map[string]struct {
		option schema.Option
		values []any
	}{
		"methods of the pointer": {wires(func(g ...schema.Gate) schema.VariantDef { return schema.Variant[byPointer]("x", g...) }), []any{byPointer{"S"}, &byPointer{"S"}, []byPointer{{"S"}}}},
		"the pointer":            {wires(func(g ...schema.Gate) schema.VariantDef { return schema.Variant[*byValue]("x", g...) }), []any{byValue{"S"}, &byValue{"S"}, map[string]byValue{"a": {"S"}}}},
		"methods of the value":   {wires(func(g ...schema.Gate) schema.VariantDef { return schema.Variant[byValue]("x", g...) }), []any{byValue{"S"}, struct{ W wire }{byValue{"S"}}}},
	} {
		v := viewOf(t, planOf[body](t, schema.Output, tt.option))
		for _, value := range tt.values {
			if raw, err := v.Project(body{value}); err == nil {
				t.Errorf("%s: %T left: %s", name, value, raw)
			}
		}
	}
}

// What is looked at is what encoding/json would write: no further, nothing twice, and all of it.
func TestLookInsideAnAny(t *testing.T) {
	t.Parallel()
	type body struct {
		Any any `json:"any"`
	}
	v := viewOf(t, planOf[body](t, schema.Output))
	root := &knot{Name: "root"}
	for range 8 {
		kid := &knot{Name: "kid", Up: root, parent: root}
		kid.Kids = []*knot{{Name: "leaf", Up: kid, parent: kid}, {Name: "leaf", Up: root, parent: kid}}
		root.Kids = append(root.Kids, kid)
	}
	ring := map[string]any{}
	ring["a"], ring["b"] = ring, ring
	deep := any(gatedInside{"S"})
	for range 300 {
		deep = []any{deep}
	}
	for name, tt := range map[string]struct {
		value any
		good  bool
	}{
		"a tree with its parents": {root, true},
		"JSON of its own":         {selfWritten{map[string]gatedInside{"a": {}}}, true},
		"a time":                  {time.Now(), true},
		"hidden from JSON":        {struct{ inner gatedInside }{}, true},
		"left away": {struct {
			A gatedInside `json:"-"`
		}{}, true},
		"an absent Opt": {struct {
			A schema.Opt[gatedInside] `json:"a,omitzero"`
		}{}, true},
		"an Opt":          {schema.Some(gatedInside{"S"}), false},
		"a map in a ring": {ring, false},
		"deep":            {deep, false},
	} {
		if raw, err := v.Project(body{tt.value}); (err == nil) != tt.good || strings.Contains(string(raw), `"S"`) {
			t.Errorf("%s: %s %v", name, raw, err)
		}
	}
	columns, err := schema.FromColumns("t", []schema.Column{{Name: "meta", Type: "jsonb", Nullable: true}}, schema.Output)
	if err != nil {
		t.Fatal(err)
	}
	if raw, err := viewOf(t, columns).Project(map[string]any{"meta": gatedInside{"S"}}); err == nil {
		t.Errorf("a column: %s", raw)
	}
	type filled struct {
		Any any `json:"any" mcp:"defaultFor=x"`
	}
	raw, err := inputOf[filled](t).JSON(t.Context(), schema.Full, func(context.Context, string) (any, bool, error) { return gatedInside{"S"}, true, nil })
	if err == nil || strings.Contains(string(raw), "secret") || !json.Valid(raw) {
		t.Errorf("a default: %s %v", raw, err)
	}
}
