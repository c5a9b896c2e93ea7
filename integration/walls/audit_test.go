package walls_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/postgres"
	"github.com/tenantry/tenantry/integration/testdb"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// audit returns what is found about tables, each named with its tenant column.
func audit(t *testing.T, db *postgres.DB, tables map[string]string) []executors.Finding {
	t.Helper()
	var names []executors.TableName
	for name := range tables {
		names = append(names, executors.TableName{Name: name})
	}
	described, err := db.Describe(t.Context(), names)
	if err != nil {
		t.Fatal(err)
	}
	var audited []executors.Audited
	for name, tenant := range tables {
		table := described[executors.TableName{Name: name}]
		if table == nil {
			t.Fatalf("there is no table %s", name)
		}
		audited = append(audited, executors.Audited{Table: table, Tenant: tenant})
	}
	found, err := db.Audit(t.Context(), audited)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// A role and tables made by the framework's own migrations are refused for nothing.
func TestTheAuditOfWhatTheMigrationsMake(t *testing.T) {
	t.Parallel()
	found := audit(t, open(t, testdb.New(t), nil), map[string]string{"orders": "tenant_id", "customers": "tenant_id", "order_lines": "tenant_id", "tenants": "id"})
	var got []string
	for _, f := range found {
		got = append(got, fmt.Sprint(f.Severity, " ", f.Table, " ", f.Text[:strings.IndexAny(f.Text+":", ":,")]))
	}
	slices.Sort(got)
	want := []string{
		`0  role "tenantry_test_reader" can read every column of public.order_lines`,
		`0 "public"."order_lines" public.order_lines`, // foreign keys without the tenant
		`0 "public"."orders" public.orders`, `0 "public"."orders" public.orders`, `0 "public"."orders" public.orders`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

const (
	warn   = executors.Warn
	refuse = executors.Refuse
)

// Each thing that the audit looks at, for one table or for the role.
func TestAudit(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, change string
		table        string // orders when it is empty
		tenant       string // tenant_id when it is empty
		severity     executors.Severity
		role         bool // the finding is about the role, and so about every table
		want         string
	}{
		{name: "policies off", change: `ALTER TABLE orders DISABLE ROW LEVEL SECURITY`, severity: refuse, want: "row level security is off"},
		{name: "policies not forced", change: `ALTER TABLE orders NO FORCE ROW LEVEL SECURITY`, severity: refuse, want: "is not forced"},
		{name: "no policy", change: `DROP POLICY tenantry_select ON orders`, severity: refuse, want: "without a policy for SELECT"},
		{name: "a policy for every row", change: `CREATE POLICY p ON orders USING (true)`, severity: refuse, want: "true for every row"},
		{name: "a policy that says nothing", change: `CREATE POLICY p ON orders USING (tenant_id = 1 OR 1 = 1)`, severity: refuse, want: "true for every row"},
		{name: "a policy of its own", change: `CREATE POLICY p ON orders USING (urgent)`, severity: warn, want: "does not read the setting tenantry.tenant_id"},
		{
			name: "a cast of nothing", change: `CREATE POLICY p ON orders USING (tenant_id = current_setting('tenantry.tenant_id')::int)`,
			severity: refuse, want: "fails or matches without a tenant",
		},
		{
			name: "a cast of an empty text", change: `CREATE POLICY p ON orders USING (tenant_id = current_setting('tenantry.tenant_id', true)::int)`,
			severity: refuse, want: "fails or matches without a tenant",
		},
		{name: "the form that fails closed", change: `CREATE POLICY p ON orders USING (tenant_id = nullif(current_setting('tenantry.tenant_id', true), '')::int)`},
		{name: "a policy of another role", change: `CREATE POLICY p ON orders TO CURRENT_USER USING (true)`},
		{name: "a grant to write", change: `GRANT UPDATE (note) ON orders TO tenantry_reader`, severity: refuse, want: "can write"},
		{
			name: "a grant to write elsewhere", change: `CREATE TABLE aside (id int); GRANT INSERT ON aside TO tenantry_reader`,
			severity: refuse, role: true, want: "can write public.aside",
		},
		{name: "a nullable tenant", change: `ALTER TABLE orders ALTER tenant_id DROP NOT NULL`, severity: refuse, want: "can be null"},
		{
			name: "a tenant without an index", table: "bare", severity: warn, want: "no index begins with the tenant column",
			change: `CREATE TABLE bare (id int PRIMARY KEY, tenant_id int NOT NULL); CALL tenantry.protect('bare', 'tenant_id')`,
		},
		{
			name: "a key that carries the tenant", table: "whole",
			change: `ALTER TABLE customers ADD UNIQUE (tenant_id, id);
				CREATE TABLE whole (id int PRIMARY KEY, tenant_id int NOT NULL, customer bigint, FOREIGN KEY (tenant_id, customer) REFERENCES customers (tenant_id, id));
				CREATE INDEX ON whole (tenant_id); CALL tenantry.protect('whole', 'tenant_id')`,
		},
		{
			name: "a view of its owner", table: "seen", severity: refuse, want: "owner's rights",
			change: `CREATE VIEW seen AS SELECT * FROM orders; GRANT SELECT ON seen TO tenantry_reader`,
		},
		{
			name: "a view with a nullable tenant", table: "seen", severity: warn, want: "can be null",
			change: `CREATE VIEW seen WITH (security_invoker = on) AS SELECT * FROM orders; GRANT SELECT ON seen TO tenantry_reader`,
		},
		{
			name: "a view over a view of its owner", table: "seen", severity: refuse, want: "it reads public.below: the view reads its tables with its owner's rights",
			change: `CREATE VIEW below AS SELECT * FROM orders; CREATE VIEW seen WITH (security_invoker) AS SELECT * FROM below; GRANT SELECT ON seen, below TO tenantry_reader`,
		},
		{
			name: "a view over an open table", table: "seen", severity: refuse, want: "it reads public.open: row level security is off",
			change: `CREATE TABLE open (id int, tenant_id int); CREATE VIEW seen WITH (security_invoker) AS SELECT * FROM open; GRANT SELECT ON seen, open TO tenantry_reader`,
		},
		{
			name: "a materialized view", table: "copied", severity: refuse, want: "do not reach a materialized view",
			change: `CREATE MATERIALIZED VIEW copied AS SELECT * FROM orders; GRANT SELECT ON copied TO tenantry_reader`,
		},
		{
			name: "a partition", table: "part", severity: refuse, want: "a partition read directly",
			change: `CREATE TABLE parted (id int, tenant_id int NOT NULL) PARTITION BY LIST (tenant_id); CREATE TABLE part PARTITION OF parted FOR VALUES IN (1);
				CALL tenantry.protect('part', 'tenant_id')`,
		},
		{
			name: "a definer function", change: `CREATE FUNCTION peek() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'`,
			severity: warn, role: true, want: "run with their owners' rights, which no policy need bind: peek()",
		},
		{
			name: "a definer function of nobody", change: `CREATE FUNCTION peek() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1';
				REVOKE EXECUTE ON FUNCTION peek() FROM PUBLIC`,
		},
		{name: "rights on a schema", change: `GRANT CREATE ON SCHEMA public TO tenantry_reader`, severity: refuse, role: true, want: "can create objects in schema public"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			db := testdb.New(t)
			db.Exec(t, tc.change)
			table, tenant := "orders", "tenant_id"
			if tc.table != "" {
				table = tc.table
			}
			found := audit(t, open(t, db, nil), map[string]string{table: tenant, "customers": "tenant_id"})
			about := `"public"."` + table + `"`
			if tc.role {
				about = ""
			}
			told := false
			for _, f := range found {
				hit := tc.want != "" && strings.Contains(f.Text, tc.want)
				told = told || hit && f.Table == about && f.Severity == tc.severity
				if f.Severity == refuse && !hit && (tc.want == "" || tc.severity == warn) {
					t.Errorf("refused: %+v", f)
				}
			}
			if tc.want != "" && !told {
				t.Errorf("not told as it should: %+v", found)
			}
		})
	}
}

// Roles with rights of every kind. They belong to the whole server, and so are made and dropped here.
func TestAuditOfRoles(t *testing.T) {
	db := testdb.New(t)
	for i, tc := range []struct {
		name, make string
		severity   executors.Severity
		want       string
	}{
		{"no memberships", `GRANT SELECT ON orders TO %s`, warn, "ALTER ROLE … NOINHERIT"},
		{"no inheritance", `GRANT SELECT ON orders TO %[1]s; ALTER ROLE %[1]s NOINHERIT`, warn, ""},
		{"a member of the readers", `GRANT tenantry_reader TO %s`, warn, ""},
		{"a reader of everything", `GRANT tenantry_reader, pg_read_all_data TO %s`, refuse, `is a member of "pg_read_all_data"`},
		{"a reader of files", `GRANT tenantry_reader, pg_read_server_files TO %s`, refuse, `is a member of "pg_read_server_files"`},
		{"a bypass", `GRANT tenantry_reader TO %[1]s; ALTER ROLE %[1]s BYPASSRLS`, refuse, "ignores row policies"},
		{"an owner", `GRANT tenantry_reader TO %[1]s; ALTER TABLE orders OWNER TO %[1]s`, refuse, "owns the table"},
		{"a member of another", `GRANT tenantry_reader TO %[1]s; CREATE ROLE %[1]s_group; GRANT %[1]s_group TO %[1]s`, refuse, "has every right of"},
		{"a maker of temporary tables", `GRANT tenantry_reader TO %[1]s; DO $$ BEGIN EXECUTE 'GRANT TEMPORARY ON DATABASE ' || quote_ident(current_database()) || ' TO %[1]s'; END $$`, warn, "can create temporary tables"},
		{"a creator", `GRANT tenantry_reader TO %[1]s; DO $$ BEGIN EXECUTE 'GRANT CREATE ON DATABASE ' || quote_ident(current_database()) || ' TO %[1]s'; END $$`, refuse, "can create schemas"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			role := fmt.Sprintf("tenantry_walls_%d_%s", i, strings.ToLower(rand.Text()[:12])) // others may run this too
			db.Exec(t, fmt.Sprintf(`CREATE ROLE %s LOGIN PASSWORD 'walls'`, role))
			defer db.Exec(t, fmt.Sprintf(`REASSIGN OWNED BY %[1]s TO CURRENT_USER; DROP OWNED BY %[1]s; DROP ROLE IF EXISTS %[1]s_group; DROP ROLE %[1]s`, role))
			db.Exec(t, fmt.Sprintf(`DO $$ BEGIN EXECUTE 'GRANT CONNECT ON DATABASE ' || quote_ident(current_database()) || ' TO %s'; END $$`, role))
			db.Exec(t, fmt.Sprintf(tc.make, role))
			opened := open(t, db, func(cfg *pgxpool.Config) { cfg.ConnConfig.User, cfg.ConnConfig.Password = role, "walls" })
			defer opened.Close()
			told := tc.want == ""
			for _, f := range audit(t, opened, map[string]string{"orders": "tenant_id"}) {
				told = told || strings.Contains(f.Text, tc.want) && f.Severity == tc.severity
				if tc.want == "" && (f.Severity == refuse || strings.Contains(f.Text, "NOINHERIT")) {
					t.Errorf("found %+v", f)
				}
			}
			if !told {
				t.Errorf("%q is not told", tc.want)
			}
		})
	}
}

