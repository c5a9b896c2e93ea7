package schema_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema"
)

// planOf returns the plan of T, which is a good one.
func planOf[T any](t testing.TB, d schema.Direction, opts ...schema.Option) *schema.Plan {
	t.Helper()
	p, err := schema.For[T](d, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// inputOf returns what a caller without any gate sees of T.
func inputOf[T any](t testing.TB, opts ...schema.Option) *schema.View {
	t.Helper()
	return viewOf(t, planOf[T](t, schema.Input, opts...))
}

// viewOf returns what a caller sees who is allowed exactly these gates, each written as in a tag.
func viewOf(t testing.TB, p *schema.Plan, allowed ...string) *schema.View {
	t.Helper()
	v, ok := p.View(decide(t, p, allowed...))
	if !ok {
		t.Fatalf("nothing is left for a caller with %q", allowed)
	}
	return v
}

// decide is the decision that allows exactly these gates.
func decide(t testing.TB, _ *schema.Plan, allowed ...string) schema.Decision {
	t.Helper()
	gates, err := schema.ParseGates(strings.Join(allowed, "&"))
	if err != nil {
		t.Fatal(err)
	}
	return schema.AllowGates(gates...)
}

// emitted is the full schema without any default of a caller's own.
func emitted(t testing.TB, v *schema.View) string {
	t.Helper()
	return emittedWith(t, v, schema.Full, nil)
}

func emittedWith(t testing.TB, v *schema.View, pf schema.Profile, def schema.Defaults) string {
	t.Helper()
	raw, err := v.JSON(t.Context(), pf, def)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// keyword follows names into an emitted schema and returns what stands there, byte for byte, or "".
func keyword(t testing.TB, raw string, names ...string) string {
	t.Helper()
	for _, name := range names {
		members := map[string]json.RawMessage{}
		if err := json.Unmarshal([]byte(raw), &members); err != nil {
			t.Fatalf("no object at %s of %v: %s", name, names, raw)
		}
		raw = string(members[name])
		if raw == "" {
			return ""
		}
	}
	return raw
}

// property is the emitted schema of one property alone.
func property(t testing.TB, v *schema.View, name string) string {
	t.Helper()
	return keyword(t, emitted(t, v), "properties", name)
}

// keys are the names of the members of an object, in their order.
func keys(t testing.TB, raw string) (names []string) {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(raw))
	if _, err := dec.Token(); err != nil {
		t.Fatalf("%v: %q", err, raw)
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, key.(string))
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			t.Fatal(err)
		}
	}
	return names
}

// decoded is the value of a body that is good.
func decoded[T any](t testing.TB, v *schema.View, body string) (got T) {
	t.Helper()
	if err := v.Decode(t.Context(), []byte(body), &got, nil); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return got
}

// refused are the mistakes in a body that is not, or nil.
func refused[T any](t testing.TB, v *schema.View, body string) schema.Errors {
	t.Helper()
	var dst T
	return mistakes(t, v.Decode(t.Context(), []byte(body), &dst, nil))
}

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
	short := []string{}
	for _, e := range errs {
		short = append(short, strings.TrimSpace(string(e.Code)+" "+e.Path))
	}
	return short
}

// wantCodes says in which way the mistakes of a body differ from these; none are wanted if it is good.
func wantCodes[T any](t testing.TB, v *schema.View, body string, want ...string) {
	t.Helper()
	if want == nil {
		want = []string{}
	}
	errs := refused[T](t, v, body)
	if diff := cmp.Diff(want, codes(errs)); diff != "" {
		t.Errorf("%s (-want +got):\n%s%v", body, diff, errs)
	}
}

// same compares two texts.
func same(t testing.TB, want, got string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// wantMistake checks that T is no plan, and that the error says so with all of these words.
func wantMistake[T any](t testing.TB, words ...string) {
	t.Helper()
	_, err := schema.For[T](schema.Input)
	if err == nil {
		t.Errorf("a plan with a mistake was built; the error should name %q", words)
		return
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("the error does not name %q: %v", word, err)
		}
	}
}

// allowing is a predicate that allows the gates that are named so, whoever asks.
func allowing(name string, gates ...string) schema.Predicate[string] {
	return func(_ context.Context, _ string, arg string) (bool, error) {
		return slices.Contains(gates, name+"("+arg+")"), nil
	}
}

func register(t testing.TB, p *schema.Policy[string], name string, f schema.Predicate[string]) {
	t.Helper()
	if err := p.Register(name, f); err != nil {
		t.Fatal(err)
	}
}
