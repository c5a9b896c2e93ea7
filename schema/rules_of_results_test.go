package schema_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/schema"
)

// bounded projects a value that is good and one that is not.
func bounded[T any](t *testing.T, good, bad T, opts ...schema.Option) {
	t.Helper()
	out := viewOf(t, planOf[T](t, schema.Output, opts...))
	if _, err := out.Project(good); err != nil {
		t.Errorf("%+v does not leave: %v", good, err)
	}
	if raw, err := out.Project(bad); err == nil || raw != nil {
		t.Errorf("it breaks a rule that is advertised, and left: %q, %v", raw, err)
	}
}

type (
	switchedOn struct {
		A bool `json:"a" mcp:"const=true"`
	}
	fixedCount struct {
		A int `json:"a" mcp:"const=7"`
	}
	fixedShare struct {
		A float64 `json:"a" mcp:"const=1.5"`
	}
	someCounts struct {
		A uint8 `json:"a" mcp:"enum=1|20"`
	}
	exactShare struct {
		A json.Number `json:"a" mcp:"const=1.50"`
	}
	someItems struct {
		A []int `json:"a" mcp:"min=1;max=2"`
	}
	someMembers struct {
		A map[string]int `json:"a" mcp:"min=1;max=2"`
	}
	shortKeys struct {
		A map[string]int `json:"a" mcp:"keys.max=2"`
	}
	patternKeys struct {
		A map[string]int `json:"a" mcp:"keys.pattern='^[a-z]+$'"`
	}
	onlyText struct {
		A string `json:"a"`
	}
	onlyKeys struct {
		A map[string]int `json:"a"`
	}
)

// The only value, or the few values, of a bool and of a number hold for what goes out.
func TestKnownValuesOfResults(t *testing.T) {
	t.Parallel()
	bounded(t, switchedOn{true}, switchedOn{false})
	bounded(t, fixedCount{7}, fixedCount{8})
	bounded(t, fixedShare{1.5}, fixedShare{1.25})
	bounded(t, someCounts{20}, someCounts{2})
	bounded(t, exactShare{"1.5"}, exactShare{"1.51"})
}

// How many elements and members a result may have is checked at both ends.
func TestCountsOfResults(t *testing.T) {
	t.Parallel()
	bounded(t, someItems{[]int{1}}, someItems{})
	bounded(t, someItems{[]int{1, 2}}, someItems{[]int{1, 2, 3}})
	bounded(t, someMembers{map[string]int{"a": 1}}, someMembers{})
	bounded(t, someMembers{map[string]int{"a": 1, "b": 2}}, someMembers{map[string]int{"a": 1, "b": 2, "c": 3}})
}

// The keys of a map keep rules of their own on the way out.
func TestKeysOfResults(t *testing.T) {
	t.Parallel()
	bounded(t, shortKeys{map[string]int{"ab": 1}}, shortKeys{map[string]int{"abc": 1}})
	bounded(t, patternKeys{map[string]int{"ab": 1}}, patternKeys{map[string]int{"AB": 1}})
}

// What is no text does not leave as one.
func TestBrokenTextsInResults(t *testing.T) {
	t.Parallel()
	bounded(t, onlyText{"é"}, onlyText{"\xc3"})
	bounded(t, onlyKeys{map[string]int{"é": 1}}, onlyKeys{map[string]int{"\xc3": 1}})
}

// JSON that only the host knows has each key once, however deep.
func TestKeysTwiceInsideAnAny(t *testing.T) {
	t.Parallel()
	type raw struct {
		A json.RawMessage `json:"a"`
	}
	type loose struct {
		A any `json:"a"`
	}
	for _, tt := range []struct{ good, bad string }{
		{`{"b":1,"c":1}`, `{"b":1,"b":2}`},
		{`{"b":1,"B":1}`, `{"b":1,"\u0062":2}`},
		{`[{"b":1},{"b":1}]`, `[{"c":{"b":1,"b":1}}]`},
	} {
		bounded(t, raw{json.RawMessage(tt.good)}, raw{json.RawMessage(tt.bad)})
		bounded(t, loose{json.RawMessage(tt.good)}, loose{map[string]any{"x": json.RawMessage(tt.bad)}})
	}
}

// A rest cannot say what a member would: the client could not tell one from the other. And where a member is
// hidden from some, its name could be told from one that never was.
func TestRestOfAResultHoldsNoMember(t *testing.T) {
	t.Parallel()
	type body struct {
		Open   string         `json:"open"`
		Closed string         `json:"closed" mcp:"at=inner.closed"`
		Rest   map[string]any `json:"-" mcp:"rest"`
	}
	type gated struct {
		Secret string         `json:"secret" gate:"requires(admin)"`
		Rest   map[string]any `json:"-" mcp:"rest"`
	}
	type gatedValue struct {
		Secret private        `json:"secret"`
		Rest   map[string]any `json:"-" mcp:"rest"`
	}
	out := viewOf(t, planOf[body](t, schema.Output))
	if raw, err := out.Project(body{Open: "o", Rest: map[string]any{"other": 1}}); err != nil || !strings.Contains(string(raw), `"other":1`) {
		t.Errorf("%s, %v", raw, err)
	}
	for _, name := range []string{"open", "inner"} {
		if raw, err := out.Project(body{Rest: map[string]any{name: "x"}}); err == nil {
			t.Errorf("the rest stands in for %s: %s", name, raw)
		}
	}
	_, err := schema.For[gated](schema.Output)
	_, errValue := schema.For[gatedValue](schema.Output)
	for _, err := range []error{err, errValue} {
		if err == nil || !strings.Contains(err.Error(), ".Rest: rest: stands beside secret") {
			t.Error(err)
		}
	}
}

// A default is for what comes in: nothing of it is told of a result.
func TestNoDefaultsInResults(t *testing.T) {
	t.Parallel()
	type body struct {
		A int    `json:"a" mcp:"default=4711"`
		B string `json:"b" mcp:"defaultFor=zone"`
	}
	asked := false
	def := func(context.Context, string) (any, bool, error) { asked = true; return "z", true, nil }
	for _, pf := range []schema.Profile{schema.Full, schema.Strict} {
		if raw := emittedWith(t, viewOf(t, planOf[body](t, schema.Output)), pf, def); strings.Contains(raw, "default") || strings.Contains(raw, "4711") || asked {
			t.Errorf("%s, asked: %t", raw, asked)
		}
		if raw := emittedWith(t, inputOf[body](t), pf, nil); !strings.Contains(raw, `"default":4711`) {
			t.Error(raw)
		}
	}
}
