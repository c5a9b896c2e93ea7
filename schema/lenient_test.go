package schema_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema"
)

// loose is decoded with leniency.
type loose struct {
	Count *int            `json:"count" mcp:"max=9"`
	Rate  *float64        `json:"rate"`
	Flag  *bool           `json:"flag"`
	List  []int           `json:"list" mcp:"optional"`
	Home  *Addr           `json:"base"`
	Name  *string         `json:"name" mcp:"max=4"`
	Map   map[string]bool `json:"map" mcp:"optional"`
	Null  *int            `json:"null" mcp:"nullable"`
}

func TestLenience(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, body, lenient, exact string }{ // the code, or "" for a good body
		{"a number as text", `{"count":"5"}`, "", "type /count"},
		{"a whole number as text", `{"count":"5.0"}`, "", "type /count"},
		{"a number as text that is too large", `{"count":"10"}`, "max /count", "type /count"},
		{"a fraction as text", `{"rate":"-1.5e1"}`, "", "type /rate"},
		{"a fraction for an integer", `{"count":"5.5"}`, "type /count", "type /count"},
		{"blanks around a number", `{"count":" 5"}`, "type /count", "type /count"},
		{"a plus", `{"count":"+5"}`, "type /count", "type /count"},
		{"hexadecimal", `{"count":"0x5"}`, "type /count", "type /count"},
		{"a leading zero", `{"count":"05"}`, "type /count", "type /count"},
		{"an underscore", `{"count":"1_0"}`, "type /count", "type /count"},
		{"no number", `{"rate":"NaN"}`, "type /rate", "type /rate"},
		{"an empty number", `{"rate":""}`, "type /rate", "type /rate"},
		{"true as text", `{"flag":"true"}`, "", "type /flag"},
		{"false as text", `{"flag":"false"}`, "", "type /flag"},
		{"another case", `{"flag":"True"}`, "type /flag", "type /flag"},
		{"one for true", `{"flag":1}`, "type /flag", "type /flag"},
		{"yes", `{"flag":"yes"}`, "type /flag", "type /flag"},
		{"an array as text", `{"list":"[1,2]"}`, "", "type /list"},
		{"an array as text with a mistake", `{"list":"[1,true]"}`, "type /list/1", "type /list"},
		{"an object as text", `{"base":"{\"city\":\"c\"}"}`, "", "type /base"},
		{"an object as text with a mistake", `{"base":"{\"place\":\"c\"}"}`, "unknown /base/place", "type /base"},
		{"a map as text", `{"map":"{\"a\":true}"}`, "", "type /map"},
		{"an array for an object", `{"base":"[]"}`, "type /base", "type /base"},
		{"no JSON", `{"list":"1,2"}`, "type /list", "type /list"},
		{"JSON and more", `{"list":"[1] x"}`, "type /list", "type /list"},
		{"a number for a string", `{"name":5}`, "type /name", "type /name"},
		{"null as text", `{"null":"null"}`, "type /null", "type /null"},
		{"a null where none is taken", `{"count":null}`, "null /count", "null /count"},
		{"a huge exponent as text", `{"count":"1e999999999"}`, "max /count", "type /count"},
		{"an element as text", `{"list":["1","2"]}`, "", "type /list/0"},
	}
	exact, lenient := inputOf[loose](t), inputOf[loose](t, schema.Lenient())
	same(t, emitted(t, exact), emitted(t, lenient))
	first := func(v *schema.View, body string) string {
		if errs := refused[loose](t, v, body); errs != nil {
			return codes(errs)[0]
		}
		return ""
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			same(t, tt.exact, first(exact, tt.body))
			same(t, tt.lenient, first(lenient, tt.body))
		})
	}
}

func TestLenientValues(t *testing.T) {
	t.Parallel()
	v := inputOf[loose](t, schema.Lenient())
	got := decoded[loose](t, v, `{"count":"5","rate":"0.5","flag":"true","list":"[1,2]","base":"{\"city\":\"c\"}","name":"5","map":"{}"}`)
	count, rate, flag, name := 5, 0.5, true, "5"
	want := loose{Count: &count, Rate: &rate, Flag: &flag, List: []int{1, 2}, Home: &Addr{"c"}, Name: &name, Map: map[string]bool{}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What stands in a text is held to the limits of the whole.
func TestLenienceIsNoWayAroundTheLimits(t *testing.T) {
	t.Parallel()
	v := inputOf[loose](t, schema.Lenient())
	for _, body := range []string{
		`{"base":"{\"city\":\"a\",\"city\":\"b\"}"}`,
		`{"map":"{\"a\":true,\"a\":false}"}`,
		`{"list":"` + manyOnes(20000) + `"}`,
	} {
		if errs := refused[loose](t, v, body); errs == nil {
			t.Errorf("%.60s is good", body)
		}
	}
}

func manyOnes(n int) string {
	list := make([]byte, 0, 2*n)
	for range n {
		list = append(list, ',', '1')
	}
	list[0] = '['
	return string(append(list, ']'))
}
