package elicit_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema"
	"github.com/tenantry/tenantry/schema/elicit"
)

func TestCheckSchemaTellsEveryMistake(t *testing.T) {
	t.Parallel()
	raw := asking(`"address":{"type":"object"},"id":{"type":"string","format":"uuid"},"tags":{"type":"array","items":{"type":"string"}},`+
		`"color":{"type":"string","oneOf":[{"const":"#FF0000"}]}`, "color", "colour")
	want := []string{"enum /properties/address/type", "enum /properties/id/format", "missing /properties/tags/items", "missing /properties/color/oneOf/0/title", "unknown /required/1"}
	for _, role := range []elicit.Role{elicit.Server, elicit.Client} {
		wantCodes(t, elicit.CheckSchema(raw, role), want...)
	}
}

// The root of a schema, which is good where there are no codes.
func TestCheckSchemaOfRoots(t *testing.T) {
	t.Parallel()
	many := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"p%d":{"type":"boolean"}`, i)
		}
		return `{"type":"object","properties":{` + b.String()[1:] + `}}`
	}
	for _, tt := range []struct {
		name, raw string
		want      []string
	}{
		{"nothing", ``, []string{"malformed"}},
		{"two documents", `{"type":"object"} {}`, []string{"malformed"}},
		{"a key twice", `{"type":"object","type":"object"}`, []string{"malformed"}},
		{"half a character", `{"type":"object","title":"\ud800"}`, []string{"malformed"}},
		{"too deep", strings.Repeat(`{"a":`, 40) + `1` + strings.Repeat(`}`, 40), []string{"malformed"}},
		{"too large", `{"type":"object","description":"` + strings.Repeat("a", 1<<20) + `"}`, []string{"malformed"}},
		{"null", `null`, []string{"type"}},
		{"a list", `[]`, []string{"type"}},
		{"true", `true`, []string{"type"}},
		{"no type", `{"properties":{"a":1}}`, []string{"missing /type"}},
		{"another type", `{"type":"string","properties":{"a":1}}`, []string{"enum /type"}},
		{"two types", `{"type":["object"]}`, []string{"enum /type"}},
		{"no properties", `{"type":"object"}`, nil},
		{"empty properties", `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{},"required":[]}`, nil},
		{"a list of properties", `{"type":"object","properties":[]}`, []string{"type /properties"}},
		{"as many properties as there may be", many(100), nil},
		{"too many properties", many(101), []string{"props /properties"}},
		{"required that is no list", `{"type":"object","required":"a"}`, []string{"type /required"}},
		{"required that is no name", `{"type":"object","required":[1,null]}`, []string{"type /required/0", "type /required/1"}},
		{"required twice", `{"type":"object","properties":{"a":{"type":"string"}},"required":["a","a"]}`, []string{"unique /required/1"}},
		{"a reference", `{"$ref":"#/$defs/a","type":"object"}`, []string{"unknown /$ref"}},
		{"conditions", `{"type":"object","if":{},"then":{},"allOf":[]}`, []string{"unknown /if", "unknown /then", "unknown /allOf"}},
		{"a property that is no object", asked(`true`), []string{"type /properties/f"}},
		{"a property without a type", asked(`{"enum":["a"]}`), []string{"missing /properties/f/type"}},
		{"a property of two types", asked(`{"type":["string","null"]}`), []string{"enum /properties/f/type"}},
		{"null", asked(`{"type":"null"}`), []string{"enum /properties/f/type"}},
		{"a reference of a property", asked(`{"type":"string","$ref":"#"}`), []string{"unknown /properties/f/$ref"}},
		{"nested properties", asked(`{"type":"string","properties":{}}`), []string{"unknown /properties/f/properties"}},
		{"a title that is no text", asked(`{"type":"string","title":1,"description":null}`), []string{"type /properties/f/title", "type /properties/f/description"}},
		{"names of pointers", `{"type":"object","properties":{"a/b~c":{"type":"x"}}}`, []string{"enum /properties/a~1b~0c/type"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantCodes(t, elicit.CheckSchema(json.RawMessage(tt.raw), elicit.Client), tt.want...)
		})
	}
}

// asked is a schema with the property f.
func asked(property string) string { return string(asking(`"f":` + property)) }

// What is wrong with one property f.
func TestCheckSchemaOfProperties(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, property string
		want           []string
	}{
		{"a string", `{"type":"string","title":"T","description":"D","minLength":0,"maxLength":5.0,"format":"date-time","default":"2026"}`, []string{"default default"}},
		{"lengths that are no numbers", `{"type":"string","minLength":"2","maxLength":null}`, []string{"type minLength", "type maxLength"}},
		{"lengths below 0 and between numbers", `{"type":"string","minLength":-1,"maxLength":1.5}`, []string{"min minLength", "type maxLength"}},
		{"lengths that cross", `{"type":"string","minLength":3,"maxLength":2}`, []string{"min maxLength"}},
		{"lengths beyond everything", `{"type":"string","minLength":1e999999999,"maxLength":1e999999999}`, nil},
		{"a format that is no text", `{"type":"string","format":1}`, []string{"enum format"}},
		{"a format of JSON Schema", `{"type":"string","format":"ipv4"}`, []string{"enum format"}},
		{"a pattern that is no text", `{"type":"string","pattern":1}`, []string{"type pattern"}},
		{"a pattern that cannot be read", `{"type":"string","pattern":"(?=a)b"}`, []string{"pattern pattern"}},
		{"a pattern that is too long", `{"type":"string","maxLength":1,"pattern":"` + strings.Repeat("a", 513) + `"}`, []string{"pattern pattern"}},
		{"a pattern that costs too much by itself", `{"type":"string","maxLength":1,"pattern":"(?:a?){1000}(?:a?){1000}(?:a?){1000}"}`, []string{"pattern pattern"}},
		{"a pattern for texts of any length", `{"type":"string","pattern":"a{300}"}`, []string{"pattern_budget pattern"}},
		{"a pattern for short texts", `{"type":"string","maxLength":100,"pattern":"a{300}"}`, nil},
		{"a pattern for longer texts than can be matched", `{"type":"string","maxLength":4097,"pattern":"a"}`, []string{"pattern_budget pattern"}},
		{"an enum", `{"type":"string","enum":["a","b"],"enumNames":["A",""],"default":"b"}`, nil},
		{"an enum that is none", `{"type":"string","enum":"a"}`, []string{"type enum"}},
		{"an empty enum", `{"type":"string","enum":[]}`, []string{"items enum"}},
		{"values that are no strings, empty or twice", `{"type":"string","enum":[1,null,"","a","a"]}`, []string{"type enum/0", "type enum/1", "length enum/2", "unique enum/4"}},
		{"too few names", `{"type":"string","enum":["a","b"],"enumNames":["A"]}`, []string{"items enumNames"}},
		{"names that are no strings", `{"type":"string","enum":["a"],"enumNames":[1]}`, []string{"type enumNames/0"}},
		{"names that are no list", `{"type":"string","enum":["a"],"enumNames":{}}`, []string{"type enumNames"}},
		{"names of nothing", `{"type":"string","enumNames":[]}`, []string{"needs enumNames"}},
		{"an enum beside titles", `{"type":"string","enum":["a"],"oneOf":[{"const":"a","title":"A"}]}`, []string{"unknown oneOf"}},
		{"titles", `{"type":"string","oneOf":[{"const":"#FF0000","title":"Red"},{"const":"b","title":"Red"}],"default":"#FF0000"}`, nil},
		{"no titles", `{"type":"string","oneOf":[]}`, []string{"items oneOf"}},
		{"titles that are none", `{"type":"string","oneOf":["a",{},{"const":1,"title":2},{"const":"","title":""},{"const":"a","title":"A"},{"const":"a","title":"A"}]}`, []string{
			"type oneOf/0", "missing oneOf/1/const", "missing oneOf/1/title", "type oneOf/2/const", "type oneOf/2/title", "length oneOf/3/const", "length oneOf/3/title", "unique oneOf/5/const",
		}},
		{"a reference in a title", `{"type":"string","oneOf":[{"$ref":"#","const":"a","title":"A"}]}`, []string{"unknown oneOf/0/$ref"}},
		{"a default that is no choice", `{"type":"string","enum":["a"],"default":"b"}`, []string{"default default"}},
		{"a default that is null", `{"type":"string","default":null}`, []string{"default default"}},
		{"a default of another type", `{"type":"string","default":1}`, []string{"default default"}},
		{"a default without the pattern", `{"type":"string","pattern":"^a","default":"b"}`, []string{"default default"}},
		{"a default of what is wrong already", `{"type":"string","enum":[],"default":"b"}`, []string{"items enum"}},
		{"a number", `{"type":"number","minimum":-1.5,"maximum":95.5,"default":1e1}`, nil},
		{"bounds that are no numbers", `{"type":"number","minimum":"1","maximum":true}`, []string{"type minimum", "type maximum"}},
		{"bounds that cross by little", `{"type":"integer","minimum":9007199254740993,"maximum":9007199254740992}`, []string{"min maximum"}},
		{"bounds beyond everything", `{"type":"number","minimum":-1e999999999,"maximum":1e999999999,"default":1e999999998}`, nil},
		{"an integer between bounds that are none", `{"type":"integer","minimum":0.5,"maximum":95.5,"default":5.0}`, nil},
		{"a default that is no integer", `{"type":"integer","default":5.5}`, []string{"default default"}},
		{"a default out of bounds", `{"type":"number","maximum":1,"default":1.0000000000000000001}`, []string{"default default"}},
		{"an enum of numbers", `{"type":"number","enum":[1]}`, []string{"unknown enum"}},
		{"a boolean", `{"type":"boolean","default":false}`, nil},
		{"a default that is no boolean", `{"type":"boolean","default":"false"}`, []string{"default default"}},
		{"a list", `{"type":"array","minItems":0,"maxItems":2,"items":{"type":"string","enum":["a","b"]},"default":["b","a"]}`, nil},
		{"a list with titles", `{"type":"array","items":{"anyOf":[{"const":"a","title":"A"}]},"default":[]}`, nil},
		{"a list of anything", `{"type":"array"}`, []string{"missing items"}},
		{"items that are no object", `{"type":"array","items":["a"]}`, []string{"type items"}},
		{"items of numbers", `{"type":"array","items":{"type":"number","enum":["a"]}}`, []string{"enum items/type"}},
		{"items of both forms", `{"type":"array","items":{"enum":["a"],"anyOf":[]}}`, []string{"unknown items/anyOf"}},
		{"items that are a reference", `{"type":"array","items":{"$ref":"#","enum":["a"]}}`, []string{"unknown items/$ref"}},
		{"counts that cross", `{"type":"array","minItems":2,"maxItems":1,"items":{"enum":["a","b"]}}`, []string{"min maxItems"}},
		{"more than there are", `{"type":"array","minItems":2,"items":{"enum":["a"]}}`, []string{"max minItems"}},
		{"a default with a choice twice", `{"type":"array","items":{"enum":["a"]},"default":["a","a"]}`, []string{"default default"}},
		{"a default that is too short", `{"type":"array","minItems":1,"items":{"enum":["a"]},"default":[]}`, []string{"default default"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var want []string
			for _, w := range tt.want {
				code, path, _ := strings.Cut(w, " ")
				want = append(want, strings.TrimSuffix(code+" /properties/f/"+path, "/"))
			}
			wantCodes(t, elicit.CheckSchema(json.RawMessage(asked(tt.property)), elicit.Client), want...)
		})
	}
}

// What is asked of us may say more than what we ask.
func TestRoles(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, raw string
		server    []string
	}{
		{"a pattern that others read in another way", asked(`{"type":"string","pattern":"\\Aa\\s"}`), []string{"pattern /properties/f/pattern"}},
		{"keywords that nobody is told", `{"type":"object","additionalProperties":false,"properties":{"f":{"type":"integer","multipleOf":5}}}`, []string{
			"unknown /additionalProperties", "unknown /properties/f/multipleOf",
		}},
		{"more of a choice", asked(`{"type":"string","oneOf":[{"const":"a","title":"A","description":"D"}]}`), []string{"unknown /properties/f/oneOf/0/description"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantCodes(t, elicit.CheckSchema(json.RawMessage(tt.raw), elicit.Client))
			wantCodes(t, elicit.CheckSchema(json.RawMessage(tt.raw), elicit.Server), tt.server...)
		})
	}
}

// There are as many mistakes listed as anybody reads, and one more.
func TestCheckSchemaListsNoMoreThanOneReads(t *testing.T) {
	t.Parallel()
	raw := asked(`{"type":"string","enum":[` + strings.Repeat("1,", 9000) + `1]}`)
	errs := mistakes(t, elicit.CheckSchema(json.RawMessage(raw), elicit.Server))
	if len(errs) != 33 || errs[32].Code != schema.Truncated {
		t.Errorf("there are %d, the last of code %s", len(errs), errs[len(errs)-1].Code)
	}
}

// The patterns of all defaults share one budget.
func TestCheckSchemaBoundsItsSteps(t *testing.T) {
	t.Parallel()
	property := `{"type":"string","maxLength":1000,"pattern":"` + heavy + `","default":"` + strings.Repeat("𐍈", 1000) + `"}`
	errs := mistakes(t, elicit.CheckSchema(asking(`"a":`+property+`,"b":`+property), elicit.Server))
	if diff := cmp.Diff([]string{"default /properties/b/default"}, codes(errs)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(errs) > 0 && !strings.Contains(errs[0].Msg, "cannot be checked") {
		t.Error(errs)
	}
}

// heavy has 900 instructions, and matches a thousand of its four-byte characters.
const heavy = `^(?:[𐍈a]?){448}𐍈`
