package schema_test

import (
	"database/sql"
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/tenantry/tenantry/schema"
)

func TestProjectedValues(t *testing.T) {
	t.Parallel()
	seven, text := 7, "t"
	tests := []struct {
		name         string
		project      func(*testing.T) (string, error)
		schema, want string // want "" is an error
	}{
		{"nil slices and maps", projectOf(struct {
			A []int          `json:"a"`
			B map[string]int `json:"b"`
		}{}), ``, `{"a":[],"b":{}}`},
		{"a nil pointer is null", projectOf(struct {
			A *int `json:"a"`
		}{}), `{"type":["integer","null"]}`, `{"a":null}`},
		{"a pointer", projectOf(struct {
			A *int `json:"a"`
		}{&seven}), ``, `{"a":7}`},
		{"a nil pointer with omitempty", projectOf(struct {
			A *int `json:"a,omitempty"`
		}{}), `{"type":"integer"}`, `{}`},
		{"a pointer with omitempty", projectOf(struct {
			A *string `json:"a,omitempty"`
		}{&text}), ``, `{"a":"t"}`},
		{"sql.Null", projectOf(struct {
			A sql.Null[string] `json:"a"`
			B sql.Null[int]    `json:"b"`
		}{B: sql.Null[int]{V: 1, Valid: true}}), `{"type":["string","null"]}`, `{"a":null,"b":1}`},
		{"a 64-bit id as a string", projectOf(struct {
			A int64 `json:"a" mcp:"as=string"`
		}{9007199254740993}), `{"type":"string","pattern":"^-?[0-9]+$"}`, `{"a":"9007199254740993"}`},
		{"exact integers", projectOf(struct {
			A int64  `json:"a"`
			B uint64 `json:"b"`
		}{math.MinInt64, math.MaxUint64}), ``, `{"a":-9223372036854775808,"b":18446744073709551615}`},
		{"bytes", projectOf(struct {
			A []byte `json:"a"`
			B []byte `json:"b"`
		}{A: []byte("hi")}), ``, `{"a":"aGk=","b":""}`},
		{"times and days", projectOf(struct {
			A time.Time      `json:"a"`
			B schema.Date    `json:"b"`
			C schema.Decimal `json:"c"`
		}{time.Date(2024, 2, 29, 1, 2, 3, 4000, time.UTC), schema.Date{Year: 2024, Month: 2, Day: 29}, "19.90"}), ``, `{"a":"2024-02-29T01:02:03.000004Z","b":"2024-02-29","c":"19.90"}`},
		{"any", projectOf(struct {
			A any             `json:"a"`
			B json.RawMessage `json:"b"`
		}{map[string]any{"x": []int{1}}, json.RawMessage(`{"y":1.50}`)}), `{}`, `{"a":{"x":[1]},"b":{"y":1.50}}`},
		{"strings", projectOf(struct {
			A string `json:"a"`
		}{"<\u2028\"\n"}), ``, `{"a":"<` + "\u2028" + `\"\n"}`},
		{"an array", projectOf(struct {
			A [2]bool `json:"a"`
		}{[2]bool{true, false}}), `{"type":"array","minItems":2,"maxItems":2,"items":{"type":"boolean"}}`, `{"a":[true,false]}`},
		{"not a number", projectOf(struct {
			A float64 `json:"a"`
		}{math.NaN()}), ``, ``},
		{"infinite", projectOf(struct {
			A []float32 `json:"a"`
		}{[]float32{float32(math.Inf(-1))}}), ``, ``},
		{"only written", projectOf(struct {
			A int    `json:"a" mcp:"readOnly"`
			B string `json:"b" mcp:"writeOnly"`
		}{1, "secret"}), `{"type":"integer","readOnly":true}`, `{"a":1}`},
		{"not in the enum", projectOf(struct {
			A Level `json:"a"`
		}{"none"}), ``, ``},
		{"a nil variant", projectOf(struct {
			A any `json:"a"`
		}{nil}), `{}`, `{"a":null}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := tt.project(t)
			if (err == nil) != (tt.want != "") {
				t.Fatalf("%s, %v", got, err)
			}
			if err != nil {
				return
			}
			var shown struct{ Schema, Value json.RawMessage }
			if err := json.Unmarshal([]byte(got), &shown); err != nil {
				t.Fatal(err)
			}
			if tt.schema != "" {
				same(t, tt.schema, string(shown.Schema))
			}
			same(t, tt.want, string(shown.Value))
		})
	}
}

// projectOf projects a value by the plan of its type, and returns the schema of the property a beside it.
func projectOf[T any](value T) func(*testing.T) (string, error) {
	return func(t *testing.T) (string, error) {
		v := viewOf(t, planOf[T](t, schema.Output))
		raw, err := v.Project(value)
		if err != nil {
			if raw != nil {
				t.Errorf("both %s and %v", raw, err)
			}
			return "", err
		}
		if again, err := v.Project(&value); err != nil || string(again) != string(raw) {
			t.Errorf("a pointer to it: %s, %v", again, err)
		}
		if err := referenceTo(t, emitted(t, v)).refuses(t, string(raw)); err != nil {
			t.Errorf("%s: %v\n%s", raw, err, emitted(t, v))
		}
		return `{"schema":` + property(t, v, "a") + `,"value":` + string(raw) + `}`, nil
	}
}

func TestDirections(t *testing.T) {
	t.Parallel()
	type row struct {
		ID       int    `json:"id" mcp:"readOnly"`
		Name     string `json:"name"`
		Password string `json:"password" mcp:"writeOnly"`
	}
	in, out := inputOf[row](t), viewOf(t, planOf[row](t, schema.Output))
	same(t, `["name","password"]`, keyword(t, emitted(t, in), "required"))
	same(t, `["id","name"]`, keyword(t, emitted(t, out), "required"))
	wantCodes[row](t, in, `{"id":1,"name":"n","password":"p"}`, "unknown /id")
	raw, err := out.Project(row{1, "n", "p"})
	if err != nil {
		t.Fatal(err)
	}
	same(t, `{"id":1,"name":"n"}`, string(raw))
}

// A value that no visible variant stands for is never returned.
func TestUnmatchedVariantsAreErrors(t *testing.T) {
	t.Parallel()
	union := schema.Union[method]("type", schema.Variant[Card]("card"), schema.Variant[Bank]("bank"))
	v := viewOf(t, planOf[order](t, schema.Output, union))
	for name, value := range map[string]order{"none": {}, "another type": {Method: Cash{}}} {
		if raw, err := v.Project(value); err == nil || raw != nil {
			t.Errorf("%s: %s, %v", name, raw, err)
		}
	}
	if raw, err := v.Project(Addr{}); err == nil || raw != nil {
		t.Errorf("a value of another type: %s, %v", raw, err)
	}
	if raw, err := v.Project(nil); err == nil || raw != nil {
		t.Errorf("nil: %s, %v", raw, err)
	}
}

// A null that may be left out is left out, whatever value lies beside it.
func TestNullIsLeftOut(t *testing.T) {
	t.Parallel()
	type body struct {
		A sql.Null[string] `json:"a" mcp:"optional"`
		B sql.Null[string] `json:"b"`
		C *int             `json:"c,omitempty"`
	}
	v := viewOf(t, planOf[body](t, schema.Output))
	raw, err := v.Project(body{A: sql.Null[string]{V: "x"}, B: sql.Null[string]{V: "x"}})
	if err != nil || string(raw) != `{"b":null}` {
		t.Errorf("%s %v", raw, err)
	}
	zero := 0
	raw, err = v.Project(body{A: sql.Null[string]{Valid: true}, C: &zero})
	if err != nil || string(raw) != `{"a":"","b":null,"c":0}` {
		t.Errorf("%s %v", raw, err)
	}
}
