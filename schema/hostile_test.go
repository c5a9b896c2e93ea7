package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema"
)

// Every document here is an error of one of these codes, and a cheap one: a number that was expanded, or a
// depth that was followed, would not end within the time of a test.
func TestHostileBodies(t *testing.T) {
	t.Parallel()
	type body struct {
		Name  *string        `json:"name"`
		Count *int           `json:"count"`
		Rate  *float64       `json:"rate"`
		Small *float32       `json:"small"`
		Step  *float64       `json:"step" mcp:"step=0.01"`
		Any   any            `json:"any" mcp:"optional"`
		List  []string       `json:"list" mcp:"optional"`
		Map   map[string]int `json:"map" mcp:"optional"`
		Inner *Addr          `json:"inner"`
	}
	tests := []struct{ name, body, want string }{
		{"a large exponent", `{"count":1e400}`, "max"},
		{"a huge exponent", `{"count":1e999999999}`, "max"},
		{"a huge negative exponent of an integer", `{"count":1e-999999999}`, "type"},
		{"an exponent beyond every integer", `{"count":-1e99999999999999999999}`, "min"},
		{"a float beyond the largest", `{"rate":1e400}`, "max"},
		{"a float beyond the smallest", `{"rate":-1e400}`, "min"},
		{"a float of 32 bits", `{"small":1e39}`, "max"},
		{"a huge exponent of a step", `{"step":1e999999999}`, "max"},
		{"a tiny step", `{"step":1e-999999999}`, "step"},
		{"many digits", `{"count":1` + strings.Repeat("0", 900) + `}`, "max"},
		{"many decimals", `{"count":0.` + strings.Repeat("0", 900) + `1}`, "type"},
		{"too many digits", `{"rate":0.` + strings.Repeat("1", 100000) + `}`, "malformed"},
		{"a lone high surrogate", `{"name":"\ud800"}`, "malformed"},
		{"a lone low surrogate", `{"name":"a\udc00b"}`, "malformed"},
		{"two high surrogates", `{"name":"\ud800\ud800"}`, "malformed"},
		{"a lone surrogate in a key", `{"map":{"\ud800":1}}`, "malformed"},
		{"invalid UTF-8", "{\"name\":\"\xff\"}", "malformed"},
		{"an encoded surrogate", "{\"name\":\"\xed\xa0\x80\"}", "malformed"},
		{"a NUL", "{\"name\":\"\x00\"}", "malformed"},
		{"a control character", "{\"name\":\"\x1f\"}", "malformed"},
		{"a byte order mark", "\xef\xbb\xbf{}", "malformed"},
		{"a comment", `{/**/}`, "malformed"},
		{"a trailing comma", `{"list":["a",]}`, "malformed"},
		{"a leading zero", `{"count":01}`, "malformed"},
		{"a bare point", `{"rate":1.}`, "malformed"},
		{"no number", `{"rate":NaN}`, "malformed"},
		{"a plus", `{"rate":+1}`, "malformed"},
		{"an unknown escape", `{"name":"\x41"}`, "malformed"},
		{"a key twice in what is not declared", `{"zz":{"a":1,"a":1}}`, "malformed"},
		{"a key twice in an element", `{"any":[{"a":1,"a":1}]}`, "malformed"},
		{"a key twice by an escape", `{"count":1,"coun\u0074":1}`, "malformed"},
		{"too deep", `{"any":` + strings.Repeat("[", 32) + strings.Repeat("]", 32) + `}`, "malformed"},
		{"too deep where nothing is declared", `{"zz":` + strings.Repeat(`{"a":`, 32) + `1` + strings.Repeat("}", 32) + `}`, "malformed"},
		{"much too deep", strings.Repeat("[", 500000), "malformed"},
		{"too many nodes", `{"any":[` + strings.Repeat("1,", 10000) + `1]}`, "malformed"},
		{"too many members", `{"map":{` + manyMembers(10001) + `}}`, "malformed"},
		{"too large", `{"name":"` + strings.Repeat("a", 1<<20) + `"}`, "malformed"},
		{"too large by blanks", `{}` + strings.Repeat(" ", 1<<20), "malformed"},
		{"null", `null`, "null"},
		{"an array", `[]`, "type"},
		{"keys that differ in case", `{"Name":"n"}`, "unknown"},
		{"a Kelvin sign", `{"\u212aey":"n"}`, "unknown"},
		{"a Go name", `{"Inner":{"City":"c"}}`, "unknown"},
	}
	v := inputOf[body](t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			errs := refused[body](t, v, tt.body)
			if len(errs) != 1 || string(errs[0].Code) != tt.want {
				t.Errorf("want %s, got %v", tt.want, errs)
			}
		})
	}
}

