package schema_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/schema"
)

// A value that a caller may not use is told nowhere: not as a default, an example or a constant either.
func TestHiddenValuesLeaveNoTrace(t *testing.T) {
	t.Parallel()
	for name, typ := range map[string]reflect.Type{
		"a default":              fieldOf[Rank](`json:"rank" mcp:"default=top"`),
		"an example":             fieldOf[Rank](`json:"rank" mcp:"example=low;example=top"`),
		"a constant":             fieldOf[*Rank](`json:"rank" mcp:"const=top"`),
		"an enum of one":         fieldOf[*Rank](`json:"rank" mcp:"enum=top"`),
		"a constant in elements": fieldOf[[]Rank](`json:"rank" mcp:"optional;items.const=top"`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := schema.ForType(typ, schema.Input)
			if err != nil {
				return // refused when it is built
			}
			v, ok := p.View(decide(t, p))
			if !ok {
				return
			}
			for _, pf := range []schema.Profile{schema.Full, schema.Strict} {
				if text := emittedWith(t, v, pf, nil); strings.Contains(text, "top") {
					t.Errorf("advertised: %s", text)
				}
			}
			for _, raw := range []string{`{"must":1}`, `{"must":1,"rank":"none"}`, `{"must":1,"rank":["none"]}`} {
				err := v.Decode(t.Context(), []byte(raw), reflect.New(typ).Interface(), nil)
				if errs := mistakes(t, err); strings.Contains(errs.Error(), "top") {
					t.Errorf("%s: %v", raw, errs)
				}
			}
		})
	}
}

// A hidden field has its default all the same, since the host's code expects one; whatever is wrong with it,
// the caller does not learn of the field.
func TestHiddenDefaultsLeaveNoTrace(t *testing.T) {
	t.Parallel()
	type body struct {
		Name string `json:"name"`
		Size int    `json:"size" mcp:"default=3" gate:"requires(admin)"`
		Zone string `json:"zone" mcp:"defaultFor=tz;max=9" gate:"requires(admin)"`
	}
	v := inputOf[body](t)
	tests := []struct {
		name  string
		value any
		err   error
		good  bool
	}{
		{"a value", "UTC", nil, true},
		{"an error", nil, errors.New("down"), false},
		{"a value of another type", 5, nil, false},
		{"a value that is too long", "Europe/Paris", nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			def := func(context.Context, string) (any, bool, error) { return tt.value, true, tt.err }
			raw, err := v.JSON(t.Context(), schema.Full, def)
			if err != nil || strings.Contains(string(raw), "zone") {
				t.Errorf("%s, %v", raw, err)
			}
			var got body
			err = v.Decode(t.Context(), []byte(`{"name":"n"}`), &got, def)
			if (err == nil) != tt.good {
				t.Fatalf("%+v, %v", got, err)
			}
			if err == nil && (got.Zone != "UTC" || got.Size != 3) {
				t.Errorf("decoded %+v", got)
			}
			if errs, ok := errors.AsType[schema.Errors](err); ok && strings.Contains(errs.Error(), "zone") {
				t.Errorf("the field is named: %v", errs)
			}
		})
	}
}
