package schema_test

import (
	"strings"
	"testing"

	"github.com/tenantry/tenantry/schema"
)

func TestRegistrationEndsWithTheSeal(t *testing.T) {
	t.Parallel()
	policy := schema.NewPolicy[string]()
	for name, f := range map[string]schema.Predicate[string]{"Upper": yes, "": yes, "with space": yes, "1st": yes, "none": nil} {
		if policy.Register(name, f) == nil {
			t.Errorf("%q was registered", name)
		}
	}
	register(t, policy, "may", yes)
	if policy.Register("may", yes) == nil {
		t.Error("a name was registered twice")
	}
	if err := policy.Seal(planOf[door](t, schema.Input)); err == nil || !strings.Contains(err.Error(), "tier") {
		t.Errorf("sealed without tier: %v", err)
	}
	register(t, policy, "tier", yes) // what did not seal is open
	if err := policy.Seal(planOf[door](t, schema.Input)); err != nil {
		t.Fatal(err)
	}
	if policy.Register("late", yes) == nil {
		t.Error("registered after the seal")
	}
	if policy.Seal() == nil {
		t.Error("sealed twice")
	}
}

func TestSealNamesEveryUnknownPredicate(t *testing.T) {
	t.Parallel()
	type body struct {
		A *string `json:"a" gate:"my(a)"`
		B *string `json:"b" gate:"teir(pro)"`
		C *string `json:"c" gate:"quitedifferent(x)"`
	}
	policy := schema.NewPolicy[string]()
	register(t, policy, "may", yes)
	register(t, policy, "tier", yes)
	err := policy.Seal(planOf[body](t, schema.Input))
	if err == nil {
		t.Fatal("sealed")
	}
	for _, word := range []string{"body.A: there is no predicate my: register it (did you mean may?)", "body.B: there is no predicate teir", "tier", "body.C", "quitedifferent"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q is not named: %v", word, err)
		}
	}
}
