package schema_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema"
)

// lobby has a gate behind a gate, and a default of the caller's own.
type lobby struct {
	Name  string `json:"name"`
	Zone  string `json:"zone" mcp:"defaultFor=tz"`
	Inner *struct {
		Deep *string `json:"deep" gate:"may(deep)"`
		Flat *string `json:"flat"`
	} `json:"inner" gate:"may(inner)"`
	Other *string `json:"other" gate:"may(other)"`
}

func TestViewsAreSharedByDecisions(t *testing.T) {
	t.Parallel()
	p := planOf[lobby](t, schema.Input)
	tests := []struct {
		name string
		a, b []string
		same bool
	}{
		{"nothing allowed", nil, nil, true},
		{"the same gates", []string{"may(inner)", "may(other)"}, []string{"may(other)", "may(inner)"}, true},
		{"gates of other plans do not count", []string{"may(inner)"}, []string{"may(inner)", "may(else)"}, true},
		{"a gate below a hidden one does not count", nil, []string{"may(deep)"}, true},
		{"another gate", nil, []string{"may(other)"}, false},
		{"a gate below a visible one", []string{"may(inner)"}, []string{"may(inner)", "may(deep)"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := viewOf(t, p, tt.a...) == viewOf(t, p, tt.b...); got != tt.same {
				t.Errorf("one view: %t", got)
			}
		})
	}
}

func TestBytesOfAViewAreTheCallersOwn(t *testing.T) {
	t.Parallel()
	v := viewOf(t, planOf[lobby](t, schema.Input))
	before := emitted(t, v)
	raw, err := v.JSON(t.Context(), schema.Full, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range raw {
		raw[i] = 'x'
	}
	same(t, before, emitted(t, v))
	v.Columns()[0] = "changed"
	if diff := cmp.Diff([]string{"name", "zone"}, v.Columns()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Many callers, each with decisions and a default of their own, at once.
func TestViewsServeManyCallersAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, manyCallersAtOnce) // where no predicate is ever too slow
}

func manyCallersAtOnce(t *testing.T) {
	p := planOf[lobby](t, schema.Input)
	policy := schema.NewPolicy[int]()
	err := policy.Register("may", func(_ context.Context, caller int, arg string) (bool, error) {
		return caller&map[string]int{"inner": 1, "deep": 2, "other": 4}[arg] != 0, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := policy.Seal(p); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for caller := 1; caller <= 64; caller++ {
		group.Go(func() {
			for range 20 {
				servedAlone(t, p, policy, caller)
			}
		})
	}
	group.Wait()
}

// servedAlone checks that one caller sees just what is theirs.
func servedAlone(t *testing.T, p *schema.Plan, policy *schema.Policy[int], caller int) {
	v, ok := p.View(policy.Decide(t.Context(), caller, p.Gates()))
	if !ok {
		t.Errorf("caller %d sees nothing", caller)
		return
	}
	zone := fmt.Sprintf("zone-%d", caller)
	def := func(context.Context, string) (any, bool, error) { return zone, true, nil }
	raw, err := v.JSON(t.Context(), schema.Full, def)
	if err != nil {
		t.Error(err)
		return
	}
	want := []string{"name", "zone"}
	if caller&1 != 0 {
		want = append(want, "inner")
	}
	if caller&4 != 0 {
		want = append(want, "other")
	}
	properties := keyword(t, string(raw), "properties")
	if got := keys(t, properties); !slices.Equal(want, got) {
		t.Errorf("caller %d sees %v", caller, got)
	}
	same(t, `"`+zone+`"`, keyword(t, properties, "zone", "default"))
	var got lobby
	err = v.Decode(t.Context(), []byte(`{"name":"n","inner":{"deep":"d"}}`), &got, def)
	if allowed := caller&3 == 3; allowed != (err == nil) {
		t.Errorf("caller %d: %v", caller, err)
	}
	if err == nil && (got.Zone != zone || *got.Inner.Deep != "d") {
		t.Errorf("caller %d decoded %+v", caller, got)
	}
}

// One gate makes two schemas, in full and byte for byte.
func TestTwoViewsOfOneGate(t *testing.T) {
	t.Parallel()
	type advance struct {
		ApplicantID string  `json:"applicant_id" mcp:"format=uuid"`
		StageID     *string `json:"stage_id" mcp:"max=36" gate:"requires(backward_routing)" desc:"Target stage"`
		Reason      *string `json:"reason" mcp:"min=3;requiredWith=stage_id" gate:"requires(backward_routing)"`
	}
	p := planOf[advance](t, schema.Input)
	const id = `"applicant_id":{"type":"string","format":"uuid"}`
	same(t, `{"type":"object","properties":{`+id+`},"required":["applicant_id"],"additionalProperties":false}`, emitted(t, viewOf(t, p)))
	same(t, `{"type":"object","properties":{`+id+`,"stage_id":{"type":"string","description":"Target stage","maxLength":36},"reason":{"type":"string","minLength":3}},"required":["applicant_id"],"dependentRequired":{"stage_id":["reason"]},"additionalProperties":false}`,
		emitted(t, viewOf(t, p, "requires(backward_routing)")))
}
