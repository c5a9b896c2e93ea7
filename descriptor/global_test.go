package descriptor_test

import (
	"testing"

	"github.com/tenantry/tenantry/descriptor"
	"github.com/tenantry/tenantry/registry"
)

// What is global is no spec, and can be led to by one.
func TestGlobal(t *testing.T) {
	t.Parallel()
	f, err := descriptor.Parse("acme.yaml", []byte(`
database: postgres://localhost/acme
resources:
  countries: {table: countries, global: {reason: The same for all.}, fields: {code: }, filterable: [code]}
  people: {table: people, scope: {column: tenant_id}, fields: {id: }, relations: {country: {to: countries, fk: home}}}
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	specs, globals := f.Specs(), f.Globals()
	if len(specs) != 1 || specs[0].Name != "people" || len(globals) != 1 || globals[0].Name != "countries" {
		t.Fatalf("specs %+v, globals %+v", specs, globals)
	}
	if globals[0].Reason != "The same for all." || globals[0].Scope.Valid() {
		t.Errorf("global %+v", globals[0])
	}
	if _, err := registry.NewWithGlobals(nil, globals, specs...); err != nil {
		t.Error(err)
	}
}
