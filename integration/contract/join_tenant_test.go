package contract_test

import (
	"strings"
	"testing"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// refusedStart is the error of a start that must be refused.
func (db *database) refusedStart(t *testing.T, specs ...resource.Spec) string {
	t.Helper()
	reg, err := registry.New(nil, specs...)
	if err != nil {
		t.Fatal(err)
	}
	opened := db.open(t)
	defer opened.Close()
	if _, err = executors.New(t.Context(), opened, reg, nil); err == nil {
		t.Fatal("the start was not refused")
	}
	return err.Error()
}

// A tenant column that the role may not read is there all the same.
func TestUnreadableTenantColumns(t *testing.T) {
	onPostgres(t, func(t *testing.T, db *database) {
		db.related(t)
		db.exec(t, cross)
		s := db.serve(t, settings{}, relatedSpecs()...)
		db.exec(t, `REVOKE SELECT ON purchase_labels FROM tenantry_reader; GRANT SELECT (purchase_id, label_id) ON purchase_labels TO tenantry_reader`)
		if got := db.refusedStart(t, relatedSpecs()...); !strings.Contains(got, `may not select the tenant column "tenant_id"`) {
			t.Errorf("refused with %s", got)
		}
		if err := s.exec.Rebind(t.Context()); err == nil {
			t.Error("nothing is said")
		}
		if a := s.call(t, keyOne, "list", `{"resource":"purchases","ids":[11],"fields":["id","labels"]}`); !a.isError {
			t.Errorf("rows of the join table are read without their tenant: %s", a.body)
		}
		db.exec(t, `CREATE TABLE rates (id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL, note TEXT); GRANT SELECT (id, note) ON rates TO tenantry_reader`)
		reg, err := registry.NewWithGlobals(nil, []resource.Global{{Reason: "of everybody", Spec: resource.Spec{
			Name: "rates", Table: "rates", Serializer: serializer.Columns("id", "note"),
		}}}, resource.Spec{Name: "labels", Table: "labels", Scope: scope.Column("tenant_id"), Serializer: serializer.Columns("id")})
		if err == nil {
			opened := db.open(t)
			defer opened.Close()
			_, err = executors.New(t.Context(), opened, reg, nil)
		}
		if err == nil || !strings.Contains(err.Error(), "tenant column") {
			t.Errorf("shared data with a tenant column: %v", err)
		}
	})
}

// A join table that was read inside its tenant column is not read without, whatever the database changes.
func TestJoinTablesKeepTheirTenant(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.related(t)
		db.exec(t, cross)
		s := db.serve(t, settings{}, relatedSpecs()...)
		const arguments = `{"resource":"purchases","ids":[11],"fields":["id","labels"],"include":["labels"]}`
		s.recovers(t, "list", arguments, holds(`"labels":[]`))
		db.exec(t, `ALTER TABLE purchase_labels RENAME COLUMN tenant_id TO org_id`)
		for range 3 {
			if a := s.call(t, keyOne, "list", arguments); !a.isError {
				t.Errorf("without its tenant column: %s", a.body)
			}
			if err := s.exec.Rebind(t.Context()); err == nil {
				t.Error("nothing is said")
			}
		}
		db.exec(t, `ALTER TABLE purchase_labels RENAME COLUMN org_id TO tenant_id`)
		s.recovers(t, "list", arguments, holds(`"labels":[]`))
	})
}

// A join table without any tenant column joins rows by keys that are unique by themselves, or is refused.
func TestJoinTablesWithoutATenant(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		for _, table := range []string{
			"depots (tenant_id INTEGER NOT NULL, no INTEGER NOT NULL, city TEXT, PRIMARY KEY (tenant_id, no))",
			"shelves (id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL)", "stores (id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL)",
			"depot_shelves (org INTEGER, depot INTEGER, shelf INTEGER)", "store_shelves (store INTEGER, shelf INTEGER)",
		} {
			name, _, _ := strings.Cut(table, " ")
			db.exec(t, "CREATE TABLE "+table)
			if db.name == "postgres" {
				db.exec(t, "GRANT SELECT ON "+name+" TO tenantry_reader")
			}
		}
		db.exec(t, `INSERT INTO stores VALUES (1, 1), (2, 2); INSERT INTO shelves VALUES (1, 1), (2, 2); INSERT INTO store_shelves VALUES (1, 1), (1, 2), (2, 1)`)
		one := func(name string, fields ...string) resource.Spec {
			return resource.Spec{Name: name, Table: name, Scope: scope.Column("tenant_id"), Serializer: serializer.Columns(fields...)}
		}
		depots, shelves, stores := one("depots", "city"), one("shelves", "id"), one("stores", "id")
		depots.Relations = []resource.Relation{resource.ManyToMany("shelves", "shelves", "depot_shelves", []string{"depot"}, []string{"shelf"})}
		if got := db.refusedStart(t, depots, shelves); !strings.Contains(got, `"depot_shelves" has no tenant column`) {
			t.Errorf("refused with %s", got)
		}
		stores.Relations = []resource.Relation{resource.ManyToMany("shelves", "shelves", "store_shelves", []string{"store"}, []string{"shelf"})}
		s := db.serve(t, settings{}, stores, shelves)
		if a := s.call(t, keyOne, "list", `{"resource":"stores","fields":["id","shelves"]}`); !strings.Contains(string(a.body), `"rows":[{"id":1,"links":{"shelves":[1]}}]`) {
			t.Errorf("both ends are the tenant's own: %s", a.body)
		}
		// The list of the tenants itself does not make every id a tenant's.
		accounts := one("accounts", "id")
		accounts.Table, accounts.Scope = "tenants", scope.Column("id")
		s = db.serve(t, settings{}, stores, shelves, accounts)
		if a := s.call(t, keyOne, "list", `{"resource":"stores","fields":["id","shelves"]}`); !strings.Contains(string(a.body), `"shelves":[1]`) {
			t.Errorf("beside the tenants: %s", a.body)
		}
	})
}

// A tenant column that becomes of another kind takes its own resource out, and the others are judged as ever.
func TestATenantOfAnotherKind(t *testing.T) {
	onPostgres(t, func(t *testing.T, db *database) {
		s := db.changing(t)
		db.exec(t, `CALL tenantry.protect('others', 'tenant_id'); DROP POLICY IF EXISTS tenantry_tenant ON things; ALTER TABLE things DISABLE ROW LEVEL SECURITY;
			DO $$ DECLARE p record; BEGIN FOR p IN SELECT policyname FROM pg_policies WHERE tablename = 'things' LOOP EXECUTE format('DROP POLICY %I ON things', p.policyname); END LOOP; END $$;
			ALTER TABLE things ALTER COLUMN tenant_id TYPE text`)
		if err := s.exec.Rebind(t.Context()); err == nil {
			t.Error("nothing is said")
		}
		if a := s.call(t, keyOne, "list", `{"resource":"things"}`); !unavailable(a) {
			t.Errorf("things: %s", a.body)
		}
		if a := s.call(t, keyOne, "list", `{"resource":"others","fields":["id"]}`); a.isError {
			t.Errorf("others: %s", a.body)
		}
	})
}
