package contract_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/tenantry/tenantry/executors"
)

// table makes a table that the server may read, bound to its tenant column where there are row policies.
func (db *database) table(t *testing.T, name, tenantColumn, columns string) {
	t.Helper()
	db.exec(t, "CREATE TABLE "+name+" ("+columns+")")
	if db.name == "postgres" {
		db.exec(t, "CALL tenantry.protect('"+name+"', '"+tenantColumn+"')")
	}
}

// view makes a view that the server may read.
func (db *database) view(t *testing.T, name, query string) {
	t.Helper()
	db.exec(t, "CREATE VIEW "+name+" AS "+query)
	if db.name == "postgres" {
		db.exec(t, "GRANT SELECT ON "+name+" TO tenantry_reader")
	}
}

// numbered is SQL for the numbers 1 to n as rows of the table named s, in the column i, which both databases
// take behind INSERT INTO.
func numbered(n string, rest string) string {
	return "WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < " + n + ") " + rest
}

// spy is a database that tells what its server asks of it.
type spy struct {
	executors.DB

	mu         sync.Mutex
	calls      int
	statements []*executors.Statement
	bytes      int // of the values that came back
}

// watched is settings with a spy in them.
func watched(s settings) (settings, *spy) {
	w := &spy{}
	s.wrap = func(db executors.DB) executors.DB { w.DB = db; return w }
	return s, w
}

func (w *spy) Run(ctx context.Context, call *executors.Call) error {
	w.mu.Lock()
	w.calls++
	w.statements = append(w.statements, call.Statements...)
	w.mu.Unlock()
	for _, s := range call.Statements {
		row := s.Row
		s.Row = func(values [][]byte) error {
			w.count(values)
			return row(values)
		}
	}
	return w.DB.Run(ctx, call)
}

func (w *spy) count(values [][]byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, v := range values {
		w.bytes += len(v)
	}
}

// take returns what has been asked since the last time: round trips, statements and bytes that came back.
func (w *spy) take() (calls int, statements []*executors.Statement, bytes int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	calls, statements, bytes = w.calls, w.statements, w.bytes
	w.calls, w.statements, w.bytes = 0, nil, 0
	return calls, statements, bytes
}

// object is a JSON object of pairs of name and value, for arguments.
func object(t *testing.T, pairs ...any) string {
	t.Helper()
	parts := make([]string, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		parts = append(parts, jsonOf(t, pairs[i])+":"+jsonOf(t, pairs[i+1]))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// condition is a condition.
func condition(op string, value any) map[string]any { return map[string]any{"op": op, "value": value} }
