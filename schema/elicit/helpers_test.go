package elicit_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema"
	"github.com/tenantry/tenantry/schema/elicit"
)

// Speed is a choice with titles.
type Speed string

func (Speed) EnumValues() []Speed { return []Speed{"slow", "fast"} }

func (Speed) EnumTitles() map[Speed]string {
	return map[Speed]string{"slow": "By ship", "fast": `By "air" & rail`}
}

// Color is a choice without.
type Color string

func (Color) EnumValues() []Color { return []Color{"red", "blue"} }

func mistakes(t testing.TB, err error) schema.Errors {
	t.Helper()
	if err == nil {
		return nil
	}
	errs, ok := errors.AsType[schema.Errors](err)
	if !ok || len(errs) == 0 {
		t.Fatalf("not schema.Errors but %T: %v", err, err)
	}
	return errs
}

// codes shortens mistakes to "code path".
func codes(errs schema.Errors) []string {
	var short []string
	for _, e := range errs {
		short = append(short, strings.TrimSpace(string(e.Code)+" "+e.Path))
	}
	return short
}

// wantCodes says in which way the mistakes differ from these.
func wantCodes(t testing.TB, err error, want ...string) {
	t.Helper()
	errs := mistakes(t, err)
	if diff := cmp.Diff(want, codes(errs)); diff != "" {
		t.Errorf("(-want +got):\n%s%v", diff, errs)
	}
}

// asking is a schema with these properties.
func asking(properties string, required ...string) json.RawMessage {
	names, _ := json.Marshal(append([]string{}, required...))
	return json.RawMessage(`{"type":"object","properties":{` + properties + `},"required":` + string(names) + `}`)
}

// accepting is a result with this content.
func accepting(content string) json.RawMessage {
	return json.RawMessage(`{"action":"accept","content":` + content + `}`)
}

func newForm[T any](t testing.TB, opts ...schema.Option) *elicit.Form[T] {
	t.Helper()
	f, err := elicit.New[T](opts...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
