package elicit_test

import (
	"encoding/json"
	"errors"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema"
	"github.com/tenantry/tenantry/schema/elicit"
)

var (
	schemaSeeds = []string{
		``, `null`, `{}`, `{"type":"object"}`, `{"type":"object","properties":{"f":{"type":"string"}},"required":["f","f","g",1]}`,
		asked(`{"type":"string","minLength":1,"maxLength":9,"pattern":"^(a|b)*c$","format":"email","default":"x"}`),
		asked(`{"type":"string","pattern":"(?:a?){1000}(?:a?){1000}"}`), asked(`{"type":"string","pattern":"(?=a)"}`), asked(`{"type":"string","maxLength":1e999999999,"minLength":-1}`),
		asked(`{"type":"string","enum":["a","b"],"enumNames":["A","B"],"default":"a"}`), asked(`{"type":"string","oneOf":[{"const":"a","title":"A"}],"default":"a"}`),
		asked(`{"type":"number","minimum":1e999999999,"maximum":-1e-999999999,"default":5.0}`), asked(`{"type":"integer","minimum":-0,"default":9007199254740993}`),
		asked(`{"type":"array","minItems":1,"maxItems":2,"items":{"type":"string","enum":["x","y"]},"default":["x"]}`),
		asked(`{"type":"array","items":{"anyOf":[{"const":"x","title":"X"}]},"default":["x","x"]}`), asked(`{"type":"boolean","default":true}`),
		asked(`{"type":["string","null"],"$ref":"#"}`), asked(`{"type":"string","title":"\ud800"}`), `{"type":"object","properties":{"a/b~c":{},"a/b~c":{}}}`,
	}
	resultSeeds = []string{
		``, `null`, `{}`, `{"action":"ok"}`, `{"action":"accept"}`, `{"action":"decline","content":{"f":1}}`, `{"action":"cancel","action":"accept"}`,
		accepted(`null`), accepted(`{}`), accepted(`{"f":"a"}`), accepted(`{"f":"abc"}`), accepted(`{"f":["x","x"]}`), accepted(`{"f":["y"]}`), accepted(`{"f":5.0,"g":1}`),
		accepted(`{"f":1e999999999}`), accepted(`{"f":-1e-999999999}`), accepted(`{"F":null,"f":null}`), accepted(`{"f":true}`), accepted(`{"f":"\u0000"}`),
	}
	pointers   = regexp.MustCompile(`^(/([^~/]|~[01])*)*$`)
	knownCodes = []schema.Code{
		schema.Malformed, schema.Missing, schema.Unknown, schema.Null, schema.WrongType, schema.NotInEnum, schema.TooSmall, schema.TooLarge, schema.BadLength, schema.BadItems,
		schema.BadProps, schema.NotUnique, schema.BadPattern, schema.PatternBudget, schema.BadFormat, schema.Needs, schema.BadDefault, schema.Truncated,
	}
)

// checkMistakes checks what holds of all mistakes.
func checkMistakes(t *testing.T, err error) {
	t.Helper()
	errs := mistakes(t, err)
	if len(errs) > 33 {
		t.Errorf("%d mistakes", len(errs))
	}
	for i, e := range errs {
		switch {
		case !slices.Contains(knownCodes, e.Code),
			e.Code == schema.Malformed && len(errs) > 1, e.Code == schema.Truncated && i != 32,
			!pointers.MatchString(e.Path), e.Msg == "", len(e.Msg) > 8000, strings.ContainsAny(e.Msg, "\n\r\x00"):
			t.Errorf("%+v", e)
		}
	}
}

func FuzzCheckSchema(f *testing.F) {
	for _, raw := range schemaSeeds {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		ours, theirs := elicit.CheckSchema(raw, elicit.Server), elicit.CheckSchema(raw, elicit.Client)
		checkMistakes(t, ours)
		checkMistakes(t, theirs)
		if ours == nil && theirs != nil {
			t.Errorf("it may be asked and not be answered: %v", theirs)
		}
		if diff := cmp.Diff(mistakes(t, theirs), mistakes(t, elicit.CheckSchema(raw, elicit.Client))); diff != "" {
			t.Errorf("read in two ways: %s", diff)
		}
		_, err := elicit.CheckResult(raw, accepting(`{}`))
		if errors.Is(err, elicit.ErrSchema) != (theirs != nil) {
			t.Errorf("the schema is %v and the result %v", theirs, err)
		}
	})
}

func FuzzCheckResult(f *testing.F) {
	for i, requested := range schemaSeeds {
		for j, result := range resultSeeds {
			if i%4 == j%4 || i > 4 && j > 9 {
				f.Add([]byte(requested), []byte(result))
			}
		}
	}
	f.Fuzz(func(t *testing.T, requested, result []byte) {
		a, err := elicit.CheckResult(requested, result)
		if errors.Is(err, elicit.ErrSchema) {
			return
		}
		checkMistakes(t, err)
		switch {
		case err != nil && (a.Action != "" || a.Content != nil):
			t.Errorf("something is answered in spite of %v: %+v", err, a)
		case err == nil && a.Action != elicit.Accept && a.Content != nil:
			t.Errorf("content of what was not accepted: %+v", a)
		case err == nil && a.Action == elicit.Accept:
			again, err := elicit.CheckResult(requested, accepting(string(a.Content)))
			if diff := cmp.Diff(a, again); diff != "" || err != nil {
				t.Errorf("what was accepted is not accepted again: %v\n%s", err, diff)
			}
		}
	})
}

// A value that is sent as content is decoded as it was.
func FuzzAnswer(f *testing.F) {
	f.Add("name", int64(9007199254740993), 0.1, true, uint8(3))
	f.Add("", int64(math.MinInt64), math.SmallestNonzeroFloat64, false, uint8(0))
	f.Add("\u2028<𐍈>", int64(-1), -math.MaxFloat64, true, uint8(255))
	form := newForm[struct {
		answered
	}](f)
	f.Fuzz(func(t *testing.T, text string, whole int64, number float64, yes bool, picks uint8) {
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) || math.IsNaN(number) || math.IsInf(number, 0) {
			t.Skip()
		}
		want := answered{Text: text, Maybe: &text, Whole: whole, Tiny: picks, Number: number, Yes: yes, One: Speed("").EnumValues()[picks%2], Several: []Color{}}
		for i, c := range Color("").EnumValues() {
			if picks>>i&2 != 0 {
				want.Several = append(want.Several, c)
			}
		}
		content, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		got, action, err := form.Answer(t.Context(), accepting(string(content)))
		if err != nil || action != elicit.Accept {
			t.Fatalf("%s: %q, %v", content, action, err)
		}
		if diff := cmp.Diff(want, got.answered); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", content, diff)
		}
		for _, revision := range revisions[1:] {
			raw, err := form.Schema(revision)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := elicit.CheckResult(raw, accepting(string(content))); err != nil {
				t.Errorf("%s is refused by the form of %s: %v", content, revision, err)
			}
		}
	})
}

type answered struct {
	Text    string  `json:"text"`
	Maybe   *string `json:"maybe"`
	Whole   int64   `json:"whole"`
	Tiny    uint8   `json:"tiny"`
	Number  float64 `json:"number"`
	Yes     bool    `json:"yes"`
	One     Speed   `json:"one"`
	Several []Color `json:"several"`
}
