package schema_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema"
)

// Gates where nobody would ask them stop the start.
func TestGatesThatNobodyAsks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		build func() error
		want  string
	}{
		{"on an embedded struct", built[struct {
			hiddenBase `gate:"requires(admin)"`
		}], "hiddenBase: the field is embedded"},
		{"with a blank behind the colon", tagged(`json:"a" gate: "requires(admin)"`), "struct.A: the tag is malformed"},
		{"in capital letters", built[struct {
			A string `json:"a" Gate:"requires(admin)"`
		}], "struct.A: the tag Gate is read by nobody: did you mean gate?"},
		{"in the plural", built[struct {
			A string `json:"a" gates:"requires(admin)"`
		}], "did you mean gate?"},
		{"twice", tagged(`json:"a" gate:"requires(a)" gate:"requires(b)"`), "the tag gate stands twice"},
		{"an empty one", tagged(`json:"a" gate:""`), "the tag gate is empty"},
		{"of a value twice", built[struct {
			A twiceGated `json:"a"`
		}], "EnumGates names \"x\" twice"},
		{"of values that are not listed", built[struct {
			A unlisted `json:"a" mcp:"enum=x|y"`
		}], "the method EnumGates of schema_test.unlisted would never run"},
		{"a const out of the type's range", built[struct {
			A int8 `json:"a" mcp:"const=300"`
		}], "const=300 does not keep the field's own rules"},
		{"a value that is too long", built[struct {
			A string `json:"a" mcp:"enum=abc|x;max=2"`
		}], `"abc" of the enum does not keep`},
		{"one struct as two variants", func() error {
			_, err := schema.For[struct {
				S outline `json:"s"`
			}](schema.Input, schema.Union[outline]("kind", schema.Variant[circle]("a"), schema.Variant[circle]("b")))
			return err
		}, "is two variants"},
		{"rules of another validator", built[struct {
			A string `json:"a" validate:"required"`
		}], "is of another validator"},
		{"inside a text", built[struct {
			A gatedText `json:"a"`
		}], "gatedText is written as its text"},
		{"inside a time", built[struct {
			A gatedTime `json:"a"`
		}], "gatedTime is written as its text"},
		{"behind JSON of its own", built[struct {
			A ownJSON `json:"a"`
		}], "ownJSON has JSON of its own"},
		{"a Validate that would never run", built[struct {
			A plainValidate `json:"a"`
		}], "the method Validate of schema_test.plainValidate is not Validate(context.Context) error"},
		{"needs of nothing beside a default", built[struct {
			B int `json:"b" mcp:"default=1;needs=zz"`
		}], `there is no field "zz"`},
		{"needs of nothing in an object of its own", built[struct {
			B *int `json:"b" mcp:"at=o.b;needs=zz"`
		}], `there is no field "zz"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if err := tt.build(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one about %q", err, tt.want)
			}
		})
	}
}

func built[T any]() error {
	_, err := schema.For[T](schema.Input)
	return err
}

// tagged builds a struct of one field with a tag that vet would not let stand in a file.
func tagged(tag string) func() error {
	return func() error {
		_, err := schema.ForType(reflect.StructOf([]reflect.StructField{
			{Name: "A", Type: reflect.TypeFor[string](), Tag: reflect.StructTag(tag)},
		}), schema.Input)
		return err
	}
}

type (
	hiddenBase struct {
		Secret string `json:"secret" mcp:"optional"`
	}
	gatedText struct {
		A string `gate:"requires(admin)"`
	}
	gatedTime struct {
		time.Time
		Secret string `gate:"requires(admin)"`
	}
	ownJSON       struct{ cents int64 }
	twiceGated    string
	unlisted      string
	plainValidate struct{ A *string }
)

func (twiceGated) EnumValues() []twiceGated { return []twiceGated{"x", "y"} }
func (twiceGated) EnumGates() []schema.ValueGate {
	g := schema.Gate{Pred: "requires", Arg: "admin"}
	return []schema.ValueGate{schema.EnumGate("x", g), schema.EnumGate("x", g)}
}
func (unlisted) EnumGates() []schema.ValueGate { return nil }

func (gatedText) MarshalText() ([]byte, error)    { return []byte("x"), nil }
func (*gatedText) UnmarshalText([]byte) error     { return nil }
func (o ownJSON) MarshalJSON() ([]byte, error)    { return []byte(`{"secret":1}`), nil }
func (plainValidate) Validate() error             { return errors.New("never") }
func (o *ownJSON) UnmarshalJSON(raw []byte) error { o.cents = int64(len(raw)); return nil }

// The keys of a map are values of their type: a hidden one neither comes in nor goes out.
func TestGatedKeys(t *testing.T) {
	t.Parallel()
	type body struct {
		Fees map[Visible]int `json:"fees"`
	}
	in, out := planOf[body](t, schema.Input), planOf[body](t, schema.Output)
	low, _ := in.View(schema.Decision{})
	if text := emitted(t, low); strings.Contains(text, "internal") || !strings.Contains(text, `"open"`) {
		t.Error(text)
	}
	if got := codesOf[body](t, low, `{"fees":{"internal":1}}`); got != "enum /fees/internal" {
		t.Errorf("a hidden key: %s", got)
	}
	all, _ := in.View(schema.AllowGates(in.Gates()...))
	if got := codesOf[body](t, all, `{"fees":{"internal":1,"open":2}}`); got != "" {
		t.Errorf("a key: %s", got)
	}
	shown, _ := out.View(schema.Decision{})
	if raw, err := shown.Project(body{map[Visible]int{"internal": 1}}); err == nil {
		t.Errorf("a hidden key left: %s", raw)
	}
}

// codesOf are the codes and paths of what is wrong with a document.
func codesOf[T any](t *testing.T, v *schema.View, raw string) string {
	t.Helper()
	return codesWith[T](t, v, raw, nil)
}

func codesWith[T any](t *testing.T, v *schema.View, raw string, def schema.Defaults) string {
	t.Helper()
	var into T
	err := v.Decode(t.Context(), []byte(raw), &into, def)
	found, ok := errors.AsType[schema.Errors](err)
	if err != nil && !ok {
		t.Fatal(err)
	}
	var out []string
	for _, e := range found {
		out = append(out, strings.TrimSpace(string(e.Code)+" "+e.Path))
	}
	return strings.Join(out, ", ")
}

// costly is a default whose pattern is dear, and that is never good at once with a document as dear.
type costly struct {
	Seen   string `json:"seen" mcp:"max=1000;pattern='^(?:a?){100}(?:b?){100}(?:c?){100}(?:d?){100}$'"`
	Secret string `json:"secret" mcp:"default=abcd;max=1000;pattern='^(?:a?){100}(?:b?){100}(?:c?){100}(?:d?){100}$'" gate:"requires(admin)"`
}

// The default of a hidden field costs the document nothing, and what is wrong with it has no name.
func TestDefaultsOfHiddenFields(t *testing.T) {
	t.Parallel()
	low := inputOf[costly](t)
	for n := 990; n < 1000; n++ {
		if got := codesOf[costly](t, low, `{"seen":"`+strings.Repeat("é", n)+`"}`); got != "pattern /seen" {
			t.Errorf("%d letters: %s", n, got)
		}
	}
	type guarded struct {
		A string        `json:"a" mcp:"optional"`
		S alwaysRefused `json:"secret" mcp:"default='{}'" gate:"requires(admin)"`
	}
	if got := codesOf[guarded](t, inputOf[guarded](t), `{}`); got != "default" {
		t.Errorf("a hidden Validate: %q", got)
	}
	type asked struct {
		S string `json:"secret" mcp:"defaultFor=x" gate:"requires(admin)"`
	}
	if got := codesOf[asked](t, inputOf[asked](t), `{}`); got != "default" {
		t.Errorf("a hidden field without any default: %q", got)
	}
}

type alwaysRefused struct {
	N int `json:"n" mcp:"optional"`
}

func (alwaysRefused) Validate(context.Context) error { return errors.New("no") }

// Defaults inside an object of its own stand when the whole object is absent.
func TestDefaultsInsideAbsentObjects(t *testing.T) {
	t.Parallel()
	type body struct {
		Limit  int `json:"limit" mcp:"at=page.limit;default=100"`
		Secret int `json:"secret" mcp:"at=page.secret;default=7" gate:"requires(admin)"`
		Deep   int `json:"deep" mcp:"at=page.more.deep;default=3"`
	}
	for _, raw := range []string{`{}`, `{"page":{}}`, `{"page":{"more":{}}}`} {
		got := decoded[body](t, inputOf[body](t), raw)
		if diff := cmp.Diff(body{100, 7, 3}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", raw, diff)
		}
	}
}

// A panic in the host's code while a default is read leaves the plan, and the next caller, alone.
func TestPanicInADefault(t *testing.T) {
	t.Parallel()
	type body struct {
		A string  `json:"a"`
		B brittle `json:"b" mcp:"default=x"`
	}
	v := inputOf[body](t)
	for range 20 {
		func() {
			defer func() { _ = recover() }()
			var b body
			_ = v.Decode(context.WithValue(t.Context(), brittleKey{}, true), []byte(`{"a":"boom"}`), &b, nil)
		}()
		got := decoded[body](t, v, `{"a":"fine","b":"y"}`)
		if got.A != "fine" || got.B != "y" {
			t.Fatalf("another caller got %+v", got)
		}
		if got := decoded[body](t, v, `{"a":"fine"}`); got.B != "x" {
			t.Fatalf("the default became %q", got.B)
		}
	}
}

type brittleKey struct{}

// brittle panics at every other reading of its default, as a host's mistake might.
type brittle string

var brittleReads atomic.Int64

func (b brittle) MarshalText() ([]byte, error) { return []byte(b), nil }

func (b *brittle) UnmarshalText(text []byte) error {
	if brittleReads.Add(1)%3 == 0 && string(text) == "x" {
		panic("brittle")
	}
	*b = brittle(text)
	return nil
}

// What leaves through an any has no schema: types with gates are not let out by that way.
func TestGatesInsideAnAny(t *testing.T) {
	t.Parallel()
	type inner struct {
		Open   int
		Secret int `gate:"requires(admin)"`
	}
	type body struct {
		Any any `json:"any"`
	}
	type open struct {
		Rest map[string]any `json:"-" mcp:"rest"`
	}
	type choice struct {
		Any any     `json:"any"`
		S   outline `json:"s"`
	}
	out := viewOf(t, planOf[body](t, schema.Output))
	for name, v := range map[string]any{
		"an enum": private("x"), "enums": []private{"x"}, "a key": map[private]int{"x": 1}, "an enum deep inside": struct{ A map[string][]private }{map[string][]private{"a": {"x"}}},
		"itself": inner{}, "a pointer": &inner{}, "a slice": []inner{{}}, "a map": map[string]any{"a": inner{}},
		"deep": []any{map[string]any{"a": []*inner{{}}}}, "inside a struct": struct{ A inner }{},
	} {
		if raw, err := out.Project(body{v}); err == nil {
			t.Errorf("%s left: %s", name, raw)
		}
		if raw, err := viewOf(t, planOf[open](t, schema.Output)).Project(open{map[string]any{"a": v}}); err == nil {
			t.Errorf("%s left in the rest: %s", name, raw)
		}
	}
	variants := schema.Union[outline]("kind", schema.Variant[bareShape]("bare", schema.Gate{Pred: "requires", Arg: "admin"}), schema.Variant[openShape]("open"))
	mixed := viewOf(t, planOf[choice](t, schema.Output, variants))
	if raw, err := mixed.Project(choice{Any: []any{openShape{7}}, S: openShape{}}); err != nil {
		t.Errorf("%s, %v", raw, err)
	}
	for name, v := range map[string]any{"a variant": bareShape{}, "a pointer to one": &bareShape{}, "one of a list": []outline{bareShape{}}} {
		if raw, err := mixed.Project(choice{Any: v, S: openShape{}}); err == nil {
			t.Errorf("%s left: %s", name, raw)
		}
	}
	if raw, err := out.Project(body{map[string]any{"a": []int{1}, "b": struct{ A string }{"x"}}}); err != nil || string(raw) != `{"any":{"a":[1],"b":{"A":"x"}}}` {
		t.Errorf("%s, %v", raw, err)
	}
}

type ring struct {
	Next *ring `json:"next,omitempty"`
}

type outline interface{ isOutline() }

type circle struct {
	Rest map[string]any `json:"-" mcp:"rest"`
}

func (circle) isOutline() {}

// A value that is within itself has no end, and a rest holds no member of its own object.
func TestValuesThatCannotLeave(t *testing.T) {
	t.Parallel()
	r := &ring{}
	r.Next = r
	if _, err := viewOf(t, planOf[ring](t, schema.Output)).Project(*r); err == nil {
		t.Error("a value within itself was written")
	}
	out := viewOf(t, planOf[struct {
		S outline `json:"s"`
	}](t, schema.Output, schema.Union[outline]("kind", schema.Variant[circle]("circle"))))
	if raw, err := out.Project(struct {
		S outline `json:"s"`
	}{circle{map[string]any{"kind": "square"}}}); err == nil {
		t.Errorf("a key stands twice: %s", raw)
	}
}

type digest []byte

// Bytes are base64 under whatever name, and nothing is skipped in it.
func TestBytes(t *testing.T) {
	t.Parallel()
	type body struct {
		A digest `json:"a"`
	}
	v := inputOf[body](t)
	if got := decoded[body](t, v, `{"a":"AQI="}`); string(got.A) != "\x01\x02" {
		t.Errorf("%v", got)
	}
	for _, raw := range []string{`{"a":"AQ\nI="}`, `{"a":"AQI"}`, `{"a":"AQJ="}`, `{"a":[1,2]}`} {
		if got := codesOf[body](t, v, raw); got != "format /a" && got != "type /a" {
			t.Errorf("%s: %q", raw, got)
		}
	}
	if raw, err := viewOf(t, planOf[body](t, schema.Output)).Project(body{digest{1, 2}}); err != nil || string(raw) != `{"a":"AQI="}` {
		t.Errorf("%s, %v", raw, err)
	}
}
