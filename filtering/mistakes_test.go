package filtering_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/resource"
)

func TestMistakes(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, line := range lines(t, "bad.txt") {
		fmt.Fprintln(&b, line)
		for _, e := range mistakes(t, line) {
			fmt.Fprintf(&b, "\t%s\n", asJSON(t, e))
			checkMistake(t, line, e)
		}
	}
	golden(t, "bad.golden", b.String())
}

// checkMistake holds what is true of every mistake: a known code, a path, one line that says what to
// send, and an example that is itself a good filter.
func checkMistake(t *testing.T, raw string, e *resource.Error) {
	t.Helper()
	switch e.Code {
	case resource.InvalidFilter, resource.UnknownFilter, resource.LimitExceeded:
	default:
		t.Errorf("%s: code %q", raw, e.Code)
	}
	if !strings.HasPrefix(e.Path, "/filter") {
		t.Errorf("%s: path %q", raw, e.Path)
	}
	if strings.ContainsAny(e.Message, "\n\r\x00") || !utf8.ValidString(e.Message) || len(e.Message) > 400 {
		t.Errorf("%s: message %q", raw, e.Message)
	}
	if !strings.Contains(e.Message, "send") {
		t.Errorf("%s: message does not say what to send: %s", raw, e.Message)
	}
	if e.Example == nil {
		return
	}
	if _, err := filtering.Parse(json.RawMessage(asJSON(t, e.Example)), orders()); err != nil {
		t.Errorf("%s: the example %s is refused: %v", raw, asJSON(t, e.Example), err)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	ones := func(n int) string { return strings.TrimSuffix(strings.Repeat("1,", n), ",") }
	conditions := func(n int) string {
		return `{"qty":[` + strings.TrimSuffix(strings.Repeat(`{"op":"gt","value":1},`, n), ",") + `]}`
	}
	document := func(n int) string {
		return `{"extra":{"op":"eq","value":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}}`
	}
	for _, tt := range []struct {
		name, good, bad, path string
	}{
		{"values of one set", `{"qty":[` + ones(500) + `]}`, `{"qty":[` + ones(501) + `]}`, "/filter/qty"},
		{
			"values of all sets",
			`{"qty":[` + ones(250) + `],"not":{"id":[` + ones(250) + `]}}`,
			`{"qty":[` + ones(250) + `],"not":{"id":[` + ones(251) + `]}}`,
			"/filter/not/id",
		},
		{"conditions", conditions(100), conditions(101), "/filter/qty/100"},
		{"a document", document(100), document(101), "/filter/extra/value" + strings.Repeat("/0", 100)},
		{
			"nesting before anything is read",
			document(100),
			`{"note":` + strings.Repeat("[", 1_000_000) + strings.Repeat("]", 1_000_000) + `}`,
			"/filter",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			parse(t, tt.good)
			errs := mistakes(t, tt.bad)
			if len(errs) != 1 || errs[0].Code != resource.LimitExceeded || errs[0].Path != tt.path {
				t.Errorf("got %d mistakes, the first %s at %s; want one limit_exceeded at %s",
					len(errs), errs[0].Code, errs[0].Path, tt.path)
			}
		})
	}
}

// An operand of an array column is one value and not a set, however long: what a row shows can be
// asked for.
func TestLongArrayOperand(t *testing.T) {
	t.Parallel()
	parse(t, `{"grid":{"op":"eq","value":[`+strings.TrimSuffix(strings.Repeat("1,", 2000), ",")+`]}}`)
}

// Brackets in a string do not nest.
func TestBracketsInStrings(t *testing.T) {
	t.Parallel()
	parse(t, `{"note":"\"`+strings.Repeat("[{", 200)+`"}`)
}

func TestMistakesAreBounded(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{
		`{"any":[` + strings.TrimSuffix(strings.Repeat("{},", 20_000), ",") + `]}`,
		`{"qty":{"op":"eq","value":1` + strings.Repeat(`,"x":1`, 20_000) + `}}`,
		`{"note":1` + strings.Repeat(`,"note":1`, 20_000) + `}`,
	} {
		if errs := mistakes(t, raw); len(errs) > 100 {
			t.Errorf("%.40s: %d mistakes", raw, len(errs))
		}
	}
}

func TestInvalidUTF8(t *testing.T) {
	t.Parallel()
	errs := mistakes(t, "{\"note\":\"a\xffb\",\"x\xff\":1}")
	if got := []string{errs[0].Path, errs[1].Path}; got[0] != "/filter/note" || got[1] != "/filter/x\uFFFD" {
		t.Errorf("paths %q", got)
	}
}

func TestNoKeys(t *testing.T) {
	t.Parallel()
	for _, keys := range []*filtering.Keys{nil, filtering.NewKeys(nil)} {
		_, err := filtering.Parse([]byte(`{"a":1,"any":[],"not":1}`), keys)
		if errs, ok := err.(resource.Errors); !ok || len(errs) != 3 || errs[0].Allowed != nil || errs[1].Example != nil {
			t.Errorf("got %v", err)
		}
		if f, err := filtering.Parse(nil, keys); err != nil || !f.Empty() {
			t.Errorf("no filter over no keys: %v, %v", f, err)
		}
	}
}
