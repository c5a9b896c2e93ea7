package shop_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/integration/testdb"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// served serves a table of tenant 1 by some of its columns, all of which can be filtered.
func served(t *testing.T, db *testdb.DB, table string, names ...string) *server {
	t.Helper()
	filterable := resource.Columns{}
	for _, name := range names {
		filterable[name] = name
	}
	return serve(t, db, resource.Spec{
		Name: "things", Table: table, Scope: scope.Column("tenant_id"), Filterable: filterable, Serializer: serializer.Columns(names...),
	})
}

// things is what a filter finds, as JSON, or the code of the refusal.
func (s *server) things(t *testing.T, filter map[string]any) string {
	t.Helper()
	a := s.call(t, token, "list", map[string]any{"resource": "things", "filter": filter})
	if a.isError {
		return a.code(t)
	}
	return encoded(t, a.page(t).Rows)
}

// Types that are made while a server runs do not disturb what it serves, and a server started later knows them.
func TestTypesMadeLater(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	db.Exec(t, `CREATE TABLE things (id int PRIMARY KEY, tenant_id int NOT NULL, word text); CALL tenantry.protect('things', 'tenant_id');
		INSERT INTO things VALUES (1, 1, 'a'), (2, 1, 'b'), (3, 2, 'c')`)
	before := served(t, db, "things", "id", "word")
	const both = `[{"id":1,"word":"a"},{"id":2,"word":"b"}]`
	if diff := cmp.Diff(both, before.things(t, nil)); diff != "" {
		t.Fatal(diff)
	}
	db.Exec(t, `CREATE TYPE grade AS ENUM ('low', 'high'); CREATE DOMAIN graded AS grade; CREATE DOMAIN grades AS graded[]; CREATE TYPE box2 AS (a int, g grade);
		ALTER TABLE things ADD g grade, ADD d graded DEFAULT 'high', ADD l grades DEFAULT '{low,NULL}', ADD b box2;
		UPDATE things SET g = 'low', b = ROW(1, 'high') WHERE id = 1`)
	if diff := cmp.Diff(both, before.things(t, nil)); diff != "" {
		t.Errorf("the old server (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(`[{"id":2,"word":"b"}]`, before.things(t, map[string]any{"word": "b"})); diff != "" {
		t.Errorf("the old server's filter (-want +got):\n%s", diff)
	}
	after := served(t, db, "things", "id", "g", "d", "l", "b")
	const first, second = `{"b":"(1,high)","d":"high","g":"low","id":1,"l":["low",null]}`, `{"b":null,"d":"high","g":null,"id":2,"l":["low",null]}`
	for _, test := range []struct {
		filter map[string]any
		want   string
	}{
		{nil, "[" + first + "," + second + "]"},
		{map[string]any{"g": "low"}, "[" + first + "]"},
		{map[string]any{"d": []any{"high", "low"}, "b": "(1,high)"}, "[" + first + "]"},
		{map[string]any{"l": map[string]any{"op": "eq", "value": []any{"low", nil}}, "g": nil}, "[" + second + "]"},
		{map[string]any{"l": map[string]any{"op": "contains", "value": []any{"high"}}}, "[]"},
		{map[string]any{"d": "middling"}, "invalid_filter"},
	} {
		if diff := cmp.Diff(test.want, after.things(t, test.filter)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", test.filter, diff)
		}
	}
}

// A value that a domain forbids is a value that no row has, in arrays of the domain too.
func TestValuesThatADomainForbids(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	db.Exec(t, `CREATE DOMAIN positive AS int CHECK (VALUE > 0); CREATE DOMAIN plenty AS positive[] CHECK (cardinality(VALUE) > 0);
		CREATE TABLE things (id int PRIMARY KEY, tenant_id int NOT NULL, n positive, list positive[], several plenty);
		CALL tenantry.protect('things', 'tenant_id'); INSERT INTO things VALUES (1, 1, 7, '{7,8}', '{7,8}')`)
	s := served(t, db, "things", "id", "n", "list", "several")
	const all = `[{"id":1,"list":[7,8],"n":7,"several":[7,8]}]`
	for _, test := range []struct {
		key, op string
		value   any
		want    string
	}{
		{"n", "eq", -7, "[]"},
		{"n", "in", []any{-7, 7}, all},
		{"n", "gt", -1, all},
		{"list", "contains", []any{-7}, "[]"},
		{"list", "overlaps", []any{-7, 8}, all},
		{"list", "eq", []any{-7, 8}, "[]"},
		{"list", "not_eq", []any{-7, 8}, all},
		{"list", "eq", []any{7, 8}, all},
		{"several", "contains", []any{}, all},
		{"several", "eq", []any{}, "[]"},
		{"several", "overlaps", []any{0, 7}, all},
	} {
		got := s.things(t, map[string]any{test.key: map[string]any{"op": test.op, "value": test.value}})
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s %s %v (-want +got):\n%s", test.key, test.op, test.value, diff)
		}
	}
}

