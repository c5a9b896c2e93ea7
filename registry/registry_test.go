package registry_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
)

func mustNew(t *testing.T, opts *registry.Options, specs ...resource.Spec) *registry.Registry {
	t.Helper()
	r, err := registry.New(opts, specs...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func names(resources []*resource.Resource) []string {
	var out []string
	for _, r := range resources {
		out = append(out, r.Name())
	}
	return out
}

// Every mistake of every spec is told at once, each with its resource and its member.
func TestNewTellsEverything(t *testing.T) {
	t.Parallel()
	wrong := resource.Spec{Name: "orders", Table: "orders"}
	lonely := spec("lines", "")
	lonely.Relations = []resource.Relation{resource.BelongsTo("order", "order", "order_id"), resource.HasMany("x", "gone", "y")}
	unnamed := spec("", "")
	unnamed.Table = "things"
	again := spec("lines", "")
	again.Sortable = []string{"nothing"}
	_, err := registry.New(nil, wrong, lonely, unnamed, again)
	if err == nil {
		t.Fatal("accepted")
	}
	want := []string{
		"resource orders: Scope: a scope is required: it says which rows belong to a tenant",
		"resource orders: Serializer: a serializer is required: it says what a row looks like outside",
		"resource (unnamed, table things): Name: a public name is empty",
		"resource lines: Name: a resource of this name is already registered",
		`resource lines: Sortable: "nothing" is not a field`,
		`resource lines: relation "order": the target "order" is not registered`,
		`resource lines: relation "x": the target "gone" is not registered`,
	}
	if diff := cmp.Diff(want, strings.Split(err.Error(), "\n")); diff != "" {
		t.Error(diff)
	}
}

func TestNewRefusesNothing(t *testing.T) {
	t.Parallel()
	if r, err := registry.New(nil); err == nil || r != nil {
		t.Errorf("a registry of nothing: %v, %v", r, err)
	}
}

func TestNewTakesTargetsInAnyOrder(t *testing.T) {
	t.Parallel()
	a, b := spec("a", ""), internal("b")
	a.Relations = []resource.Relation{resource.BelongsTo("b", "b", "b_id"), resource.BelongsTo("a", "a", "a_id"), resource.Polymorphic("subject", "x", "y")}
	r := mustNew(t, nil, a, b)
	if diff := cmp.Diff([]string{"a", "b"}, names(r.All())); diff != "" {
		t.Error(diff)
	}
}

func TestMustNew(t *testing.T) {
	t.Parallel()
	if r := registry.MustNew(nil, spec("a", "")); len(r.All()) != 1 {
		t.Error("a good registry is not built")
	}
	defer func() {
		if recover() == nil {
			t.Error("a mistake does not panic")
		}
	}()
	registry.MustNew(nil)
}

func TestVisible(t *testing.T) {
	t.Parallel()
	r := mustNew(t, nil, spec("c", "c:read"), spec("a", ""), internal("hidden"), spec("b", "b:read"))
	for _, tc := range []struct {
		name string
		p    *auth.Principal
		want []string
	}{
		{"nobody", nil, nil},
		{"without scopes", caller(t), []string{"a"}},
		{"with one", caller(t, "b:read"), []string{"a", "b"}},
		{"with all", caller(t, "b:read", "c:read"), []string{"c", "a", "b"}},
		{"with another", caller(t, "b:write", "B:READ"), []string{"a"}},
	} {
		if diff := cmp.Diff(tc.want, names(r.Visible(tc.p))); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}

func TestDefaultRequires(t *testing.T) {
	t.Parallel()
	r := mustNew(t, &registry.Options{Requires: "any:read"}, spec("a", ""), spec("b", "b:read"))
	if diff := cmp.Diff([]string{"a"}, names(r.Visible(caller(t, "any:read")))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"b"}, names(r.Visible(caller(t, "b:read")))); diff != "" {
		t.Error(diff)
	}
}

func TestFindAndAll(t *testing.T) {
	t.Parallel()
	r := mustNew(t, nil, spec("a", "x"), internal("b"))
	r.All()[0] = nil
	for _, name := range []string{"a", "b"} {
		if res, ok := r.Find(name); !ok || res.Name() != name {
			t.Errorf("%s is not found", name)
		}
	}
	if _, ok := r.Find("c"); ok {
		t.Error("what is not there is found")
	}
	if r.All()[0] == nil {
		t.Error("a reader changed the registry")
	}
}

// A hidden and an internal resource answer with the very bytes of a registry that never had them, whatever
// the caller sees beside them.
func TestLookupHidesWhatItHides(t *testing.T) {
	t.Parallel()
	secret := mustNew(t, nil, spec("orders", "orders:read"), spec("payroll", "payroll:read"), internal("payrolls"), spec("lines", ""))
	never := mustNew(t, nil, spec("orders", "orders:read"), spec("lines", ""))
	for _, p := range []*auth.Principal{nil, caller(t), caller(t, "orders:read"), caller(t, "lines")} {
		for _, name := range []string{"payroll", "payrolls", "payrol", "Payroll", "", "order", "orders ", strings.Repeat("payroll", 100)} {
			got, want := lookupError(t, secret, p, name), lookupError(t, never, p, name)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%q: %s", name, diff)
			}
		}
	}
	if res, err := secret.Lookup(caller(t, "payroll:read"), "payroll"); err != nil || res.Name() != "payroll" {
		t.Errorf("who may see it: %v", err)
	}
	if _, err := secret.Lookup(caller(t, "payroll:read"), "payrolls"); err == nil {
		t.Error("an internal resource is reached by name")
	}
}

func lookupError(t *testing.T, r *registry.Registry, p *auth.Principal, name string) string {
	t.Helper()
	res, err := r.Lookup(p, name)
	own, ok := errors.AsType[*resource.Error](err)
	if !ok || res != nil {
		t.Fatalf("%q: %v, %v", name, res, err)
	}
	body, err := json.Marshal(own)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestLookupError(t *testing.T) {
	t.Parallel()
	few := mustNew(t, nil, spec("orders", "orders:read"), spec("orderz", "secret"), spec("lines", ""))
	var specs []resource.Spec
	for _, n := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"} {
		specs = append(specs, spec("resource_"+n, ""))
	}
	many := mustNew(t, nil, specs...)
	for _, tc := range []struct {
		name, in string
		r        *registry.Registry
		want     string
	}{
		{
			"suggestions come from what is visible", "order", few,
			`{"code":"unknown_resource","message":"there is no resource \"order\": send a name from the list of resources",` +
				`"path":"/resource","allowed":["orders","lines"],"suggestions":["orders"]}`,
		},
		{
			"many names are not all listed", "resource_aa", many,
			`{"code":"unknown_resource","message":"there is no resource \"resource_aa\": send a name from the list of resources",` +
				`"path":"/resource","suggestions":["resource_a","resource_b","resource_c"]}`,
		},
		{
			"a long name is cut", strings.Repeat("x", 1000), few,
			`{"code":"unknown_resource","message":"there is no resource \"` + strings.Repeat("x", 40) + `…\": send a name from the list of resources",` +
				`"path":"/resource","allowed":["orders","lines"]}`,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, lookupError(t, tc.r, caller(t, "orders:read"), tc.in)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
