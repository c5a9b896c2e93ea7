package elicit_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema"
	"github.com/tenantry/tenantry/schema/elicit"
)

// What becomes of a result: its content, or the codes of what is wrong with it.
func TestCheckResult(t *testing.T) {
	t.Parallel()
	const color = `"c":{"type":"string","oneOf":[{"const":"#FF0000","title":"Red"}]}`
	const both = `"m":{"type":"array","minItems":1,"maxItems":2,"items":{"type":"string","enum":["x","y"]}}`
	const texts = `"s":{"type":"string","minLength":2,"maxLength":3},"p":{"type":"string","pattern":"b"}`
	const formats = `"e":{"type":"string","format":"email"},"u":{"type":"string","format":"uri"},"d":{"type":"string","format":"date"},"t":{"type":"string","format":"date-time"}`
	const numbers = `"i":{"type":"integer","minimum":-5,"maximum":9007199254740993},"n":{"type":"number","maximum":0.1},"b":{"type":"boolean"}`
	fallback := asking(`"s":{"type":"string","default":"d"},"b":{"type":"boolean","default":true}`, "s")
	for _, tt := range []struct {
		name      string
		schema    json.RawMessage
		result    string
		want      string
		wantCodes []string
	}{
		{"a titled choice", asking(color), accepted(`{"c":"#FF0000"}`), `{"c":"#FF0000"}`, nil},
		{"a title is no choice", asking(color), accepted(`{"c":"Red"}`), "", []string{"enum /c"}},
		{"two choices", asking(both), accepted(`{"m":["y","x"]}`), `{"m":["y","x"]}`, nil},
		{"a choice twice", asking(both), accepted(`{"m":["x","x"]}`), "", []string{"unique /m"}},
		{"no choice", asking(both), accepted(`{"m":[]}`), "", []string{"items /m"}},
		{"choices that are none", asking(both), accepted(`{"m":["x",1,null,"z"]}`), "", []string{"items /m", "type /m/1", "null /m/2", "enum /m/3"}},
		{"no list", asking(both), accepted(`{"m":"x"}`), "", []string{"type /m"}},
		{"an absent default", fallback, accepted(`{}`), `{"s":"d","b":true}`, nil},
		{"an absent content with defaults", fallback, `{"action":"accept"}`, `{"s":"d","b":true}`, nil},
		{"null is not absent", fallback, accepted(`{"s":null}`), "", []string{"null /s"}},
		{"a value and a default", fallback, accepted(`{ "b" : false , "s":"\u0041" }`), `{"s":"\u0041","b":false}`, nil},
		{"an absent content", asking(color, "c"), `{"action":"accept"}`, "", []string{"missing /c"}},
		{"an absent content that is not needed", asking(color), `{"action":"accept","_meta":{}}`, `{}`, nil},
		{"a content that is null", asking(color), accepted(`null`), "", []string{"null"}},
		{"a content that is no object", asking(color), accepted(`[]`), "", []string{"type"}},
		{"members that are not asked for", asking(color+`,"z":{"type":"boolean"}`, "z"), accepted(`{"C":"#FF0000","":1}`), "", []string{"unknown /C", "unknown /", "missing /z"}},
		{"names of pointers", asking(`"a/b~c":{"type":"boolean"}`), accepted(`{"a/b~c":1,"~":2}`), "", []string{"type /a~1b~0c", "unknown /~0"}},
		{"characters and not bytes", asking(texts), accepted(`{"s":"𐍈𐍈𐍈","p":"abc"}`), `{"s":"𐍈𐍈𐍈","p":"abc"}`, nil},
		{"too short, and without the pattern", asking(texts), accepted(`{"s":"𐍈","p":"ac"}`), "", []string{"length /s", "pattern /p"}},
		{"too long", asking(texts), accepted(`{"s":"abcd"}`), "", []string{"length /s"}},
		{"too long for any pattern", asking(texts), accepted(`{"p":"` + strings.Repeat("b", 4097) + `"}`), "", []string{"length /p"}},
		{"formats", asking(formats), accepted(`{"e":"a@b.c","u":"https://a/?b","d":"2024-02-29","t":"2026-07-01T09:30:00.5+02:00"}`), `{"e":"a@b.c","u":"https://a/?b","d":"2024-02-29","t":"2026-07-01T09:30:00.5+02:00"}`, nil},
		{"other formats", asking(formats), accepted(`{"e":"A <a@b.c>","u":"a/b","d":"2023-02-29","t":"2026-07-01 09:30:00"}`), "", []string{"format /e", "format /u", "format /d", "format /t"}},
		{"numbers", asking(numbers), accepted(`{"i":5.0,"n":0.1,"b":false}`), `{"i":5.0,"n":0.1,"b":false}`, nil},
		{"an integer to its last digit", asking(numbers), accepted(`{"i":9007199254740993}`), `{"i":9007199254740993}`, nil},
		{"one more", asking(numbers), accepted(`{"i":9007199254740994,"n":0.10000000000000000001}`), "", []string{"max /i", "max /n"}},
		{"an integer with an exponent", asking(numbers), accepted(`{"i":-500e-2}`), `{"i":-500e-2}`, nil},
		{"no integer", asking(numbers), accepted(`{"i":5.5,"n":"1","b":"true"}`), "", []string{"type /i", "type /n", "type /b"}},
		{"giant numbers", asking(numbers), accepted(`{"i":1e999999999,"n":-1e999999999}`), "", []string{"max /i"}},
		{"exponents beyond everything", asking(numbers), accepted(`{"i":-1e99999999999999999999,"n":1e99999999999999999999}`), "", []string{"min /i", "max /n"}},
		{"next to nothing", asking(numbers), accepted(`{"i":0e99999999999999999999,"n":1e-99999999999999999999}`), `{"i":0e99999999999999999999,"n":1e-99999999999999999999}`, nil},
		{"values of other types", asking(texts), accepted(`{"s":{"a":1},"p":["b"]}`), "", []string{"type /s", "type /p"}},
		{"a key twice", asking(numbers), accepted(`{"b":true,"\u0062":true}`), "", []string{"malformed"}},
		{"an action that there is not", asking(color), `{"action":"ok","content":{"c":"#FF0000"}}`, "", []string{"enum"}},
		{"an action in capitals", asking(color), `{"action":"Accept"}`, "", []string{"enum"}},
		{"no action", asking(color), `{"content":{}}`, "", []string{"missing"}},
		{"an action that is no text", asking(color), `{"action":true}`, "", []string{"type"}},
		{"no object", asking(color), `"accept"`, "", []string{"type"}},
		{"nothing", asking(color), ``, "", []string{"malformed"}},
		{"too large", asking(color), accepted(`{"c":"` + strings.Repeat("a", 1<<20) + `"}`), "", []string{"malformed"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a, err := elicit.CheckResult(tt.schema, json.RawMessage(tt.result))
			wantCodes(t, err, tt.wantCodes...)
			want := elicit.Answer{}
			if tt.wantCodes == nil {
				want = elicit.Answer{Action: elicit.Accept, Content: json.RawMessage(tt.want)}
			}
			if diff := cmp.Diff(want, a); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func accepted(content string) string { return string(accepting(content)) }

// What was not accepted is dropped, whatever it is.
func TestCheckResultDropsContent(t *testing.T) {
	t.Parallel()
	for _, action := range []elicit.Action{elicit.Decline, elicit.Cancel} {
		for _, content := range []string{``, `,"content":null`, `,"content":{"f":1}`, `,"content":"x"`} {
			a, err := elicit.CheckResult(asking(`"f":{"type":"string"}`, "f"), json.RawMessage(`{"action":"`+string(action)+`"`+content+`}`))
			if err != nil {
				t.Errorf("%s with %q: %v", action, content, err)
			}
			if diff := cmp.Diff(elicit.Answer{Action: action}, a); diff != "" {
				t.Errorf("%s with %q: %s", action, content, diff)
			}
		}
	}
}

func TestCheckResultNeedsAForm(t *testing.T) {
	t.Parallel()
	_, err := elicit.CheckResult(json.RawMessage(`{"type":"object","properties":{"a":{"type":"object"}}}`), accepting(`{}`))
	if !errors.Is(err, elicit.ErrSchema) || !strings.Contains(err.Error(), "/properties/a/type") {
		t.Error(err)
	}
	if errs, ok := errors.AsType[schema.Errors](err); ok {
		t.Errorf("mistakes of the schema look like some of the content: %v", errs)
	}
}

// However many fields a server asks for, one result is matched for as long as a single field.
func TestCheckResultBoundsItsSteps(t *testing.T) {
	t.Parallel()
	form := func(maxLength int) json.RawMessage {
		var b strings.Builder
		for i := range 40 {
			fmt.Fprintf(&b, `,"f%02d":{"type":"string","maxLength":%d,"pattern":"%s"}`, i, maxLength, heavy)
		}
		return asking(b.String()[1:])
	}
	text := strings.Repeat("𐍈", 1000)
	var content strings.Builder
	var want []string
	for i := range 40 {
		fmt.Fprintf(&content, `,"f%02d":"%s"`, i, text)
		if i > 0 && len(want) < 32 {
			want = append(want, fmt.Sprintf("pattern_budget /f%02d", i))
		}
	}
	result := `"content":{` + content.String()[1:] + `}}`
	_, err := elicit.CheckResult(form(1000), json.RawMessage(`{"action":"accept",`+result))
	wantCodes(t, err, append(want, "truncated")...)

	a, err := elicit.CheckResult(form(1000), json.RawMessage(`{"action":"decline",`+result))
	if err != nil || a.Action != elicit.Decline || a.Content != nil {
		t.Errorf("it was declined: %v, %v", a, err)
	}

	for _, role := range []elicit.Role{elicit.Server, elicit.Client} {
		errs := mistakes(t, elicit.CheckSchema(form(4000), role))
		if len(errs) != 33 || errs[0].Code != schema.PatternBudget || errs[0].Path != "/properties/f00/pattern" {
			t.Errorf("longer texts could not be matched: %v", errs)
		}
	}
	if _, err := elicit.CheckResult(form(4000), json.RawMessage(`{"action":"decline",`+result)); !errors.Is(err, elicit.ErrSchema) {
		t.Error(err)
	}
}

// A message is one line, shows no value, and little of what a server wrote.
func TestMessages(t *testing.T) {
	t.Parallel()
	raw := asking(`"a":{"type":"string","enum":["x\ny\u2028z","` + strings.Repeat("long", 100) + `"]},"b\nc":{"type":"boolean"}`)
	_, err := elicit.CheckResult(raw, accepting(`{"a":"secret","`+strings.Repeat("key", 100)+`":"secret"}`))
	for _, e := range mistakes(t, err) {
		if strings.ContainsAny(e.Error(), "\n\r\u2028") || strings.Contains(e.Error(), "secret") || len(e.Error()) > 250 {
			t.Errorf("%q", e.Error())
		}
	}
}
