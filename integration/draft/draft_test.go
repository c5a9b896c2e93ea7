// Package draft_test holds tenantry init to its promise on real databases: what it drafts of a database,
// however awkward, is a file that check takes as it is written.
package draft_test

import (
	"database/sql"
	"encoding/json"
	"flag"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite" // fills the files that are then surveyed

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/descriptor"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/postgres"
	"github.com/tenantry/tenantry/executors/sqlite"
	"github.com/tenantry/tenantry/integration/testdb"
	"github.com/tenantry/tenantry/registry"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestMain(m *testing.M) { testdb.Main(m) }

// database is what the drafts are made of.
type database interface {
	executors.DB
	surveyor
}

func openPostgres(t *testing.T, url string) database {
	t.Helper()
	db, err := postgres.OpenURL(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
}

func openSQLite(t *testing.T, statements string) database {
	t.Helper()
	path := filepath.Join(t.TempDir(), "awkward.db")
	writer, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = writer.Close() }()
	if _, err := writer.ExecContext(t.Context(), statements); err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// draft is the file that is drafted of a database, as text and joined to it as a server would.
func draft(t *testing.T, db database, tenantColumn string) (string, *executors.Executor) {
	t.Helper()
	survey, err := db.Survey(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text, err := descriptor.Starter(survey, tenantColumn, "a-token")
	if err != nil {
		t.Fatal(err)
	}
	file, err := descriptor.Parse("draft", text, func(string) (string, bool) { return "sqlite:file", true })
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	reg, err := registry.New(&registry.Options{Requires: file.Defaults.Requires}, file.Specs()...)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	x, err := executors.New(t.Context(), db, reg, &executors.Options{Logger: slog.New(slog.DiscardHandler), RequireRLS: file.RLS()})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	grants, err := file.Grants(x.TenantKind())
	if err != nil {
		t.Fatal(err)
	}
	p, err := auth.NewPrincipal(grants["a-token"])
	if err != nil {
		t.Fatal(err)
	}
	walk(t, x, p, file)
	return string(text), x
}

// walk asks every resource for its rows, in every order and by every filter that the draft declares.
func walk(t *testing.T, x *executors.Executor, p *auth.Principal, file *descriptor.File) {
	t.Helper()
	for _, spec := range file.Specs() {
		calls := []executors.ListRequest{{}}
		for _, name := range spec.Sortable {
			calls = append(calls, executors.ListRequest{Sort: []string{"-" + name}})
		}
		for key := range spec.Filterable {
			filter, err := json.Marshal(map[string]any{key: nil})
			if err != nil {
				t.Fatal(err)
			}
			calls = append(calls, executors.ListRequest{Filter: filter})
		}
		for _, call := range calls {
			call.Resource = spec.Name
			if _, err := x.List(t.Context(), p, call); err != nil {
				t.Errorf("%+v: %v", call, err)
			}
		}
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(filepath.Join("testdata", name), []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(read(t, name), got); diff != "" {
		t.Error(diff)
	}
}

func TestAnAwkwardPostgres(t *testing.T) {
	t.Parallel()
	db := testdb.NewEmpty(t)
	db.Exec(t, read(t, "awkward.sql"))
	text, _ := draft(t, openPostgres(t, db.URL), "account_id")
	golden(t, "awkward.yaml", text)
	again, _ := draft(t, openPostgres(t, db.URL), "account_id")
	if again != text {
		t.Error("two drafts of one database differ")
	}
}

func TestAnAwkwardSQLite(t *testing.T) {
	t.Parallel()
	text, _ := draft(t, openSQLite(t, read(t, "awkward_sqlite.sql")), "account_id")
	golden(t, "awkward_sqlite.yaml", text)
}

// Whatever way a draft finds to a table, it shows no row of another tenant, of nobody, or of a parent that
// is deleted: of all that the rows point at, the tenant of the draft's token sees its own user.
func TestDraftsShowNoForeignRow(t *testing.T) {
	t.Parallel()
	db := testdb.NewEmpty(t)
	db.Exec(t, read(t, "awkward.sql")+read(t, "foreign.sql"))
	opened := openPostgres(t, db.URL)
	text, x := draft(t, opened, "account_id")
	file, err := descriptor.Parse("draft", []byte(text), func(string) (string, bool) { return "sqlite:file", true })
	if err != nil {
		t.Fatal(err)
	}
	grants, err := file.Grants(x.TenantKind())
	if err != nil {
		t.Fatal(err)
	}
	p, err := auth.NewPrincipal(grants["a-token"])
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string][]any{}
	for _, spec := range file.Specs() {
		answer, err := x.List(t.Context(), p, executors.ListRequest{Resource: spec.Name})
		if err != nil {
			t.Fatal(err)
		}
		var page struct{ Rows []map[string]any }
		if err := json.Unmarshal(answer.JSON, &page); err != nil {
			t.Fatal(err)
		}
		for _, row := range page.Rows {
			shown[spec.Name] = append(shown[spec.Name], row["email"])
		}
	}
	if diff := cmp.Diff(map[string][]any{"users": {"one"}}, shown); diff != "" {
		t.Errorf("rows that are shown (-want +got):\n%s", diff)
	}
}

// The kind of the tenant key is that of the column, and so is the tenant of the draft's token.
func TestKindsOfTenant(t *testing.T) {
	t.Parallel()
	for typ, want := range map[string]string{
		"bigint": "tenant: 1,", "uuid": `tenant: "00000000-0000-0000-0000-000000000001",`, "text": "tenant: example,", "varchar(20)": "tenant: example,",
	} {
		t.Run(typ, func(t *testing.T) {
			t.Parallel()
			tables := "CREATE TABLE a (id int PRIMARY KEY, org " + typ + "); CREATE TABLE b (id int PRIMARY KEY, a_id int REFERENCES a);"
			db := testdb.NewEmpty(t)
			db.Exec(t, tables)
			for _, text := range []string{first(draft(t, openPostgres(t, db.URL), "org")), first(draft(t, openSQLite(t, tables), "org"))} {
				if !strings.Contains(text, want) || !strings.Contains(text, "scope: {via: a, fk: a_id}") {
					t.Error(text)
				}
			}
		})
	}
}

func first(text string, _ *executors.Executor) string { return text }

// The draft has what the role may read, and nothing else.
func TestADraftHasWhatTheRoleMayRead(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	db.Exec(t, `CREATE SCHEMA seen; CREATE SCHEMA unseen;
		CREATE TABLE seen.a (id int PRIMARY KEY, org int, shown int, denied int);
		CREATE TABLE seen.b (id int PRIMARY KEY, org int);
		CREATE TABLE seen.c (id int PRIMARY KEY, org int);
		CREATE TABLE unseen.d (id int PRIMARY KEY, org int);
		GRANT USAGE ON SCHEMA seen TO tenantry_reader;
		GRANT SELECT (id, org, shown) ON seen.a TO tenantry_reader; GRANT SELECT (org) ON seen.b TO tenantry_reader;
		GRANT SELECT ON unseen.d TO tenantry_reader`)
	text, _ := draft(t, openPostgres(t, db.ReaderURL), "org")
	_, resources, _ := strings.Cut(text, "resources:\n")
	const want = `  a:
    table: "seen.a"
    scope: {column: org}
    description: "A of the tenant."
    fields:
      id:
      shown:
    filterable: [id]
    sortable: [id]
`
	got, left, _ := strings.Cut(resources, "\n# Left out:\n")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var seen []string
	for line := range strings.Lines(left) {
		if strings.Contains(line, "seen.") {
			seen = append(seen, line)
		}
	}
	if diff := cmp.Diff([]string{"#   \"seen.b\" has a key (id) that cannot be shown: it is no readable column with an order, or looks like a secret\n"}, seen); diff != "" {
		t.Error(diff)
	}
	if strings.Contains(text, "denied") {
		t.Error("the draft has a column that the role may not read")
	}
}
