package isolationtest_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/sqlite"
	"github.com/tenantry/tenantry/isolationtest"
	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
	"github.com/tenantry/tenantry/tenant"
)

// app serves notes and staff of two tenants from memory. Extra is SQL that runs behind the seed.
func app(ctx context.Context, extra string) (isolationtest.App, error) {
	reg := registry.MustNew(nil,
		resource.Spec{
			Name: "notes", Description: "Notes.", Table: "notes", Scope: scope.SharedOr(scope.Column("account_id"), "shared", "notes of the house"),
			Filterable: resource.Columns{"body": "body", "n": "n"}, Sortable: []string{"n"}, Serializer: serializer.Columns("id", "body", "n"),
			Groupable: []string{"body"}, Measures: []string{"n"}, Relations: []resource.Relation{resource.BelongsTo("author", "staff", "author_id")},
		},
		resource.Spec{
			Name: "staff", Description: "Staff.", Table: "staff", Requires: "staff:read", Scope: scope.Column("account_id"),
			Filterable: resource.Columns{"name": "name"}, Serializer: serializer.Columns("id", "name"),
		})
	db, err := sqlite.OpenMemory(ctx, func(ctx context.Context, db *sql.DB) error {
		text := `CREATE TABLE notes (id INTEGER PRIMARY KEY, account_id INTEGER, author_id INTEGER, shared BOOLEAN, body TEXT, n INTEGER);
			CREATE TABLE staff (id INTEGER PRIMARY KEY, account_id INTEGER, name TEXT);`
		for _, m := range []isolationtest.Mark{isolationtest.MarkOf(1), isolationtest.MarkOf(2)} {
			text += fmt.Sprintf(`INSERT INTO staff VALUES (%[1]d, %[2]d, '%[3]s'); INSERT INTO notes VALUES (%[1]d, %[2]d, %[1]d, 0, '%[3]s', 1), (%[4]d, %[2]d, %[1]d, 0, '%[3]s', 2);`,
				m.Int(1), m.Number(), m.Text("of a tenant"), m.Int(2))
		}
		_, err := db.ExecContext(ctx, text+extra)
		return err
	})
	if err != nil {
		return isolationtest.App{}, err
	}
	logger := slog.New(slog.DiscardHandler)
	exec, err := executors.New(ctx, db, reg, &executors.Options{Logger: logger})
	if err != nil {
		return isolationtest.App{}, err
	}
	grants := map[string]auth.Grant{}
	for token, scopes := range map[string][]string{"one": {"staff:read"}, "one-low": nil, "two": {"staff:read"}} {
		id, _ := tenant.Int(map[bool]int64{true: 2, false: 1}[token == "two"]) // neither is zero
		grants[token] = auth.Grant{Subject: token, Tenants: []tenant.ID{id}, Scopes: scopes}
	}
	tokens, err := auth.NewStatic(grants)
	if err != nil {
		return isolationtest.App{}, err
	}
	h, err := mcpserver.Handler(exec, tokens, &mcpserver.Options{Logger: logger})
	return isolationtest.App{
		Handler: h, Registry: reg,
		One: isolationtest.Tenant{Token: "one", Fewer: []string{"one-low"}}, Two: isolationtest.Tenant{Token: "two"},
	}, err
}

func check(t *testing.T, extra string, change func(*isolationtest.App)) []isolationtest.Leak {
	t.Helper()
	a, err := app(t.Context(), extra)
	if err != nil {
		t.Fatal(err)
	}
	change(&a)
	report, err := isolationtest.Check(t.Context(), a, nil)
	if err != nil {
		t.Fatal(err)
	}
	if report.Calls == 0 || report.Pairs == 0 {
		t.Errorf("%+v", report)
	}
	return report.Leaks
}

func same(*isolationtest.App) {}

func TestRunFindsNothing(t *testing.T) {
	t.Parallel()
	a, err := app(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	isolationtest.Run(t, a, nil)
}

// A row that is shared by mistake is found, and told by the call that needs no more.
func TestCheckFindsARow(t *testing.T) {
	t.Parallel()
	leaks := check(t, "UPDATE notes SET shared = 1 WHERE account_id = 2 AND n = 2", same)
	if len(leaks) == 0 {
		t.Fatal("nothing is found")
	}
	smallest := `{"method":"tools/call","params":{"arguments":{"resource":"notes"},"name":"list"}}`
	found := false
	for _, l := range leaks {
		found = found || l.Call == smallest && l.Detail == "mark~002~"
		if strings.Contains(l.String(), "of a tenant") {
			t.Errorf("a value of a row is told: %v", l)
		}
	}
	if !found {
		t.Errorf("no leak is %s: %v", smallest, leaks)
	}
}

// A key that names the other tenant's row is that row's in a link, and nobody's concern in a foreign key.
func TestCheckKnowsForeignKeys(t *testing.T) {
	t.Parallel()
	if leaks := check(t, "UPDATE notes SET author_id = 7002000001 WHERE account_id = 1", same); len(leaks) > 0 {
		t.Error(leaks)
	}
}

// wrapped is a handler around that of the app.
func wrapped(a *isolationtest.App, around func(inner http.Handler, w http.ResponseWriter, r *http.Request, body string)) {
	inner := a.Handler
	a.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // the client is ours
		r.Body = io.NopCloser(bytes.NewReader(body))
		around(inner, w, r, string(body))
	})
}

