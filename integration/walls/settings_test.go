package walls_test

import (
	"bytes"
	"context"
	"log/slog"
	"maps"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/integration/testdb"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
)

// unlike are settings of a session under which texts, values and policies would mean something else.
var unlike = map[string]string{
	"standard_conforming_strings": "off", "client_encoding": "LATIN1", "row_security": "off", "array_nulls": "off",
	"transform_null_equals": "on", "quote_all_identifiers": "on", "DateStyle": "SQL, DMY", "IntervalStyle": "iso_8601",
	"extra_float_digits": "-2", "bytea_output": "escape", "TimeZone": "Asia/Tokyo", "search_path": "nowhere", "lc_monetary": "C.UTF-8",
	"statement_timeout": "1h", "lock_timeout": "1h", "default_transaction_read_only": "off",
}

// An answer does not depend on what a role, a database or a pooler has set for the session.
func TestAnswersDoNotDependOnTheSession(t *testing.T) {
	t.Parallel()
	db := filled(t)
	db.Exec(t, `UPDATE orders SET note = 'a\b ümlaut', placed_at = '2026-03-04 05:06:07.89+00', due = '2026-03-04', total = 12345.6789, tags = ARRAY['NULL', NULL, 'x'] WHERE id = 1`)
	spec := orders()
	spec.Serializer = serializer.Columns("id", "note", "placed_at", "due", "total", "tags", "extra")
	spec.Filterable = resource.Columns{"note": "note", "placed_at": "placed_at", "tags": "tags"}
	spec.Filters = []resource.Filter{{Name: "exactly", Type: resource.Text, Condition: func(v resource.Value) (squirrel.Sqlizer, error) {
		return squirrel.Expr(`t.note = ? AND t.note = 'a\b ümlaut'`, v), nil
	}}}
	requests := []executors.ListRequest{
		{Resource: "orders", Count: executors.CountExact},
		{Resource: "orders", Filter: []byte(`{"note":"a\\b ümlaut","placed_at":"2026-03-04T05:06:07.89Z"}`)},
		{Resource: "orders", Filter: []byte(`{"tags":{"op":"contains","value":["NULL"]}}`)},
		{Resource: "orders", Filter: []byte(`{"tags":{"op":"eq","value":["NULL",null,"x"]}}`)},
		{Resource: "orders", Filter: []byte(`{"exactly":"a\\b ümlaut"}`)},
		{Resource: "orders", Filter: []byte(`{"note":null}`)},
	}
	var answers [2][]string
	for i, edit := range []func(*pgxpool.Config){nil, func(cfg *pgxpool.Config) {
		maps.Copy(cfg.ConnConfig.RuntimeParams, unlike)
	}} {
		for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeCacheStatement, pgx.QueryExecModeExec} {
			opened := open(t, db, func(cfg *pgxpool.Config) {
				cfg.ConnConfig.DefaultQueryExecMode = mode
				if edit != nil {
					edit(cfg)
				}
			})
			x := mustExecutor(t, opened, nil, qualified(spec))
			for _, req := range requests {
				answer, err := x.List(t.Context(), caller(t, 1), req)
				if err != nil {
					t.Fatalf("%s: %v", req.Filter, err)
				}
				answers[i] = append(answers[i], string(answer.JSON))
			}
		}
	}
	if diff := cmp.Diff(answers[0], answers[1]); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(answers[0][4], `"id":1`) {
		t.Errorf("the condition of a host finds %s", answers[0][4])
	}
}

// A policy that goes while the server runs is told of, once.
func TestALostPolicyIsTold(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	reg, err := registry.New(nil, orders())
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, nil))
	x, err := executors.New(t.Context(), open(t, db, nil), reg, &executors.Options{Logger: logger})
	if err != nil {
		t.Fatal(err)
	}
	log.Reset()
	for _, want := range []int{0, 1, 0} {
		if want > 0 {
			db.Exec(t, "ALTER TABLE orders DISABLE ROW LEVEL SECURITY")
		}
		if err := x.Rebind(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(log.String(), "row level security is off"); got != want || strings.Count(log.String(), "\n") != want {
			t.Errorf("%d times, not %d: %s", got, want, log.String())
		}
		log.Reset()
	}
}

// qualified names the schema, which a search path need not have.
func qualified(s resource.Spec) resource.Spec {
	s.Table = "public." + s.Table
	return s
}

