package lex_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema/internal/lex"
)

var wide = lex.Limits{Bytes: 1 << 20, Depth: 32, Values: 10_000}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, raw, want string }{
		{"an object", ` {"a" : [1, -2.5e+3 , "x\u00e4\n", true,false,null,{}] } `, ""},
		{"a bare value", `0`, ""},
		{"a pair of surrogates", `"\ud83d\ude00"`, ""},
		{"nothing", ``, "no JSON"},
		{"blanks", " \n", "no JSON"},
		{"more behind it", `{} x`, "behind the end"},
		{"two documents", `1 2`, "behind the end"},
		{"a trailing comma", `[1,]`, "no JSON"},
		{"a leading zero", `01`, "no JSON"},
		{"a point without digits", `1.`, "no JSON"},
		{"a plus", `+1`, "no JSON"},
		{"a word", `nul`, "no JSON"},
		{"single quotes", `'a'`, "no JSON"},
		{"a control character", "\"a\nb\"", "no JSON"},
		{"an unknown escape", `"\x41"`, "no JSON"},
		{"a short escape", `"\u00e"`, "no JSON"},
		{"an open string", `"a`, "no JSON"},
		{"an open array", `[1`, "no JSON"},
		{"a key without a value", `{"a"}`, "no JSON"},
		{"a key that is no string", `{1:2}`, "no JSON"},
		{"a key twice", `{"a":1,"b":2,"a":3}`, "twice"},
		{"a key twice in two spellings", `{"a":1,"\u0061":2}`, "twice"},
		{"a key twice among many", `{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1,"l":1,"m":1,"n":1,"o":1,"p":1,"q":1,"a":2}`, "twice"},
		{"a key twice deep inside", `[{"x":{"a":1,"a":1}}]`, "twice"},
		{"half of a pair", `"\ud83d"`, "surrogate"},
		{"the other half", `"\ude00"`, "surrogate"},
		{"halves that do not belong together", `"\ud83d\u0041"`, "surrogate"},
		{"half of a pair in a key", `{"\ud800":1}`, "surrogate"},
		{"a NUL", `"a\u0000b"`, "U+0000"},
		{"bad UTF-8", "\"\xff\"", "UTF-8"},
		{"a surrogate in UTF-8", "\"\xed\xa0\x80\"", "UTF-8"},
		{"32 levels", strings.Repeat("[", 32) + strings.Repeat("]", 32), ""},
		{"33 levels", strings.Repeat("[", 33) + strings.Repeat("]", 33), "32 deep"},
		{"10000 values", "[" + strings.Repeat("1,", 9998) + "1]", ""},
		{"10001 values", "[" + strings.Repeat("1,", 9999) + "1]", "10000 values"},
		{"a megabyte", `"` + strings.Repeat("a", 1<<20-2) + `"`, ""},
		{"more than a megabyte", `"` + strings.Repeat("a", 1<<20-1) + `"`, "larger"},
		{"a long number", strings.Repeat("9", 1000), ""},
		{"a longer number", strings.Repeat("9", 1001), "1000 characters"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := lex.Parse([]byte(tt.raw), wide)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one about %q", err, tt.want)
			}
		})
	}
}

// rebuilt writes a document from what the package says of it.
func rebuilt(d *lex.Doc, i int) any {
	switch d.Kind(i) {
	case lex.Object:
		out := map[string]any{}
		for key, v := range d.Members(i) {
			out[key] = rebuilt(d, v)
		}
		return out
	case lex.Array:
		out := []any{}
		for _, v := range d.Elements(i) {
			out = append(out, rebuilt(d, v))
		}
		return out
	case lex.String:
		return d.Text(i)
	case lex.Bool:
		return d.True(i)
	case lex.Number:
		return json.Number(d.Raw(i))
	default:
		return nil
	}
}

func TestMember(t *testing.T) {
	t.Parallel()
	d, err := lex.Parse([]byte(`{"a":{"x":[1,2]},"\u0062":true}`), wide)
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"a": `{"x":[1,2]}`, "b": "true", "B": "", "x": ""} {
		at, ok := d.Member(0, key)
		if ok != (want != "") || ok && string(d.Raw(at)) != want {
			t.Errorf("%s: %v", key, ok)
		}
	}
	if d.Len(0) != 2 || d.Values() != 9 {
		t.Errorf("%d members, %d values and keys", d.Len(0), d.Values())
	}
	d.Release()
	if d.Values() != 0 {
		t.Error("a released document has values")
	}
}

// What is taken is what encoding/json reads, but for keys given twice and text that it changes in silence.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5e3,"x",true,null,{}]}`, `{"a":1,"a":2}`, `"\ud83d\ude00"`, `[[[]]]`, "\"\xff\"", `-0.0e-0`, `{"\u0061":"\\"}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		d, err := lex.Parse(raw, wide)
		if err != nil {
			return
		}
		if !json.Valid(raw) || !utf8.Valid(raw) {
			t.Fatalf("took %q", raw)
		}
		var want any
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.UseNumber()
		if err := dec.Decode(&want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, rebuilt(d, 0)); diff != "" {
			t.Errorf("%q is read otherwise (-want +got):\n%s", raw, diff)
		}
	})
}
