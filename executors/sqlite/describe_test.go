package sqlite_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/sqlite"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// TestDeclaredTypes reads every spelling of a declared type.
func TestDeclaredTypes(t *testing.T) {
	t.Parallel()
	for declared, want := range map[string]resource.Type{
		"INTEGER": resource.Plain(resource.BigInt), "int": resource.Plain(resource.BigInt), "SmallInt": resource.Plain(resource.BigInt),
		"UNSIGNED BIG INT": resource.Plain(resource.BigInt), "UNSIGNED INT(11)": resource.Plain(resource.BigInt), "INT8": resource.Plain(resource.BigInt),
		"REAL": resource.Plain(resource.Double), "double  precision": resource.Plain(resource.Double),
		"NUMERIC(10,2)": resource.Plain(resource.Double), "DECIMAL": resource.Plain(resource.Double), "FLOAT": resource.Plain(resource.Double),
		"BOOLEAN": resource.Plain(resource.Boolean), "TEXT": resource.Plain(resource.Text), "CLOB": resource.Plain(resource.Text),
		"VARCHAR(20)": resource.Plain(resource.VarChar), "CHARACTER VARYING (20)": resource.Plain(resource.VarChar),
		"CHAR(3)": resource.Plain(resource.Char), "NATIVE CHARACTER(70)": resource.Plain(resource.Char),
		"CITEXT": resource.Plain(resource.CIText), "UUID": resource.Plain(resource.UUID), "DATE": resource.Plain(resource.Date),
		"TIMESTAMP": resource.Plain(resource.Timestamp), "DATETIME": resource.Plain(resource.Timestamp), "TIMESTAMPTZ": resource.Plain(resource.TimestampTZ),
		`"TIMESTAMP(6) WITH TIME ZONE"`: resource.Plain(resource.TimestampTZ), "BLOB": resource.Plain(resource.Bytea), "VARBINARY(9)": resource.Plain(resource.Bytea),
		"JSON": resource.Plain(resource.JSON), "JSONB": resource.Plain(resource.JSON), "XML": resource.Plain(resource.XML),
		"INTERVAL": {Kind: resource.Printed, Name: "interval"}, "POINT": {Kind: resource.Printed, Name: "point"},
		"": {Kind: resource.Printed, Name: "any"}, "ANY": {Kind: resource.Printed, Name: "any"},
		`"ENUM('a', 'b')"`: {Kind: resource.Printed, Name: "any"}, `"INTEGER[]"`: {Kind: resource.Printed, Name: "any"},
	} {
		db := open(t, "CREATE TABLE t (v "+declared+")")
		if diff := cmp.Diff(want, describe(t, db, "t").Columns[0].Type); diff != "" {
			t.Errorf("%s (-want +got):\n%s", declared, diff)
		}
	}
}

