package filtering_test

import (
	"encoding/json"
	"testing"

	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/resource"
)

// What no element can equal, or what could mean two things, is refused by the operators that look for elements,
// and part of the whole that eq compares.
func TestElementsToLookFor(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		filter string
		path   string // of the mistake; empty for a good filter
	}{
		{`{"tags":{"op":"contains","value":["a",null]}}`, "/filter/tags/value/1"},
		{`{"tags":{"op":"overlaps","value":[null]}}`, "/filter/tags/value/0"},
		{`{"grid":{"op":"contains","value":[[1],[null]]}}`, "/filter/grid/value/1/0"},
		{`{"docs":{"op":"contains","value":[null]}}`, "/filter/docs/value/0"},
		{`{"docs":{"op":"overlaps","value":[[1,2]]}}`, "/filter/docs/value"},
		{`{"tags":{"op":"eq","value":["a",null]}}`, ""},
		{`{"tags":{"op":"not_eq","value":[null]}}`, ""},
		{`{"docs":{"op":"eq","value":[[1,2],null]}}`, ""},
		{`{"docs":{"op":"contains","value":[{"a":[1,null]},"null"]}}`, ""},
		{`{"grid":{"op":"contains","value":[[1,2]]}}`, ""},
	} {
		t.Run(tt.filter, func(t *testing.T) {
			t.Parallel()
			if tt.path == "" {
				if _, err := filtering.Parse(json.RawMessage(tt.filter), orders()); err != nil {
					t.Error(err)
				}
				return
			}
			found := mistakes(t, tt.filter)
			if len(found) != 1 || found[0].Path != tt.path || found[0].Code != resource.InvalidFilter {
				t.Fatalf("%v", found)
			}
			checkMistake(t, tt.filter, found[0])
		})
	}
}
