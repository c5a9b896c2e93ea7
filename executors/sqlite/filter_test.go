package sqlite_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/Masterminds/squirrel"
	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/sqlite"
	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
	"github.com/tenantry/tenantry/tenant"
)

// TestFilters asks a column of each type for the rows, counted from 1, that its operators find.
func TestFilters(t *testing.T) {
	t.Parallel()
	texts := []string{"'Ärger 100%'", "'ärger'", "'a_b\\c'", "''", "NULL", "'İstanbul ΣΑΣ'", "'x' || char(0) || 'Ärger'"}
	numbers := []string{"-1", "0", "2", "9007199254740993", "NULL"}
	reals := []string{"-1.5", "0.1", "1e300", "1e999", "NULL", "3"}
	instants := []string{
		"'2026-06-30T23:59:59.999999Z'", "'2026-07-01T00:00:00.000000Z'", "'2026-07-01T23:59:59.999999Z'",
		"'2026-07-02T00:00:00.000000Z'", "NULL", "'0001-01-01T00:00:00.000000Z'", "'9999-12-31T23:59:59.999999Z'",
	}
	for _, tt := range []struct {
		declared string
		values   []string
		filter   string
		want     []int
	}{
		{"TEXT", texts, `{"v":"ärger"}`, []int{2}},
		{"TEXT", texts, `{"v":{"op":"matches","value":"ÄRGER"}}`, []int{1, 2, 7}},
		{"TEXT", texts, `{"v":{"op":"does_not_match","value":"ÄRGER"}}`, []int{3, 4, 5, 6}},
		{"TEXT", texts, `{"v":{"op":"starts_with","value":"äRG"}}`, []int{1, 2}},
		{"TEXT", texts, `{"v":{"op":"ends_with","value":"RGER"}}`, []int{2, 7}},
		{"TEXT", texts, `{"v":{"op":"matches","value":"%"}}`, []int{1}},
		{"TEXT", texts, `{"v":{"op":"matches","value":"_"}}`, []int{3}},
		{"TEXT", texts, `{"v":{"op":"ends_with","value":"\\C"}}`, []int{3}},
		{"TEXT", texts, `{"v":{"op":"matches","value":"istanbul σασ"}}`, []int{6}},
		{"TEXT", texts, `{"v":["","ärger",null]}`, []int{2, 4, 5}},
		{"TEXT", texts, `{"v":{"op":"not_in","value":["","ärger"]}}`, []int{1, 3, 5, 6, 7}},
		{"TEXT", []string{"x'61'", "'a'"}, `{"v":{"op":"matches","value":"a"}}`, []int{2}},
		{"TEXT", []string{"'0'", "'00'", "'1e1'"}, `{"v":"0"}`, []int{1}},
		{"TEXT", []string{"'0'", "'00'", "'1e1'"}, `{"v":["10","00"]}`, []int{2}},
		{"TEXT", []string{`'"],["'`, `'\u0041'`, "'</a>&'"}, `{"v":["\"],[\"","\\u0041","</a>&"]}`, []int{1, 2, 3}},
		{"VARCHAR(5)", texts, `{"v":{"op":"not_eq","value":"ärger"}}`, []int{1, 3, 4, 5, 6, 7}},
		{"CITEXT", texts, `{"v":"ÄRGER"}`, []int{2}},
		{"CITEXT", texts, `{"v":["ÄRGER","ärger 100%"]}`, []int{1, 2}},
		{"TEXT COLLATE NOCASE", []string{"'a'", "'A'", "'b'"}, `{"v":"a"}`, []int{1, 2}},
		{"CHAR(3)", []string{"'a'", "'a  '", "' a'"}, `{"v":"a"}`, []int{1, 2}},
		{"CHAR(3)", []string{"'a'", "'a  '", "' a'"}, `{"v":["a "," a"]}`, []int{1, 2, 3}},

		{"INTEGER", numbers, `{"v":"9007199254740993"}`, []int{4}},
		{"INTEGER", numbers, `{"v":9007199254740992}`, []int{}},
		{"INTEGER", numbers, `{"v":[0,"9007199254740993"]}`, []int{2, 4}},
		{"INTEGER", numbers, `{"v":{"op":"gt","value":"9007199254740992"}}`, []int{4}},
		{"INTEGER", numbers, `{"v":[{"op":"gteq","value":0},{"op":"lteq","value":2}]}`, []int{2, 3}},
		{"INTEGER", numbers, `{"v":{"op":"not_in","value":[0,-1]}}`, []int{3, 4, 5}},
		{"INTEGER", numbers, `{"not":{"v":{"op":"lt","value":2}}}`, []int{3, 4, 5}},
		{"INTEGER", numbers, `{"v":{"op":"is_null","value":true}}`, []int{5}},
		{"INTEGER", []string{"1", "'1x'", "1.5"}, `{"v":1}`, []int{1}},

		{"REAL", reals, `{"v":0.1}`, []int{2}},
		{"REAL", reals, `{"v":["Infinity",3]}`, []int{4, 6}},
		{"REAL", reals, `{"v":{"op":"gt","value":1e299}}`, []int{3, 4}},
		{"REAL", reals, `{"v":{"op":"lt","value":"0.1"}}`, []int{1}},
		{"REAL", reals, `{"v":"NaN"}`, []int{}},
		{"NUMERIC", []string{"0.1", "1", "9007199254740993"}, `{"v":[0.1,1.0,"9007199254740993"]}`, []int{1, 2}},

		{"BOOLEAN", []string{"0", "1", "NULL", "2"}, `{"v":true}`, []int{2}},
		{"BOOLEAN", []string{"0", "1", "NULL", "2"}, `{"v":{"op":"not_eq","value":"true"}}`, []int{1, 3, 4}},

		{"UUID", []string{"'6F1F2C9E-3B1A-4F0E-9A52-1F7F4C0D2B11'", "'6f1f2c9e-3b1a-4f0e-9a52-1f7f4c0d2b11'", "NULL"}, `{"v":"6F1F2C9E-3b1a-4f0e-9a52-1f7f4c0d2b11"}`, []int{1, 2}},
		{"UUID", []string{"'6F1F2C9E-3B1A-4F0E-9A52-1F7F4C0D2B11'", "NULL"}, `{"v":["6f1f2c9e-3b1a-4f0e-9a52-1f7f4c0d2b11"]}`, []int{1}},

		{"DATE", []string{"'2026-07-01'", "'2026-07-02'", "'infinity'", "NULL"}, `{"v":{"op":"gt","value":"2026-07-01"}}`, []int{2, 3}},
		{"DATE", []string{"'2026-07-01'", "'2026-07-02'", "'infinity'", "NULL"}, `{"v":["2026-07-01","infinity"]}`, []int{1, 3}},
		{"TIMESTAMPTZ", instants, `{"v":"2026-07-01"}`, []int{2, 3}},
		{"TIMESTAMPTZ", instants, `{"v":["2026-07-02","0001-01-01","2026-06-30T23:59:59.999999Z"]}`, []int{1, 4, 6}},
		{"TIMESTAMPTZ", instants, `{"v":{"op":"gt","value":"2026-07-01"}}`, []int{4, 7}},
		{"TIMESTAMPTZ", instants, `{"v":{"op":"lteq","value":"2026-07-01"}}`, []int{1, 2, 3, 6}},
		{"TIMESTAMPTZ", instants, `{"v":"9999-12-31"}`, []int{7}},
		{"TIMESTAMPTZ", instants, `{"v":{"op":"not_in","value":["2026-07-01"]}}`, []int{1, 4, 5, 6, 7}},
		{"TIMESTAMPTZ", instants, `{"v":"2026-07-01T01:59:59.999999+02:00"}`, []int{1}},
		{"DATETIME", []string{"'2026-07-01T09:30:00.500000'", "'2026-07-01 09:30:00'"}, `{"v":["2026-07-01"]}`, []int{1}},
		{"DATETIME", []string{"'2026-07-01T09:30:00.500000'", "'2026-07-01 09:30:00'"}, `{"v":"2026-07-01T09:30:00.5"}`, []int{1}},

		{"INTERVAL", []string{"'1 day'", "5", "5.5", "NULL"}, `{"v":["5","5.5"]}`, []int{2, 3}},
		{"", []string{"'5'", "5", "x'35'"}, `{"v":"5"}`, []int{1, 2, 3}},
	} {
		t.Run(tt.declared+" "+tt.filter, func(t *testing.T) {
			t.Parallel()
			x := things(t, tt.declared, tt.values...)
			got := list(t, x, principal(t, one(t)), executors.ListRequest{
				Resource: "things", Filter: json.RawMessage(tt.filter), Fields: []string{"id"}, Count: executors.CountCapped,
			})
			found := []int{}
			for _, id := range got.ids() {
				found = append(found, int(id.(float64)))
			}
			if diff := cmp.Diff(tt.want, found); diff != "" || *got.Meta.TotalCount != len(tt.want) {
				t.Errorf("counted %d (-want +got):\n%s", *got.Meta.TotalCount, diff)
			}
		})
	}
}

