package schema_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/schema"
)

// private is an enum of which a caller without any gate sees no value.
type private string

func (private) EnumValues() []private { return []private{"x", "y"} }

func (private) EnumGates() []schema.ValueGate {
	g := schema.Gate{Pred: "requires", Arg: "admin"}
	return []schema.ValueGate{schema.EnumGate("x", g), schema.EnumGate("y", g)}
}

type (
	innermost struct {
		Secret string `json:"secret" mcp:"optional" gate:"requires(admin)"`
	}
	middle struct {
		Inner innermost `json:"inner"`
	}
	outermost struct {
		Middle middle `json:"middle"`
	}
	bareShape struct {
		Secret *string `json:"secret" gate:"requires(admin)"`
	}
	sealedShape struct {
		Inner innermost `json:"inner"`
	}
	openShape struct {
		N int `json:"n"`
	}
)

func (sealedShape) isOutline() {}
func (bareShape) isOutline()   {}
func (openShape) isOutline()   {}

// members are the names of the properties that are left.
func members(t *testing.T, v *schema.View) []string {
	t.Helper()
	return keys(t, keyword(t, emitted(t, v), "properties"))
}

// What has no value left is no member any more, however deep the last one was.
func TestMembersWithoutAnyValue(t *testing.T) {
	t.Parallel()
	type body struct {
		Enum  *private        `json:"enum"`
		Enums []private       `json:"enums" mcp:"optional"`
		Deep  *outermost      `json:"deep"`
		Deeps []outermost     `json:"deeps" mcp:"optional"`
		Keys  map[private]int `json:"keys" mcp:"optional"`
		Open  int             `json:"open"`
		Other map[string]int  `json:"other" mcp:"optional"`
	}
	p := planOf[body](t, schema.Input)
	low := viewOf(t, p)
	if got := members(t, low); !slices.Equal(got, []string{"open", "other"}) {
		t.Errorf("left are %q", got)
	}
	for _, name := range []string{"enum", "enums", "deep", "deeps", "keys"} {
		wantCodes[body](t, low, `{"open":1,"`+name+`":null}`, "unknown /"+name)
	}
	if got := members(t, viewOf(t, p, "requires(admin)")); len(got) != 7 {
		t.Errorf("with the gate there are %q", got)
	}
	out := viewOf(t, planOf[body](t, schema.Output))
	if got := members(t, out); !slices.Equal(got, []string{"open", "other"}) {
		t.Errorf("of a result are left %q", got)
	}
}

// A variant of which every declared field is hidden is none of the choices, as its discriminator alone says
// nothing. One that declares none is.
func TestVariantsWithoutAnyField(t *testing.T) {
	t.Parallel()
	type body struct {
		S outline `json:"s"`
	}
	variants := schema.Union[outline]("kind", schema.Variant[bareShape]("bare"), schema.Variant[openShape]("open"))
	in, out := planOf[body](t, schema.Input, variants), planOf[body](t, schema.Output, variants)
	low := viewOf(t, in)
	if raw := emitted(t, low); strings.Contains(raw, "bare") {
		t.Error(raw)
	}
	wantCodes[body](t, low, `{"s":{"kind":"bare"}}`, "enum /s/kind")
	wantCodes[body](t, viewOf(t, in, "requires(admin)"), `{"s":{"kind":"bare"}}`)
	if raw, err := viewOf(t, out).Project(body{bareShape{}}); err == nil {
		t.Errorf("a hidden variant left: %s", raw)
	}
}

// A variant that nobody could send is none of the choices.
func TestVariantsWithoutAnyValue(t *testing.T) {
	t.Parallel()
	type body struct {
		S outline `json:"s"`
	}
	variants := schema.Union[outline]("kind", schema.Variant[sealedShape]("sealed"), schema.Variant[openShape]("open"))
	p := planOf[body](t, schema.Input, variants)
	low := viewOf(t, p)
	if raw := emitted(t, low); strings.Contains(raw, "sealed") || !strings.Contains(raw, `"open"`) {
		t.Error(raw)
	}
	wantCodes[body](t, low, `{"s":{"kind":"sealed"}}`, "enum /s/kind")
	for _, e := range refused[body](t, low, `{"s":{}}`) {
		if strings.Contains(e.Error(), "sealed") {
			t.Errorf("a mistake names it: %v", e)
		}
	}
	wantCodes[body](t, viewOf(t, p, "requires(admin)"), `{"s":{"kind":"sealed","inner":{"secret":"x"}}}`)
	only := schema.Union[outline]("kind", schema.Variant[sealedShape]("sealed"))
	type beside struct {
		S *outline `json:"s"`
		N int      `json:"n"`
	}
	if got := members(t, inputOf[beside](t, only)); !slices.Equal(got, []string{"n"}) {
		t.Errorf("a union without variants is left: %q", got)
	}
}

