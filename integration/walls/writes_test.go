package walls_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/Masterminds/squirrel"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// Reading never writes, even for a role that could: a host's condition, or a view, that calls a function which
// inserts gets the one error that says nothing, and nothing is written.
func TestReadingNeverWrites(t *testing.T) {
	t.Parallel()
	db := filled(t)
	db.Exec(t, `
		CREATE TABLE written (what text);
		CREATE FUNCTION jot(v text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS 'BEGIN INSERT INTO written VALUES (v); RETURN true; END';
		CREATE FUNCTION jot_as_owner(v text) RETURNS boolean LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS 'BEGIN INSERT INTO written VALUES (v); RETURN true; END';
		CREATE VIEW jotting WITH (security_invoker = true) AS SELECT id, tenant_id, jot(note) AS jotted FROM orders;
		CREATE VIEW ruled WITH (security_invoker = true) AS SELECT id, tenant_id, note FROM orders;
		CREATE RULE instead AS ON UPDATE TO ruled DO INSTEAD INSERT INTO written VALUES (NEW.note);
		GRANT SELECT ON jotting, ruled TO tenantry_reader;
		GRANT INSERT ON written TO tenantry_reader`)
	filter := func(name string) resource.Filter {
		return resource.Filter{Name: name, Type: resource.Text, Condition: func(v resource.Value) (squirrel.Sqlizer, error) {
			return squirrel.Expr(name+"(?)", v), nil
		}}
	}
	spec := orders()
	spec.Filters = []resource.Filter{filter("jot"), filter("jot_as_owner")}
	view := func(name string, fields ...string) resource.Spec {
		return resource.Spec{Name: name, Table: name, Key: []string{"id"}, Scope: scope.Column("tenant_id"), Serializer: serializer.Columns(fields...)}
	}
	x := mustExecutor(t, open(t, db, nil), nil, spec, view("jotting", "id", "jotted"), view("ruled", "id", "note"))
	warned := false
	for _, f := range x.Findings() {
		warned = warned || strings.Contains(f.Error(), "can write public.written")
	}
	if !warned {
		t.Errorf("the start does not warn of a role that can write: %v", x.Findings())
	}
	for _, req := range []executors.ListRequest{
		{Resource: "orders", Filter: []byte(`{"jot":"x"}`)},
		{Resource: "orders", Filter: []byte(`{"jot_as_owner":"x"}`)},
		{Resource: "orders", Filter: []byte(`{"jot":"x"}`), Count: executors.CountExact},
		{Resource: "jotting"},
	} {
		_, err := x.List(t.Context(), caller(t, 1), req)
		e, ok := errors.AsType[*resource.Error](err)
		if !ok || e.Code != resource.CodeInternal || strings.Contains(e.Message, "INSERT") || strings.Contains(e.Message, "read-only") {
			t.Errorf("%s %s: %v", req.Resource, req.Filter, err)
		}
	}
	list(t, x, 1, executors.ListRequest{Resource: "ruled"})
	if n := scan[int](t, db.Conn(t), `SELECT count(*)::int FROM written`); n != 0 {
		t.Errorf("%d rows were written", n)
	}
}

// A second statement behind a host's fragment stops the start, and the protocol would refuse it too.
func TestATrailingStatement(t *testing.T) {
	t.Parallel()
	db := filled(t)
	for _, text := range []string{"t.note = ?; DELETE FROM orders", "t.note = ?) ; DELETE FROM orders; SELECT (1", "t.note = ? -- ", "t.note = ? /* */"} {
		spec := orders()
		spec.Filters = []resource.Filter{{Name: "bad", Type: resource.Text, Condition: func(v resource.Value) (squirrel.Sqlizer, error) {
			return squirrel.Expr(text, v), nil
		}}}
		if _, err := executor(open(t, db, nil), nil, spec); err == nil || !strings.Contains(err.Error(), `resource orders: filter "bad"`) {
			t.Errorf("%q: %v", text, err)
		}
	}
	opened := open(t, db, nil)
	err := opened.Run(t.Context(), &executors.Call{Tenant: caller(t, 1).Tenant(), Statements: []*executors.Statement{{
		SQL: "SELECT 1; DELETE FROM orders", Row: func([][]byte) error { return nil },
	}}})
	if err == nil {
		t.Error("two statements ran as one")
	}
	if err := opened.Run(t.Context(), &executors.Call{Statements: []*executors.Statement{{SQL: "SELECT 1", Row: func([][]byte) error { return nil }}}}); err == nil {
		t.Error("a statement ran for nobody")
	}
	if n := scan[int](t, db.Conn(t), countAll); n != 3 {
		t.Errorf("%d orders are left", n)
	}
}
