package isolation_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/Masterminds/squirrel"
	_ "modernc.org/sqlite" // fills the file that the server then reads

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

// A host's own filter that looks at rows of every tenant is found out by the kit, although no field shows what
// the filter is about: it is tried with values of either tenant.
func TestKitFindsAFilterWithoutATenant(t *testing.T) {
	t.Parallel()
	reg := registry.MustNew(nil,
		resource.Spec{
			Name: "notes", Description: "Notes.", Table: "notes", Scope: scope.Column("account_id"), Serializer: serializer.Columns("id"),
			Filters: []resource.Filter{{Name: "in_city_of", Type: resource.Text, Condition: func(v resource.Value) (squirrel.Sqlizer, error) {
				return squirrel.Expr("EXISTS (SELECT 1 FROM staff s WHERE s.city = t.city AND s.name = ?)", v), nil
			}}},
		},
		resource.Spec{Name: "staff", Description: "Staff.", Table: "staff", Scope: scope.Column("account_id"), Serializer: serializer.Columns("id", "name")})
	one, two := isolationtest.MarkOf(1), isolationtest.MarkOf(2)
	path := filepath.Join(t.TempDir(), "notes.db")
	rows, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rows.Close() })
	if _, err := rows.ExecContext(t.Context(), fmt.Sprintf(`CREATE TABLE notes (id INTEGER PRIMARY KEY, account_id INTEGER, city TEXT);
		CREATE TABLE staff (id INTEGER PRIMARY KEY, account_id INTEGER, city TEXT, name TEXT);
		INSERT INTO notes VALUES (%d, 1, 'Oslo'), (%d, 2, 'Oslo'); INSERT INTO staff VALUES (%[1]d, 1, 'Oslo', '%[3]s'), (%[2]d, 2, 'Oslo', '%[4]s')`,
		one.Int(1), two.Int(1), one.Text("Ada"), two.Text("Bo"))); err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	logger := slog.New(slog.DiscardHandler)
	exec, err := executors.New(t.Context(), db, reg, &executors.Options{Logger: logger})
	if err != nil {
		t.Fatal(err)
	}
	grants := map[string]auth.Grant{}
	for n, token := range []string{"one", "two"} {
		id, _ := tenant.Int(int64(n + 1)) // neither is zero
		grants[token] = auth.Grant{Subject: token, Tenants: []tenant.ID{id}}
	}
	tokens, err := auth.NewStatic(grants)
	if err != nil {
		t.Fatal(err)
	}
	inner, err := mcpserver.Handler(exec, tokens, &mcpserver.Options{Logger: logger})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	tried := map[string]bool{}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // the client is ours
		r.Body = io.NopCloser(bytes.NewReader(body))
		for _, m := range []isolationtest.Mark{one, two} {
			if strings.Contains(string(body), `"in_city_of":{"op":"eq","value":"`+m.Text("")) {
				mu.Lock()
				tried[r.Header.Get("Authorization")+m.Text("")] = true
				mu.Unlock()
			}
		}
		inner.ServeHTTP(w, r)
	})
	report, err := isolationtest.Check(t.Context(), isolationtest.App{
		Handler: handler, Registry: reg, One: isolationtest.Tenant{Token: "one"}, Two: isolationtest.Tenant{Token: "two"},
		Changes: []isolationtest.Seeder{func(ctx context.Context, m isolationtest.Mark) error {
			_, err := rows.ExecContext(ctx, `UPDATE staff SET city = 'Rome' WHERE account_id = ?`, m.Number())
			return err
		}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(tried) != 4 || len(report.Leaks) == 0 {
		t.Errorf("tried %v, found %v", tried, report.Leaks)
	}
}
