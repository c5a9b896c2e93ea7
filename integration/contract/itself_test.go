package contract_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// seed repeats what a failed run has generated.
var seed = flag.Uint64("seed", 0, "the seed of generated rows; 0 for a new one")

// findsItself checks that what a row of orders shows in the fields named, sent back under eq exactly as it
// came, finds the row.
func (s *server) findsItself(t *testing.T, row map[string]json.RawMessage, names []string) {
	t.Helper()
	for _, name := range names {
		if arguments, found := s.findsBy(t, row, []string{name}, func(string) bool { return false }); !found {
			t.Errorf("row %s is not found by its own %s: %s", row["id"], name, arguments)
		}
	}
}

// findsBy looks for a row by all the fields named, under eq or bare.
func (s *server) findsBy(t *testing.T, row map[string]json.RawMessage, names []string, bare func(name string) bool) (arguments string, found bool) {
	t.Helper()
	filter := map[string]any{}
	for _, name := range names {
		filter[name] = condition("eq", row[name])
		if bare(name) {
			filter[name] = row[name]
		}
	}
	arguments = object(t, "resource", "orders", "limit", 100, "fields", "id", "filter", filter)
	a := s.call(t, keyOne, "list", arguments)
	if a.isError {
		return arguments + "\n" + string(a.body), false
	}
	return arguments, slices.Contains(a.page(t).ids(), string(row["id"]))
}

// generated makes a table of random values and serves it.
func (db *database) generated(t *testing.T, r *rand.Rand, columns []generated, rows int) (*server, []string) {
	t.Helper()
	definition, names, values := "id int PRIMARY KEY, tenant_id int", []string{}, []string{}
	for n, c := range columns {
		names = append(names, fmt.Sprintf("c%d", n))
		definition += ", " + names[n] + " " + c.definition
	}
	for id := range rows {
		row := []string{fmt.Sprint(id), fmt.Sprint(1 + id%2)}
		for _, c := range columns {
			row = append(row, pick(r, "NULL", c.value(r), c.value(r), c.value(r), c.value(r)))
		}
		values = append(values, "("+strings.Join(row, ", ")+")")
	}
	db.table(t, "readings", "tenant_id", definition)
	db.exec(t, "INSERT INTO readings VALUES "+strings.Join(values, ","))
	spec := readings(names...)
	spec.Sortable = nil
	return db.serve(t, settings{}, spec), names
}

// Whatever a row shows, used under eq on its own field, finds that row.
func TestEveryValueFindsItsRow(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		n := *seed
		if n == 0 {
			n = rand.Uint64()
		}
		t.Logf("-seed %d", n)
		r := rand.New(rand.NewPCG(n, 0))
		columns := anywhere
		if db.name == "postgres" {
			db.exec(t, "CREATE TYPE pair AS (n int, word text); CREATE DOMAIN hours AS interval")
			columns = append(slices.Clone(anywhere), onlyPostgres...)
		}
		s, names := db.generated(t, r, columns, 60)
		rows := s.call(t, keyOne, "list", `{"resource":"orders","limit":100}`).page(t).Rows
		if len(rows) != 30 {
			t.Fatalf("%d rows", len(rows))
		}
		for _, row := range rows {
			bare := func(name string) bool {
				return r.IntN(2) == 0 && !strings.ContainsAny(string(row[name][:1]), "[{") && !columns[slices.Index(names, name)].whole
			}
			if _, found := s.findsBy(t, row, names, bare); !found {
				s.findsItself(t, row, names)
				t.Errorf("row %s is not found by all of itself", row["id"])
			}
		}
	})
}
