package sqlite_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/sqlite"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/tenant"
)

// file makes a database file, runs the statements on it, and returns its path and the connection that wrote
// it.
func file(t testing.TB, statements ...string) (string, *sql.DB) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "te st?%41#.db")
	writer, err := sql.Open("sqlite", "file:"+filepath.ToSlash(filepath.Dir(path))+"/te%20st%3F%2541%23.db")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = writer.Close() })
	for _, s := range statements {
		if _, err := writer.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	return path, writer
}

// open opens the file as it is served.
func open(t testing.TB, statements ...string) *sqlite.DB {
	t.Helper()
	path, _ := file(t, statements...)
	db, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
}

// describe returns one table of the database.
func describe(t testing.TB, db *sqlite.DB, name string) *executors.Table {
	t.Helper()
	n := executors.TableName{Name: name}
	tables, err := db.Describe(t.Context(), []executors.TableName{n})
	if err != nil {
		t.Fatal(err)
	}
	if tables[n] == nil {
		t.Fatalf("%s is not there", name)
	}
	return tables[n]
}

func one(t testing.TB) tenant.ID {
	t.Helper()
	id, err := tenant.Int(1)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// call is a call of one statement or several, as the executor would make it.
func call(t testing.TB, statements ...*executors.Statement) *executors.Call {
	t.Helper()
	return &executors.Call{
		Tenant: one(t), StatementTimeout: 5 * time.Second, LockTimeout: 500 * time.Millisecond,
		Snapshot: len(statements) > 1, Statements: statements,
	}
}

// rows runs one statement and returns what came, NULL as "NULL".
func rows(t testing.TB, db *sqlite.DB, text string, args ...any) [][]string {
	t.Helper()
	var out [][]string
	st := &executors.Statement{SQL: text, Args: args, Row: func(values [][]byte) error {
		row := make([]string, len(values))
		for i, v := range values {
			row[i] = "NULL"
			if v != nil {
				row[i] = string(v)
			}
		}
		out = append(out, row)
		return nil
	}}
	if err := db.Run(t.Context(), call(t, st)); err != nil {
		t.Fatalf("%s: %v", text, cause(err))
	}
	return out
}

// cause is what an agent's error hides.
func cause(err error) any {
	for {
		inner, ok := err.(interface{ Unwrap() error })
		if !ok || inner.Unwrap() == nil {
			return err
		}
		err = inner.Unwrap()
	}
}

// executor serves the specs from the database.
func executor(t testing.TB, db executors.DB, specs ...resource.Spec) *executors.Executor {
	t.Helper()
	reg, err := registry.New(nil, specs...)
	if err != nil {
		t.Fatal(err)
	}
	x, err := executors.New(t.Context(), db, reg, &executors.Options{
		Logger:           slog.New(slog.DiscardHandler),
		StatementTimeout: time.Minute, // these tests are about values, on machines that may be busy
		CountTimeout:     time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func principal(t testing.TB, tenants ...tenant.ID) *auth.Principal {
	t.Helper()
	p, err := auth.NewPrincipal(auth.Grant{Subject: "alice", Tenants: tenants})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// page is an answer of list as a client reads it.
type page struct {
	Rows []map[string]any `json:"rows"`
	Meta struct {
		HasMore     bool     `json:"has_more"`
		NextCursor  string   `json:"next_cursor"`
		TotalCount  *int     `json:"total_count"`
		CountStatus string   `json:"count_status"`
		CutFields   []string `json:"cut_fields"`
	} `json:"meta"`
}

func list(t testing.TB, x *executors.Executor, p *auth.Principal, req executors.ListRequest) page {
	t.Helper()
	out, err := tryList(t.Context(), x, p, req)
	if err != nil {
		t.Fatalf("%+v: %v", req, cause(err))
	}
	return out
}

func tryList(ctx context.Context, x *executors.Executor, p *auth.Principal, req executors.ListRequest) (out page, err error) {
	answer, err := x.List(ctx, p, req)
	if err != nil {
		return out, err
	}
	return out, json.Unmarshal(answer.JSON, &out)
}

// ids are the keys of the rows in order.
func (p page) ids() []any {
	out := []any{}
	for _, r := range p.Rows {
		out = append(out, r["id"])
	}
	return out
}

// explain is the database's plan of a statement.
func explain(ctx context.Context, db *sql.DB, text string, args ...any) (string, error) {
	steps, err := db.QueryContext(ctx, "EXPLAIN QUERY PLAN "+text, args...)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for steps.Next() {
		var id, parent, unused int
		var detail string
		if err := steps.Scan(&id, &parent, &unused, &detail); err != nil {
			return "", err
		}
		out.WriteString(detail + "\n")
	}
	return out.String(), errors.Join(steps.Err(), steps.Close())
}
