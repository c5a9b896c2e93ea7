package schema_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema"
)

// What each rule takes and refuses, by the decoder and by the emitted schema.
func TestRules(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		typ  reflect.Type
		good []string
		bad  map[string]string // the code
	}{
		{
			"lengths are of code points", fieldOf[*string](`json:"f" mcp:"min=2;max=3"`),
			[]string{`"ää"`, `"😀😀😀"`, `"e\u0301"`, `"\ud83d\ude00a"`},
			map[string]string{`"ä"`: "length", `"😀"`: "length", `"ääää"`: "length", `"\ud83d\ude00"`: "length", `""`: "length"},
		},
		{
			"whole steps", fieldOf[*int](`json:"f" mcp:"step=3"`),
			[]string{`0`, `-0`, `3`, `-6`, `9.0`, `3e1`, `9007199254740993`, `9000000000000000000`, `300e-2`},
			map[string]string{`1`: "step", `-4`: "step", `1e1`: "step", `9007199254740992`: "step", `1.5`: "type"},
		},
		{
			"decimal steps", fieldOf[*float64](`json:"f" mcp:"step=0.1"`),
			[]string{`0.3`, `0.7`, `1e-1`, `123456789012345678901234567890.1`, `1e300`, `-0.0`},
			map[string]string{`0.35`: "step", `1e-2`: "step", `0.30000000000000004`: "step"},
		},
		{"steps of a quarter", fieldOf[*float64](`json:"f" mcp:"step=0.25"`), []string{`0.25`, `1.50`, `-0.75`}, map[string]string{`0.3`: "step", `0.2`: "step"}},
		{"steps beyond one digit", fieldOf[*float64](`json:"f" mcp:"step=1.2"`), []string{`2.4`, `6`, `12e1`}, map[string]string{`1`: "step", `1.3`: "step"}},
		{
			"bounds are of the exact number", fieldOf[*float64](`json:"f" mcp:"min=0.1;xmax=0.3"`),
			[]string{`0.1`, `1e-1`, `0.2999999999999999`},
			map[string]string{`0.09999999999999999999`: "min", `0.3`: "max", `3e-1`: "max", `-1`: "min"},
		},
		{"integers beyond a float", fieldOf[*int64](`json:"f" mcp:"min=9007199254740993"`), []string{`9007199254740993`}, map[string]string{`9007199254740992`: "min"}},
		{"small integers", fieldOf[*int8](`json:"f"`), []string{`127`, `-128`, `1.27e2`}, map[string]string{`128`: "max", `-129`: "min", `1e3`: "max"}},
		{"unsigned integers", fieldOf[*uint64](`json:"f"`), []string{`0`, `-0`, `18446744073709551615`}, map[string]string{`-1`: "min"}},
		{"an integer as a string", fieldOf[*int64](`json:"f" mcp:"as=string"`), []string{`"0"`, `"-12"`, `"9223372036854775807"`}, map[string]string{`12`: "type", `"1.0"`: "pattern", `""`: "pattern", `"+1"`: "pattern", `"1\n"`: "pattern"}},
		{
			"unique numbers", fieldOf[[]any](`json:"f" mcp:"optional;unique"`),
			[]string{`[1,2,"1",true,null,[1],{"a":1}]`, `[]`, `["a","A"]`, `[0,false]`, `[{"a":1},{"a":2}]`},
			map[string]string{`[1,1.0]`: "unique", `[10,1e1]`: "unique", `[0,-0]`: "unique", `["a","\u0061"]`: "unique", `[{"a":1,"b":2},{"b":2.0,"a":1}]`: "unique", `[[1],[1.0]]`: "unique", `[null,null]`: "unique"},
		},
		{"enums of numbers", fieldOf[*float64](`json:"f" mcp:"enum=1|2.50"`), []string{`1`, `1.0`, `2.5`, `25e-1`}, map[string]string{`2`: "enum", `"1"`: "type"}},
		{"constant numbers", fieldOf[*int](`json:"f" mcp:"const=7"`), []string{`7`, `7.0`, `70e-1`}, map[string]string{`8`: "const"}},
		{"constant strings", fieldOf[*string](`json:"f" mcp:"const='a b'"`), []string{`"a b"`, `"a\u0020b"`}, map[string]string{`"a  b"`: "const", `"A b"`: "const"}},
		{"patterns are found anywhere", fieldOf[*string](`json:"f" mcp:"pattern=b+"`), []string{`"abba"`, `"b"`}, map[string]string{`"a"`: "pattern", `"B"`: "pattern"}},
		{"the end of a pattern is the end", fieldOf[*string](`json:"f" mcp:"pattern='^a$'"`), []string{`"a"`}, map[string]string{`"a\n"`: "pattern", `"b\na"`: "pattern"}},
		{"sizes of arrays", fieldOf[[]int](`json:"f" mcp:"optional;len=2"`), []string{`[1,2]`}, map[string]string{`[1]`: "items", `[1,2,3]`: "items"}},
		{"arrays of Go", fieldOf[*[2]int](`json:"f"`), []string{`[1,2]`}, map[string]string{`[1]`: "items", `[1,2,3]`: "items"}},
		{"sizes of maps", fieldOf[map[string]int](`json:"f" mcp:"optional;min=1;max=2"`), []string{`{"a":1}`, `{"":1,"b":2}`}, map[string]string{`{}`: "props", `{"a":1,"b":2,"c":3}`: "props"}},
		{"keys of maps", fieldOf[map[string]int](`json:"f" mcp:"optional;keys.pattern='^[a-z]+$';keys.max=2"`), []string{`{"ab":1}`, `{}`}, map[string]string{`{"A":1}`: "pattern", `{"abc":1}`: "length"}},
		{"values of maps", fieldOf[map[string]string](`json:"f" mcp:"optional;values.enum=a|b"`), []string{`{"x":"a"}`}, map[string]string{`{"x":"c"}`: "enum", `{"x":null}`: "null"}},
		{"elements of elements", fieldOf[[][]int](`json:"f" mcp:"optional;items.max=1;items.items.min=2"`), []string{`[[2],[]]`}, map[string]string{`[[1]]`: "min", `[[2,2]]`: "items"}},
		{"bytes", fieldOf[*[]byte](`json:"f"`), []string{`"aGk="`, `""`}, map[string]string{`"aGk"`: "format", `"a-_="`: "format", `[104]`: "type"}},
		{"decimals", fieldOf[*schema.Decimal](`json:"f"`), []string{`"1.50"`, `"-0"`}, map[string]string{`1.5`: "type", `"1."`: "pattern", `".5"`: "pattern", `"1e3"`: "pattern"}},
		{"days", fieldOf[*schema.Date](`json:"f"`), []string{`"2024-02-29"`}, map[string]string{`"2023-02-29"`: "format", `"2024-2-9"`: "format", `"2024-02-29T00:00:00Z"`: "format"}},
		{"anything", fieldOf[any](`json:"f" mcp:"optional"`), []string{`null`, `1`, `"x"`, `{"a":[null]}`}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p, err := schema.ForType(tt.typ, schema.Input)
			if err != nil {
				t.Fatal(err)
			}
			r := ruled{tt.typ, viewOf(t, p), reference{}}
			r.ref = referenceTo(t, emitted(t, r.view))
			for _, value := range tt.good {
				r.check(t, value, "")
			}
			for value, code := range tt.bad {
				r.check(t, value, code)
			}
		})
	}
}

