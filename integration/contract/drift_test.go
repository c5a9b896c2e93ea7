package contract_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// changing serves one table that the test then changes.
func (db *database) changing(t *testing.T) *server {
	t.Helper()
	if db.name == "postgres" {
		db.exec(t, `CREATE TYPE mood AS ENUM ('good', 'bad')`)
		db.table(t, "things", "tenant_id", "id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL, name VARCHAR(20), qty INTEGER, spare INTEGER, mood mood")
	} else {
		db.table(t, "things", "tenant_id", "id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL, name VARCHAR(20), qty INTEGER, spare INTEGER, mood TEXT")
	}
	db.table(t, "others", "tenant_id", "id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL, thing_id INTEGER")
	db.exec(t, `INSERT INTO things (id, tenant_id, name, qty, mood) VALUES (1, 1, 'one', 10, 'good'), (2, 2, 'SECRET-OF-TWO', 20, 'bad');
		INSERT INTO others (id, tenant_id, thing_id) VALUES (1, 1, 1)`)
	spec := func(name string, fields ...string) resource.Spec {
		s := resource.Spec{Name: name, Table: name, Scope: scope.Column("tenant_id"), Serializer: serializer.Columns(fields...), Filterable: resource.Columns{}}
		for _, f := range fields {
			s.Filterable[f] = f
		}
		return s
	}
	things := spec("things", "id", "name", "qty", "mood")
	things.Sortable = []string{"name"}
	things.Relations = []resource.Relation{resource.HasMany("others", "others", "thing_id")}
	others := spec("others", "id")
	others.Relations = []resource.Relation{resource.BelongsTo("thing", "things", "thing_id")}
	return db.serve(t, settings{}, things, others)
}

// What is added to a database, or taken from it unseen, fails no call.
func TestAdditiveChangesFailNoCall(t *testing.T) {
	onPostgres(t, func(t *testing.T, db *database) {
		s := db.changing(t)
		var stop atomic.Bool
		var calls atomic.Int64
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				for !stop.Load() {
					call := [][2]string{
						{"list", `{"resource":"things","filter":{"name":"one"},"sort":["-name"],"count":"exact","include":["others"]}`},
						{"get", `{"resource":"things","id":1}`},
						{"list", `{"resource":"others","filter":{"thing.qty":{"op":"gteq","value":1}}}`},
						{"list", `{"resource":"things","fields":["id","others"],"limit":0,"count":"capped"}`},
					}[i%4]
					if a := s.call(t, keyOne, call[0], call[1]); a.isError {
						t.Errorf("%s %s: %s", call[0], call[1], a.body)
						return
					}
					calls.Add(1)
				}
			})
		}
		defer func() { stop.Store(true); wg.Wait() }()
		for _, change := range []string{
			`ALTER TABLE things ADD COLUMN extra TEXT DEFAULT 'x'`, `ALTER TABLE things DROP COLUMN spare`,
			`ALTER TABLE things ALTER COLUMN name TYPE VARCHAR(200)`, `CREATE INDEX ON things (tenant_id, name)`,
			`BEGIN; ALTER TABLE things RENAME TO away; ALTER TABLE away RENAME TO things; COMMIT`, `ALTER TYPE mood ADD VALUE 'fair'`,
			`ALTER TABLE others ADD COLUMN note TEXT`, `ANALYZE things`,
		} {
			before := calls.Load()
			db.exec(t, change)
			for calls.Load() < before+40 && !t.Failed() {
				time.Sleep(time.Millisecond)
			}
		}
	})
}

