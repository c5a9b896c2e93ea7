package migrate_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tenantry/tenantry/integration/testdb"
)

func TestProtectEveryKindOfTenant(t *testing.T) {
	t.Parallel()
	tests := []struct{ typ, one, two string }{
		{"int", "1", "2"},
		{"smallint", "1", "-32768"},
		{"bigint", "9007199254740993", "-1"},
		{"uuid", "4fbb2b8c-6f0f-4b33-a0e3-cb4d7a7d4c11", "4fbb2b8c-6f0f-4b33-a0e3-cb4d7a7d4c12"},
		{"text", "o'ne", "O'NE"},
		{"varchar(20)", "one", "two"},
		{`"my ""type"""`, "1", "2"},
	}
	db := testdb.New(t)
	db.Exec(t, `CREATE SCHEMA "sche""ma"; GRANT USAGE ON SCHEMA "sche""ma" TO tenantry_reader; CREATE DOMAIN "my ""type""" AS int`)
	for i, tt := range tests {
		table := pgx.Identifier{`sche"ma`, fmt.Sprintf(`ta ble"%d`, i)}.Sanitize()
		db.Exec(t, fmt.Sprintf(`CREATE TABLE %s ("te""nant" %s NOT NULL, id int)`, table, tt.typ))
		db.Exec(t, fmt.Sprintf(`INSERT INTO %s VALUES ($1::text::%s, 1), ($2::text::%[2]s, 2)`, table, tt.typ), tt.one, tt.two)
		for range 2 { // a second call changes nothing
			db.Exec(t, "CALL tenantry.protect($1::text::regclass, $2)", table, `te"nant`)
		}
		wants := map[string]string{tt.one: "{1}", tt.two: "{2}", "": "{}"}
		if tt.typ == "int" || tt.typ == "smallint" { // a tenant that the column cannot hold has no rows
			wants["9007199254740993"] = "{}"
		}
		for tenant, want := range wants {
			if got := visible(t, db.ReaderURL, tenant, table); got != want {
				t.Errorf("%s: tenant %q sees %s, want %s", tt.typ, tenant, got, want)
			}
		}
	}
}

// visible reads the ids of a table in a transaction of the tenant, then once more on the same connection without one.
func visible(t *testing.T, url, tenant, table string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := conn.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	var ids, after string
	read := "SELECT coalesce(array_agg(id ORDER BY id), '{}')::text FROM " + table
	err = pgx.BeginFunc(t.Context(), conn, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), "SELECT set_config('tenantry.tenant_id', $1, true)", tenant)
		return errors.Join(err, tx.QueryRow(t.Context(), read).Scan(&ids))
	})
	if err == nil {
		err = conn.QueryRow(t.Context(), read).Scan(&after)
	}
	if err != nil || after != "{}" {
		t.Errorf("after the transaction of %q: %s, %v; want no rows and no error", tenant, after, err)
	}
	return ids
}

// An owner that is no superuser is bound too, and still may write; the procedure gives nobody more than the caller has.
func TestProtectBindsTheOwner(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	db.Exec(t, `GRANT CREATE, USAGE ON SCHEMA public TO tenantry_test_reader;
		SET ROLE tenantry_test_reader;
		CREATE TABLE mine (id int, tenant_id int NOT NULL);
		CALL tenantry.protect('mine', 'tenant_id');
		RESET ROLE;
		INSERT INTO mine VALUES (1, 1), (2, 2)`)
	if got := visible(t, db.ReaderURL, "2", "mine"); got != "{2}" {
		t.Errorf("the owner sees %s, want {2}", got)
	}
	db.Exec(t, "CREATE TABLE foreign_to_it (tenant_id int)")
	if _, err := db.Reader(t).Exec(t.Context(), "CALL tenantry.protect('foreign_to_it', 'tenant_id')"); code(err) != "42501" {
		t.Errorf("protecting somebody else's table: %v; want it refused", err)
	}
}

func TestProtectGrantsOnlyTheColumnsNamed(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	db.Exec(t, `CREATE TABLE t (id int, tenant_id int, "se""cret" text, shown text);
		CALL tenantry.protect('t', 'tenant_id', ARRAY['id', 'tenant_id', 'shown'])`)
	conn := db.Reader(t)
	if _, err := conn.Exec(t.Context(), "SELECT id, tenant_id, shown FROM t"); err != nil {
		t.Error(err)
	}
	if _, err := conn.Exec(t.Context(), `SELECT "se""cret" FROM t`); code(err) != "42501" {
		t.Errorf("a column that was not named: %v; want it refused", err)
	}
}

func TestProtectRefusesAnUnknownColumn(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	for _, column := range []string{"tenant", "ctid", "TENANT_ID", ""} {
		if _, err := db.Conn(t).Exec(t.Context(), "CALL tenantry.protect('orders', $1)", column); code(err) != "42703" {
			t.Errorf("column %q: %v; want it refused", column, err)
		}
	}
}

func code(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}