// ruled is a type with one field under a rule.
type ruled struct {
	typ  reflect.Type
	view *schema.View
	ref  reference
}

func (r ruled) check(t *testing.T, value, want string) {
	t.Helper()
	raw := `{"must":1,"f":` + value + `}`
	errs := mistakes(t, r.view.Decode(t.Context(), []byte(raw), reflect.New(r.typ).Interface(), nil))
	got := ""
	if len(errs) > 0 {
		got = string(errs[0].Code)
	}
	if diff := cmp.Diff(want, got); diff != "" || len(errs) > 1 {
		t.Errorf("%s: %v (-want +got):\n%s", value, errs, diff)
	}
	if err := r.ref.refuses(t, raw); (err == nil) != (want == "") {
		t.Errorf("%s: the schema says %v", value, err)
	}
}

// Bounds of decimals and ranges of 64 bits hold although no schema can say so, and so do bounds of the float that
// stands for a number.
func TestRulesThatAreNotAdvertised(t *testing.T) {
	t.Parallel()
	type body struct {
		Price schema.Decimal `json:"price" mcp:"optional;min=0;xmax=100;step=0.01"`
		Big   uint64         `json:"big" mcp:"optional"`
		ID    int64          `json:"id" mcp:"optional;as=string"`
		Small float32        `json:"small" mcp:"optional"`
		Part  float64        `json:"part" mcp:"optional;xmin=-1;xmax=1"`
		Share float32        `json:"share" mcp:"optional;xmax=1"`
		Edge  float32        `json:"edge" mcp:"min=-85.05112878;max=85.05112878;default=85.05112878"`
	}
	v := inputOf[body](t)
	for raw, want := range map[string]string{
		`{"price":"-0.01"}`: "min /price", `{"price":"100"}`: "max /price", `{"price":"100.00"}`: "max /price", `{"price":"0.001"}`: "step /price",
		`{"big":18446744073709551616}`: "max /big", `{"id":"9223372036854775808"}`: "max /id", `{"id":"-9223372036854775809"}`: "min /id", `{"small":1e39}`: "max /small",
		`{"part":1e-400}`: "min /part", `{"part":-1e-400}`: "min /part", `{"part":0.99999999999999999999}`: "max /part", `{"share":0.99999999}`: "max /share", `{"small":1e-60}`: "min /small",
	} {
		wantCodes[body](t, v, raw, want)
	}
	wantCodes[body](t, v, `{"price":"99.990","big":18446744073709551615,"id":"-9223372036854775808","small":3e38,"part":0.9999999999999999,"share":0.9999999,"edge":-85.05112878}`)
}
