package schema_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema"
)

// What a caller may not use leaves no trace: each pair has a type with a gate that is denied, and a twin of
// the same name that never declared what is behind it.
func TestHiddenCannotBeToldFromUnknown(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name        string
		gated, twin func() reflect.Type
		opts        func(twin bool) []schema.Option
		bodies      []string
	}{
		{"a field", gatedField, twinField, nil, fieldBodies},
		{"a nested field", gatedNested, twinNested, nil, nestedBodies},
		{"a use of a shared type", gatedUse, twinUse, nil, useBodies},
		{"a field placed in a parent", gatedPlace, twinPlace, nil, placeBodies},
		{"a dependency", gatedDependency, twinDependency, nil, dependencyBodies},
		{"an open object", gatedOpen, twinOpen, nil, openBodies},
		{"one variant of three", unionHolder, unionHolder, variants("bank"), variantBodies},
		{"two variants of three", unionHolder, unionHolder, variants("bank", "cash"), variantBodies},
		{"every variant of an optional field", optionalUnion, noUnion, variants("card", "bank", "cash"), variantBodies},
		{"an enum value", gatedEnum, twinEnum, inline, enumBodies},
		{"all enum values but one", gatedSingle, twinSingle, inline, enumBodies},
		{"an argument that lists fields", gatedColumns, twinColumns, inline, columnBodies},
	}
	for _, tt := range tests {
		for _, d := range []schema.Direction{schema.Input, schema.Output} {
			if d == schema.Output && strings.Contains(tt.name, "open object") {
				continue // is a mistake
			}
			t.Run(tt.name+[]string{", in", ", out"}[d], func(t *testing.T) {
				t.Parallel()
				opts := tt.opts
				if opts == nil {
					opts = func(bool) []schema.Option { return nil }
				}
				hidden := deniedView(t, tt.gated(), d, opts(false)...)
				never := deniedView(t, tt.twin(), d, opts(true)...)
				equalToTheCaller(t, hidden, never)
				if d == schema.Output {
					return
				}
				for _, raw := range tt.bodies {
					want := never.Decode(t.Context(), []byte(raw), reflect.New(tt.twin()).Interface(), nil)
					got := hidden.Decode(t.Context(), []byte(raw), reflect.New(tt.gated()).Interface(), nil)
					if diff := cmp.Diff(mistakes(t, want), mistakes(t, got)); diff != "" {
						t.Errorf("%s (-never +hidden):\n%s", raw, diff)
					}
				}
			})
		}
	}
}

func deniedView(t *testing.T, typ reflect.Type, d schema.Direction, opts ...schema.Option) *schema.View {
	t.Helper()
	p, err := schema.ForType(typ, d, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return viewOf(t, p)
}

func equalToTheCaller(t *testing.T, hidden, never *schema.View) {
	t.Helper()
	for _, pf := range []schema.Profile{schema.Full, schema.Strict} {
		if diff := cmp.Diff(emittedWith(t, never, pf, nil), emittedWith(t, hidden, pf, nil)); diff != "" {
			t.Errorf("profile %d (-never +hidden):\n%s", pf, diff)
		}
	}
	if diff := cmp.Diff(never.Columns(), hidden.Columns()); diff != "" {
		t.Errorf("columns (-never +hidden):\n%s", diff)
	}
}

// inline keeps the names of types, which differ, out of the schemas.
func inline(bool) []schema.Option { return []schema.Option{schema.Inline()} }

// Cash is a third way to pay.
type Cash struct {
	Coins *int `json:"coins"`
}

func (Cash) pay() {}

// variants are the ways to pay, of which some are denied, and for the twin were never there.
func variants(denied ...string) func(twin bool) []schema.Option {
	return func(twin bool) []schema.Option {
		var vs []schema.VariantDef
		add := func(name string, variant func(any, ...schema.Gate) schema.VariantDef) {
			if slices.Contains(denied, name) {
				if !twin {
					vs = append(vs, variant(name, schema.Gate{Pred: "requires", Arg: name}))
				}
				return
			}
			vs = append(vs, variant(name))
		}
		add("card", schema.Variant[Card])
		add("bank", schema.Variant[Bank])
		add("cash", schema.Variant[Cash])
		if len(vs) == 0 {
			return nil
		}
		return []schema.Option{schema.Union[method]("type", vs...)}
	}
}