// Operators of an extension in a schema of its own are found by name, also while a statement is prepared.
func TestOperatorsOfAnExtension(t *testing.T) {
	t.Parallel()
	db := filled(t)
	db.Exec(t, `CREATE SCHEMA ext; GRANT USAGE ON SCHEMA ext TO tenantry_reader; CREATE EXTENSION ltree SCHEMA ext;
		CREATE TABLE nodes (id int PRIMARY KEY, tenant_id int NOT NULL, path ext.ltree); CALL tenantry.protect('nodes', 'tenant_id');
		INSERT INTO nodes VALUES (1, 1, 'a.b'), (2, 1, 'c')`)
	spec := resource.Spec{
		Name: "nodes", Table: "nodes", Scope: orders().Scope, Serializer: serializer.Columns("id"),
		Filters: []resource.Filter{{Name: "below", Type: resource.Text, Condition: func(v resource.Value) (squirrel.Sqlizer, error) {
			return squirrel.Expr("t.path <@ CAST(? AS ltree)", v), nil
		}}},
	}
	x := mustExecutor(t, open(t, db, nil), nil, spec)
	if got := list(t, x, 1, executors.ListRequest{Resource: "nodes", Filter: []byte(`{"below":"a"}`)}); !strings.Contains(got, `"rows":[{"id":1}]`) {
		t.Errorf("below a: %s", got)
	}
}

// A column whose comparisons somebody else's operator would answer is neither filtered nor sorted by.
func TestOperatorsThatStandInForOthers(t *testing.T) {
	t.Parallel()
	db := filled(t)
	const odd = `CREATE FUNCTION never(%[1]s, %[1]s) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT false';
		CREATE OPERATOR public.%[2]s (LEFTARG = %[1]s, RIGHTARG = %[1]s, FUNCTION = never);`
	db.Exec(t, `CREATE TABLE named (id int PRIMARY KEY, tenant_id int NOT NULL, name varchar(20), word text); CALL tenantry.protect('named', 'tenant_id')`)
	spec := func(column string) resource.Spec {
		return resource.Spec{
			Name: "named", Table: "named", Scope: orders().Scope, Serializer: serializer.Columns("id", column),
			Filterable: resource.Columns{column: column}, Sortable: []string{column},
		}
	}
	mustExecutor(t, open(t, db, nil), nil, spec("name"))
	db.Exec(t, strings.NewReplacer("%[1]s", "varchar", "%[2]s", "=").Replace(odd))
	_, err := executor(open(t, db, nil), nil, spec("name"))
	for _, want := range []string{`resource named: Sortable: column "name"`, `resource named: filter key "name": column "name"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the start says %v, want %s", err, want)
		}
	}
	db.Exec(t, strings.NewReplacer("%[1]s", "text", "%[2]s", "<").Replace(odd))
	mustExecutor(t, open(t, db, nil), nil, spec("word")) // the server's own come first
}

// What is set is read back as the server shows it, in whatever unit.
func TestTimesAreReadBack(t *testing.T) {
	t.Parallel()
	opened := open(t, filled(t), nil)
	for _, d := range []time.Duration{0, 750 * time.Millisecond, 5 * time.Second, time.Minute, 90 * time.Second, time.Hour, 36 * time.Hour, 48 * time.Hour} {
		rows := 0
		count := func([][]byte) error { rows++; return nil }
		err := opened.Run(t.Context(), &executors.Call{
			Tenant: caller(t, 1).Tenant(), StatementTimeout: d, LockTimeout: d,
			Statements: []*executors.Statement{{SQL: "SELECT 1", Row: count}, {SQL: "SELECT 2", Row: count, Timeout: max(d, time.Second)}},
		})
		if err != nil || rows != 2 {
			t.Errorf("%v: %d rows, %v", d, rows, err)
		}
	}
}

// A session may turn odd under a running server: the call that meets it is answered as the one before.
func TestSessionsThatTurnOdd(t *testing.T) {
	t.Parallel()
	db := filled(t)
	db.Exec(t, `UPDATE orders SET placed_at = '2026-03-04 05:06:07.89+00', tags = ARRAY['NULL', NULL, 'x'] WHERE id = 1`)
	spec := orders()
	spec.Serializer = serializer.Columns("id", "note", "placed_at", "tags")
	for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeCacheStatement, pgx.QueryExecModeExec} {
		var odd atomic.Value
		opened := open(t, db, func(cfg *pgxpool.Config) {
			cfg.ConnConfig.DefaultQueryExecMode = mode
			cfg.PrepareConn = func(ctx context.Context, conn *pgx.Conn) (bool, error) {
				set, _ := odd.Load().(string)
				_, err := conn.Exec(ctx, set)
				return err == nil, err
			}
		})
		x := mustExecutor(t, opened, nil, spec)
		requests := []executors.ListRequest{{Resource: "orders"}, {Resource: "orders", Count: executors.CountExact}}
		want := []string{list(t, x, 1, requests[0]), list(t, x, 1, requests[1])}
		for _, set := range []string{
			"SET row_security = off", "SET DateStyle = 'SQL, DMY'; SET array_nulls = off", "SET client_encoding = 'LATIN1'",
			"SET standard_conforming_strings = off; SET bytea_output = 'escape'; SET jit = on", "RESET ALL",
		} {
			odd.Store(set)
			for i, req := range requests {
				if diff := cmp.Diff(want[i], list(t, x, 1, req)); diff != "" {
					t.Errorf("%v, after %s: %s", mode, set, diff)
				}
			}
		}
	}
}
