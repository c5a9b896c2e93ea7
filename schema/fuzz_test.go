package schema_test

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema"
)

// hostileBodies are documents that have broken decoders, of ours and of others.
func hostileBodies() [][]byte {
	texts := []string{
		``, ` `, `null`, `[]`, `{}`, `{`, `{"`, `{"a`, `{"a":`, `{"a":1`, `{"a":1,`, `{} x`, `{}{}`, "\xef\xbb\xbf{}", "{}\x00", `{"a":1,"a":2}`, `{"a":{"b":1,"\u0062":2}}`,
		`{"name":"\ud800"}`, `{"name":"\udc00\ud800"}`, `{"name":"\u0000"}`, "{\"name\":\"\x00\"}", "{\"name\":\"\xff\"}", "{\"\xff\":1}", `{"\ud800":1}`, `{"\u0000":1}`,
		`{"count":1e400}`, `{"count":1e999999999}`, `{"rate":1e999999999}`, `{"rate":-1e-999999999}`, `{"any":1e999999999}`, `{"any":[1e400]}`, `{"count":1e99999999999999999999}`, `{"count":-0}`, `{"count":01}`, `{"count":1.}`, `{"count":.5}`, `{"count":+1}`, `{"count":0x1}`, `{"count":1e}`, `{"count":NaN}`,
		`{"count":9007199254740993}`, `{"count":9223372036854775808}`, `{"count":5.0}`, `{"count":1` + strings.Repeat("0", 5000) + `}`, `{"count":0.` + strings.Repeat("0", 5000) + `1}`,
		`{"Name":"n"}`, `{"NAME":"n","name":"n"}`, `{"name":"n","note":"x","Note":"y"}`, `{"method":{"type":"bank"}}`, `{"method":{"Type":"card"}}`, `{"kind":"circle"}`,
		`{"label":"l","parts":[{"code":"AB1"}],"spare":null,"marks":{"a":7},"note":null,"width":1}`, `{"next":{"kids":[{"kids":[]}]}}`, `{"error":{"message":"m","code":1}}`,
		`{"a/b~c":{"` + strings.Repeat("k", 70000) + `":1}}`, `{"list":[` + strings.Repeat(`{},`, 10000) + `{}]}`, `{"list":[` + strings.Repeat(`1,`, 9000) + `1]}`, `{"text":"` + strings.Repeat("a", 5000) + `"}`,
	}
	for _, n := range []int{31, 32, 33, 1000, 100000} {
		texts = append(texts, `{"any":`+strings.Repeat("[", n)+strings.Repeat("]", n)+`}`, strings.Repeat(`{"next":`, n)+`{}`+strings.Repeat(`}`, n))
	}
	var many strings.Builder
	for i := range 100 {
		fmt.Fprintf(&many, `"unknown%d":1,`, i)
	}
	texts = append(texts, `{`+many.String()+`"name":"n"}`)
	raw := make([][]byte, len(texts))
	for i, text := range texts {
		raw[i] = []byte(text)
	}
	return raw
}

// target is a plan that documents are decoded for.
type target struct {
	typ     reflect.Type
	view    *schema.View
	lenient bool
}

type bag struct {
	Name   string              `json:"name" mcp:"max=10"`
	Count  *int64              `json:"count" mcp:"step=3"`
	Rate   *float64            `json:"rate" mcp:"step=0.01;min=-1"`
	Text   *string             `json:"text" mcp:"pattern='^(a|b)*c$'"`
	Any    any                 `json:"any" mcp:"optional"`
	List   []any               `json:"list" mcp:"optional;unique"`
	Mail   []string            `json:"mail" mcp:"optional;items.format=email"`
	Level  *Level              `json:"level"`
	Note   schema.Opt[string]  `json:"note" mcp:"nullable"`
	Amount *schema.Decimal     `json:"amount"`
	Day    *schema.Date        `json:"day"`
	Bytes  []byte              `json:"bytes" mcp:"optional"`
	Method method              `json:"method" mcp:"optional"`
	Maps   map[string][]string `json:"maps" mcp:"optional;keys.max=3"`
	Secret *string             `json:"secret" gate:"requires(admin)"`
}

