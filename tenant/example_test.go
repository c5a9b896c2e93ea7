package tenant_test

import (
	"fmt"

	"github.com/tenantry/tenantry/tenant"
)

func ExampleParse() {
	id, err := tenant.Parse(tenant.KindUUID, "6F1F2C9E-3B1A-4F0E-9A52-1F7F4C0D2B11")
	fmt.Println(id, id.Key(), err)

	_, err = tenant.Parse(tenant.KindInt, "042")
	fmt.Println(err)
	// Output:
	// tenant.ID(hidden) 6f1f2c9e-3b1a-4f0e-9a52-1f7f4c0d2b11 <nil>
	// tenant: the key is not a 64-bit integer in plain digits
}

func ExampleInt() {
	_, err := tenant.Int(0)
	fmt.Println(err)
	// Output: tenant: 0 is not a tenant key
}
