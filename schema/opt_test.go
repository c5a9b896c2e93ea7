package schema_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema"
)

// An Opt is the JSON that it holds, for a host that sends one itself, and never another value in silence.
func TestOptAsJSON(t *testing.T) {
	t.Parallel()
	type update struct {
		Name schema.Opt[string] `json:"name,omitzero"`
		Note schema.Opt[string] `json:"note,omitzero"`
		Sums schema.Opt[[]int]  `json:"sums,omitzero"`
	}
	u := update{Name: schema.Some("x"), Note: schema.NullOpt[string]()}
	raw, err := json.Marshal(u)
	if err != nil || string(raw) != `{"name":"x","note":null}` {
		t.Errorf("%s %v", raw, err)
	}
	var back update
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(u, back, cmp.AllowUnexported(schema.Opt[string]{}, schema.Opt[[]int]{})); diff != "" {
		t.Error(diff)
	}
	if raw, err := json.Marshal(struct{ A schema.Opt[int] }{}); err == nil {
		t.Errorf("an absent one became %s", raw)
	}
	kept := update{Name: schema.Some("kept")}
	if err := json.Unmarshal([]byte(`{"name":7}`), &kept); err == nil || kept.Name != schema.Some("kept") {
		t.Errorf("%v %+v", err, kept)
	}
}
