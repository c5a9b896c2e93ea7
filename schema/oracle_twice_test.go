package schema_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema"
)

// What is decoded, projected and decoded again is the same value.
func TestProjectedValuesDecodeToThemselves(t *testing.T) {
	t.Parallel()
	trials(t, func(t *testing.T, tr trial) {
		in, out := viewOf(t, tr.in, every(tr.in)...), viewOf(t, tr.out, every(tr.out)...)
		author := authorOf(t, tr.Rand, emitted(t, in), 0)
		author.full = true
		first, again := reflect.New(tr.typ), reflect.New(tr.typ)
		if in.Decode(t.Context(), []byte(author.document()), first.Interface(), nil) != nil {
			return
		}
		raw, err := out.Project(first.Elem().Interface())
		if err != nil {
			t.Errorf("-oracle=%d: %v\n%+v", tr.number, err, first.Elem())
			return
		}
		if errs := mistakes(t, in.Decode(t.Context(), raw, again.Interface(), nil)); errs != nil {
			// A pointer that is nil goes out as null, which not every input takes, and what is optional and zero is left out.
			lost := []schema.Code{schema.Null, schema.Truncated, schema.RequiredWith, schema.Needs}
			if slices.ContainsFunc(errs, func(e schema.FieldError) bool { return !slices.Contains(lost, e.Code) }) {
				t.Errorf("-oracle=%d: %v\n%s", tr.number, errs, raw)
			}
			return
		}
		second, err := out.Project(again.Elem().Interface())
		if diff := cmp.Diff(string(raw), string(second)); diff != "" || err != nil {
			t.Errorf("-oracle=%d: %v (-first +again):\n%s", tr.number, err, diff)
		}
	})
}

// A plan that is built again emits the same bytes.
func TestSchemasAreStable(t *testing.T) {
	t.Parallel()
	trials(t, func(t *testing.T, tr trial) {
		allowed := tr.some(tr.in)
		again, err := schema.ForType(tr.typ, schema.Input, tr.opts...)
		if err != nil {
			t.Fatal(err)
		}
		first, ok := tr.in.View(decide(t, tr.in, allowed...))
		second, same := again.View(decide(t, again, allowed...))
		if ok != same {
			t.Fatalf("-oracle=%d: seen %t, then %t", tr.number, ok, same)
		}
		if !ok {
			return
		}
		if diff := cmp.Diff(emitted(t, first), emitted(t, second)); diff != "" {
			t.Errorf("-oracle=%d: (-first +again):\n%s", tr.number, diff)
		}
	})
}

// A caller without any gate sees what they would see if nothing behind a gate had been declared.
func TestGatedFieldsCannotBeToldFromUnknownOnes(t *testing.T) {
	t.Parallel()
	hidden := 0
	trials(t, func(t *testing.T, tr trial) {
		twin := structOf(ungated(tr.drafts))
		p, err := schema.ForType(twin, schema.Input, tr.opts...)
		if err != nil {
			t.Fatalf("-oracle=%d: %v\n%v", tr.number, err, twin)
		}
		gated, ok := tr.in.View(decide(t, tr.in))
		never, same := p.View(decide(t, p))
		if ok != same {
			t.Fatalf("-oracle=%d: seen %t, the twin %t", tr.number, ok, same)
		}
		if !ok || twin == tr.typ {
			return
		}
		hidden++
		if diff := cmp.Diff(emitted(t, never), emitted(t, gated)); diff != "" {
			t.Errorf("-oracle=%d: (-never +hidden):\n%s", tr.number, diff)
		}
		all := emitted(t, viewOf(t, tr.in, every(tr.in)...))
		for i := range 5 {
			raw := []byte(authorOf(t, tr.Rand, all, 2*i).document())
			want := mistakes(t, never.Decode(t.Context(), raw, reflect.New(twin).Interface(), nil))
			got := mistakes(t, gated.Decode(t.Context(), raw, reflect.New(tr.typ).Interface(), nil))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-oracle=%d: %s (-never +hidden):\n%s", tr.number, raw, diff)
			}
		}
	})
	if *planCount > 100 && hidden < 20 {
		t.Errorf("only %d plans had something to hide", hidden)
	}
}
