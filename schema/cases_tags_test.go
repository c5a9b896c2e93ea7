package schema_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema"
)

// What the tags of a field ask of its values.
var tagBehaviour = []behaviour{
	{"exclusive bounds and steps are as written, and steps are exact", exactSteps},
	{"a quoted pattern keeps its semicolon", quotedPattern},
	{"a pattern that is not portable or too costly is a build error", refusedPatterns},
	{"elements have formats, and equal ones are refused", uniqueFormats},
	{"a default has the type of its field", typedDefaults},
	{"a default for the caller wins, none leaves the static one, an error fails the call", dynamicDefaults},
}

func exactSteps(t *testing.T) {
	type body struct {
		Rate float64 `json:"rate" mcp:"xmin=0;xmax=1.0;step=0.01"`
	}
	v := inputOf[body](t)
	same(t, `{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1.0,"multipleOf":0.01}`, property(t, v, "rate"))
	if got := decoded[body](t, v, `{"rate":0.07}`); got.Rate != 0.07 {
		t.Errorf("0.07 became %v", got.Rate)
	}
	wantCodes[body](t, v, `{"rate":7e-2}`)
	wantCodes[body](t, v, `{"rate":0.075}`, "step /rate")
	wantCodes[body](t, v, `{"rate":0}`, "min /rate")
	wantCodes[body](t, v, `{"rate":1}`, "max /rate")
}

func quotedPattern(t *testing.T) {
	type body struct {
		Code string `json:"code" mcp:"pattern='^[A-Z]{2};\\d+$'"`
	}
	v := inputOf[body](t)
	same(t, `"^[A-Z]{2};\\d+$"`, keyword(t, property(t, v, "code"), "pattern"))
	wantCodes[body](t, v, `{"code":"AB;1"}`)
	wantCodes[body](t, v, `{"code":"ab;1"}`, "pattern /code")
}

func refusedPatterns(t *testing.T) {
	type lookahead struct {
		Code string `json:"code" mcp:"pattern='^(?=a)b'"`
	}
	type cost struct {
		Code string `json:"code" mcp:"pattern='(?:a?){1000}(?:a?){1000}(?:a?){1000}'"`
	}
	wantMistake[lookahead](t, "lookahead.Code", "there is no look-ahead")
	wantMistake[cost](t, "cost.Code", "too costly")
}

func uniqueFormats(t *testing.T) {
	type body struct {
		To []string `json:"to" mcp:"min=1;unique;items.format=email"`
	}
	v := inputOf[body](t)
	f := property(t, v, "to")
	same(t, `{"type":"string","format":"email"}`, keyword(t, f, "items"))
	same(t, `1`, keyword(t, f, "minItems"))
	same(t, `true`, keyword(t, f, "uniqueItems"))
	wantCodes[body](t, v, `{"to":["a@b.c"]}`)
	wantCodes[body](t, v, `{"to":["a@b.c","a@b.c"]}`, "unique /to")
	wantCodes[body](t, v, `{"to":["a@b.c","b"]}`, "format /to/1")
}

func typedDefaults(t *testing.T) {
	type text struct {
		Answer string `json:"answer" mcp:"default=42"`
	}
	type word struct {
		Answer int `json:"answer" mcp:"default=x"`
	}
	type large struct {
		Answer int `json:"answer" mcp:"max=3;default=5"`
	}
	v := inputOf[text](t)
	same(t, `"42"`, keyword(t, property(t, v, "answer"), "default"))
	if got := decoded[text](t, v, `{}`); got.Answer != "42" {
		t.Errorf("the default became %q", got.Answer)
	}
	wantCodes[text](t, v, `{"answer":null}`, "null /answer")
	wantMistake[word](t, "word.Answer")
	wantMistake[large](t, "large.Answer")
}

func dynamicDefaults(t *testing.T) {
	type body struct {
		Zone string `json:"zone" mcp:"defaultFor=tz;default=UTC"`
	}
	v := inputOf[body](t)
	tests := []struct {
		name    string
		value   any
		ok      bool
		err     error
		emitted string
		zone    string
		codes   []string
	}{
		{"a value", "Europe/Paris", true, nil, `"Europe/Paris"`, "Europe/Paris", []string{}},
		{"none", nil, false, nil, `"UTC"`, "UTC", []string{}},
		{"an error", nil, false, errors.New("the store is down"), ``, "", []string{"default /zone"}},
		{"a value of another type", 7, true, nil, ``, "", []string{"default /zone"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			def := func(_ context.Context, key string) (any, bool, error) {
				if key != "tz" {
					t.Errorf("asked for %q", key)
				}
				return tt.value, tt.ok, tt.err
			}
			raw, err := v.JSON(t.Context(), schema.Full, def) // whole, even beside an error
			if failed := len(tt.codes) > 0; failed != (err != nil) {
				t.Errorf("the schema came with %v", err)
			}
			same(t, tt.emitted, keyword(t, string(raw), "properties", "zone", "default"))
			var got body
			errs := mistakes(t, v.Decode(t.Context(), []byte(`{}`), &got, def))
			if diff := cmp.Diff(tt.codes, codes(errs)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			same(t, tt.zone, got.Zone)
			errs = mistakes(t, v.Decode(t.Context(), []byte(`{"zone":"Asia/Tokyo"}`), &got, def))
			if len(errs) > 0 || got.Zone != "Asia/Tokyo" {
				t.Errorf("a value that was given became %q: %v", got.Zone, errs)
			}
		})
	}
}