func manyMembers(n int) string {
	members := make([]string, n)
	for i := range members {
		members[i] = fmt.Sprintf(`"k%d":1`, i)
	}
	return strings.Join(members, ",")
}

// Up to the limits, documents are good.
func TestLargeBodiesThatAreGood(t *testing.T) {
	t.Parallel()
	type body struct {
		Any  any    `json:"any" mcp:"optional"`
		Name string `json:"name" mcp:"optional"`
	}
	v := inputOf[body](t)
	for name, raw := range map[string]string{
		"31 levels below the whole": `{"any":` + strings.Repeat("[", 31) + strings.Repeat("]", 31) + `}`,
		"9,990 nodes":               `{"any":[` + strings.Repeat("1,", 9986) + `1]}`,
		"nearly a MiB":              `{"name":"` + strings.Repeat("a", 1<<20-20) + `"}`,
		"a pair of surrogates":      `{"name":"\ud83d\ude00"}`,
		"a replacement character":   `{"name":"\ufffd"}`,
		"blanks":                    " \t\r\n{ \"name\" : \"n\" } \n",
	} {
		if errs := refused[body](t, v, raw); errs != nil {
			t.Errorf("%s: %v", name, errs)
		}
	}
	same(t, "😀", decoded[body](t, v, `{"name":"\ud83d\ude00"}`).Name)
}

func TestMistakesAreCapped(t *testing.T) {
	t.Parallel()
	type body struct {
		List []int `json:"list"`
	}
	v := inputOf[body](t)
	for n, want := range map[int]int{31: 31, 32: 32, 33: 33, 9000: 33} {
		errs := refused[body](t, v, `{"list":[`+strings.TrimSuffix(strings.Repeat(`"x",`, n), ",")+`]}`)
		last := errs[len(errs)-1]
		if cut := last.Code == schema.Truncated; len(errs) != want || cut != (n > 32) {
			t.Errorf("%d mistakes became %d, the last of which is %v", n, len(errs), last)
		}
		for i, e := range errs[:len(errs)-1] {
			if diff := cmp.Diff(fmt.Sprintf("type /list/%d", i), codes(schema.Errors{e})[0]); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		}
	}
}

// Each pattern costs its instructions for each byte, and one document may spend so much and no more.
func TestPatternsHaveABudget(t *testing.T) {
	t.Parallel()
	type body struct {
		A string `json:"a" mcp:"max=1000;pattern='^(?:x?){400}'"`
		B string `json:"b" mcp:"max=1000;pattern='^(?:x?){400}'"`
		C string `json:"c" mcp:"max=1000;pattern='^(?:x?){400}'"`
	}
	type much struct {
		Long string `json:"a" mcp:"max=4000;pattern='^(?:x?){400}'"`
	}
	v := inputOf[body](t)
	long := strings.Repeat("😀", 1000)
	wantCodes[body](t, v, fmt.Sprintf(`{"a":%q,"b":%q,"c":%q}`, long, long, long), "pattern_budget /b", "pattern_budget /c")
	wantCodes[body](t, v, `{"a":"x","b":"x","c":"x"}`)
	wantMistake[much](t, "much.Long")
}

// The budget can be lowered, and not raised.
func TestPatternsHaveASmallerBudget(t *testing.T) {
	t.Parallel()
	type body struct {
		A string `json:"a" mcp:"max=10;pattern='^(?:x?){400}'"`
		B string `json:"b" mcp:"max=10;pattern='^(?:x?){400}'"`
	}
	type much struct {
		Long string `json:"a" mcp:"max=1000;pattern='^(?:x?){400}'"`
	}
	both := fmt.Sprintf(`{"a":%q,"b":%q}`, strings.Repeat("😀", 10), strings.Repeat("😀", 10))
	wantCodes[body](t, inputOf[body](t), both)
	wantCodes[body](t, inputOf[body](t, schema.PatternSteps(40_000)), both, "pattern_budget /b")
	if _, err := schema.For[much](schema.Input, schema.PatternSteps(1_000_000)); err == nil || !strings.Contains(err.Error(), "much.Long") {
		t.Errorf("a text that could not be proven: %v", err)
	}
	for _, steps := range []int{-1, 0, 4_000_001} {
		if _, err := schema.For[body](schema.Input, schema.PatternSteps(steps)); err == nil || !strings.Contains(err.Error(), "PatternSteps") {
			t.Errorf("%d steps: %v", steps, err)
		}
	}
}