// The bounds of an array are not shown, and not compared: what is shown alike is found alike.
func TestBoundsOfArraysAreNotCompared(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	db.Exec(t, `CREATE TABLE things (id int PRIMARY KEY, tenant_id int NOT NULL, list int[], table2 text[], ranges int4range[]);
		CALL tenantry.protect('things', 'tenant_id');
		INSERT INTO things VALUES (1, 1, '[2:3]={7,8}', '[0:0][5:6]={{a,NULL}}', '[3:3]={"[1,5)"}'), (2, 1, '{7,8}', '{{a,NULL}}', '{"[1,4]"}'), (3, 1, '{8,7}', '{a,NULL}', '{}')`)
	s := served(t, db, "things", "id", "list", "table2", "ranges")
	const two = `[{"id":1,"list":[7,8],"ranges":["[1,5)"],"table2":[["a",null]]},{"id":2,"list":[7,8],"ranges":["[1,5)"],"table2":[["a",null]]}]`
	for key, value := range map[string]any{"list": []int{7, 8}, "table2": [][]any{{"a", nil}}, "ranges": []string{"[1,5)"}} {
		if diff := cmp.Diff(two, s.things(t, map[string]any{key: map[string]any{"op": "eq", "value": value}})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
}

// The elements of a type may be divided by another character than the comma. Such an array is shown as the
// database prints it, and not half taken apart.
func TestArraysDividedOtherwise(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	db.Exec(t, `CREATE SCHEMA geo; CREATE TYPE geo.shape; CREATE FUNCTION geo.shape_in(cstring) RETURNS geo.shape LANGUAGE internal IMMUTABLE STRICT AS 'textin';
		CREATE FUNCTION geo.shape_out(geo.shape) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'textout';
		CREATE TYPE geo.shape (INPUT = geo.shape_in, OUTPUT = geo.shape_out, LIKE = text, DELIMITER = ':'); CREATE DOMAIN geo.shaped AS geo.shape;
		CREATE TABLE things (id int PRIMARY KEY, tenant_id int NOT NULL, one geo.shape, many geo.shape[], more geo.shaped[], boxes box[]);
		CALL tenantry.protect('things', 'tenant_id'); INSERT INTO things VALUES (1, 1, 'a:b', '{a:"b,c"}', '{a,b:NULL}', '{(1,1),(0,0);(3,3),(2,2)}'), (2, 1, 'a', '{}', '{x}', '{}')`)
	s := served(t, db, "things", "id", "one", "many", "more", "boxes")
	for _, test := range []struct {
		key   string
		value any
	}{
		{"one", "a:b"}, {"many", "{a:b,c}"}, {"more", "{a,b:NULL}"}, {"boxes", []string{"(1,1),(0,0)", "(3,3),(2,2)"}},
	} {
		want := `[{"boxes":["(1,1),(0,0)","(3,3),(2,2)"],"id":1,"many":"{a:b,c}","more":"{a,b:NULL}","one":"a:b"}]`
		if diff := cmp.Diff(want, s.things(t, map[string]any{test.key: map[string]any{"op": "eq", "value": test.value}})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.key, diff)
		}
	}
}