func targets(t testing.TB) (ts []target) {
	t.Helper()
	union := schema.Union[method]("type", schema.Variant[Card]("card"), schema.Variant[Bank]("bank"))
	for _, typ := range []reflect.Type{reflect.TypeFor[bag](), reflect.TypeFor[Shelf](), reflect.TypeFor[Loop](), reflect.TypeFor[Loose](), reflect.TypeFor[Placed]()} {
		for _, lenient := range []bool{false, true} {
			opts := []schema.Option{union}
			if lenient {
				opts = append(opts, schema.Lenient())
			}
			p, err := schema.ForType(typ, schema.Input, opts...)
			if err != nil {
				t.Fatal(err)
			}
			ts = append(ts, target{typ, viewOf(t, p), lenient})
		}
	}
	return ts
}

func FuzzDecode(f *testing.F) {
	for i, raw := range hostileBodies() {
		f.Add(raw, uint8(i))
		f.Add(raw, uint8(0))
	}
	all := targets(f)
	f.Fuzz(func(t *testing.T, raw []byte, which uint8) {
		target := all[int(which)%len(all)]
		_ = checkDecode(t, target, raw)
		if marked := withMarks(raw); marked != nil {
			for _, e := range checkDecode(t, target, marked) {
				if text := e.Msg + fmt.Sprint(e.Limit); strings.Contains(text, markText) || strings.Contains(text, markNumber) {
					t.Errorf("%q: a value is repeated: %+v", marked, e)
				}
			}
		}
	})
}

// Every value becomes one of these. A name may be repeated, a value may not.
const markText, markNumber = "Zq7xW", "918273645"

var (
	values  = regexp.MustCompile(`("(?:[^"\\]|\\.)*")(\s*:)?|-?[0-9][0-9.eE+-]*`)
	pointer = regexp.MustCompile(`^(/([^~/]|~[01])*)*$`)
)

func withMarks(raw []byte) []byte {
	if len(raw) > 1<<16 {
		return nil
	}
	return values.ReplaceAllFunc(raw, func(token []byte) []byte {
		switch {
		case token[len(token)-1] == ':':
			return token
		case token[0] == '"':
			return []byte(`"` + markText + `"`)
		}
		return []byte(markNumber)
	})
}

var allCodes = []schema.Code{
	schema.Malformed, schema.Missing, schema.Unknown, schema.Null, schema.WrongType, schema.NotInEnum, schema.NotConst, schema.TooSmall, schema.TooLarge, schema.OffStep,
	schema.BadLength, schema.BadItems, schema.BadProps, schema.NotUnique, schema.BadPattern, schema.PatternBudget, schema.BadFormat, schema.RequiredWith, schema.Needs,
	schema.BadDefault, schema.Custom, schema.Truncated,
}

// checkDecode checks what holds of every document.
func checkDecode(t *testing.T, target target, raw []byte) schema.Errors {
	dst, again := reflect.New(target.typ), reflect.New(target.typ)
	errs := mistakes(t, target.view.Decode(t.Context(), raw, dst.Interface(), nil))
	if diff := cmp.Diff(errs, mistakes(t, target.view.Decode(t.Context(), raw, again.Interface(), nil))); diff != "" {
		t.Errorf("%.200q: decoded in two ways:\n%s", raw, diff)
	}
	if errs != nil && !dst.Elem().IsZero() {
		t.Errorf("%.200q: something was assigned in spite of %v", raw, errs)
	}
	if len(errs) > 33 {
		t.Errorf("%.200q: %d mistakes", raw, len(errs))
	}
	for i, e := range errs {
		switch {
		case !slices.Contains(allCodes, e.Code),
			e.Code == schema.Malformed && len(errs) > 1,
			e.Code == schema.Truncated && i < len(errs)-1,
			!pointer.MatchString(e.Path),
			e.Msg == "", len(e.Msg) > 2000, strings.ContainsAny(e.Msg, "\n\r\x00"):
			t.Errorf("%.200q: %+v", raw, e)
		}
	}
	return errs
}
