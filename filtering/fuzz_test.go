package filtering_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/resource"
)

func FuzzParse(f *testing.F) {
	good, bad := lines(f, "good.txt"), lines(f, "bad.txt")
	for i, line := range good {
		f.Add([]byte(line), []byte(good[(i+1)%len(good)]))
	}
	for i, line := range bad {
		f.Add([]byte(line), []byte(good[i%len(good)]))
	}
	f.Add([]byte(`{"note":"\ud800"}`), []byte("{\"note\":\"\xff\"}"))
	f.Add([]byte(`{"qty":1e99999999999}`), []byte(`{"qty":-0.0e5}`))
	f.Add([]byte(strings.Repeat(`{"not":`, 200)), []byte(strings.Repeat(`[`, 200)))
	keys := orders()
	f.Fuzz(func(t *testing.T, a, b []byte) {
		fa, oka := fuzzOne(t, a, keys)
		fb, okb := fuzzOne(t, b, keys)
		if oka && okb {
			fuzzPair(t, fa, fb)
		}
	})
}

// fuzzOne checks what holds of every input by itself.
func fuzzOne(t *testing.T, raw []byte, keys *filtering.Keys) (filtering.Filter, bool) {
	f, err := filtering.Parse(raw, keys)
	again, errAgain := filtering.Parse(raw, keys)
	if digest(f) != digest(again) || asJSON(t, err) != asJSON(t, errAgain) {
		t.Errorf("%q: parsed in two ways", raw)
	}
	if err != nil {
		errs, ok := err.(resource.Errors)
		if !ok || len(errs) == 0 || !f.Empty() {
			t.Fatalf("%q: %#v", raw, err)
		}
		for _, e := range errs {
			checkMistake(t, string(raw), e)
		}
		return f, false
	}
	text, args := sqlOf(t, f)
	if got := placeholders(text); got != len(args) {
		t.Errorf("%q: %d placeholders for %d arguments in %s", raw, got, len(args), text)
	}
	if !balanced(text) {
		t.Errorf("%q: the condition is not closed: %s", raw, text)
	}
	return f, true
}

// fuzzPair checks that shape and digest tell filters apart exactly as their SQL does.
func fuzzPair(t *testing.T, a, b filtering.Filter) {
	textA, argsA := sqlOf(t, a)
	textB, argsB := sqlOf(t, b)
	if shape(a) == shape(b) && textA != textB {
		t.Errorf("one shape, two texts:\n%s\n%s", textA, textB)
	}
	same := shape(a) == shape(b) && cmp.Equal(argsA, argsB)
	if same != (digest(a) == digest(b)) {
		t.Errorf("digests %q and %q of\n%s %v\n%s %v", digest(a), digest(b), textA, argsA, textB, argsB)
	}
}

// balanced reports whether text is one expression in parentheses that close at its end, whatever
// stands in quotes.
func balanced(text string) bool {
	depth := 0
	var quote byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			depth--
			if depth == 0 && i != len(text)-1 {
				return false
			}
		}
	}
	return depth == 0 && quote == 0 && strings.HasPrefix(text, "(")
}

// FuzzValue checks that a text once accepted is accepted again as a string and stays the same, so that
// a canonical value can be carried and sent back.
func FuzzValue(f *testing.F) {
	kinds := []resource.Kind{
		resource.SmallInt, resource.Integer, resource.BigInt, resource.Numeric, resource.Real, resource.Double,
		resource.Boolean, resource.Text, resource.Char, resource.UUID, resource.Date, resource.Timestamp,
		resource.TimestampTZ, resource.Printed,
	}
	for _, raw := range []string{
		`10.0`, `1e1`, `"10"`, `-0.0`, `1e-5`, `"NaN"`, `true`, `"a  "`, `"2026-07-01"`, `"0044-03-15 BC"`,
		`"2026-07-01T00:00:00.5+02:00"`, `"2026-07-01T00:00:00"`, `"10000-01-01 00:00:00+00"`, `"\ud83d\ude00"`,
		`"7D444840-9dc0-41D5-9f0a-1e0f5e2c8b11"`,
	} {
		for i := range kinds {
			f.Add([]byte(raw), uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte, i uint8) {
		typ := resource.Plain(kinds[int(i)%len(kinds)])
		text, fault := filtering.Value(raw, typ, "/id")
		if fault != nil {
			if fault.Code == "" || fault.Message == "" || fault.Path == "" {
				t.Errorf("%q: %#v", raw, fault)
			}
			return
		}
		again, fault := filtering.Value(json.RawMessage(asJSON(t, text)), typ, "/id")
		if fault != nil || again != text {
			t.Errorf("%s %q: %q, then %q, %v", typ.Name, raw, text, again, fault)
		}
	})
}

// FuzzInstant checks instants against the standard library's own reading.
func FuzzInstant(f *testing.F) {
	for _, s := range []string{"2026-07-01", "2026-07-01T00:00:00Z", "2026-12-31T23:59:59.999999-23:59", "2024-02-29T12:00:00+00:00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, fault := filtering.Instant(s, "/updated_since")
		if fault != nil {
			return
		}
		want, err := time.Parse(time.RFC3339Nano, strings.ToUpper(s))
		if len(s) == len(time.DateOnly) {
			want, err = time.Parse(time.DateOnly, s)
		}
		have, errHave := time.Parse(time.RFC3339Nano, got)
		if err != nil || errHave != nil || !have.Equal(want) || !strings.HasSuffix(got, "Z") {
			t.Errorf("%q: got %q; the standard library reads %v, %v", s, got, want, err)
		}
	})
}
