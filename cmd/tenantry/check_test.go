package main

import (
	"database/sql"
	"errors"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	env := shop(t)
	addCountries(t, env)
	const warnings = `warning: SQLite has no row policies: the scopes are the only wall between tenants; serve it where RequireRLS is false
warning: cursor_keys: a random key for each process: cursors end with it, and do not work across replicas
`
	const advice = `advice: resource orders: no index serves filtering by "customer_id": CREATE INDEX "orders_company_id_customer_id" ON "orders" ("company_id", "customer_id")
advice: resource orders: no index serves sorting by "number": CREATE INDEX "orders_company_id_number" ON "orders" ("company_id", "number")
advice: resource orders: no index serves filtering by "state": CREATE INDEX "orders_company_id_state" ON "orders" ("company_id", "state")
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
		{"good", shopFile, outcome{0, warnings + advice + "ok: resources checked: 2; tenant key: integer\n", ""}},
		{"open to all", write(t, bare), outcome{0, `warning: SQLite has no row policies: the scopes are the only wall between tenants; serve it where RequireRLS is false
warning: resource a: no permission scope: every authenticated caller of the tenant may read it; write requires: in it, or defaults: {requires: …}
warning: cursor_keys: a random key for each process: cursors end with it, and do not work across replicas
warning: auth: nobody could call: write a token under auth.static
ok: resources checked: 1; tenant key: integer
`, ""}},
		{"shared by all", write(t, "database: ${SHOP}\nresources:\n"+
			"  a: {table: orders, scope: {column: company_id}, requires: x, fields: {id: }}\n"+
			"  b: {table: countries, global: {reason: The same for all.}, requires: x, fields: {code: }}\n"), outcome{0, `warning: SQLite has no row policies: the scopes are the only wall between tenants; serve it where RequireRLS is false
warning: resource b: global: every tenant reads every row: The same for all.
warning: cursor_keys: a random key for each process: cursors end with it, and do not work across replicas
warning: auth: nobody could call: write a token under auth.static
ok: resources checked: 2; tenant key: integer
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

// addCountries adds a table that belongs to nobody.
func addCountries(t *testing.T, env map[string]string) {
	t.Helper()
	db, err := sql.Open("sqlite", strings.TrimPrefix(env["SHOP"], "sqlite:"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.ExecContext(t.Context(), "CREATE TABLE countries (code TEXT NOT NULL PRIMARY KEY)")
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}
