package schema_test

import (
	"flag"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema"
)

// The plans that the oracle looks at. Each is made from a number, which a failure names: -oracle=N -plans=1
// repeats it alone.
var (
	firstPlan = flag.Uint64("oracle", 1, "number of the first plan")
	planCount = flag.Uint64("plans", 400, "how many plans")
)

// trial is one plan for both directions, with all numbers that it takes from its own.
type trial struct {
	*rand.Rand
	number  uint64
	typ     reflect.Type
	opts    []schema.Option
	in, out *schema.Plan
}

func newTrial(t *testing.T, number uint64) trial {
	t.Helper()
	r := rand.New(rand.NewPCG(number, 5))
	tr := trial{Rand: r, number: number, typ: blueprint{r}.structType(2), opts: []schema.Option{shapes()}}
	if r.IntN(4) == 0 {
		tr.opts = append(tr.opts, schema.Inline())
	}
	for _, plan := range []struct {
		d  schema.Direction
		to **schema.Plan
	}{{schema.Input, &tr.in}, {schema.Output, &tr.out}} {
		p, err := schema.ForType(tr.typ, plan.d, tr.opts...)
		if err != nil {
			t.Fatalf("-oracle=%d: %v\n%v", number, err, tr.typ)
		}
		*plan.to = p
	}
	return tr
}

// trials runs f for every number.
func trials(t *testing.T, f func(*testing.T, trial)) {
	for number := range *planCount {
		f(t, newTrial(t, *firstPlan+number))
	}
}

// some are about half of the gates.
func (tr trial) some(p *schema.Plan) (allowed []string) {
	for _, g := range p.Gates() {
		if tr.IntN(2) == 0 {
			allowed = append(allowed, g.String())
		}
	}
	return allowed
}

func every(p *schema.Plan) (allowed []string) {
	for _, g := range p.Gates() {
		allowed = append(allowed, g.String())
	}
	return allowed
}

func TestDecodeAgreesWithTheSchema(t *testing.T) {
	t.Parallel()
	accepted, refused := 0, 0
	trials(t, func(t *testing.T, tr trial) {
		for _, allowed := range [][]string{every(tr.in), tr.some(tr.in)} {
			v, ok := tr.in.View(decide(t, tr.in, allowed...))
			if !ok {
				continue
			}
			text := emitted(t, v)
			ref := referenceTo(t, text)
			for i := range 10 {
				raw := authorOf(t, tr.Rand, text, 2*i).document()
				if tr.agrees(t, v, ref, raw) {
					accepted++
				} else {
					refused++
				}
			}
		}
	})
	if *planCount > 100 && min(accepted, refused) < 1000 {
		t.Errorf("%d documents were accepted and %d refused: too few to say anything", accepted, refused)
	}
}

// agrees reports whether the document was accepted.
func (tr trial) agrees(t *testing.T, v *schema.View, ref reference, raw string) bool {
	errs := mistakes(t, v.Decode(t.Context(), []byte(raw), reflect.New(tr.typ).Interface(), nil))
	refuses := ref.refuses(t, raw)
	switch {
	case errs == nil && refuses != nil:
		t.Errorf("-oracle=%d: decoded although the schema refuses\n%s\n%s\n%v", tr.number, raw, emitted(t, v), refuses)
	case errs != nil && refuses == nil && !excused(raw, errs):
		t.Errorf("-oracle=%d: refused although the schema accepts\n%s\n%s\n%v", tr.number, raw, emitted(t, v), errs)
	}
	return errs == nil
}

func TestStrictSchemaAcceptsWhatTheFullOneDoes(t *testing.T) {
	t.Parallel()
	trials(t, func(t *testing.T, tr trial) {
		v := viewOf(t, tr.in, every(tr.in)...)
		text := emitted(t, v)
		strict := emittedWith(t, v, schema.Strict, nil)
		full, loose := referenceTo(t, text), referenceTo(t, strict)
		for i := range 5 {
			raw := authorOf(t, tr.Rand, text, 3*i).document()
			if full.refuses(t, raw) != nil {
				continue
			}
			if err := loose.refuses(t, raw); err != nil {
				t.Errorf("-oracle=%d: the strict schema refuses what the full one accepts\n%s\n%s\n%s\n%v", tr.number, raw, text, strict, err)
			}
		}
	})
}

func TestProjectedValuesAreOfTheOutputSchema(t *testing.T) {
	t.Parallel()
	projected := 0
	trials(t, func(t *testing.T, tr trial) {
		in := viewOf(t, tr.in, every(tr.in)...)
		for i := range 10 {
			author := authorOf(t, tr.Rand, emitted(t, in), 0)
			author.full = i%2 == 0
			raw := author.document()
			value := reflect.New(tr.typ)
			if err := in.Decode(t.Context(), []byte(raw), value.Interface(), nil); err != nil {
				continue // what the decoder thinks is held against the schema elsewhere
			}
			if author.full && tr.projects(t, value.Elem().Interface(), every(tr.out)) {
				projected++
			} else {
				tr.projects(t, value.Elem().Interface(), tr.some(tr.out))
			}
		}
	})
	if *planCount > 100 && projected < 500 {
		t.Errorf("only %d values were projected", projected)
	}
}

// projects reports whether the value could be projected; if so, the emitted schema accepts it.
func (tr trial) projects(t *testing.T, value any, allowed []string) bool {
	v, ok := tr.out.View(decide(t, tr.out, allowed...))
	if !ok {
		return false
	}
	raw, err := v.Project(value)
	if err != nil {
		if raw != nil {
			t.Errorf("-oracle=%d: both %s and %v", tr.number, raw, err)
		}
		return false
	}
	if err := referenceTo(t, emitted(t, v)).refuses(t, string(raw)); err != nil {
		t.Errorf("-oracle=%d: the schema refuses what was projected from %+v\n%s\n%s\n%v", tr.number, value, raw, emitted(t, v), err)
	}
	return true
}

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
			// A pointer that is nil goes out as null, which not every input takes.
			if slices.ContainsFunc(errs, func(e schema.FieldError) bool { return e.Code != schema.Null && e.Code != schema.Truncated }) {
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
