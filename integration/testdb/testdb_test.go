package testdb_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tenantry/tenantry/integration/testdb"
)

func TestMain(m *testing.M) { testdb.Main(m) }

const seed = `
	INSERT INTO tenants VALUES (1, 'one'), (2, 'two');
	INSERT INTO customers (id, tenant_id, email) VALUES (1, 1, 'a@one.example'), (2, 2, 'b@two.example');`

// Tests that write the same rows at the same time show that none sees the database of another.
func TestEachTestHasItsOwnDatabase(t *testing.T) {
	t.Parallel()
	for range 4 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			db := testdb.New(t)
			db.Exec(t, seed)
			var n int
			if err := db.Conn(t).QueryRow(t.Context(), "SELECT count(*) FROM customers").Scan(&n); err != nil || n != 2 {
				t.Errorf("count = %d, %v; want 2", n, err)
			}
		})
	}
}

func TestReaderIsBoundAndMayOnlyRead(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	db.Exec(t, seed)
	tests := []struct {
		name, sql string
		code      string // SQLSTATE; empty when it succeeds
		want      int64  // rows
	}{
		{"no tenant, no rows", "SELECT id FROM customers", "", 0},
		{"a tenant is set", "SELECT set_config('tenantry.tenant_id', '2', false)", "", 1},
		{"its rows", "SELECT id FROM customers WHERE tenant_id = 2", "", 1},
		{"another's rows", "SELECT id FROM customers WHERE tenant_id = 1", "", 0},
		{"a column that is not granted", "SELECT credit_note FROM customers", "42501", 0},
		{"insert", "INSERT INTO tenants VALUES (3, 'three')", "42501", 0},
		{"temporary table", "CREATE TEMP TABLE x (id int)", "42501", 0},
		{"table", "CREATE TABLE x (id int)", "42501", 0},
	}
	conn := db.Reader(t)
	for _, tt := range tests {
		tag, err := conn.Exec(t.Context(), tt.sql)
		var code string
		if e, ok := errors.AsType[*pgconn.PgError](err); ok {
			code = e.Code
		}
		if code != tt.code || tag.RowsAffected() != tt.want {
			t.Errorf("%s: %d rows, %v; want %d rows, code %q", tt.name, tag.RowsAffected(), err, tt.want, tt.code)
		}
	}
}

func TestEmptyHasNothing(t *testing.T) {
	t.Parallel()
	var n int
	err := testdb.NewEmpty(t).Conn(t).QueryRow(t.Context(), "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").Scan(&n)
	if err != nil || n != 0 {
		t.Errorf("count = %d, %v; want 0", n, err)
	}
}

func TestNoServerNamesTheThreeWays(t *testing.T) {
	t.Setenv(testdb.EnvWay, "none of them")
	_, err := testdb.Start(t.Context())
	if err == nil {
		t.Fatal("a server was found")
	}
	for _, way := range []string{testdb.EnvURL, "container engine", "apt-get install postgresql"} {
		if !strings.Contains(err.Error(), way) {
			t.Errorf("the error does not name %q:\n%v", way, err)
		}
	}
}

func TestWrongAddressIsNotPassedOver(t *testing.T) {
	t.Setenv(testdb.EnvWay, "")
	t.Setenv(testdb.EnvURL, "postgres://nobody:secret@127.0.0.1:1/none")
	_, err := testdb.Start(t.Context())
	if err == nil || strings.Contains(err.Error(), "local:") || strings.Contains(err.Error(), "secret") {
		t.Errorf("err = %v; want the address's own, without the password or another way", err)
	}
}
