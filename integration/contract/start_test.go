package contract_test

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"strings"
	"testing"

	"github.com/Masterminds/squirrel"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/postgres"
	"github.com/tenantry/tenantry/integration/testdb"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// begin builds an executor and returns the error of the start.
func begin(t *testing.T, db executors.DB, opts executors.Options, specs ...resource.Spec) error {
	t.Helper()
	t.Cleanup(db.Close)
	reg, err := registry.New(nil, specs...)
	if err != nil {
		t.Fatal(err)
	}
	opts.Logger = slog.New(slog.DiscardHandler)
	_, err = executors.New(t.Context(), db, reg, &opts)
	return err
}

// Whatever a resource says that the database does not have stops the start, all of it at once, with
// resource and member.
func TestTheStartListsEveryMistake(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		columns := serializer.Columns("id")
		err := begin(
			t, db.open(t), executors.Options{},
			resource.Spec{Name: "gone", Table: "nowhere", Scope: scope.Column("tenant_id"), Serializer: columns},
			resource.Spec{Name: "fields", Table: "orders", Scope: scope.Column("tenant_id"), Serializer: serializer.Columns("id", "colour")},
			resource.Spec{Name: "scoped", Table: "orders", Scope: scope.Column("account"), Serializer: columns},
			resource.Spec{Name: "filters", Table: "orders", Scope: scope.Column("tenant_id"), Serializer: columns, Filterable: resource.Columns{"size": "size"}},
			resource.Spec{Name: "sorts", Table: "orders", Scope: scope.Column("tenant_id"), Serializer: serializer.Columns("id", "extra"), Sortable: []string{"extra"}},
			resource.Spec{Name: "linked", Table: "orders", Scope: scope.Column("tenant_id"), Serializer: columns, Relations: []resource.Relation{resource.BelongsTo("buyer", "gone", "buyer_id")}},
			resource.Spec{Name: "texts", Table: "orders", Scope: scope.Column("note"), Serializer: columns},
			resource.Spec{Name: "narrow", Table: "orders", Scope: scope.Column("tenant_id"), Serializer: columns, Narrow: resource.Conditions{"qty": "many"}},
			resource.Spec{Name: "shared", Table: "orders", Scope: scope.SharedOr(scope.Column("tenant_id"), "qty", "for a test"), Serializer: columns},
			resource.Spec{Name: "keyed", Table: "orders", Key: []string{"number"}, Scope: scope.Column("tenant_id"), Serializer: columns},
		)
		if err == nil {
			t.Fatal("the start went through")
		}
		for _, want := range []string{
			"resource gone: Table:", "resource fields: field \"colour\":", "resource scoped: Scope:", "resource filters: filter key \"size\":",
			"resource sorts: Sortable:", "resource linked: relation \"buyer\":", "tenant columns disagree", "resource narrow: Narrow:",
			"resource shared: Scope:", "resource keyed: Key:",
		} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("the error lacks %q:\n%v", want, err)
			}
		}
	})
}

// A condition of the host that the database refuses stops the start, not a call.
func TestTheStartProvesConditions(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		err := begin(
			t, db.open(t), executors.Options{},
			resource.Spec{
				Name: "orders", Table: "orders", Serializer: serializer.Columns("id"),
				Scope: scope.Func("tenant_id", func(b scope.Bound) (squirrel.Sqlizer, error) {
					return squirrel.Expr("t.tenant_idd = ?", b.Tenant()), nil
				}),
			},
			resource.Spec{
				Name: "lines", Table: "order_lines", Serializer: serializer.Columns("id"), Scope: scope.Column("tenant_id"),
				Filters: []resource.Filter{{Name: "odd", Type: resource.Text, Condition: func(v resource.Value) (squirrel.Sqlizer, error) {
					return squirrel.Expr("no_such_function(t.sku) = ?", v), nil
				}}},
			},
		)
		if err == nil || !strings.Contains(err.Error(), "resource orders: Scope:") || !strings.Contains(err.Error(), `resource lines: filter "odd":`) {
			t.Errorf("the start says %v", err)
		}
	})
}

