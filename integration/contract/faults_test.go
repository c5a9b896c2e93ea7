package contract_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

var generic = regexp.MustCompile(`^\{"error":\{"code":"internal","message":"internal error: try again, or tell the operator this reference: ([0-9a-f]{16})"\}\}$`)

// logLine is a line of the server's log.
type logLine struct {
	Level, Msg, Reference, Tool, Resource, Code, SQLState, Cause, Type string
	text                                                               string
}

// logged are the lines under a reference.
func (s *server) logged(t *testing.T, reference string) (lines []logLine) {
	t.Helper()
	for text := range strings.Lines(s.logs.String()) {
		l := logLine{text: text}
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if l.Reference == reference && l.Msg != "call" {
			lines = append(lines, l)
		}
	}
	return lines
}

// failing checks that a call fails with the generic sentence, and returns what the log has of it.
func (s *server) failing(t *testing.T, arguments string) []logLine {
	t.Helper()
	a := s.call(t, keyOne, "list", arguments)
	m := generic.FindSubmatch(a.body)
	if m == nil || !a.isError {
		t.Fatalf("%s: want the generic sentence, got %s", arguments, a.body)
	}
	lines := s.logged(t, string(m[1]))
	if len(lines) == 0 || lines[len(lines)-1].Level != "ERROR" || lines[len(lines)-1].Tool != "list" {
		t.Fatalf("%s: the log under %s: %v", arguments, m[1], lines)
	}
	return lines
}

// fault is something that breaks behind the server's back, and what of it the log must tell.
type fault struct {
	name           string
	broken, mended string // SQL
	state, cause   string // SQLSTATE; text of the cause
	out            bool   // it takes the resource out of service
}

const secretNote = "SECRET-NOTE"

// readingsView is SQL that makes the view readings anew.
func readingsView(columns string) string {
	return "DROP VIEW readings; CREATE VIEW readings AS SELECT " + columns + " FROM base;"
}

// faults break the view readings or what it stands on.
func faults(database string) []fault {
	if database == "sqlite" {
		return []fault{
			{"a missing table", `DROP VIEW readings`, `CREATE VIEW readings AS SELECT * FROM base`, "", "readings", true},
			{"overflow", readingsView("id, tenant_id, abs(-9223372036854775807 - (id = 2)) AS n, note"), readingsView("*"), "", "integer overflow", false},
		}
	}
	const grant = `GRANT SELECT ON readings TO tenantry_reader`
	return []fault{
		{"a missing table", `DROP VIEW readings`, `CREATE VIEW readings AS SELECT * FROM base;` + grant, "42P01", "readings", true},
		{"permission denied", `REVOKE SELECT ON readings FROM tenantry_reader`, grant, "42501", "readings", true},
		{"division by zero", readingsView("id, tenant_id, (id / (id - 2))::bigint AS n, note") + grant, readingsView("*") + grant, "22012", "division by zero", false},
		{"a value in the cause", readingsView("id, tenant_id, note::bigint AS n, note") + grant, readingsView("*") + grant, "22P02", secretNote, false},
	}
}

// A fault of ours is one sentence and a reference; under it the log has everything but the rows.
func TestForcedFaults(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.table(t, "base", "tenant_id", "id bigint PRIMARY KEY, tenant_id int, n bigint, note text")
		db.exec(t, `INSERT INTO base VALUES (1, 1, 1, '`+secretNote+`'), (2, 1, 2, NULL), (3, 2, 3, 'SECRET-OF-TWO')`)
		db.view(t, "readings", "SELECT * FROM base")
		s := db.serve(t, settings{}, resource.Spec{
			Name: "orders", Table: "readings", Key: []string{"id"}, Scope: scope.Column("tenant_id"),
			Filterable: resource.Columns{"n": "n"}, Serializer: serializer.Columns("id", "n"),
		})
		const arguments = `{"resource":"orders","filter":{"n":{"op":"gteq","value":0}}}`
		for _, f := range faults(db.name) {
			s.recovers(t, "list", arguments, func(a answer) bool { return !a.isError && len(a.page(t).ids()) == 2 })
			db.exec(t, f.broken)
			if f.out {
				s.recovers(t, "list", arguments, unavailable)
				if logs := s.logs.String(); !strings.Contains(logs, `"event":"drift"`) || !strings.Contains(logs, f.cause) {
					t.Errorf("%s: the log does not tell the cause:\n%s", f.name, logs)
				}
				db.exec(t, f.mended)
				continue
			}
			told := false
			for _, line := range s.failing(t, arguments) {
				told = told || strings.Contains(line.Cause, f.cause)
				if line.Level != "DEBUG" && (strings.Contains(line.text, secretNote) || line.SQLState != f.state) {
					t.Errorf("%s: %s", f.name, line.text)
				}
			}
			if !told {
				t.Errorf("%s: the log does not tell the cause:\n%s", f.name, s.logs)
			}
			db.exec(t, f.mended)
		}
		if strings.Contains(s.logs.String(), "SECRET-OF-TWO") {
			t.Errorf("the log holds another tenant's row:\n%s", s.logs)
		}
	})
}

// In a hook of the host: an error and a panic are the same sentence.
func TestFaultsOfTheHost(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.exec(t, `INSERT INTO tenants (id, name) VALUES (1, 'one'); INSERT INTO orders (id, tenant_id) `+numbered("5", `SELECT i, 1 FROM s;`))
		s := db.serve(t, settings{}, fragileOrders())
		for note, cause := range map[string]string{"error": "not to be had", "panic": "panicked"} {
			db.exec(t, `UPDATE orders SET note = '`+note+`'`)
			line := s.failing(t, `{"resource":"orders"}`)[0]
			if !strings.Contains(line.Cause, cause) || !strings.Contains(line.Cause, "orders") {
				t.Errorf("%s: %+v", note, line)
			}
		}
		if got := s.call(t, keyOne, "list", `{"resource":"orders","limit":2}`).page(t).ids(); len(got) != 2 {
			t.Errorf("afterwards: %s", got)
		}
	})
}

// Out of time: a sentence of its own, which says what to do.
func TestSlowStatements(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.slowOrders(t, "2000", settings{executor: executors.Options{StatementTimeout: time.Second}})
		e := s.call(t, keyOne, "list", `{"resource":"orders","filter":{"slow":0},"sort":["-note"]}`).refused(t)
		want := errorDoc{Code: "timeout", Message: "the database did not finish in time: narrow the filter, or sort by an indexed field"}
		if e.Code != want.Code || e.Message != want.Message || e.Path != "" {
			t.Errorf("want %+v, got %+v", want, e)
		}
		if got := s.call(t, keyOne, "list", `{"resource":"orders","limit":100}`).page(t).ids(); len(got) != 100 {
			t.Errorf("afterwards: %d rows", len(got))
		}
	})
}
