package schema_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/tenantry/tenantry/schema"
)

// Documented describes itself.
type Documented struct {
	A string `json:"a"`
}

func (Documented) SchemaDescription() string { return "What its type says." }

type (
	Inner struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
	}
	Middle struct {
		Inner
		Name int `json:"name"`
	}
)

func TestForms(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, want string
		view       func(*testing.T) *schema.View
	}{
		{
			"integers of each size", `{"a":{"type":"integer"},"b":{"type":"integer"},"c":{"type":"integer","minimum":-32768,"maximum":32767},"d":{"type":"integer","minimum":-2147483648,"maximum":2147483647},"e":{"type":"integer","minimum":0},"f":{"type":"integer","minimum":0},"g":{"type":"integer","minimum":0,"maximum":255},"h":{"type":"integer","minimum":0,"maximum":65535},"i":{"type":"integer","minimum":0,"maximum":4294967295}}`,
			formOf[struct {
				A int    `json:"a"`
				B int64  `json:"b"`
				C int16  `json:"c"`
				D int32  `json:"d"`
				E uint   `json:"e"`
				F uint64 `json:"f"`
				G uint8  `json:"g"`
				H uint16 `json:"h"`
				I uint32 `json:"i"`
			}],
		},
		{
			"other scalars", `{"a":{"type":"number"},"b":{"type":"boolean"},"c":{"type":"string","pattern":"^-?[0-9]+(\\.[0-9]+)?$"},"d":{"type":"string","format":"date"},"e":{"type":"string","pattern":"^-?[0-9]+$"}}`,
			formOf[struct {
				A float32        `json:"a"`
				B bool           `json:"b"`
				C schema.Decimal `json:"c"`
				D schema.Date    `json:"d"`
				E int64          `json:"e" mcp:"as=string"`
			}],
		},
		{"enums of a type keep their order", `{"a":{"type":"integer","enum":[-1,0,7]}}`, formOf[struct {
			A Small `json:"a"`
		}]},
		{"names are taken as they are", `{"a.b":{"type":"string"},"Plain":{"type":"integer"}}`, formOf[struct {
			A     string `json:"a.b"`
			Plain int
			Gone  func() `json:"-"`
		}]},
		{"embedded fields are promoted, and the outer one wins", `{"id":{"type":"integer"},"name":{"type":"integer"}}`, formOf[Middle]},
		{"an embedded struct with a name is a field", `{"inner":{"type":"object","properties":{"id":{"type":"integer"},"name":{"type":"string"}},"required":["id","name"],"additionalProperties":false}}`, formOf[struct {
			Inner `json:"inner"`
		}]},
		{"notes", `{"a":{"type":"string","title":"T","description":"D; it's so","examples":["x","y"],"deprecated":true}}`, formOf[struct {
			A string `json:"a" mcp:"example=x;title=T;example=y;deprecated" desc:"D; it's so"`
		}]},
		{"the text of the field wins", `{"a":{"type":"object","description":"What its field says.","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}}`, formOf[struct {
			A Documented `json:"a" desc:"What its field says."`
		}]},
		{"the text of the type", `{"a":{"type":"object","description":"What its type says.","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}}`, formOf[struct {
			A Documented `json:"a"`
		}]},
		{"constraints nest", `{"a":{"type":"array","items":{"type":"array","minItems":1,"items":{"type":"string","maxLength":3}}},"b":{"type":"object","additionalProperties":{"type":"array","items":{"type":"integer","minimum":1}}}}`, formOf[struct {
			A [][]string       `json:"a" mcp:"items.min=1;items.items.max=3"`
			B map[string][]int `json:"b" mcp:"values.items.min=1"`
		}]},
		{"len and nonempty", `{"a":{"type":"string","minLength":2,"maxLength":2},"b":{"type":"array","minItems":1,"items":{"type":"integer"}}}`, formOf[struct {
			A string `json:"a" mcp:"len=2"`
			B []int  `json:"b" mcp:"nonempty"`
		}]},
		{"typed enums and constants", `{"a":{"type":"integer","enum":[1,2]},"b":{"type":"number","const":1.50},"c":{"type":"string","enum":["1","2"]},"d":{"type":"string","const":"a b"}}`, formOf[struct {
			A int     `json:"a" mcp:"enum=1|2"`
			B float64 `json:"b" mcp:"const=1.50"`
			C string  `json:"c" mcp:"enum=1|2"`
			D string  `json:"d" mcp:"const='a b'"`
		}]},
		{"a quote within quotes", `{"a":{"type":"string","const":"it's; so"}}`, formOf[struct {
			A string `json:"a" mcp:"const='it''s; so'"`
		}]},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			text := emitted(t, tt.view(t))
			same(t, tt.want, keyword(t, text, "properties"))
			referenceTo(t, text)
		})
	}
}

