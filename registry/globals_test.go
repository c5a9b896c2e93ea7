package registry_test

import (
	"strings"
	"testing"

	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// What has no scope is registered by a call of its own, with a reason.
func TestGlobals(t *testing.T) {
	t.Parallel()
	spec := resource.Spec{Name: "countries", Table: "countries", Serializer: serializer.Columns("code")}
	scoped := spec
	scoped.Scope = scope.Column("account_id")
	other := scoped
	other.Name = "orders"
	for _, tc := range []struct {
		name   string
		global resource.Global
		want   string
	}{
		{"good", resource.Global{Reason: "The same for all.", Spec: spec}, ""},
		{"no reason", resource.Global{Spec: spec}, "resource countries: Reason: a reason is required"},
		{"a blank reason", resource.Global{Reason: " \t", Spec: spec}, "resource countries: Reason: a reason is required"},
		{"a scope", resource.Global{Reason: "The same for all.", Spec: scoped}, "resource countries: Scope: shared reference data has no scope"},
		{"a name twice", resource.Global{Reason: "The same for all.", Spec: func() resource.Spec { s := spec; s.Name = "orders"; return s }()}, "resource orders: Name: a resource of this name is already registered"},
	} {
		reg, err := registry.NewWithGlobals(nil, []resource.Global{tc.global}, other)
		if (err == nil) != (tc.want == "") || err != nil && !strings.HasPrefix(err.Error(), tc.want) {
			t.Errorf("%s: %v", tc.name, err)
		}
		if err != nil {
			continue
		}
		for _, res := range reg.All() {
			if reason, ok := res.Global(); ok != (res.Name() == "countries") || ok && reason != "The same for all." {
				t.Errorf("%s: global %v, %q", res.Name(), ok, reason)
			}
		}
	}
	if _, err := registry.New(nil, spec); err == nil || !strings.Contains(err.Error(), "a scope is required") {
		t.Errorf("a spec without a scope: %v", err)
	}
}
