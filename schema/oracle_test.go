package schema_test

import (
	"flag"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/tenantry/tenantry/schema"
)

// The plans that the oracle looks at. Each is made from a number, which a failure names: -oracle=N -plans=1
// repeats it alone.
var (
	firstPlan = flag.Uint64("oracle", 1, "number of the first plan")
	planCount = flag.Uint64("plans", 250, "how many plans")
)

// trial is one plan for both directions, with all numbers that it takes from its own.
type trial struct {
	*rand.Rand
	number  uint64
	drafts  []draft
	typ     reflect.Type
	opts    []schema.Option
	in, out *schema.Plan
}

func newTrial(t *testing.T, number uint64) trial {
	t.Helper()
	r := rand.New(rand.NewPCG(number, 5))
	tr := trial{Rand: r, number: number, drafts: blueprint{r}.drafts(2), opts: []schema.Option{shapes()}}
	tr.typ = structOf(tr.drafts)
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
		text := emitted(t, in)
		whole, part := tr.output(t, every(tr.out)), tr.output(t, tr.some(tr.out))
		for i := range 10 {
			author := authorOf(t, tr.Rand, text, 0)
			author.full = i%2 == 0
			value := reflect.New(tr.typ)
			if err := in.Decode(t.Context(), []byte(author.document()), value.Interface(), nil); err != nil {
				continue // what the decoder thinks is held against the schema elsewhere
			}
			if tr.projects(t, whole, value.Elem().Interface()) {
				projected++
			} else if author.full {
				t.Errorf("-oracle=%d: a whole value was not projected: %+v", tr.number, value.Elem())
			}
			tr.projects(t, part, value.Elem().Interface())
		}
	})
	if *planCount > 100 && projected < 500 {
		t.Errorf("only %d values were projected", projected)
	}
}

// output is a view of what goes out, and its schema as the other implementation reads it.
type output struct {
	view *schema.View // nil: nothing is left
	ref  reference
}

func (tr trial) output(t *testing.T, allowed []string) output {
	v, ok := tr.out.View(decide(t, tr.out, allowed...))
	if !ok {
		return output{}
	}
	return output{v, referenceTo(t, emitted(t, v))}
}

// projects reports whether the value could be projected; if so, the emitted schema accepts it.
func (tr trial) projects(t *testing.T, o output, value any) bool {
	if o.view == nil {
		return false
	}
	raw, err := o.view.Project(value)
	if err != nil {
		if raw != nil {
			t.Errorf("-oracle=%d: both %s and %v", tr.number, raw, err)
		}
		return false
	}
	if err := o.ref.refuses(t, string(raw)); err != nil {
		t.Errorf("-oracle=%d: the schema refuses what was projected from %+v\n%s\n%s\n%v", tr.number, value, raw, emitted(t, o.view), err)
	}
	return true
}
