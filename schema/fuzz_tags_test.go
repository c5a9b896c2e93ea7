package schema_test

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema"
)

func FuzzGates(f *testing.F) {
	for _, s := range []string{"", " ", "a()", "requires(admin)", "requires(admin)&tier(pro)", " a ( b ) & c ( ) ", "a(b", "a)b(", "a(b))", "a((b)", "A(b)", "1(b)", "a(b)&", "&a(b)", "a(b)c(d)", "a(b&c)", "a_1(x:y,z)", "a(\x00)", "a(b)&&c(d)", "é(x)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		gates, err := schema.ParseGates(s)
		if err != nil {
			if gates != nil || err.Error() == "" {
				t.Errorf("%q: %v, %v", s, gates, err)
			}
			return
		}
		texts := make([]string, len(gates))
		for i, g := range gates {
			texts[i] = g.String()
		}
		again, err := schema.ParseGates(strings.Join(texts, "&"))
		if diff := cmp.Diff(gates, again); diff != "" || err != nil {
			t.Errorf("%q: %v (-first +again):\n%s", s, err, diff)
		}
	})
}

// fuzzed are types of fields that carry a tag at random.
var fuzzed = []reflect.Type{
	reflect.TypeFor[string](), reflect.TypeFor[*int](), reflect.TypeFor[float64](), reflect.TypeFor[bool](), reflect.TypeFor[[]string](), reflect.TypeFor[map[string]int](),
	reflect.TypeFor[schema.Opt[int8]](), reflect.TypeFor[*Level](), reflect.TypeFor[*Addr](), reflect.TypeFor[schema.Decimal](), reflect.TypeFor[any](), reflect.TypeFor[[]byte](), reflect.TypeFor[map[string]any](),
}

func FuzzTags(f *testing.F) {
	for _, k := range leaves {
		for _, item := range k.items {
			f.Add(item, "", "field")
		}
	}
	for _, tag := range []string{
		"min", "min=", "=1", ";", ";;", "min=1;min=2", "min=9;max=1", "pattern='", "pattern='a'b", "pattern='it''s'", "pattern='(?:a?){1000}(?:a?){1000}(?:a?){1000}'", "pattern='(a{1000}){1000}'", "pattern='[^]'", "pattern='(?i)a'", `pattern='\u0041'`, "pattern='(?P<a>b)'",
		"default=1;required", "default='a b'", "items.items.items.min=1", "values.keys.max=2", "keys.min=1", "at=a", "at=a.b", "at=.", "at=a..b", "at=field.x", "rest", "as=string", "as=number", "step=0", "step=-1", "step=1e400", "step=1e-999999999", "min=1e999999999", "max=NaN", "min=0x10", "len=-1", "len=1;min=2",
		"enum=", "enum=|", "enum=a|a", "const=b;enum=a", "requiredWith=field", "needs=field", "needs=nothing", "readOnly", "writeOnly", "readOnly;writeOnly", "nullable", "present", "optional;required", "example=1;example=2", "defaultFor=x", "format=nothing", "mediaType=text/plain", "encoding=base64", "title='T'", "deprecated=false", "unique=1",
	} {
		f.Add(tag, "", "field")
		f.Add(tag, "requires(admin)", "field")
	}
	f.Add("", "A(", "")
	f.Add("min=1", "", "-")
	f.Add("min=1", "", ",omitempty")
	f.Add("min=1", "", "x,string")
	f.Add("optional", "", "a,omitzero,inline")
	f.Fuzz(func(t *testing.T, mcp, gate, json string) {
		for _, typ := range fuzzed {
			tag := reflect.StructTag(fmt.Sprintf("json:%q mcp:%q gate:%q", json, mcp, gate))
			whole := reflect.StructOf([]reflect.StructField{{Name: "Fuzzed", Type: typ, Tag: tag}, {Name: "Other", Type: reflect.TypeFor[*string](), Tag: `json:"other"`}})
			p, err := schema.ForType(whole, schema.Input)
			if err != nil {
				if !strings.Contains(err.Error(), ".Fuzzed") && !strings.Contains(err.Error(), ".Other") {
					t.Errorf("%s %s: no field is named: %v", typ, tag, err)
				}
				continue
			}
			checkPlan(t, p, whole)
		}
	})
}

var hugeExponent = regexp.MustCompile(`[eE][+-]?[0-9]{3}`)

// checkPlan checks that a plan that could be built is of use.
func checkPlan(t *testing.T, p *schema.Plan, typ reflect.Type) {
	v, ok := p.View(decide(t, p, every(p)...))
	if !ok {
		return
	}
	text := emitted(t, v)
	if hugeExponent.MatchString(text) {
		return // other implementations expand it
	}
	ref := referenceTo(t, text)
	raw := `{"other":"x"}`
	err := v.Decode(t.Context(), []byte(raw), reflect.New(typ).Interface(), nil)
	errs, _ := errors.AsType[schema.Errors](err)
	if len(errs) == 1 && errs[0].Code == schema.Missing && strings.Contains(string(typ.Field(0).Tag), "defaultFor") {
		return // there is nobody to ask here, and the schema cannot know
	}
	if (err == nil) != (ref.refuses(t, raw) == nil) {
		t.Errorf("%s: %v\n%s", raw, errs, text)
	}
}
