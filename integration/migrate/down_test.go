package migrate_test

import (
	"database/sql"
	"testing"

	"github.com/golang-migrate/migrate/v4"
	pgxdriver "github.com/golang-migrate/migrate/v4/database/pgx/v5"
	"github.com/golang-migrate/migrate/v4/source/iofs"
	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/integration/testdb"
	"github.com/tenantry/tenantry/migrations"
)

// objects describes what a database holds beside extensions and version tables.
const objects = `
	SELECT coalesce(string_agg(o, E'\n' ORDER BY o), '') FROM (
		SELECT format('table %s rls=%s forced=%s acl=%s', oid::regclass, relrowsecurity, relforcerowsecurity, coalesce(relacl, acldefault('r', relowner))) FROM pg_class
		WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i') AND relname NOT LIKE 'tenantry_%migrations%'
		UNION ALL SELECT 'schema ' || nspname FROM pg_namespace WHERE nspname = 'tenantry'
		UNION ALL SELECT 'routine ' || oid::regprocedure FROM pg_proc WHERE pronamespace = (SELECT oid FROM pg_namespace WHERE nspname = 'tenantry')
		UNION ALL SELECT 'policy ' || polname || ' on ' || polrelid::regclass FROM pg_policy
		UNION ALL SELECT 'enum ' || typname FROM pg_type WHERE typtype = 'e'
	) _(o)`

// Every file is taken back and applied again, one at a time, and the database is as before each time.
func TestDownIsTheOppositeOfUp(t *testing.T) {
	t.Parallel()
	db := testdb.NewEmpty(t)
	var undo []func()
	for _, set := range []migrations.Set{migrations.Framework, migrations.Example} {
		m := migrator(t, db, set)
		for {
			before := scan[string](t, db, objects)
			if m.Steps(1) != nil {
				break // no file is left
			}
			after := scan[string](t, db, objects)
			step(t, m, -1)
			same(t, db, before)
			step(t, m, 1)
			same(t, db, after)
			undo = append(undo, func() { step(t, m, -1); same(t, db, before) })
		}
	}
	if len(undo) < 4 {
		t.Fatalf("only %d files were applied", len(undo))
	}
	for i := range undo {
		undo[len(undo)-1-i]()
	}
}

func step(t *testing.T, m *migrate.Migrate, n int) {
	t.Helper()
	if err := m.Steps(n); err != nil {
		t.Fatalf("%d steps: %v", n, err)
	}
}

func same(t *testing.T, db *testdb.DB, want string) {
	t.Helper()
	if diff := cmp.Diff(want, scan[string](t, db, objects)); diff != "" {
		t.Fatal(diff)
	}
}

// migrator is golang-migrate itself, since the package offers no way down.
func migrator(t *testing.T, db *testdb.DB, set migrations.Set) *migrate.Migrate {
	t.Helper()
	conn, err := sql.Open("pgx/v5", db.URL)
	if err != nil {
		t.Fatal(err)
	}
	driver, err := pgxdriver.WithInstance(conn, &pgxdriver.Config{MigrationsTable: set.Table})
	if err != nil {
		t.Fatal(err)
	}
	source, err := iofs.New(set.Files, ".")
	if err != nil {
		t.Fatal(err)
	}
	m, err := migrate.NewWithInstance("files", source, "pgx5", driver)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if files, db := m.Close(); files != nil || db != nil {
			t.Error(files, db)
		}
	})
	return m
}
