package schema_test

import (
	"reflect"
	"testing"

	"github.com/tenantry/tenantry/schema"
)

// Types of one name in one package: those that functions declare.
func lineOfText() reflect.Type {
	type Line struct {
		Text string `json:"text"`
	}
	return reflect.TypeFor[Line]()
}

func lineOfNumbers() reflect.Type {
	type Line struct {
		Number int `json:"number"`
	}
	return reflect.TypeFor[Line]()
}

func TestDefinitionsOfOneNameAreKeptApart(t *testing.T) {
	t.Parallel()
	field := func(name string, typ reflect.Type) reflect.StructField {
		return reflect.StructField{Name: name, Type: typ, Tag: reflect.StructTag(`json:"` + name + `"`)}
	}
	typ := reflect.StructOf([]reflect.StructField{field("A", lineOfText()), field("B", lineOfNumbers()), field("C", lineOfText()), field("D", lineOfNumbers())})
	p, err := schema.ForType(typ, schema.Input)
	if err != nil {
		t.Fatal(err)
	}
	text := emitted(t, viewOf(t, p))
	if got := len(keys(t, keyword(t, text, "$defs"))); got != 2 {
		t.Errorf("%d definitions: %s", got, text)
	}
	ref := referenceTo(t, text)
	if err := ref.refuses(t, `{"A":{"text":"x"},"B":{"number":1},"C":{"text":"x"},"D":{"number":1}}`); err != nil {
		t.Errorf("%v: %s", err, text)
	}
	if ref.refuses(t, `{"A":{"text":"x"},"B":{"text":"x"},"C":{"text":"x"},"D":{"number":1}}`) == nil {
		t.Errorf("the two are one: %s", text)
	}
}

// What is behind a reference may be null, described and deprecated where it is used.
func TestReferencesCarryWhatTheirFieldSays(t *testing.T) {
	t.Parallel()
	type body struct {
		Home  Addr   `json:"home" mcp:"title=T;deprecated" desc:"H"`
		Work  *Addr  `json:"work" mcp:"nullable" desc:"W"`
		Kind  Level  `json:"kind"`
		Other *Level `json:"other" mcp:"nullable"`
		Many  []Addr `json:"many" mcp:"min=1"`
	}
	v := viewOf(t, planOf[body](t, schema.Input), "tier(pro)")
	same(t, `{"$ref":"#/$defs/Addr","title":"T","description":"H","deprecated":true}`, property(t, v, "home"))
	same(t, `"W"`, keyword(t, property(t, v, "work"), "description"))
	same(t, `{"$ref":"#/$defs/Level"}`, property(t, v, "kind"))
	same(t, `{"type":"string","enum":["low","mid","high"]}`, keyword(t, emitted(t, v), "$defs", "Level"))
	same(t, `{"type":"array","minItems":1,"items":{"$ref":"#/$defs/Addr"}}`, property(t, v, "many"))
	ref := referenceTo(t, emitted(t, v))
	for raw, good := range map[string]bool{
		`{"home":{"city":"c"},"work":null,"kind":"low","other":null,"many":[{"city":"c"}]}`:  true,
		`{"home":{"city":"c"},"kind":"high","other":"mid","many":[{"city":"c"}]}`:            true,
		`{"home":null,"kind":"low","many":[{"city":"c"}]}`:                                   false,
		`{"home":{"city":"c"},"kind":"none","many":[{"city":"c"}]}`:                          false,
		`{"home":{"city":"c"},"kind":"low","other":"none","many":[{"city":"c"}]}`:            false,
		`{"home":{"city":"c"},"kind":"low","other":null,"many":[{"city":"c"},{"town":"t"}]}`: false,
	} {
		if errs := refused[body](t, v, raw); (errs == nil) != good {
			t.Errorf("%s: %v", raw, errs)
		}
		if err := ref.refuses(t, raw); (err == nil) != good {
			t.Errorf("the schema: %s: %v", raw, err)
		}
	}
}

// The strict profile has no keyword of these, at any depth.
func TestStrictProfileLeavesOut(t *testing.T) {
	t.Parallel()
	type inner struct {
		Text  string   `json:"text" mcp:"min=1;max=9;pattern=b;title=T;example=ab;deprecated"`
		Email *string  `json:"email" mcp:"format=email;requiredWith=rate"`
		Rate  *float64 `json:"rate" mcp:"min=0;xmax=5;step=0.5;default=1"`
		Bytes []byte   `json:"bytes" mcp:"optional"`
		Tags  []string `json:"tags" mcp:"min=2;max=5;unique"`
		Some  []string `json:"some" mcp:"min=1" desc:"S"`
		Kind  *Level   `json:"kind"`
		Yes   bool     `json:"yes" mcp:"const=true"`
		Out   *int     `json:"out" mcp:"writeOnly"`
	}
	type body struct {
		List []inner `json:"list"`
	}
	text := emittedWith(t, inputOf[body](t), schema.Strict, nil)
	same(t, `{"text":{"type":"string","pattern":"b"},"email":{"type":"string","format":"email"},"rate":{"type":"number","default":1},"bytes":{"type":"string"},`+
		`"tags":{"type":"array","items":{"type":"string"}},"some":{"type":"array","description":"S","minItems":1,"items":{"type":"string"}},`+
		`"kind":{"type":"string","enum":["low","mid"]},"yes":{"type":"boolean","const":true},"out":{"type":"integer"}}`,
		keyword(t, text, "properties", "list", "items", "properties"))
	same(t, `false`, keyword(t, text, "properties", "list", "items", "additionalProperties"))
	same(t, ``, keyword(t, text, "properties", "list", "items", "dependentRequired"))
}