func TestCheckFindsEachKindOfLeak(t *testing.T) {
	t.Parallel()
	var changes atomic.Int64
	change := func(context.Context, isolationtest.Mark) error { changes.Add(1); return nil }
	for _, tt := range []struct {
		name, rule, call string
		leak             func(*isolationtest.App)
	}{
		{"a header", "a value of the other tenant", "sort", func(a *isolationtest.App) {
			wrapped(a, func(inner http.Handler, w http.ResponseWriter, r *http.Request, body string) {
				if strings.Contains(body, `"sort":["-n"]`) && r.Header.Get("Authorization") == "Bearer one" {
					w.Header().Set("X-Last", "bWFya34wMDJ-d2hhdA_mark%7E002%7Ewhat")
				}
				inner.ServeHTTP(w, r)
			})
		}},
		{"what depends on the other's rows", "the answer changes", "notes", func(a *isolationtest.App) {
			a.Changes = []isolationtest.Seeder{change}
			wrapped(a, func(inner http.Handler, w http.ResponseWriter, r *http.Request, _ string) {
				w.Header().Set("X-Rows", strconv.FormatInt(changes.Load(), 10))
				inner.ServeHTTP(w, r)
			})
		}},
		{"a hidden name", "what is hidden", "staff", func(a *isolationtest.App) {
			wrapped(a, func(inner http.Handler, w http.ResponseWriter, r *http.Request, body string) {
				if strings.Contains(body, `"staff"`) && r.Header.Get("Authorization") == "Bearer one-low" {
					w.Header().Set("X-Hint", "ask for staff:read")
				}
				inner.ServeHTTP(w, r)
			})
		}},
		{"a foreign key", "a row of the other tenant is not", "7002000001", func(a *isolationtest.App) {
			wrapped(a, func(inner http.Handler, w http.ResponseWriter, r *http.Request, body string) {
				if strings.Contains(body, `"7002000001"`) {
					w.Header().Set("X-Hint", "exists")
				}
				inner.ServeHTTP(w, r)
			})
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, l := range check(t, "", tt.leak) {
				if strings.HasPrefix(l.Rule, tt.rule) && strings.Contains(l.Call, tt.call) {
					return
				}
			}
			t.Error("nothing is found")
		})
	}
}

// A server that would not look at the calls has not been tested: one that is too busy, and one that fails beside the tools.
func TestCheckTellsOfRefusedCalls(t *testing.T) {
	t.Parallel()
	for name, refuse := range map[string]func(w http.ResponseWriter){
		"429": func(w http.ResponseWriter) { w.WriteHeader(http.StatusTooManyRequests) },
		"a JSON-RPC error": func(w http.ResponseWriter) {
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"m"}}`)
		},
		"a timeout": func(w http.ResponseWriter) {
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"isError":true,"structuredContent":{"error":{"code":"timeout","message":"m"}},"content":[]}}`)
		},
	} {
		a, err := app(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		refused := 0
		wrapped(&a, func(inner http.Handler, w http.ResponseWriter, r *http.Request, body string) {
			if !strings.Contains(body, `"resources/read"`) {
				inner.ServeHTTP(w, r)
				return
			}
			refused++
			refuse(w)
		})
		report, err := isolationtest.Check(t.Context(), a, nil)
		if err != nil {
			t.Fatal(err)
		}
		if refused == 0 || report.Internal != refused || !strings.Contains(report.FirstInternal, "resources/read") {
			t.Errorf("%s: %d calls were refused, and %d told, such as %s", name, refused, report.Internal, report.FirstInternal)
		}
	}
}

// What the server fails at, and what the seed leaves empty, is told: it looks like isolation and is none.
func TestCheckTellsWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	a, err := app(t.Context(), "DELETE FROM staff WHERE account_id = 2")
	if err != nil {
		t.Fatal(err)
	}
	wrapped(&a, func(inner http.Handler, w http.ResponseWriter, r *http.Request, body string) {
		if !strings.Contains(body, `"sort":["-n"]`) {
			inner.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"isError":true,"structuredContent":{"error":{"code":"internal","message":"m"}},"content":[]}}`)
	})
	report, err := isolationtest.Check(t.Context(), a, nil)
	if err != nil {
		t.Fatal(err)
	}
	if report.Internal == 0 || !strings.Contains(report.FirstInternal, `"-n"`) || !slices.Equal(report.Unseen, []string{"staff of mark 2"}) {
		t.Errorf("%d internal, such as %s; unseen %q", report.Internal, report.FirstInternal, report.Unseen)
	}
}

func TestCheckRefuses(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*isolationtest.App){
		"no handler":     func(a *isolationtest.App) { a.Handler = nil },
		"no token":       func(a *isolationtest.App) { a.Two.Token = "" },
		"a bad token":    func(a *isolationtest.App) { a.Two.Token = "nobody" },
		"the same token": func(a *isolationtest.App) { a.Two.Token = "one" },
	} {
		a, err := app(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		change(&a)
		if report, err := isolationtest.Check(t.Context(), a, nil); err == nil {
			t.Errorf("%s: %+v", name, report)
		}
	}
}

func ExampleCheck() {
	a, err := app(context.Background(), "")
	if err != nil {
		panic(err)
	}
	report, err := isolationtest.Check(context.Background(), a, nil) // the rows are there already
	fmt.Println(len(report.Leaks), "leaks,", report.Calls > 500, err)
	// Output: 0 leaks, true <nil>
}