// TestKeys gets and lists rows by composite and textual keys.
func TestKeys(t *testing.T) {
	t.Parallel()
	db := open(t,
		`CREATE TABLE parts (tenant_id UUID NOT NULL, box INTEGER NOT NULL, code UUID NOT NULL, name TEXT,
		  PRIMARY KEY (tenant_id, box, code)) WITHOUT ROWID`,
		`INSERT INTO parts VALUES
		  ('00000000-0000-0000-0000-000000000001', 7, 'AAAAAAAA-0000-0000-0000-000000000001', 'capitals'),
		  ('00000000-0000-0000-0000-000000000001', 7, 'aaaaaaaa-0000-0000-0000-000000000002', 'small'),
		  ('00000000-0000-0000-0000-000000000002', 8, 'aaaaaaaa-0000-0000-0000-000000000003', 'foreign')`)
	id, err := tenant.UUID([16]byte{15: 1})
	if err != nil {
		t.Fatal(err)
	}
	x := executor(t, db, resource.Spec{
		Name: "parts", Table: "main.parts", Scope: scope.Column("tenant_id"), Serializer: serializer.Columns("box", "code", "name"),
	})
	for _, key := range []string{
		"7:aaaaaaaa-0000-0000-0000-000000000001", "7:AAAAAAAA-0000-0000-0000-000000000002",
	} {
		quoted := json.RawMessage(`"` + key + `"`)
		if _, err := x.Get(t.Context(), principal(t, id), executors.GetRequest{Resource: "parts", ID: quoted}); err != nil {
			t.Errorf("get %s: %v", key, err)
		}
		got := list(t, x, principal(t, id), executors.ListRequest{Resource: "parts", IDs: quoted})
		if len(got.Rows) != 1 {
			t.Errorf("ids %s found %d rows", key, len(got.Rows))
		}
	}
	ids := make([]string, 0, 500)
	for i := range 498 {
		ids = append(ids, fmt.Sprintf(`"%d:aaaaaaaa-0000-0000-0000-000000000002"`, i+100))
	}
	ids = append(ids, `"7:aaaaaaaa-0000-0000-0000-000000000002"`, `"8:aaaaaaaa-0000-0000-0000-000000000003"`)
	got := list(t, x, principal(t, id), executors.ListRequest{Resource: "parts", IDs: json.RawMessage("[" + strings.Join(ids, ",") + "]")})
	if len(got.Rows) != 1 || got.Rows[0]["name"] != "small" {
		t.Errorf("a set of keys found %v", got.Rows)
	}
}

