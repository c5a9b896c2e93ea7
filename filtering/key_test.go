package filtering_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/resource"
)

func TestKeys(t *testing.T) {
	t.Parallel()
	in := []filtering.Key{
		{Name: "b", Description: "first"},
		{Name: "a"},
		{Name: "b", Description: "second"},
		{Name: "c", Companion: "d"},
		{Name: "d", Companion: "hidden"},
		{Name: "e", Companion: "a"},
	}
	keys := filtering.NewKeys(in)
	if diff := cmp.Diff([]string{"a", "b", "e"}, keys.Names()); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if k, ok := keys.Find("b"); !ok || k.Description != "first" {
		t.Errorf("Find(b) = %v, %v", k, ok)
	}
	if _, ok := keys.Find("c"); ok {
		t.Error("a key is there whose companion's companion is not")
	}
	if len(in) != 6 || in[0].Name != "b" {
		t.Error("NewKeys changed its argument")
	}
	keys.Names()[0] = "z"
	keys.All()[0].Name = "z"
	if k, ok := keys.Find("a"); !ok || keys.All()[0].Name != "a" || k.Name != "a" {
		t.Error("a caller changed the keys")
	}
}

func TestNilKeys(t *testing.T) {
	t.Parallel()
	var keys *filtering.Keys
	if _, ok := keys.Find("a"); ok || keys.Names() != nil || keys.All() != nil {
		t.Error("nil keys are not empty")
	}
}

func TestKeyOperators(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		key  filtering.Key
		want []resource.Operator
	}{
		{"of the type", column("a", resource.Plain(resource.Boolean)), []resource.Operator{"eq", "not_eq", "is_null"}},
		{"of the host", hosted("a", resource.Boolean, "x = ?"), []resource.Operator{"eq"}},
		{"none", column("a", resource.Plain(resource.XML)), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, tt.key.Operators()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Every advertised operator of every type is accepted with its sample, so that what resource_schema
// says holds.
func TestAdvertisedOperatorsAreAccepted(t *testing.T) {
	t.Parallel()
	for _, k := range orders().All() {
		for _, op := range k.Operators() {
			errs := mistakes(t, `{"`+k.Name+`":{"op":"`+string(op)+`"},"subject_type":"x"}`)
			if diff := cmp.Diff(`/filter/`+k.Name, errs[0].Path); diff != "" {
				t.Errorf("%s %s: %v", k.Name, op, errs)
				continue
			}
			if _, err := filtering.Parse([]byte(asJSON(t, errs[0].Example)), orders()); err != nil {
				t.Errorf("%s %s: the example %s is refused: %v", k.Name, op, asJSON(t, errs[0].Example), err)
			}
		}
	}
}
