package contract_test

import (
	"encoding/json"
	"slices"
	"testing"
)

// findsItself checks that what a row of orders shows in the fields named, sent back under eq exactly as it
// came, finds the row.
func (s *server) findsItself(t *testing.T, row map[string]json.RawMessage, names []string) {
	t.Helper()
	for _, name := range names {
		arguments := object(t, "resource", "orders", "limit", 100, "fields", "id", "filter",
			map[string]any{name: map[string]any{"op": "eq", "value": row[name]}})
		if a := s.call(t, keyOne, "list", arguments); a.isError || !slices.Contains(a.page(t).ids(), string(row["id"])) {
			t.Errorf("row %s is not found by its own %s: %s\n%s", row["id"], name, arguments, a.body)
		}
	}
}

// sorted is a sorted copy.
func sorted(s []string) []string { return slices.Sorted(slices.Values(s)) }