// recovers calls a tool until an answer is as wanted. Every answer before is a clean error.
func (s *server) recovers(t *testing.T, tool, arguments string, good func(answer) bool) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		a := s.call(t, keyOne, tool, arguments)
		if good(a) {
			return
		}
		if a.isError {
			if code := a.refused(t).Code; !slices.Contains([]string{"internal", "unavailable", "unknown_filter", "invalid_filter"}, code) {
				t.Errorf("%s %s: %s", tool, arguments, a.body)
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s %s: does not recover: %s", tool, arguments, a.body)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func holds(text string) func(answer) bool {
	return func(a answer) bool { return !a.isError && strings.Contains(string(a.body), text) }
}

func unavailable(a answer) bool {
	return a.isError && strings.Contains(string(a.body), `"unavailable"`)
}

// A change that takes away what a resource shows is a clean error while it lasts, of that resource alone, and
// over without a restart.
func TestIncompatibleChanges(t *testing.T) {
	onPostgres(t, func(t *testing.T, db *database) {
		s := db.changing(t)
		const all = `{"resource":"things"}`
		s.recovers(t, "list", all, holds(`"qty":10`))
		for _, step := range []struct {
			change string
			good   func(answer) bool
		}{
			{`ALTER TABLE things ALTER COLUMN qty TYPE BIGINT USING 9007199254740993`, holds(`"qty":"9007199254740993"`)},
			{`ALTER TABLE things ALTER COLUMN qty TYPE TEXT USING 'ten'`, holds(`"qty":"ten"`)},
			{`ALTER TABLE things RENAME COLUMN qty TO amount`, unavailable},
			{`ALTER TABLE things RENAME COLUMN amount TO qty`, holds(`"qty":"ten"`)},
			{`ALTER TABLE things RENAME TO gone`, unavailable},
			{`ALTER TABLE gone RENAME TO things`, holds(`"name":"one"`)},
			{`REVOKE SELECT ON things FROM tenantry_reader`, unavailable},
			{`GRANT SELECT ON things TO tenantry_reader`, holds(`"name":"one"`)},
			{`CREATE TYPE mood2 AS ENUM ('better', 'worse'); ALTER TABLE things ALTER COLUMN mood TYPE mood2 USING 'better'; DROP TYPE mood`, holds(`"mood":"better"`)},
			{`ALTER TABLE things RENAME TO base; CREATE VIEW things AS SELECT id, tenant_id, name || '!' AS name, qty, mood FROM base;
			  GRANT SELECT ON things TO tenantry_reader`, unavailable}, // a view has no key of its own
			{`DROP VIEW things; ALTER TABLE base RENAME TO things`, holds(`"name":"one"`)},
		} {
			db.exec(t, step.change)
			s.recovers(t, "list", all, step.good)
			// The other resource goes on, and what leads to the first one is a clean answer.
			if a := s.call(t, keyOne, "list", `{"resource":"others","fields":["id"]}`); a.isError {
				t.Errorf("%s: others: %s", step.change, a.body)
			}
			if a := s.call(t, keyOne, "list", `{"resource":"others","include":["thing"]}`); a.isError {
				code := a.refused(t).Code
				if code != "unavailable" && code != "internal" && code != "unknown_field" {
					t.Errorf("%s: others with things: %s", step.change, a.body)
				}
			}
		}
		s.recovers(t, "list", `{"resource":"things","filter":{"mood":"better"}}`, holds(`"id":1`))
		if logs := s.logs.String(); !strings.Contains(logs, `"event":"drift"`) || !strings.Contains(logs, `"event":"drift_over"`) {
			t.Error("nobody was told")
		}
	})
}

// What no call stumbles over is found on demand: a new label, and a row policy that is gone.
func TestRebind(t *testing.T) {
	onPostgres(t, func(t *testing.T, db *database) {
		s := db.changing(t)
		db.exec(t, `ALTER TYPE mood ADD VALUE 'fair'`)
		if err := s.exec.Rebind(t.Context()); err != nil {
			t.Fatal(err)
		}
		if a := s.call(t, keyOne, "list", `{"resource":"things","filter":{"mood":"fair"}}`); a.isError {
			t.Errorf("a new label: %s", a.body)
		}
		first := s.call(t, keyOne, "list", `{"resource":"things","limit":0,"count":"exact"}`).page(t)
		db.exec(t, `ALTER TABLE things ADD COLUMN extra TEXT`)
		if err := s.exec.Rebind(t.Context()); err != nil {
			t.Fatal(err)
		}
		next := fmt.Sprintf(`{"resource":"things","cursor":%q}`, first.Meta.NextCursor)
		if a := s.call(t, keyOne, "list", next); a.isError {
			t.Errorf("a cursor from before the new column: %s", a.body)
		}
		strict := db.serve(t, settings{executor: executors.Options{RequireRLS: true}}, resource.Spec{
			Name: "others", Table: "others", Scope: scope.Column("tenant_id"), Serializer: serializer.Columns("id"),
		})
		db.exec(t, `ALTER TABLE others DISABLE ROW LEVEL SECURITY`)
		if err := strict.exec.Rebind(t.Context()); err == nil {
			t.Error("the policy is gone and nothing is said")
		}
		if a := strict.call(t, keyOne, "list", `{"resource":"others"}`); !unavailable(a) {
			t.Errorf("without its policy: %s", a.body)
		}
		db.exec(t, `ALTER TABLE others ENABLE ROW LEVEL SECURITY`)
		if err := strict.exec.Rebind(t.Context()); err != nil {
			t.Fatal(err)
		}
		if a := strict.call(t, keyOne, "list", `{"resource":"others"}`); a.isError {
			t.Errorf("with its policy again: %s", a.body)
		}
	})
}

// SQLite's statements fail when they are prepared, and recover in the same way.
func TestChangesOnSQLite(t *testing.T) {
	t.Parallel()
	db := newSQLite(t)
	s := db.changing(t)
	const all = `{"resource":"things"}`
	s.recovers(t, "list", all, holds(`"qty":10`))
	for _, step := range []struct {
		change string
		good   func(answer) bool
	}{
		{`ALTER TABLE things ADD COLUMN extra TEXT`, holds(`"qty":10`)},
		{`ALTER TABLE things RENAME COLUMN qty TO amount`, unavailable},
		{`ALTER TABLE things RENAME COLUMN amount TO qty`, holds(`"qty":10`)},
		{`ALTER TABLE things RENAME TO gone`, unavailable},
		{`ALTER TABLE gone RENAME TO things`, holds(`"qty":10`)},
	} {
		db.exec(t, step.change)
		s.recovers(t, "list", all, step.good)
	}
}