// Drift takes the resource out and leaves the others; what is put right brings it back.
func TestDriftOfPolicies(t *testing.T) {
	t.Parallel()
	db := filled(t)
	customers := resource.Spec{Name: "customers", Table: "customers", Scope: scope.Column("tenant_id"), Serializer: serializer.Columns("id")}
	x, err := required(open(t, db, nil), orders(), customers)
	if err != nil {
		t.Fatal(err)
	}
	in := func(name string) bool {
		_, err := x.List(t.Context(), caller(t, 1), executors.ListRequest{Resource: name})
		return err == nil
	}
	db.Exec(t, `ALTER TABLE orders DISABLE ROW LEVEL SECURITY`)
	if err := x.Rebind(t.Context()); err == nil || in("orders") || !in("customers") {
		t.Errorf("policies off: %v, orders %v, customers %v", err, in("orders"), in("customers"))
	}
	db.Exec(t, `ALTER TABLE orders ENABLE ROW LEVEL SECURITY`)
	if err := x.Rebind(t.Context()); err != nil || !in("orders") {
		t.Errorf("policies on again: %v, orders %v", err, in("orders"))
	}
	db.Exec(t, `GRANT CREATE ON SCHEMA public TO tenantry_reader`)
	if err := x.Rebind(t.Context()); err == nil || in("orders") || in("customers") {
		t.Errorf("a role that creates: %v", err)
	}
}

// A superuser is refused once, and not for everything that it may do.
func TestAuditOfASuperuser(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	opened, err := postgres.OpenURL(t.Context(), db.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	var refused []string
	for _, f := range audit(t, opened, map[string]string{"orders": "tenant_id"}) {
		if f.Severity == refuse {
			refused = append(refused, f.Text)
		}
	}
	u, err := url.Parse(db.URL)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{fmt.Sprintf("role %q ignores row policies: connect as a role that is no superuser and has no BYPASSRLS", u.User.Username())}
	if diff := cmp.Diff(want, refused); diff != "" {
		t.Error(errors.New(diff))
	}
}