func TestAFilterOverATypeWithoutOperators(t *testing.T) {
	onPostgres(t, func(t *testing.T, db *database) {
		db.exec(t, `CREATE TABLE files (id int PRIMARY KEY, tenant_id int NOT NULL, body bytea); GRANT SELECT ON files TO tenantry_reader`)
		err := begin(t, db.open(t), executors.Options{}, resource.Spec{
			Name: "files", Table: "files", Scope: scope.Column("tenant_id"), Serializer: serializer.Columns("id", "body"),
			Filterable: resource.Columns{"body": "body"},
		})
		if err == nil || !strings.Contains(err.Error(), `resource files: filter key "body"`) {
			t.Errorf("the start says %v", err)
		}
	})
}

// Registering takes no database; the executor says that it cannot be reached, with the code that a caller
// can tell it by.
func TestTheDatabaseMayComeLater(t *testing.T) {
	t.Parallel()
	db, err := postgres.OpenURL(t.Context(), "postgres://nobody@127.0.0.1:1/none?connect_timeout=2")
	if err != nil {
		t.Fatal(err)
	}
	err = begin(t, db, executors.Options{}, resource.Spec{Name: "orders", Table: "orders", Scope: scope.Column("tenant_id"), Serializer: serializer.Columns("id")})
	if e, ok := errors.AsType[*resource.Error](err); !ok || e.Code != resource.Unavailable {
		t.Errorf("the start says %v", err)
	}
}

func TestOnlyUTF8IsServed(t *testing.T) {
	t.Parallel()
	owner := testdb.NewEmpty(t)
	conn := owner.Conn(t)
	const name = "tenantry_ascii"
	if _, err := conn.Exec(t.Context(), `CREATE DATABASE `+name+` ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0`); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := conn.Exec(context.Background(), `DROP DATABASE `+name+` WITH (FORCE)`); err != nil {
			t.Error(err)
		}
	})
	u, err := url.Parse(owner.URL)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	db, err := postgres.OpenURL(t.Context(), u.String())
	if err != nil {
		t.Fatal(err)
	}
	err = begin(t, db, executors.Options{}, resource.Spec{Name: "orders", Table: "orders", Scope: scope.Column("tenant_id"), Serializer: serializer.Columns("id")})
	if err == nil || !strings.Contains(err.Error(), "SQL_ASCII") {
		t.Errorf("the start says %v", err)
	}
}

// RequireRLS looks at what is there: the role, and the policies of every table.
func TestRequireRLS(t *testing.T) {
	t.Parallel()
	required := executors.Options{RequireRLS: true}
	orders := resource.Spec{Name: "orders", Table: "orders", Scope: scope.Column("tenant_id"), Serializer: serializer.Columns("id")}
	for _, test := range []struct {
		name, change string
		superuser    bool
		want         string // in the error; empty: the start goes through
	}{
		{name: "a bound role and forced policies"},
		{name: "a superuser", superuser: true, want: "ignores row policies"},
		{name: "policies off", change: `ALTER TABLE orders DISABLE ROW LEVEL SECURITY`, want: "row level security is off"},
		{name: "a policy for everyone", change: `CREATE POLICY all_rows ON orders FOR SELECT USING (true)`, want: "true for every row"},
		{name: "a policy for another role", change: `CREATE POLICY app ON orders FOR ALL TO CURRENT_USER USING (true)`},
		{name: "no policy", change: `DROP POLICY tenantry_select ON orders`, want: "without a policy"},
		{name: "a role that writes", change: `GRANT INSERT ON orders TO tenantry_reader`, want: "can write"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			db := testdb.New(t)
			if test.change != "" {
				db.Exec(t, test.change)
			}
			u := db.ReaderURL
			if test.superuser {
				u = db.URL
			}
			opened, err := postgres.OpenURL(t.Context(), u)
			if err != nil {
				t.Fatal(err)
			}
			err = begin(t, opened, required, orders)
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("the start says %v", err)
			}
		})
	}
	t.Run("sqlite has none", func(t *testing.T) {
		t.Parallel()
		if err := begin(t, newSQLite(t).open(t), required, orders); err == nil {
			t.Error("the start went through")
		}
	})
}
