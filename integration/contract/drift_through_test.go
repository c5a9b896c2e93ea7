package contract_test

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// A resource that no longer fits the database takes along whatever reads through it: nothing is read without its
// scope or its narrowing, by whatever way.
func TestNothingIsReadThroughAMisfit(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		for _, table := range []string{
			"accounts (id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL, closed INTEGER)",
			"people (id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL, contact INTEGER)",
			"teams (id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL, name TEXT)",
			"members (id INTEGER PRIMARY KEY, account INTEGER NOT NULL, person INTEGER, team INTEGER)",
			"contacts (id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL, email TEXT, hidden INTEGER)",
			"notes (id INTEGER PRIMARY KEY, account INTEGER NOT NULL)",
		} {
			name, _, _ := strings.Cut(table, " ")
			db.exec(t, "CREATE TABLE "+table)
			if db.name == "postgres" {
				db.exec(t, "GRANT SELECT ON "+name+" TO tenantry_reader")
			}
		}
		db.exec(t, `INSERT INTO accounts VALUES (1, 1, 0), (2, 2, 0), (3, 1, 1); INSERT INTO contacts VALUES (1, 1, 'soft@x', 1), (2, 1, 'open@x', 0);
			INSERT INTO people VALUES (1, 1, 1), (2, 1, 2); INSERT INTO teams VALUES (1, 1, 't1'), (2, 1, 't2');
			INSERT INTO members VALUES (1, 1, 1, 1), (2, 2, 2, 2); INSERT INTO notes VALUES (1, 1), (2, 3)`)
		one := func(name string, s scope.Predicate, fields ...string) resource.Spec {
			spec := resource.Spec{Name: name, Table: name, Scope: s, Serializer: serializer.Columns(fields...), Filterable: resource.Columns{}}
			for _, f := range fields {
				spec.Filterable[f] = f
			}
			return spec
		}
		own := scope.Column("tenant_id")
		accounts, contacts, people := one("accounts", own, "id"), one("contacts", own, "id", "email"), one("people", own, "id")
		accounts.Narrow, contacts.Narrow = resource.Conditions{"closed": 0}, resource.Conditions{"hidden": 0}
		people.Relations = []resource.Relation{
			resource.BelongsTo("contact", "contacts", "contact"),
			resource.ManyToMany("teams", "teams", "members", []string{"person"}, []string{"team"}),
		}
		s := db.serve(t, settings{}, accounts, contacts, people, one("teams", own, "id", "name"),
			one("members", scope.Via("accounts", "account"), "id"), one("notes", scope.Via("accounts", "account"), "id"))
		all := []string{
			`{"resource":"people","fields":["id","teams"]}`, `{"resource":"people","include":["teams"]}`, `{"resource":"people","filter":{"teams.name":"t2"}}`,
			`{"resource":"people","include":["contact"]}`, `{"resource":"people","filter":{"contact.email":"soft@x"}}`,
			`{"resource":"notes"}`, `{"resource":"members"}`, `{"resource":"people","filter":{"not":{"contact.email":"open@x"}}}`,
		}
		before := map[string]string{}
		for _, arguments := range all {
			before[arguments] = string(s.call(t, keyOne, "list", arguments).body)
		}
		for _, change := range [][3]string{ // what happens, how it is undone, and what it must not touch
			{"ALTER TABLE accounts RENAME TO away", "ALTER TABLE away RENAME TO accounts", "contact"},
			{"ALTER TABLE accounts RENAME COLUMN closed TO shut", "ALTER TABLE accounts RENAME COLUMN shut TO closed", "contact"},
			{"ALTER TABLE accounts RENAME COLUMN tenant_id TO gone", "ALTER TABLE accounts RENAME COLUMN gone TO tenant_id", "contact"},
			{"ALTER TABLE contacts RENAME COLUMN hidden TO shown", "ALTER TABLE contacts RENAME COLUMN shown TO hidden", "teams"},
			{"ALTER TABLE contacts RENAME COLUMN tenant_id TO gone", "ALTER TABLE contacts RENAME COLUMN gone TO tenant_id", "teams"},
			{"ALTER TABLE members RENAME COLUMN account TO gone", "ALTER TABLE members RENAME COLUMN gone TO account", "contact"},
		} {
			db.exec(t, change[0])
			if err := s.exec.Rebind(t.Context()); err == nil {
				t.Fatalf("%s: everything fits", change[0])
			}
			for _, arguments := range all {
				a := s.call(t, keyOne, "list", arguments)
				switch touched := !strings.Contains(arguments, change[2]); {
				case a.isError && (!touched || !slices.Contains([]string{"unavailable", "unknown_filter", "unknown_field"}, a.refused(t).Code)):
					t.Errorf("%s: %s: %s", change[0], arguments, a.body)
				case !a.isError && string(a.body) != before[arguments]:
					t.Errorf("%s: %s: answers %s, and %s before", change[0], arguments, a.body, before[arguments])
				}
			}
			db.exec(t, change[1])
			if err := s.exec.Rebind(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, arguments := range all {
				if got := string(s.call(t, keyOne, "list", arguments).body); got != before[arguments] {
					t.Errorf("after %s: %s: %s", change[1], arguments, got)
				}
			}
		}
	})
}

