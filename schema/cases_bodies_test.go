package schema_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema"
)

// What is made of the bodies that callers send, and of the values that handlers return.
var bodyBehaviour = []behaviour{
	{"a key twice, a second document, and too much depth are malformed and nothing else", malformedBodies},
	{"all mistakes come at once, in the order of the document, then what is missing", allMistakesAtOnce},
	{"integers are exact, 5.0 is one, 5.5 is not, and the range is checked", exactIntegers},
	{"an object's members are required once the object is there", nestedObjects},
	{"absent, null and a value are three things", threeStates},
	{"fields placed in one parent make one closed object", placedFields},
	{"a denied variant is never returned, and a hidden column is neither selected nor returned", hiddenOutput},
	{"the strict profile leaves out what the decoder still enforces", strictProfile},
}

func malformedBodies(t *testing.T) {
	type body struct {
		A any `json:"a"`
	}
	v := inputOf[body](t)
	deep := func(n int) string { return `{"a":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + `}` }
	wantCodes[body](t, v, deep(32))
	for _, raw := range []string{`{"a":1,"a":2}`, `{"b":1,"a":2,"b":3}`, `{"a":{"x":1,"\u0078":2}}`, `{} x`, `{"a":1}{"a":1}`, deep(33), ``, `{"a":01}`, `{"a":1,}`, "{\"a\":\"\xff\"}"} {
		errs := refused[body](t, v, raw)
		if len(errs) != 1 || errs[0].Code != schema.Malformed {
			t.Errorf("%.40q: %v", raw, errs)
		}
	}
}

func allMistakesAtOnce(t *testing.T) {
	type body struct {
		Name string   `json:"name"`
		Age  *int     `json:"age"`
		Tags []string `json:"tags" mcp:"optional"`
	}
	wantCodes[body](t, inputOf[body](t), `{"age":"x","tags":[1,"ok",2],"zz":0}`,
		"type /age", "type /tags/0", "type /tags/2", "unknown /zz", "missing /name")
}

func exactIntegers(t *testing.T) {
	type body struct {
		N int64 `json:"n"`
	}
	v := inputOf[body](t)
	for raw, want := range map[string]int64{
		`9007199254740993`: 9007199254740993, `5.0`: 5, `1e3`: 1000, `-0`: 0, `-0.0`: 0, `50e-1`: 5, `0e999999999`: 0,
		`9223372036854775807`: 9223372036854775807, `-9223372036854775808`: -9223372036854775808,
	} {
		if got := decoded[body](t, v, `{"n":`+raw+`}`); got.N != want {
			t.Errorf("%s became %d", raw, got.N)
		}
	}
	for raw, want := range map[string]string{
		`5.5`: "type /n", `1e-1`: "type /n", `"5"`: "type /n", `true`: "type /n",
		`9223372036854775808`: "max /n", `1e19`: "max /n", `-9223372036854775809`: "min /n",
	} {
		wantCodes[body](t, v, `{"n":`+raw+`}`, want)
	}
}

func nestedObjects(t *testing.T) {
	type body struct {
		Ship *Addr `json:"ship"`
	}
	type nullable struct {
		Ship *Addr `json:"ship" mcp:"nullable"`
	}
	v := inputOf[body](t)
	if got := decoded[body](t, v, `{}`); got.Ship != nil {
		t.Errorf("nothing became %+v", got.Ship)
	}
	wantCodes[body](t, v, `{"ship":null}`, "null /ship")
	wantCodes[body](t, v, `{"ship":{}}`, "missing /ship/city")
	if got := decoded[nullable](t, inputOf[nullable](t), `{"ship":null}`); got.Ship != nil {
		t.Errorf("null became %+v", got.Ship)
	}
}

func threeStates(t *testing.T) {
	type body struct {
		Note schema.Opt[string] `json:"note" mcp:"nullable"`
	}
	v := inputOf[body](t)
	same(t, `{"type":["string","null"]}`, property(t, v, "note"))
	same(t, ``, keyword(t, emitted(t, v), "required"))
	tests := []struct {
		raw          string
		absent, null bool
		value        string
		ok           bool
	}{
		{`{}`, true, false, "", false},
		{`{"note":null}`, false, true, "", false},
		{`{"note":"v"}`, false, false, "v", true},
	}
	for _, tt := range tests {
		got := decoded[body](t, v, tt.raw).Note
		value, ok := got.Get()
		if got.Absent() != tt.absent || got.Null() != tt.null || value != tt.value || ok != tt.ok {
			t.Errorf("%s: absent %t, null %t, value %q %t", tt.raw, got.Absent(), got.Null(), value, ok)
		}
	}
}

func placedFields(t *testing.T) {
	type body struct {
		Message string `json:"message" mcp:"at=error.message"`
		Code    int    `json:"code" mcp:"at=error.code;optional"`
	}
	v := inputOf[body](t)
	same(t, `{"type":"object","properties":{"error":{"type":"object","properties":{"message":{"type":"string"},"code":{"type":"integer"}},"required":["message"],"additionalProperties":false}},"required":["error"],"additionalProperties":false}`,
		emitted(t, v))
	wantCodes[body](t, v, `{}`, "missing /error")
	wantCodes[body](t, v, `{"error":{}}`, "missing /error/message")
	wantCodes[body](t, v, `{"message":"m"}`, "unknown /message", "missing /error")
	if diff := cmp.Diff(body{"m", 7}, decoded[body](t, v, `{"error":{"code":7,"message":"m"}}`)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func hiddenOutput(t *testing.T) {
	type row struct {
		ID   int64  `json:"id"`
		Cost string `json:"cost" gate:"requires(cost)"`
	}
	p := planOf[order](t, schema.Output, schema.Union[method]("type",
		schema.Variant[Card]("card"), schema.Variant[Bank]("bank", schema.Gate{Pred: "requires", Arg: "bank"})))
	raw, err := viewOf(t, p).Project(order{Method: Bank{IBAN: "DE1"}})
	if err == nil || raw != nil {
		t.Errorf("returned %s, %v", raw, err)
	}
	raw, err = viewOf(t, p).Project(order{Method: Card{Last4: "1"}})
	if err != nil {
		t.Fatal(err)
	}
	same(t, `{"method":{"type":"card","last4":"1"}}`, string(raw))

	v := viewOf(t, planOf[row](t, schema.Output))
	if diff := cmp.Diff([]string{"id"}, v.Columns()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	raw, err = v.Project(row{ID: 1, Cost: "9"})
	if err != nil {
		t.Fatal(err)
	}
	same(t, `{"id":1}`, string(raw))
}

func strictProfile(t *testing.T) {
	type body struct {
		Name string  `json:"name" mcp:"min=1;title=T"`
		P    *string `json:"p"`
		Q    *string `json:"q" mcp:"requiredWith=p"`
	}
	v := inputOf[body](t)
	same(t, `{"type":"object","properties":{"name":{"type":"string"},"p":{"type":"string"},"q":{"type":"string"}},"required":["name"],"additionalProperties":false}`,
		emittedWith(t, v, schema.Strict, nil))
	same(t, `{"type":"string","title":"T","minLength":1}`, property(t, v, "name"))
	wantCodes[body](t, v, `{"name":"","p":"x"}`, "length /name", "required_with /q")
}
