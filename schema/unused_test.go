package schema_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/schema"
)

// Tags that would have no effect are mistakes, and an open object needs no name for what it takes.
func TestTagsWithoutEffect(t *testing.T) {
	t.Parallel()
	field := func(name, tag string, exported bool) reflect.Type {
		sf := reflect.StructField{Name: name, Type: reflect.TypeFor[string](), Tag: reflect.StructTag(tag)}
		if !exported {
			sf.PkgPath = "example.com/x"
		}
		return reflect.StructOf([]reflect.StructField{sf})
	}
	for _, tt := range []struct {
		name string
		typ  reflect.Type
		want string // in the error; "": built
	}{
		{"a field that takes no part", field("A", `json:"-"`, true), ""},
		{"one with a rule", field("A", `json:"-" mcp:"min=1"`, true), "A: the field takes no part in JSON: its tag mcp has no effect"},
		{"one with a gate", field("A", `json:"-" gate:"requires(x)"`, true), "its tag gate has no effect"},
		{"one with a text", field("A", `json:"-" desc:"x"`, true), "its tag desc has no effect"},
		{"a field that is not exported", field("a", ``, false), ""},
		{"one of those with a gate", field("a", `gate:"requires(x)"`, false), "a: the field is not exported: its tag gate has no effect"},
		{"one of those with a name", field("a", `json:"a"`, false), "its tags have no effect"},
		{"a tag for rows", field("A", `json:"a" requires:"x"`, true), "A: the tag requires is for rows"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := schema.ForType(tt.typ, schema.Input)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one about %q", err, tt.want)
			}
		})
	}
	type open struct {
		A    string         `json:"a"`
		Rest map[string]any `json:"-" mcp:"rest"`
	}
	p, err := schema.For[open](schema.Input)
	if err != nil {
		t.Fatal(err)
	}
	v, _ := p.View(schema.Decision{})
	var got open
	if err := v.Decode(t.Context(), []byte(`{"a":"x","b":true}`), &got, nil); err != nil || got.A != "x" || got.Rest["b"] != true {
		t.Errorf("%+v, %v", got, err)
	}
}
