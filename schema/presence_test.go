package schema_test

import (
	"database/sql"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema"
)

// What absence and null are for each way to declare a field: the codes of {} and of {"f":null}, and whether
// the schema requires the field and admits null.
func TestPresenceAndNull(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name             string
		check            func(*testing.T) presence
		absent, null     string
		required, admits bool
	}{
		{"T", presenceOf[struct {
			F int `json:"f"`
		}], "missing /f", "null /f", true, false},
		{"T with a default", presenceOf[struct {
			F int `json:"f" mcp:"default=3"`
		}], "", "null /f", false, false},
		{"T with a default for the caller", presenceOf[struct {
			F int `json:"f" mcp:"defaultFor=x"`
		}], "missing /f", "null /f", false, false}, // this caller has none
		{"T optional with a default for the caller", presenceOf[struct {
			F int `json:"f" mcp:"defaultFor=x;optional"`
		}], "", "null /f", false, false},
		{"T optional", presenceOf[struct {
			F int `json:"f" mcp:"optional"`
		}], "", "null /f", false, false},
		{"T omitempty", presenceOf[struct {
			F int `json:"f,omitempty"`
		}], "", "null /f", false, false},
		{"T omitzero", presenceOf[struct {
			F int `json:"f,omitzero"`
		}], "", "null /f", false, false},
		{"a pointer", presenceOf[struct {
			F *int `json:"f"`
		}], "", "null /f", false, false},
		{"a nullable pointer", presenceOf[struct {
			F *int `json:"f" mcp:"nullable"`
		}], "", "", false, true},
		{"a present nullable pointer", presenceOf[struct {
			F *int `json:"f" mcp:"present;nullable"`
		}], "missing /f", "", true, true},
		{"a required pointer", presenceOf[struct {
			F *int `json:"f" mcp:"required"`
		}], "missing /f", "null /f", true, false},
		{"sql.Null", presenceOf[struct {
			F sql.Null[int] `json:"f"`
		}], "", "null /f", false, false},
		{"a nullable sql.Null", presenceOf[struct {
			F sql.Null[int] `json:"f" mcp:"nullable"`
		}], "", "", false, true},
		{"Opt", presenceOf[struct {
			F schema.Opt[int] `json:"f"`
		}], "", "null /f", false, false},
		{"a nullable Opt", presenceOf[struct {
			F schema.Opt[int] `json:"f" mcp:"nullable"`
		}], "", "", false, true},
		{"a slice", presenceOf[struct {
			F []int `json:"f"`
		}], "missing /f", "null /f", true, false},
		{"a map", presenceOf[struct {
			F map[string]int `json:"f"`
		}], "missing /f", "null /f", true, false},
		{"an object", presenceOf[struct {
			F Addr `json:"f"`
		}], "missing /f", "null /f", true, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(presence{tt.absent, tt.null, tt.required, tt.admits}, tt.check(t)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

type presence struct {
	Absent, Null     string
	Required, Admits bool
}

func presenceOf[T any](t *testing.T) presence {
	v := inputOf[T](t)
	code := func(body string) string {
		if errs := refused[T](t, v, body); len(errs) > 0 {
			return codes(errs)[0]
		}
		return ""
	}
	return presence{
		Absent: code(`{}`), Null: code(`{"f":null}`),
		Required: keyword(t, emitted(t, v), "required") != "",
		Admits:   referenceTo(t, property(t, v, "f")).refuses(t, `null`) == nil,
	}
}

// How null joins the schema of each kind of value.
func TestNullInTheSchema(t *testing.T) {
	t.Parallel()
	type body struct {
		Count  *int                `json:"count" mcp:"min=1;nullable"`
		Status *Status             `json:"status" mcp:"enum=a|b;nullable"`
		Level  *Level              `json:"level" mcp:"nullable"`
		Home   *Addr               `json:"home" mcp:"nullable"`
		Work   *Addr               `json:"work" mcp:"nullable" desc:"Where."`
		Map    *map[string]int     `json:"map" mcp:"nullable"`
		Opt    schema.Opt[Part]    `json:"opt" mcp:"nullable"`
		List   schema.Opt[[]int]   `json:"list" mcp:"nullable"`
		Null   sql.Null[string]    `json:"null" mcp:"nullable"`
		Method schema.Opt[method]  `json:"method" mcp:"nullable"`
		Any    schema.Opt[any]     `json:"any" mcp:"nullable"`
		Date   *schema.Date        `json:"date" mcp:"nullable"`
		Bytes  schema.Opt[[]byte]  `json:"bytes" mcp:"nullable"`
		Text   schema.Opt[Status]  `json:"text" mcp:"nullable;pattern=b"`
		Rate   schema.Opt[float64] `json:"rate" mcp:"nullable;enum=0.5|1"`
	}
	v := viewOf(t, planOf[body](t, schema.Input, schema.Union[method]("type", schema.Variant[Card]("card"), schema.Variant[Bank]("bank"))), "tier(pro)")
	same(t, `{"type":["integer","null"],"minimum":1}`, property(t, v, "count"))
	same(t, `{"anyOf":[{"$ref":"#/$defs/Addr"},{"type":"null"}]}`, property(t, v, "home"))
	same(t, `["string","null"]`, keyword(t, property(t, v, "null"), "type"))
	same(t, `[0.5,1,null]`, keyword(t, property(t, v, "rate"), "enum"))
	whole := referenceTo(t, emitted(t, v))
	for _, name := range keys(t, keyword(t, emitted(t, v), "properties")) {
		raw := `{"` + name + `":null}`
		wantCodes[body](t, v, raw)
		if err := whole.refuses(t, raw); err != nil {
			t.Errorf("%s: %v", raw, err)
		}
	}
}