// TestDescribe reads tables, views, keys and what can be NULL.
func TestDescribe(t *testing.T) {
	t.Parallel()
	db := open(t,
		"CREATE TABLE plain (id INTEGER PRIMARY KEY, a TEXT NOT NULL, b TEXT, c INT GENERATED ALWAYS AS (1) VIRTUAL)",
		"CREATE TABLE backwards (id INTEGER PRIMARY KEY DESC, a INT)",
		"CREATE TABLE textual (code TEXT PRIMARY KEY, a INT)",
		"CREATE TABLE pair (a TEXT, b INT, c INT, PRIMARY KEY (b, a)) WITHOUT ROWID",
		"CREATE TABLE strict (id INT PRIMARY KEY, a ANY) STRICT",
		"CREATE TABLE bare (a INT)",
		"CREATE VIRTUAL TABLE words USING fts5(body)",
		`CREATE VIEW "the view" AS SELECT id, a, upper(a) AS up, CAST(b AS INT) AS n FROM plain`,
		"CREATE INDEX not_a_table ON plain (a)",
	)
	type column struct {
		Name, Type string
		Nullable   bool
	}
	type table struct {
		Quoted  string
		Key     []string
		Columns []column
	}
	want := map[string]table{
		"plain":     {`"main"."plain"`, []string{"id"}, []column{{"id", "bigint", false}, {"a", "text", false}, {"b", "text", true}, {"c", "bigint", true}}},
		"backwards": {`"main"."backwards"`, []string{"id"}, []column{{"id", "bigint", true}, {"a", "bigint", true}}},
		"textual":   {`"main"."textual"`, []string{"code"}, []column{{"code", "text", true}, {"a", "bigint", true}}},
		"pair":      {`"main"."pair"`, []string{"b", "a"}, []column{{"a", "text", false}, {"b", "bigint", false}, {"c", "bigint", true}}},
		"strict":    {`"main"."strict"`, []string{"id"}, []column{{"id", "bigint", false}, {"a", "any", true}}},
		"bare":      {`"main"."bare"`, nil, []column{{"a", "bigint", true}}},
		"words":     {`"main"."words"`, nil, []column{{"body", "any", true}}},
		"the view": {`"main"."the view"`, nil, []column{
			{"id", "bigint", true}, {"a", "text", true}, {"up", "any", true}, {"n", "bigint", true},
		}},
	}
	names := []executors.TableName{
		{Name: "missing"},
		{Name: "PLAIN"},
		{Name: "not_a_table"},
		{Name: "sqlite_schema"},
		{Schema: "temp", Name: "plain"},
		{Schema: "main", Name: "plain"},
	}
	for name := range want {
		names = append(names, executors.TableName{Name: name}, executors.TableName{Name: name})
	}
	tables, err := db.Describe(t.Context(), names)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := tables[executors.TableName{Schema: "main", Name: "plain"}]; !ok || len(tables) != len(want)+1 {
		t.Errorf("%d tables, of which main.plain: %v", len(tables), ok)
	}
	got := map[string]table{}
	for n, described := range tables {
		if n != described.Name {
			t.Errorf("%v is called %v", n, described.Name)
		}
		shape := table{Quoted: described.Quoted, Key: described.Key}
		for _, c := range described.Columns {
			shape.Columns = append(shape.Columns, column{c.Name, c.Type.Name, c.Nullable})
		}
		got[n.Name] = shape
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestRefusals are the databases that are not served, and how a start can tell why.
func TestRefusals(t *testing.T) {
	t.Parallel()
	var unavailable *resource.Error
	for _, path := range []string{filepath.Join(t.TempDir(), "missing.db"), t.TempDir()} {
		if _, err := sqlite.Open(t.Context(), path); !errors.As(err, &unavailable) || unavailable.Code != resource.Unavailable {
			t.Errorf("%s: %v", path, err)
		} else if !strings.Contains(err.Error(), path) {
			t.Errorf("the error does not name the file: %v", err)
		}
	}
	for _, path := range []string{"", "a\x00b"} {
		if _, err := sqlite.Open(t.Context(), path); err == nil {
			t.Errorf("%q was opened", path)
		}
	}
	db := open(t, "PRAGMA encoding = 'UTF-16le'", "CREATE TABLE t (id INTEGER PRIMARY KEY)")
	if _, err := db.Describe(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "UTF-16le") {
		t.Errorf("a database in UTF-16: %v", err)
	}
	if err := db.Ping(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestReadOnly lets no statement write, whatever it switches off.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	path, writer := file(t, "CREATE TABLE t (id INTEGER PRIMARY KEY)")
	db, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	spec := resource.Spec{Name: "t", Table: "t", Scope: scope.Column("id"), Serializer: serializer.Columns("id")}
	reg := registry.MustNew(nil, spec)
	if _, err := executors.New(t.Context(), db, reg, &executors.Options{RequireRLS: true}); err == nil || !strings.Contains(err.Error(), "row policies") {
		t.Errorf("a start that requires row policies: %v", err)
	}
	for _, text := range []string{"INSERT INTO t VALUES (1) RETURNING id", "PRAGMA query_only = 0", "SELECT \"nope\""} {
		st := &executors.Statement{SQL: text, Row: func([][]byte) error { return nil }}
		if err := db.Run(t.Context(), call(t, st)); err == nil {
			t.Errorf("%s was run", text)
		}
	}
	if n := count(t, writer, "SELECT count(*) FROM t"); n != 0 {
		t.Errorf("%d rows were written", n)
	}
}

func count(t *testing.T, db *sql.DB, text string) (n int) {
	t.Helper()
	if err := db.QueryRow(text).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestDescribedIndexes are the indexes that serve every row, up to what is no plain column.
func TestDescribedIndexes(t *testing.T) {
	t.Parallel()
	db := open(t,
		"CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INT, UNIQUE (b, a))",
		"CREATE INDEX desc_too ON t (a, b DESC)",
		"CREATE INDEX expression ON t (b, lower(a), id)",
		"CREATE INDEX only_expression ON t (lower(a))",
		"CREATE INDEX some_rows ON t (b) WHERE a IS NULL",
		"CREATE TABLE pair (a TEXT, b INT, PRIMARY KEY (b, a)) WITHOUT ROWID",
		"CREATE TABLE bare (a INT)",
		"CREATE VIEW v AS SELECT * FROM t",
	)
	for name, want := range map[string][][]string{
		"t":    {{"id"}, {"a", "b"}, {"b"}, {"b", "a"}},
		"pair": {{"b", "a"}},
		"bare": nil,
		"v":    nil,
	} {
		if diff := cmp.Diff(want, describe(t, db, name).Indexes); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	text := sqlite.Dialect{}.CreateIndex(describe(t, db, "t"), []string{"b", "id"})
	_, writer := file(t, "CREATE TABLE t (b INT, id INT)")
	if _, err := writer.Exec(text); err != nil {
		t.Errorf("%s: %v", text, err)
	}
}
