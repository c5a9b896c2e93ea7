package schema_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/schema"
)

type (
	checkedShape struct {
		N int `json:"n"`
	}
	pointedShape struct {
		N int `json:"n"`
	}
)

func (checkedShape) isOutline()  {}
func (*pointedShape) isOutline() {}

func (c checkedShape) Validate(context.Context) error {
	if c.N < 0 {
		return errors.New("is below the ground")
	}
	return nil
}

func (p *pointedShape) Validate(context.Context) error {
	if p.N < 0 {
		return schema.Errors{{Path: "/n", Code: schema.Custom, Msg: "is below the ground"}}
	}
	return nil
}

// A variant of a union checks itself, wherever it stands.
func TestVariantsCheckThemselves(t *testing.T) {
	t.Parallel()
	type body struct {
		S    *outline  `json:"s"`
		List []outline `json:"list" mcp:"optional"`
	}
	v := inputOf[body](t, schema.Union[outline]("kind", schema.Variant[checkedShape]("checked"), schema.Variant[*pointedShape]("pointed")))
	wantCodes[body](t, v, `{"s":{"kind":"checked","n":1},"list":[{"kind":"pointed","n":1}]}`)
	wantCodes[body](t, v, `{"s":{"kind":"checked","n":-1}}`, "custom /s")
	wantCodes[body](t, v, `{"list":[{"kind":"checked","n":1},{"kind":"checked","n":-1},{"kind":"pointed","n":-1}]}`, "custom /list/1", "custom /list/2/n")
}

// A crash of the host's defaults is a mistake of that member alone, and the text of the panic is for logs.
func TestDefaultsThatCrash(t *testing.T) {
	t.Parallel()
	type body struct {
		A string `json:"a" mcp:"defaultFor=a"`
		B string `json:"b" mcp:"defaultFor=b" gate:"requires(admin)"`
	}
	for name, broken := range map[string]string{"a": "default /a", "b": "default"} {
		def := func(_ context.Context, key string) (any, bool, error) {
			if key == name {
				panic("SECRET of the host")
			}
			return "fine", true, nil
		}
		var into body
		errs := mistakes(t, inputOf[body](t).Decode(t.Context(), []byte(`{}`), &into, def))
		if got := strings.Join(codes(errs), ", "); got != broken || into != (body{}) {
			t.Errorf("%s: %s, %+v", name, got, into)
		}
		for _, e := range errs {
			if strings.Contains(e.Error(), "SECRET") || e.Cause == nil || !strings.Contains(e.Cause.Error(), "SECRET of the host") {
				t.Errorf("%s: %v, because of %v", name, e, e.Cause)
			}
		}
	}
}

// What the patterns of one document cost is not charged to the next.
func TestEachDocumentHasItsOwnBudget(t *testing.T) {
	t.Parallel()
	low := inputOf[costly](t)
	raw := `{"seen":"` + strings.Repeat("é", 999) + `"}`
	for i := range 30 {
		if got := codesOf[costly](t, low, raw); got != "pattern /seen" {
			t.Fatalf("document %d: %s", i, got)
		}
	}
}

// Nothing is matched for a caller who has gone: the call ends with the error of its context, and assigns nothing.
func TestCallerIsGone(t *testing.T) {
	t.Parallel()
	type body struct {
		A string `json:"a" mcp:"pattern='^a+$'"`
		B int    `json:"b"`
	}
	v := inputOf[body](t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, raw := range []string{`{"a":"aaa","b":1}`, `{"a":"bbb","b":1}`, `{"a":"aaa","b":"x"}`} {
		got := body{A: "before"}
		if err := v.Decode(ctx, []byte(raw), &got, nil); !errors.Is(err, context.Canceled) || got != (body{A: "before"}) {
			t.Errorf("%s: %v, %+v", raw, err, got)
		}
	}
	if got := decoded[body](t, v, `{"a":"aaa","b":1}`); got.B != 1 {
		t.Errorf("the next caller got %+v", got)
	}
}

// The batch of a sealed policy stays the one that was set.
func TestNoBatchAfterTheSeal(t *testing.T) {
	t.Parallel()
	p := schema.NewPolicy[string]()
	register(t, p, "requires", allowing("requires"))
	if err := p.Seal(); err != nil {
		t.Fatal(err)
	}
	all := func(_ context.Context, _ string, gs []schema.Gate) ([]bool, error) {
		out := make([]bool, len(gs))
		for i := range out {
			out[i] = true
		}
		return out, nil
	}
	if err := p.Batch(all); err == nil || !strings.Contains(err.Error(), "sealed") {
		t.Errorf("a batch after the seal: %v", err)
	}
	g := schema.Gate{Pred: "requires", Arg: "admin"}
	if p.Decide(t.Context(), "ann", []schema.Gate{g}).Allows(g) {
		t.Error("it was asked")
	}
}