// TestCustomFilter gives the host's condition the caller's value in its declared type.
func TestCustomFilter(t *testing.T) {
	t.Parallel()
	db := open(t,
		"CREATE TABLE docs (id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL, size INTEGER, hidden BOOLEAN NOT NULL)",
		"INSERT INTO docs VALUES (1, 1, 5, 0), (2, 1, 50, 0), (3, 1, 500, 1)")
	larger := func(v resource.Value) (squirrel.Sqlizer, error) {
		return squirrel.Expr("t.size > ? AND t.hidden = ? AND t.size IN (SELECT CAST(value AS INTEGER) FROM json_each(?))",
			v, false, []string{"5", "50", "500"}), nil
	}
	x := executor(t, db, resource.Spec{
		Name: "docs", Table: "docs", Scope: scope.Column("tenant_id"), Serializer: serializer.Columns("id"),
		Filters: []resource.Filter{{Name: "larger", Type: resource.BigInt, Condition: larger}},
	})
	got := list(t, x, principal(t, one(t)), executors.ListRequest{Resource: "docs", Filter: json.RawMessage(`{"larger":"9"}`)})
	if diff := cmp.Diff([]any{2.0}, got.ids()); diff != "" {
		t.Error(diff)
	}
}

// TestIndexes looks values up rather than scanning for them.
func TestIndexes(t *testing.T) {
	t.Parallel()
	d := sqlite.Dialect{}
	column := func(name string, k resource.Kind) filtering.Column {
		return filtering.Column{Name: name, Expr: `t."` + name + `"`, Type: resource.Plain(k)}
	}
	id, i, f, s := column("id", resource.BigInt), column("i", resource.BigInt), column("f", resource.Double), column("s", resource.Text)
	conditions := []string{
		d.KeySet([]filtering.Column{i, s}),
		`(t."f", t."id") > (` + d.Cast(f) + ", " + d.Cast(id) + ")",
		`(t."s", t."id") < (` + d.Cast(s) + ", " + d.Cast(id) + ")",
		`t."id" = ` + d.Cast(filtering.Column{Type: resource.Plain(resource.BigInt)}),
	}
	for _, c := range []filtering.Column{
		id, i, f, s, column("u", resource.UUID), column("at", resource.TimestampTZ), column("day", resource.Date),
	} {
		conditions = append(conditions, d.Operator(c, resource.Eq), d.Operator(c, resource.In))
		if c.Type.Kind != resource.UUID {
			conditions = append(conditions, d.Operator(c, resource.Gt))
		}
	}
	db, err := sqlite.OpenMemory(t.Context(), func(ctx context.Context, db *sql.DB) error {
		_, err := db.ExecContext(ctx, `CREATE TABLE k (id INTEGER PRIMARY KEY, i BIGINT, f DOUBLE, s TEXT, u UUID, at TIMESTAMPTZ, day DATE);
			CREATE INDEX k_i ON k (i, s); CREATE INDEX k_f ON k (f, id); CREATE INDEX k_s ON k (s, id);
			CREATE INDEX k_u ON k (u); CREATE INDEX k_at ON k (at); CREATE INDEX k_day ON k (day)`)
		for _, c := range conditions {
			args := slices.Repeat([]any{"[1]"}, strings.Count(c, "?"))
			steps, failed := explain(ctx, db, "SELECT * FROM (SELECT * FROM k AS t) AS t WHERE "+c, args...)
			if failed != nil || !strings.Contains(steps, "SEARCH t USING") && !strings.Contains(steps, "SEARCH k USING") {
				t.Errorf("%s is answered by %v\n%s", c, failed, steps)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	db.Close()
}
