package schema_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema"
)

// door is a plan behind three gates, one of which stands in two places.
type door struct {
	Name string  `json:"name"`
	A    *string `json:"a" gate:"may(a)"`
	B    *string `json:"b" gate:"may(b)"`
	C    *string `json:"c" gate:"may(a)&tier(pro)"`
}

var doorGates = []schema.Gate{{Pred: "may", Arg: "a"}, {Pred: "may", Arg: "b"}, {Pred: "tier", Arg: "pro"}}

// yes allows everything.
func yes(context.Context, string, string) (bool, error) { return true, nil }

// sealed is a policy of these two predicates over the door.
func sealed(t testing.TB, may, tier schema.Predicate[string]) (*schema.Policy[string], *schema.Plan) {
	t.Helper()
	policy, p := schema.NewPolicy[string](), planOf[door](t, schema.Input)
	register(t, policy, "may", may)
	register(t, policy, "tier", tier)
	if err := policy.Seal(p); err != nil {
		t.Fatal(err)
	}
	return policy, p
}

// seen are the names of the properties that a decision leaves.
func seen(t testing.TB, p *schema.Plan, d schema.Decision) []string {
	t.Helper()
	v, ok := p.View(d)
	if !ok {
		t.Fatal("nothing is left")
	}
	return keys(t, keyword(t, emitted(t, v), "properties"))
}

func TestGatesAreDistinctAndInOrder(t *testing.T) {
	t.Parallel()
	p := planOf[door](t, schema.Input, schema.ToolGates(schema.Gate{Pred: "tool", Arg: ""}))
	if diff := cmp.Diff(append([]schema.Gate{{Pred: "tool"}}, doorGates...), p.Gates()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	p.Gates()[0].Pred = "changed"
	if p.Gates()[0].Pred != "tool" {
		t.Error("a caller changed the gates of the plan")
	}
}

func TestEachGateIsAskedOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, eachGateIsAskedOnce)
}

func eachGateIsAskedOnce(t *testing.T) {
	var a, b, pro atomic.Int32
	counters := map[string]*atomic.Int32{"a": &a, "b": &b, "pro": &pro}
	count := func(_ context.Context, caller, arg string) (bool, error) {
		if caller != "alice" {
			t.Errorf("asked for %q", caller)
		}
		counters[arg].Add(1)
		return arg != "b", nil
	}
	policy, p := sealed(t, count, count)
	d := policy.Decide(t.Context(), "alice", append(p.Gates(), p.Gates()...))
	for arg, n := range counters {
		if n.Load() != 1 {
			t.Errorf("%s was asked %d times", arg, n.Load())
		}
	}
	for g, want := range map[schema.Gate]bool{doorGates[0]: true, doorGates[1]: false, doorGates[2]: true, {Pred: "may", Arg: "c"}: false, {}: false} {
		if d.Allows(g) != want {
			t.Errorf("%v: %t", g, !want)
		}
	}
	if diff := cmp.Diff([]string{"name", "a", "c"}, seen(t, p, d)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if fs := d.Failures(); len(fs) != 0 {
		t.Errorf("a plain no is no failure: %v", fs)
	}
}

func TestWhateverGoesWrongDenies(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		caller string
		may    schema.Predicate[string]
		fails  int // gates
	}{
		{"an error, with true", "alice", func(context.Context, string, string) (bool, error) { return true, errors.New("down") }, 2},
		{"a panic", "alice", func(context.Context, string, string) (bool, error) { panic("lost") }, 2},
		{"a panic with an error", "alice", func(context.Context, string, string) (bool, error) { panic(errors.New("lost")) }, 2},
		{"a nil dereference", "alice", func(context.Context, string, string) (bool, error) { var p *door; return p.Name == "", nil }, 2},
		{"a predicate that waits for its context", "alice", func(ctx context.Context, _, _ string) (bool, error) { <-ctx.Done(); return true, nil }, 2},
		{"a predicate that never looks at its context", "alice", func(context.Context, string, string) (bool, error) { time.Sleep(time.Minute); return true, nil }, 2},
		{"nobody", "", yes, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				policy, p := sealed(t, tt.may, yes)
				start := time.Now()
				d := policy.Decide(t.Context(), tt.caller, p.Gates())
				if took := time.Since(start); took > 500*time.Millisecond {
					t.Errorf("it took %v", took)
				}
				if got := len(d.Failures()); got != tt.fails {
					t.Errorf("%d failures: %v", got, d.Failures())
				}
				for _, f := range d.Failures() {
					if f.Err == nil || d.Allows(f.Gate) {
						t.Errorf("%v failed with %v, allowed %t", f.Gate, f.Err, d.Allows(f.Gate))
					}
				}
				if diff := cmp.Diff([]string{"name"}, seen(t, p, d)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				time.Sleep(time.Hour) // the slow ones end
			})
		})
	}
}

func TestEachPredicateHasItsOwnTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := func(d time.Duration) schema.Predicate[string] {
			return func(context.Context, string, string) (bool, error) { time.Sleep(d); return true, nil }
		}
		policy, p := sealed(t, slow(249*time.Millisecond), slow(251*time.Millisecond))
		d := policy.Decide(t.Context(), "alice", p.Gates())
		if !d.Allows(doorGates[0]) || !d.Allows(doorGates[1]) || d.Allows(doorGates[2]) {
			t.Errorf("allowed %t, %t, %t", d.Allows(doorGates[0]), d.Allows(doorGates[1]), d.Allows(doorGates[2]))
		}
		time.Sleep(time.Hour)
	})
}

func TestACancelledRequestIsDenied(t *testing.T) {
	t.Parallel()
	policy, p := sealed(t, yes, yes)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d := policy.Decide(ctx, "alice", p.Gates())
	for _, g := range doorGates {
		if d.Allows(g) {
			t.Errorf("%v is allowed", g)
		}
	}
}

func TestAPolicyThatIsNotSealedDenies(t *testing.T) {
	t.Parallel()
	policy := schema.NewPolicy[string]()
	register(t, policy, "may", yes)
	register(t, policy, "tier", yes)
	d := policy.Decide(t.Context(), "alice", doorGates)
	for _, g := range doorGates {
		if d.Allows(g) {
			t.Errorf("%v is allowed", g)
		}
	}
	if len(d.Failures()) != len(doorGates) {
		t.Errorf("the failures are %v", d.Failures())
	}
}

func TestTheZeroDecisionDenies(t *testing.T) {
	t.Parallel()
	var d schema.Decision
	if d.Allows(doorGates[0]) || d.Allows(schema.Gate{}) || len(d.Failures()) != 0 {
		t.Error("it allows something")
	}
	if diff := cmp.Diff([]string{"name"}, seen(t, planOf[door](t, schema.Input), d)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
