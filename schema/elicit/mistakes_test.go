package elicit_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema"
	"github.com/tenantry/tenantry/schema/elicit"
)

type inner struct {
	X string `json:"x"`
}

type untitled string

func (untitled) EnumValues() []untitled          { return []untitled{"a", "b"} }
func (untitled) EnumTitles() map[untitled]string { return map[untitled]string{"a": "A"} }

type alike string

func (alike) EnumValues() []alike          { return []alike{"a", "b"} }
func (alike) EnumTitles() map[alike]string { return map[alike]string{"a": "A", "b": "A"} }

type mistyped string

func (mistyped) EnumValues() []mistyped        { return []mistyped{"a"} }
func (mistyped) EnumTitles() map[string]string { return map[string]string{"a": "A"} }

type gated string

func (gated) EnumValues() []gated { return []gated{"a", "b"} }

func (gated) EnumGates() []schema.ValueGate {
	return []schema.ValueGate{schema.EnumGate(gated("a"), schema.Gate{Pred: "requires", Arg: "x"})}
}

type level int

func (level) EnumValues() []level { return []level{1, 2} }

type wrong struct {
	Object   inner              `json:"object"`
	Pointer  *inner             `json:"pointer"`
	Map      map[string]string  `json:"map"`
	Free     []string           `json:"free"`
	Numbers  []int              `json:"numbers"`
	Any      any                `json:"any"`
	Null     *string            `json:"null" mcp:"nullable"`
	Nulls    schema.Opt[Color]  `json:"nulls" mcp:"nullable"`
	Level    level              `json:"level"`
	Levels   []level            `json:"levels"`
	Count    int                `json:"count" mcp:"enum=1|2"`
	UUID     string             `json:"uuid" mcp:"format=uuid"`
	Bytes    []byte             `json:"bytes"`
	Media    string             `json:"media" mcp:"mediaType=text/html"`
	Gate     *string            `json:"gate" gate:"requires(admin)"`
	Zone     string             `json:"zone" mcp:"defaultFor=tz"`
	Path     string             `mcp:"at=error.message"`
	Untitled untitled           `json:"untitled"`
	Alike    []alike            `json:"alike"`
	Mistyped mistyped           `json:"mistyped"`
	Rest     map[string]any     `mcp:"rest"`
	Lists    [][]Color          `json:"lists"`
	Maps     []map[string]Color `json:"maps"`
}

// Every mistake is told at once, by the field that it is in.
func TestMistakes(t *testing.T) {
	t.Parallel()
	_, err := elicit.New[wrong]()
	if err == nil {
		t.Fatal("a form was built")
	}
	const flat = "a form is flat: it has no objects, maps or unions; ask for their members one by one"
	const free = "a form has no free list: use a slice of a string type with EnumValues, or items.enum"
	const choice = "in a form one chooses among strings: use a string type"
	const null = "a form has no null: leave nullable away, what is not filled in is absent"
	want := []string{
		"wrong.Gate: a form has no gates: choose another form for another caller",
		"wrong.Object: " + flat, "wrong.Pointer: " + flat, "wrong.Map: " + flat, "wrong.Free: " + free, "wrong.Numbers: " + free,
		"wrong.Any: a form asks for values of one type: use a string, a number, a bool or a choice",
		"wrong.Null: " + null, "wrong.Nulls: " + null,
		"wrong.Level: " + choice, "wrong.Levels: " + choice, "wrong.Count: " + choice,
		`wrong.UUID: a form has no format "uuid": its formats are email, uri, date or date-time`,
		"wrong.Bytes: nobody types encoded content: use a plain string",
		"wrong.Media: nobody types content of a media type: use a plain string",
		"elicit_test.wrong.error: " + flat,
		`wrong.Untitled: EnumTitles has no title for "b"`,
		`wrong.Alike: EnumTitles gives "a" and "b" one title: nobody could tell them apart`,
		"wrong.Mistyped: mistyped.EnumTitles must have no arguments and return map[mistyped]string",
		"wrong.Lists: " + free, "wrong.Maps: " + free,
		"elicit_test.wrong: a form is closed: leave away the field that takes the rest",
		"wrong.Zone: a form has no default of a caller's own: write default, or leave it away",
	}
	got := strings.Split(strings.ReplaceAll(err.Error(), "elicit: ", ""), "\n")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMistakesOfOneForm(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		build func() error
		want  string
	}{
		{"no struct", func() error { return built[string]() }, "must be a struct"},
		{"a pointer to a struct", func() error { return built[*inner]() }, "the whole is never null"},
		{"within itself", func() error { return built[looped]() }, "looped.Kids: a form has no free list"},
		{"a tag", func() error {
			return built[struct {
				F string `json:"f" mcp:"mn=1"`
			}]()
		}, "did you mean min?"},
		{"a gate before a value", func() error {
			return built[struct {
				F gated `json:"f"`
			}]()
		}, "a form has no gates"},
		{"a gate before the whole", func() error { return built[inner](schema.ToolGates(schema.Gate{Pred: "p"})) }, "a form has no gates"},
		{"a gate and a tag", func() error {
			return built[struct {
				F *string `json:"f" gate:"requires(a)"`
				G string  `json:"g" mcp:"mn=1"`
			}]()
		}, "struct.F: a form has no gates"},
		{"an empty value", func() error {
			return built[struct {
				F string `json:"f" mcp:"enum=|b"`
			}]()
		}, "struct.F: must not be empty"},
		{"a choice twice in a default", func() error {
			return built[struct {
				F []Color `json:"f" mcp:"default='[\"red\",\"red\"]'"`
			}]()
		}, "struct.F: does not keep the property's own rules: two choices are equal"},
		{"more choices than there are", func() error {
			return built[struct {
				F []Color `json:"f" mcp:"min=3"`
			}]()
		}, "struct.F: is above the number of choices"},
		{"an unknown format of the host", func() error {
			return built[struct {
				F string `json:"f" mcp:"format=iban"`
			}](schema.Format("iban", func(string) bool { return true }))
		}, `struct.F: a form has no format "iban"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if err := tt.build(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the error does not say %q: %v", tt.want, err)
			}
		})
	}
}

type looped struct {
	Kids []looped `json:"kids"`
}

func built[T any](opts ...schema.Option) error {
	_, err := elicit.New[T](opts...)
	return err
}

func TestMustNewPanics(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("it did not")
		}
	}()
	elicit.MustNew[wrong]()
}

// checked refuses itself.
type checked struct {
	Low  int `json:"low"`
	High int `json:"high"`
}

func (c *checked) Validate(context.Context) error {
	if c.Low > c.High {
		return schema.Errors{{Path: "/low", Code: schema.Custom, Msg: "is above high"}}
	}
	return nil
}
