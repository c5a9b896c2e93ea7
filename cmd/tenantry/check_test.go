package main

import "testing"

func TestCheck(t *testing.T) {
	t.Parallel()
	env := shop(t)
	const warnings = `warning: SQLite has no row policies: the scopes are the only wall between tenants; serve it where RequireRLS is false
warning: cursor_keys: a random key for each process: cursors end with it, and do not work across replicas
`
	bare := "database: ${SHOP}\nresources:\n  a: {table: orders, scope: {column: company_id}, fields: {id: }}\n"
	mismatch := "database: ${SHOP}\nresources:\n" +
		"  a: {table: orders, scope: {column: company_id}, fields: {id: , nope: }}\n" +
		"  b: {table: nowhere, scope: {column: company_id}, fields: {id: }}\n"
	tokens := write(t, "database: ${SHOP}\nauth: {static: [{token: hunter2, subject: a, tenant: acme}]}\n"+
		"resources: {a: {table: orders, scope: {column: company_id}, fields: {id: }}}\n")
	wrong := write(t, mismatch)
	for _, tc := range []struct {
		name, file string
		want       outcome
	}{
		{"good", shopFile, outcome{0, warnings +
			`advice: resource orders: no index of "main"."orders" begins with "company_id" and one of "number", "customer_id", "state": sorting or filtering by it reads every row of the tenant` + "\n" +
			"ok: resources checked: 2; tenant key: integer\n", ""}},
		{"open to all", write(t, bare), outcome{0, `warning: SQLite has no row policies: the scopes are the only wall between tenants; serve it where RequireRLS is false
warning: resource a: no permission scope: every authenticated caller of the tenant may read it; write requires: in it, or defaults: {requires: …}
warning: cursor_keys: a random key for each process: cursors end with it, and do not work across replicas
warning: auth: nobody could call: write a token under auth.static
ok: resources checked: 1; tenant key: integer
`, ""}},
		{"not this database's", wrong, outcome{statusFailed, "error: " + wrong + `: resource b: Table: the database has no table or view "nowhere" that this role can see
error: ` + wrong + `: resource a: field "nope": "orders" has no column "nope"
`, ""}},
		{"not this tenant's kind", tokens, outcome{statusFailed, "error: " + tokens + `:2: auth.static: a tenant does not fit the column of the scope (integer): tenant: the key is not a 64-bit integer in plain digits
`, ""}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			same(t, tc.want, tenantry(t, env, "check", "--config", tc.file))
		})
	}
}