func formOf[T any](t *testing.T) *schema.View { return inputOf[T](t) }

func TestOpenObjects(t *testing.T) {
	t.Parallel()
	type open struct {
		ID   int            `json:"id"`
		Note *string        `json:"note" gate:"requires(admin)"`
		Rest map[string]any `mcp:"rest"`
	}
	v := inputOf[open](t)
	got := decoded[open](t, v, `{"id":1,"x":{"y":[1]},"note":"hidden"}`)
	if len(got.Rest) != 2 || got.Note != nil || got.ID != 1 {
		t.Errorf("decoded %+v", got)
	}
	wantCodes[open](t, v, `{"x":1}`, "missing /id")
	if err := referenceTo(t, emittedWith(t, v, schema.Strict, nil)).refuses(t, `{"id":1,"x":2}`); err != nil {
		t.Errorf("closed by the strict profile: %v", err)
	}
}

func TestRecursiveTypes(t *testing.T) {
	t.Parallel()
	type holder struct {
		Tree Tree `json:"tree"`
	}
	for name, opts := range map[string][]schema.Option{"hoisted": nil, "inline": {schema.Inline()}} {
		text := emitted(t, inputOf[holder](t, opts...))
		ref := referenceTo(t, text)
		if ref.refuses(t, `{"tree":{"kids":[{"kids":[]}]}}`) != nil || ref.refuses(t, `{"tree":{"kids":[{"kids":1}]}}`) == nil {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// A type whose second use is hidden is used once.
func TestDefinitionsAreCountedInWhatIsVisible(t *testing.T) {
	t.Parallel()
	type body struct {
		Home Addr  `json:"home"`
		Work *Addr `json:"work" gate:"requires(admin)"`
	}
	p := planOf[body](t, schema.Input)
	same(t, ``, keyword(t, emitted(t, viewOf(t, p)), "$defs"))
	same(t, `{"$ref":"#/$defs/Addr"}`, property(t, viewOf(t, p, "requires(admin)"), "home"))
	inlined := viewOf(t, planOf[body](t, schema.Input, schema.Inline()), "requires(admin)")
	same(t, ``, keyword(t, emitted(t, inlined), "$defs"))
}

// Range checks itself once its fields are good.
type Range struct {
	From int `json:"from"`
	To   int `json:"to"`
}

func (r Range) Validate(context.Context) error {
	switch {
	case r.From < 0:
		return errors.New("from is below 0")
	case r.To < r.From:
		return schema.Errors{{Path: "/to", Code: schema.TooSmall, Msg: "to is before from"}}
	}
	return nil
}

func TestTypesThatValidateThemselves(t *testing.T) {
	t.Parallel()
	type body struct {
		Range Range   `json:"range"`
		More  []Range `json:"more" mcp:"optional"`
	}
	v := inputOf[body](t)
	wantCodes[body](t, v, `{"range":{"from":1,"to":2}}`)
	wantCodes[body](t, v, `{"range":{"from":3,"to":2}}`, "min /range/to")
	wantCodes[body](t, v, `{"range":{"from":-1,"to":2}}`, "custom /range")
	wantCodes[body](t, v, `{"range":{"from":1,"to":2},"more":[{"from":1,"to":2},{"from":2,"to":1}]}`, "min /more/1/to")
	wantCodes[body](t, v, `{"range":{"from":3,"to":"x"}}`, "type /range/to")
}

func TestFormatsOfTheHost(t *testing.T) {
	t.Parallel()
	type body struct {
		SKU string `json:"sku" mcp:"format=sku"`
	}
	v := inputOf[body](t, schema.Format("sku", func(s string) bool { return len(s) == 3 }))
	same(t, `{"type":"string","format":"sku"}`, property(t, v, "sku"))
	wantCodes[body](t, v, `{"sku":"abc"}`)
	wantCodes[body](t, v, `{"sku":"ab"}`, "format /sku")
	wantMistake[body](t, "body.SKU", "sku")
}

func TestFormats(t *testing.T) {
	t.Parallel()
	for name, values := range samples {
		check, ok := formats[name]
		if !ok {
			continue
		}
		typ := fieldOf[*string](`json:"f" mcp:"format=` + name + `"`)
		p, err := schema.ForType(typ, schema.Input)
		if err != nil {
			t.Fatal(err)
		}
		v := viewOf(t, p)
		for _, value := range append(values, "", "\n", values[0]+"\n", " "+values[0], values[0]+"\x7f") {
			err := v.Decode(t.Context(), []byte(`{"must":1,"f":`+quote(value)+`}`), reflect.New(typ).Interface(), nil)
			if errs := mistakes(t, err); (errs == nil) != check(value) {
				t.Errorf("%s: %q: %v", name, value, errs)
			}
		}
	}
}