// A union of which one variant is left is written as that variant, and takes null as it did.
func TestLastVariantMayBeNull(t *testing.T) {
	t.Parallel()
	type body struct {
		S *outline `json:"s" mcp:"nullable"`
		T outline  `json:"t"`
	}
	p := planOf[body](t, schema.Input, schema.Inline(), schema.Union[outline]("kind",
		schema.Variant[circle]("circle", schema.Gate{Pred: "requires", Arg: "admin"}), schema.Variant[openShape]("open")))
	low := viewOf(t, p)
	const shape = `{"type":"object","properties":{"kind":{"type":"string","const":"open"},"n":{"type":"integer"}},"required":["kind","n"],"additionalProperties":false}`
	same(t, `{"anyOf":[`+shape+`,{"type":"null"}]}`, property(t, low, "s"))
	same(t, shape, property(t, low, "t"))
	wantCodes[body](t, low, `{"s":null,"t":{"kind":"open","n":1}}`)
	wantCodes[body](t, low, `{"s":null,"t":null}`, "null /t")
}

// What needs a hidden member through others goes with it, in whatever order they are declared.
func TestNeedsOfNeeds(t *testing.T) {
	t.Parallel()
	type down struct {
		A *int `json:"a" mcp:"needs=b"`
		B *int `json:"b" mcp:"needs=c"`
		C *int `json:"c" mcp:"needs=d"`
		D *int `json:"d" gate:"requires(admin)"`
		E *int `json:"e"`
	}
	type up struct {
		D *int `json:"d" gate:"requires(admin)"`
		C *int `json:"c" mcp:"needs=d"`
		B *int `json:"b" mcp:"needs=c"`
		A *int `json:"a" mcp:"needs=b"`
		E *int `json:"e"`
	}
	for name, v := range map[string]*schema.View{"down": inputOf[down](t), "up": inputOf[up](t)} {
		if got := members(t, v); !slices.Equal(got, []string{"e"}) {
			t.Errorf("%s: left are %q", name, got)
		}
	}
	wantCodes[down](t, inputOf[down](t), `{"a":1}`, "unknown /a")
}

// A default of a caller's own makes good JSON in every profile, whatever stands before and behind it.
func TestPlacesOfDynamicDefaults(t *testing.T) {
	t.Parallel()
	type body struct {
		Bare    any    `json:"bare" mcp:"defaultFor=d"`
		Old     any    `json:"old" mcp:"defaultFor=d;deprecated"`
		Shown   any    `json:"shown" mcp:"defaultFor=d;example=1"`
		Written string `json:"written" mcp:"defaultFor=d;writeOnly;example=x"`
	}
	v := inputOf[body](t)
	found := func(context.Context, string) (any, bool, error) { return "d", true, nil }
	crash := func(context.Context, string) (any, bool, error) { panic("of the host") }
	fails := func(context.Context, string) (any, bool, error) { return nil, false, errors.New("of the host") }
	for _, pf := range []schema.Profile{schema.Full, schema.Strict} {
		for name, def := range map[string]schema.Defaults{"found": found, "none": nil, "crash": crash, "fails": fails} {
			raw, err := v.JSON(t.Context(), pf, def)
			if !json.Valid(raw) {
				t.Errorf("%s, %d: not JSON: %s", name, pf, raw)
			}
			if (err != nil) != (name == "crash" || name == "fails") {
				t.Errorf("%s, %d: %v", name, pf, err)
			}
			if got := strings.Count(string(raw), `"default":"d"`); name == "found" && got != 4 || name != "found" && got != 0 {
				t.Errorf("%s, %d: %d defaults: %s", name, pf, got, raw)
			}
		}
	}
	same(t, `{"default":"d"}`, keyword(t, emittedWith(t, v, schema.Strict, found), "properties", "old"))
}
