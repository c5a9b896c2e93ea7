package schema_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema"
)

// Who sees which fields.
var gateBehaviour = []behaviour{
	{"a field with two gates needs both", gatesAreAnded},
	{"a default of one caller is never another's", defaultsAreNotShared},
	{"a gate that nobody registered is refused when the policy is sealed", misspeltGate},
	{"a predicate that fails in any way hides the field", failingPredicates},
	{"a gate of the whole that fails hides the whole", failingToolGate},
	{"a hidden nested field cannot be told from one that never was", hiddenNestedField},
	{"keys that differ in case are unknown", keysDifferingInCase},
}

type gated struct {
	Name string  `json:"name"`
	Note *string `json:"note" gate:"requires(admin)&tier(pro)"`
}

func gatesAreAnded(t *testing.T) {
	p := planOf[gated](t, schema.Input)
	want := []schema.Gate{{Pred: "requires", Arg: "admin"}, {Pred: "tier", Arg: "pro"}}
	if diff := cmp.Diff(want, p.Gates()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, allowed := range [][]string{nil, {"requires(admin)"}, {"tier(pro)"}} {
		v := viewOf(t, p, allowed...)
		same(t, ``, property(t, v, "note"))
		wantCodes[gated](t, v, `{"name":"n","note":"x"}`, "unknown /note")
	}
	v := viewOf(t, p, "requires(admin)", "tier(pro)")
	same(t, `{"type":"string"}`, property(t, v, "note"))
	if got := decoded[gated](t, v, `{"name":"n","note":"x"}`); got.Note == nil || *got.Note != "x" {
		t.Errorf("the note is lost: %+v", got)
	}
}

func defaultsAreNotShared(t *testing.T) {
	type body struct {
		Zone string  `json:"zone" mcp:"defaultFor=tz"`
		Note *string `json:"note" gate:"requires(admin)"`
	}
	p := planOf[body](t, schema.Input)
	a := func(context.Context, string) (any, bool, error) { return "x", true, nil }
	b := func(context.Context, string) (any, bool, error) { return nil, false, nil }
	before := emittedWith(t, viewOf(t, p), schema.Full, b)
	same(t, `{"type":"string"}`, keyword(t, before, "properties", "zone"))
	same(t, `{"type":"string","default":"x"}`, keyword(t, emittedWith(t, viewOf(t, p), schema.Full, a), "properties", "zone"))
	same(t, before, emittedWith(t, viewOf(t, p), schema.Full, b))
	same(t, before, emittedWith(t, viewOf(t, p), schema.Full, nil))
}

func misspeltGate(t *testing.T) {
	type body struct {
		Note *string `json:"note" gate:"reqires(admin)"`
	}
	policy := schema.NewPolicy[string]()
	register(t, policy, "tier", allowing("tier"))
	register(t, policy, "requires", allowing("requires"))
	err := policy.Seal(planOf[body](t, schema.Input))
	if err == nil {
		t.Fatal("sealed")
	}
	for _, word := range []string{"reqires", "requires"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q is not named: %v", word, err)
		}
	}
}

func failingPredicates(t *testing.T) {
	type body struct {
		Name string  `json:"name"`
		Note *string `json:"note" gate:"may(note)"`
	}
	tests := []struct {
		name   string
		caller string
		may    schema.Predicate[string]
	}{
		{"an error", "alice", func(context.Context, string, string) (bool, error) { return true, errors.New("down") }},
		{"a panic", "alice", func(context.Context, string, string) (bool, error) { panic("lost") }},
		{"too slow", "alice", func(context.Context, string, string) (bool, error) { time.Sleep(time.Minute); return true, nil }},
		{"nobody", "", allowing("may", "may(note)")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := planOf[body](t, schema.Input)
				policy := schema.NewPolicy[string]()
				register(t, policy, "may", tt.may)
				if err := policy.Seal(p); err != nil {
					t.Fatal(err)
				}
				d := policy.Decide(t.Context(), tt.caller, p.Gates())
				if fs := d.Failures(); len(fs) != 1 || fs[0].Gate != p.Gates()[0] || fs[0].Err == nil {
					t.Errorf("the failures are %v", fs)
				}
				v, ok := p.View(d)
				if !ok {
					t.Fatal("all of it is hidden")
				}
				same(t, ``, property(t, v, "note"))
				wantCodes[body](t, v, `{"name":"n","note":"x"}`, "unknown /note")
				time.Sleep(time.Hour) // the slow one ends
			})
		})
	}
}

func failingToolGate(t *testing.T) {
	type body struct {
		Name string `json:"name"`
	}
	p := planOf[body](t, schema.Input, schema.ToolGates(schema.Gate{Pred: "may", Arg: "refund"}))
	policy := schema.NewPolicy[string]()
	register(t, policy, "may", func(context.Context, string, string) (bool, error) { return true, errors.New("down") })
	if err := policy.Seal(p); err != nil {
		t.Fatal(err)
	}
	if _, ok := p.View(policy.Decide(t.Context(), "alice", p.Gates())); ok {
		t.Error("seen by a caller whose gate failed")
	}
	if _, ok := p.View(schema.Decision{}); ok {
		t.Error("seen without any decision")
	}
	if _, ok := p.View(decide(t, p, "may(refund)")); !ok {
		t.Error("hidden from a caller who may")
	}
}

func hiddenNestedField(t *testing.T) {
	type Line struct {
		Label  string `json:"label"`
		Secret *int   `json:"secret" gate:"requires(admin)"`
	}
	type body struct {
		Items []Line `json:"items"`
	}
	v := viewOf(t, planOf[body](t, schema.Input))
	hidden := refused[body](t, v, `{"items":[{"label":"x","secret":1}]}`)
	never := refused[body](t, v, `{"items":[{"label":"x","sacret":1}]}`)
	if diff := cmp.Diff([]string{"unknown /items/0/secret"}, codes(hidden)); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	same(t, strings.ReplaceAll(never.Error(), "sacret", "secret"), hidden.Error())
	if strings.Contains(emitted(t, v), "secret") {
		t.Error("the hidden field is advertised")
	}
}

func keysDifferingInCase(t *testing.T) {
	type body struct {
		Name  string  `json:"name"`
		Admin *string `json:"admin_note" gate:"requires(admin)"`
	}
	v := viewOf(t, planOf[body](t, schema.Input))
	wantCodes[body](t, v, `{"name":"n","ADMIN_NOTE":"x"}`, "unknown /ADMIN_NOTE")
	wantCodes[body](t, v, `{"Name":"n"}`, "unknown /Name", "missing /name")
	var got body
	if err := v.Decode(t.Context(), []byte(`{"name":"n","ADMIN_NOTE":"x","Admin":"x"}`), &got, nil); err == nil || got.Admin != nil || got.Name != "" {
		t.Errorf("something was assigned: %+v, %v", got, err)
	}
}
