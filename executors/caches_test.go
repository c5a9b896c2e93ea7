package executors_test

import (
	"reflect"
	"testing"

	"github.com/tenantry/tenantry/executors"
)

// What the executor keeps is the same for every tenant: two tenants with the same permission scopes get one
// statement with the same arguments and one schema, and only the call says whose rows it is about.
func TestNothingOfATenantIsKept(t *testing.T) {
	t.Parallel()
	x, db := openShop(t)
	before := len(db.calls)
	var schemas []string
	for _, key := range []int64{1, 2, 1} {
		p := caller(t, key, staff...)
		if _, err := x.List(t.Context(), p, executors.ListRequest{Resource: "orders", Filter: []byte(`{"number":"7"}`)}); err != nil {
			t.Fatal(err)
		}
		schema, err := x.Schema(t.Context(), p, "orders", nil)
		if err != nil {
			t.Fatal(err)
		}
		schemas = append(schemas, string(schema.JSON))
	}
	calls := db.calls[before:]
	for i, want := range []string{"1", "2", "1"} {
		first, s := calls[0].Statements[0], calls[i].Statements[0]
		if calls[i].Tenant.Key() != want || s.SQL != first.SQL || !reflect.DeepEqual(s.Args, first.Args) {
			t.Errorf("call %d is for %s: %v", i, calls[i].Tenant.Key(), s.Args)
		}
		if schemas[i] != schemas[0] {
			t.Errorf("the schema of call %d differs", i)
		}
	}
}
