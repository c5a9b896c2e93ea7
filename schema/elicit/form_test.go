package elicit_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema"
	"github.com/tenantry/tenantry/schema/elicit"
)

var revisions = []string{"2025-06-18", "2025-11-25", "2026-07-28"}

const several = "elicit: before revision 2025-11-25 a form has no choice of several"

// What is sent of one field f, by revision. One text stands for all three.
func TestWireForms(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		wire func(*testing.T) []string
		want []string
	}{
		{"a string", wireOf[struct {
			F string `json:"f" mcp:"title=T;min=1;max=9;format=email" desc:"D"`
		}], []string{`{"type":"string","title":"T","description":"D","minLength":1,"maxLength":9,"format":"email"}!`}},
		{"a pattern", wireOf[struct {
			F string `json:"f" mcp:"pattern='^[A-Z]\\d$'"`
		}], []string{`{"type":"string","pattern":"^[A-Z]\\d$"}!`}},
		{"a string with a default", wireOf[struct {
			F string `json:"f" mcp:"default=x"`
		}], []string{`{"type":"string"}`, `{"type":"string","default":"x"}`, `{"type":"string","default":"x"}`}},
		{"a required string with a default", wireOf[struct {
			F string `json:"f" mcp:"default=x;required"`
		}], []string{`{"type":"string"}!`, `{"type":"string","default":"x"}!`, `{"type":"string","default":"x"}!`}},
		{"an optional string", wireOf[struct {
			F *string `json:"f"`
		}], []string{`{"type":"string"}`}},
		{"a string that may be absent", wireOf[struct {
			F schema.Opt[string] `json:"f"`
		}], []string{`{"type":"string"}`}},
		{"a date", wireOf[struct {
			F schema.Date `json:"f"`
		}], []string{`{"type":"string","format":"date"}!`}},
		{"an integer", wireOf[struct {
			F int `json:"f" mcp:"min=1;max=9"`
		}], []string{`{"type":"integer","minimum":1,"maximum":9}!`}},
		{"an integer with the bounds of its type", wireOf[struct {
			F int8 `json:"f"`
		}], []string{`{"type":"integer","minimum":-128,"maximum":127}!`}},
		{"an integer with a default", wireOf[struct {
			F int `json:"f" mcp:"default=7"`
		}], []string{`{"type":"integer"}`, `{"type":"integer","default":7}`, `{"type":"integer","default":7}`}},
		{"a number with bounds that are not whole", wireOf[struct {
			F float64 `json:"f" mcp:"min=-1.5;max=95.5;default=1.5"`
		}], []string{
			`{"type":"number","minimum":-2,"maximum":96}`, `{"type":"number","minimum":-2,"maximum":96,"default":1.5}`,
			`{"type":"number","minimum":-1.5,"maximum":95.5,"default":1.5}`,
		}},
		{"a number with tiny bounds", wireOf[struct {
			F float64 `json:"f" mcp:"min=-1e-30;max=1e-3"`
		}], []string{`{"type":"number","minimum":-1,"maximum":1}!`, `{"type":"number","minimum":-1,"maximum":1}!`, `{"type":"number","minimum":-1e-30,"maximum":1e-3}!`}},
		{"a number with whole bounds in another spelling", wireOf[struct {
			F float64 `json:"f" mcp:"min=-1.0;max=1e2"`
		}], []string{`{"type":"number","minimum":-1,"maximum":100}!`, `{"type":"number","minimum":-1,"maximum":100}!`, `{"type":"number","minimum":-1.0,"maximum":1e2}!`}},
		{"a number with a whole default", wireOf[struct {
			F float64 `json:"f" mcp:"default=2.0"`
		}], []string{`{"type":"number"}`, `{"type":"number","default":2.0}`, `{"type":"number","default":2.0}`}},
		{"bounds that exclude themselves", wireOf[struct {
			F int `json:"f" mcp:"xmin=0;min=-3;xmax=10"`
		}], []string{`{"type":"integer","minimum":0,"maximum":10}!`}},
		{"a bound that is tighter than one that excludes itself", wireOf[struct {
			F int `json:"f" mcp:"xmin=0;min=3"`
		}], []string{`{"type":"integer","minimum":3}!`}},
		{"a boolean", wireOf[struct {
			F bool `json:"f" mcp:"default=true"`
		}], []string{`{"type":"boolean","default":true}`}},
		{"a boolean that must be true", wireOf[struct {
			F bool `json:"f" mcp:"const=true"`
		}], []string{`{"type":"boolean"}!`}},
		{"one of several strings", wireOf[struct {
			F string `json:"f" mcp:"enum=a|b;default=b;title=T"`
		}], []string{
			`{"type":"string","title":"T","enum":["a","b"]}`,
			`{"type":"string","title":"T","enum":["a","b"],"default":"b"}`, `{"type":"string","title":"T","enum":["a","b"],"default":"b"}`,
		}},
		{"one of a type", wireOf[struct {
			F Color `json:"f"`
		}], []string{`{"type":"string","enum":["red","blue"]}!`}},
		{"one with titles", wireOf[struct {
			F Speed `json:"f"`
		}], []string{
			`{"type":"string","enum":["slow","fast"],"enumNames":["By ship","By \"air\" & rail"]}!`,
			`{"type":"string","oneOf":[{"const":"slow","title":"By ship"},{"const":"fast","title":"By \"air\" & rail"}]}!`,
			`{"type":"string","oneOf":[{"const":"slow","title":"By ship"},{"const":"fast","title":"By \"air\" & rail"}]}!`,
		}},
		{"one with titles, of fewer values", wireOf[struct {
			F *Speed `json:"f" mcp:"enum=fast"`
		}], []string{
			`{"type":"string","enum":["fast"],"enumNames":["By \"air\" & rail"]}`,
			`{"type":"string","oneOf":[{"const":"fast","title":"By \"air\" & rail"}]}`, `{"type":"string","oneOf":[{"const":"fast","title":"By \"air\" & rail"}]}`,
		}},
		{"several", wireOf[struct {
			F []Color `json:"f" mcp:"min=1;max=2;default='[\"red\"]'"`
		}], []string{
			several, `{"type":"array","minItems":1,"maxItems":2,"items":{"type":"string","enum":["red","blue"]},"default":["red"]}`,
			`{"type":"array","minItems":1,"maxItems":2,"items":{"type":"string","enum":["red","blue"]},"default":["red"]}`,
		}},
		{"several of a tag", wireOf[struct {
			F []string `json:"f" mcp:"items.enum=a|b;unique"`
		}], []string{several, `{"type":"array","items":{"type":"string","enum":["a","b"]}}!`, `{"type":"array","items":{"type":"string","enum":["a","b"]}}!`}},
		{"several with titles", wireOf[struct {
			F []Speed `json:"f"`
		}], []string{
			several, `{"type":"array","items":{"anyOf":[{"const":"slow","title":"By ship"},{"const":"fast","title":"By \"air\" & rail"}]}}!`,
			`{"type":"array","items":{"anyOf":[{"const":"slow","title":"By ship"},{"const":"fast","title":"By \"air\" & rail"}]}}!`,
		}},
		{"what forms have no words for", wireOf[struct {
			F int `json:"f" mcp:"step=5;example=5;deprecated"`
		}], []string{`{"type":"integer"}!`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			want := tt.want
			if len(want) == 1 {
				want = []string{want[0], want[0], want[0]}
			}
			if diff := cmp.Diff(want, tt.wire(t)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// wireOf is what each revision gets of the property f, with a ! if it is required.
func wireOf[T any](t *testing.T) (wires []string) {
	f := newForm[T](t)
	for _, revision := range revisions {
		raw, err := f.Schema(revision)
		if err != nil {
			wires = append(wires, err.Error())
			continue
		}
		for _, role := range []elicit.Role{elicit.Server, elicit.Client} {
			if err := elicit.CheckSchema(raw, role); err != nil {
				t.Errorf("%s of revision %s: %v", raw, revision, err)
			}
		}
		text := strings.TrimPrefix(string(raw), `{"type":"object","properties":{"f":`)
		if whole, ok := strings.CutSuffix(text, `},"required":["f"]}`); ok {
			wires = append(wires, whole+"!")
		} else {
			wires = append(wires, strings.TrimSuffix(text, "}}"))
		}
	}
	return wires
}

func TestSchemaOfOtherRevisions(t *testing.T) {
	t.Parallel()
	f := newForm[struct {
		F float64 `json:"f" mcp:"max=1.5"`
	}](t)
	const whole, exact = `{"type":"object","properties":{"f":{"type":"number","maximum":2}},"required":["f"]}`, `{"type":"object","properties":{"f":{"type":"number","maximum":1.5}},"required":["f"]}`
	for _, tt := range []struct{ name, revision, want, err string }{
		{"before there were forms", "2025-03-26", "", "elicit: revision 2025-03-26 has no forms: they began with 2025-06-18"},
		{"none", "", "", `elicit: "" is no revision of the protocol: write it as 2025-11-25`},
		{"a draft", "draft", "", `elicit: "draft" is no revision of the protocol: write it as 2025-11-25`},
		{"between two", "2025-12-01", whole, ""},
		{"newer than all", "2027-01-01", exact, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			raw, err := f.Schema(tt.revision)
			got := ""
			if err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff([]string{tt.want, tt.err}, []string{string(raw), got}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The bytes of a schema belong to the caller.
func TestSchemaIsACopy(t *testing.T) {
	t.Parallel()
	f := newForm[struct{}](t)
	for range 2 {
		raw, err := f.Schema("2025-11-25")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(`{"type":"object","properties":{}}`, string(raw)); diff != "" {
			t.Fatal(diff)
		}
		clear(raw)
	}
}

type embedded struct {
	A string `json:"a" mcp:"title=First"`
}

// Properties are in declared order, and those of what is embedded stand where it is.
func TestSchemaOfAStruct(t *testing.T) {
	t.Parallel()
	type whole struct {
		Z bool `json:"z"`
		embedded
		M   Speed   `json:"m"`
		N   Speed   `json:"n" mcp:"default=slow;required"`
		Low []Color `json:"low" mcp:"optional"`
		out string
		Not string `json:"-"`
	}
	_ = whole{}.out
	raw, err := newForm[whole](t).Schema("2026-07-28")
	if err != nil {
		t.Fatal(err)
	}
	const speeds = `"oneOf":[{"const":"slow","title":"By ship"},{"const":"fast","title":"By \"air\" & rail"}]`
	want := `{"type":"object","properties":{"z":{"type":"boolean"},"a":{"type":"string","title":"First"},"m":{"type":"string",` + speeds +
		`},"n":{"type":"string",` + speeds + `,"default":"slow"},"low":{"type":"array","items":{"type":"string","enum":["red","blue"]}}},"required":["z","a","m","n"]}`
	if diff := cmp.Diff(want, string(raw)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Of two fields with one name that one counts which lies less deep, with its titles.
func TestSchemaOfHiddenFields(t *testing.T) {
	t.Parallel()
	raw, err := newForm[struct {
		embedded
		Outer Speed `json:"a"`
	}](t).Schema("2025-06-18")
	if err != nil {
		t.Fatal(err)
	}
	want := `{"type":"object","properties":{"a":{"type":"string","enum":["slow","fast"],"enumNames":["By ship","By \"air\" & rail"]}},"required":["a"]}`
	if diff := cmp.Diff(want, string(raw)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