// A join table that nobody registered is read inside its tenant column, whatever the scopes of its ends are.
func TestJoinTablesHaveTheirTenant(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.related(t)
		db.exec(t, cross+`INSERT INTO purchase_labels VALUES (2, 100, 1), (1, 101, 2);`)
		specs := relatedSpecs()
		for i := range specs {
			if specs[i].Name == "items" {
				specs[i].Scope = scope.Via("purchases", "purchase_id")
				specs[i].Relations = append(specs[i].Relations,
					resource.ManyToMany("marks", "labels", "purchase_labels", []string{"purchase_id"}, []string{"label_id"}))
			}
		}
		s := db.serve(t, settings{}, specs...)
		want := []string{`100 {"marks":[]}`, `101 {"marks":[2]}`}
		if got := s.members(t, keyOne, `{"resource":"items","ids":[100,101],"fields":["id","marks"]}`, "id", "links"); !slices.Equal(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
		if got := s.find(t, keyOne, "items", `{"marks.name":"red"}`); len(got) > 0 {
			t.Errorf("a row of the join table of another tenant leads to %s", got)
		}
	})
}

// What was taken out of service for a foreign row is not followed either.
func TestFiltersThroughWhatIsBlocked(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.related(t)
		db.exec(t, cross)
		f := &fallen{off: true}
		s := db.serve(t, settings{wrap: func(opened executors.DB) executors.DB { f.DB = opened; return f }}, relatedSpecs()...)
		f.off = false
		s.call(t, keyOne, "list", `{"resource":"clients"}`).refused(t)
		f.off = true
		for _, arguments := range []string{
			`{"resource":"clients"}`, `{"resource":"purchases","filter":{"customer.email":"a@x"}}`, `{"resource":"items","filter":{"purchase.customer.email":"a@x"}}`,
			`{"resource":"purchases","include":["customer"]}`, `{"resource":"firms","fields":["clients"]}`,
		} {
			if e := s.call(t, keyOne, "list", arguments).refused(t); e.Code != "unavailable" {
				t.Errorf("%s: %+v", arguments, e)
			}
		}
		if a := s.call(t, keyOne, "list", `{"resource":"purchases"}`); a.isError {
			t.Errorf("what does not go there: %s", a.body)
		}
	})
}

// counting counts what a server asks of the catalogue.
type counting struct {
	executors.DB
	described atomic.Int64
}

func (c *counting) Describe(ctx context.Context, names []executors.TableName) (map[executors.TableName]*executors.Table, error) {
	c.described.Add(1)
	return c.DB.Describe(ctx, names)
}

// An error of a host's condition that looks like a change of the database has everything bound again once, and
// then ever more rarely.
func TestFaultsThatLookLikeDrift(t *testing.T) {
	onPostgres(t, func(t *testing.T, db *database) {
		db.exec(t, `INSERT INTO tenants (id, name) VALUES (1, 'one'); INSERT INTO orders (id, tenant_id, note) VALUES (10, 1, 'abc')`)
		specs := db.shop()
		specs[0].Filters = append(specs[0].Filters, resource.Filter{Name: "number", Type: resource.Integer, Condition: func(v resource.Value) (squirrel.Sqlizer, error) {
			return squirrel.Expr("CAST(t.note AS integer) = ?", v), nil
		}})
		c := &counting{}
		s := db.serve(t, settings{wrap: func(opened executors.DB) executors.DB { c.DB = opened; return c }}, specs...)
		began := c.described.Load()
		for until := time.Now().Add(4 * time.Second); time.Now().Before(until); {
			if e := s.call(t, keyOne, "list", `{"resource":"orders","filter":{"number":7}}`).refused(t); e.Code != "internal" {
				t.Fatalf("%+v", e)
			}
			time.Sleep(50 * time.Millisecond)
		}
		if n := c.described.Load() - began; n == 0 || n > 2 { // at once, behind two seconds, behind four more
			t.Errorf("bound %d times", n)
		}
	})
}
