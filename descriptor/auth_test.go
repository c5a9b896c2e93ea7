package descriptor_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/descriptor"
	"github.com/tenantry/tenantry/tenant"
)

const tokens = `auth:
  static:
    - {token: a, subject: alice, tenant: 1, scopes: [orders:read]}
    - {token: b, subject: bob, tenants: [2, "0c8e7b58-7a0c-4a55-9f0e-3f7c1d2b9a10"]}
    - {token: c, subject: carol, tenant: acme}
`

func TestGrants(t *testing.T) {
	t.Parallel()
	f, err := descriptor.Parse("acme.yaml", []byte(tokens+tail), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Grants(tenant.KindText)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]auth.Grant{
		"a": {Subject: "alice", Tenants: texts(t, "1"), Scopes: []string{"orders:read"}},
		"b": {Subject: "bob", Tenants: texts(t, "2", "0c8e7b58-7a0c-4a55-9f0e-3f7c1d2b9a10")},
		"c": {Subject: "carol", Tenants: texts(t, "acme")},
	}
	if diff := cmp.Diff(want, got, everything); diff != "" {
		t.Error(diff)
	}
	if _, err := auth.NewStatic(got); err != nil {
		t.Error(err)
	}
}

func texts(t *testing.T, keys ...string) (ids []tenant.ID) {
	t.Helper()
	for _, k := range keys {
		id, err := tenant.Text(k)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	return ids
}

func TestGrantsOfAnotherKind(t *testing.T) {
	t.Parallel()
	f, err := descriptor.Parse("acme.yaml", []byte(tokens+tail), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		kind tenant.Kind
		want string
	}{
		{tenant.KindInt, `acme.yaml:4: auth.static: a tenant does not fit the column of the scope (integer): tenant: the key is not a 64-bit integer in plain digits
acme.yaml:5: auth.static: a tenant does not fit the column of the scope (integer): tenant: the key is not a 64-bit integer in plain digits`},
		{tenant.KindUUID, `acme.yaml:3: auth.static: a tenant does not fit the column of the scope (uuid): tenant: the key is not a UUID of the form 8-4-4-4-12
acme.yaml:4: auth.static: a tenant does not fit the column of the scope (uuid): tenant: the key is not a UUID of the form 8-4-4-4-12
acme.yaml:5: auth.static: a tenant does not fit the column of the scope (uuid): tenant: the key is not a UUID of the form 8-4-4-4-12`},
	} {
		if _, err := f.Grants(tc.kind); err == nil || err.Error() != tc.want {
			t.Errorf("%s: %v", tc.kind, err)
		}
	}
}
