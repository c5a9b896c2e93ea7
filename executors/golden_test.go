package executors_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/scope"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares with testdata/name.golden.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run with -update to write it", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s:\n%s", path, diff)
	}
}

// show writes what a call sends to the database.
func show(call *executors.Call) string {
	var b strings.Builder
	if call.Snapshot {
		b.WriteString("snapshot\n")
	}
	for _, s := range call.Statements {
		b.WriteString(s.SQL + "\n")
		for i, a := range s.Args {
			if scope.IsTenant(a) {
				fmt.Fprintf(&b, "  $%d the tenant\n", i+1)
			} else {
				fmt.Fprintf(&b, "  $%d %#v\n", i+1, a)
			}
		}
		for i, bin := range s.Binary {
			if bin {
				fmt.Fprintf(&b, "  column %d binary, type %d\n", i+1, s.OIDs[i])
			}
		}
		if s.Timeout > 0 {
			fmt.Fprintf(&b, "  within %v\n", s.Timeout)
		}
	}
	return b.String()
}

// listCase is a call of list and the statements it becomes.
type listCase struct {
	name  string
	req   executors.ListRequest
	after row // the row behind which the page begins; nil: the first page
}

func listCases() []listCase {
	full := row{
		"id": "7", "number": "N-7", "status": "open", "total": "19.90", "paid": "true", "placed_at": "2026-07-01T09:30:00.000001Z",
		"shipped_at": "2026-07-02T00:00:00Z", "ref": "6f1f2c9e-3b1a-4f0e-9a52-1f7f4c0d2b11", "notes": "short",
	}
	bare := row{"id": "7", "number": "N-7", "status": "open", "paid": "false", "placed_at": "2026-07-01T00:00:00Z", "ref": "6f1f2c9e-3b1a-4f0e-9a52-1f7f4c0d2b11"}
	long := row{"id": "7", "number": strings.Repeat("n", 2000), "notes": strings.Repeat("x", 2000)}
	few := []string{"id"}
	return []listCase{
		{"plain", executors.ListRequest{Resource: "orders"}, nil},
		{"fields", executors.ListRequest{Resource: "orders", Fields: []string{"paid", "customer", "id"}}, nil},
		{"fields_links_alone", executors.ListRequest{Resource: "orders", Fields: []string{"subject"}}, nil},
		{"computed", executors.ListRequest{Resource: "orders", Fields: []string{"headline", "worth"}}, nil},
		{"limit_zero", executors.ListRequest{Resource: "orders", Fields: few, Limit: new(0), Count: executors.CountExact}, nil},
		{"limit_lowered", executors.ListRequest{Resource: "orders", Fields: few, Limit: new(5000)}, nil},
		{"offset", executors.ListRequest{Resource: "orders", Fields: few, Offset: 50}, nil},
		{"sorted", executors.ListRequest{Resource: "orders", Fields: few, Sort: []string{"-placed_at", "number"}}, nil},
		{"sorted_nullable", executors.ListRequest{Resource: "orders", Fields: few, Sort: []string{"-shipped_at", "total"}}, nil},
		{"ids", executors.ListRequest{Resource: "orders", Fields: few, IDs: json.RawMessage(`[1,"2",3]`)}, nil},
		{"ids_text", executors.ListRequest{Resource: "orders", Fields: few, IDs: json.RawMessage(`"1, 2,3"`)}, nil},
		{"ids_composite", executors.ListRequest{Resource: "documents", IDs: json.RawMessage(`["north:1","a%3Ab%2Fc%25:2"]`)}, nil},
		{"updated_since", executors.ListRequest{Resource: "orders", Fields: few, UpdatedSince: "2026-07-01T02:00:00+02:00"}, nil},
		{"filter", executors.ListRequest{Resource: "orders", Fields: few, Filter: json.RawMessage(
			`{"status":["open","paid"],"total":[{"op":"gteq","value":5},{"op":"lt","value":"9.90"}],"any":[{"paid":true},{"not":{"number":{"op":"matches","value":"50%"}}}]}`)}, nil},
		{"filter_forms", executors.ListRequest{Resource: "orders", Fields: few, Filter: json.RawMessage(
			`{"placed_at":"2026-07-01","delivered":null,"due":["2026-07-01",null],"tags":{"op":"contains","value":["a","b"]},"meta":{"op":"has_key","value":"k"},"subject_type":"Order","subject_id":5}`)}, nil},
		{"filter_custom", executors.ListRequest{Resource: "orders", Fields: few, Filter: json.RawMessage(`{"sku":"A-1","paid":true}`)}, nil},
		{"count_exact", executors.ListRequest{Resource: "orders", Fields: few, Count: executors.CountExact, Filter: json.RawMessage(`{"paid":true}`), Sort: []string{"ref"}}, nil},
		{"count_capped", executors.ListRequest{Resource: "orders", Fields: few, Count: executors.CountCapped, IDs: json.RawMessage(`[1]`), UpdatedSince: "2026-07-01"}, nil},
		{"count_custom", executors.ListRequest{Resource: "orders", Fields: few, Count: executors.CountExact, Filter: json.RawMessage(`{"sku":"A-1"}`)}, nil},
		{"after_key", executors.ListRequest{Resource: "orders", Fields: few}, full},
		{"after_row", executors.ListRequest{Resource: "orders", Fields: few, Sort: []string{"placed_at", "ref"}}, full},
		{"after_row_descending", executors.ListRequest{Resource: "orders", Fields: few, Sort: []string{"-placed_at", "-ref"}}, full},
		{"after_mixed", executors.ListRequest{Resource: "orders", Fields: few, Sort: []string{"-placed_at", "ref"}}, full},
		{"after_mixed_twice", executors.ListRequest{Resource: "orders", Fields: few, Sort: []string{"placed_at", "-status", "ref"}}, full},
		{"after_nullable", executors.ListRequest{Resource: "orders", Fields: few, Sort: []string{"shipped_at"}}, full},
		{"after_nullable_descending", executors.ListRequest{Resource: "orders", Fields: few, Sort: []string{"-shipped_at"}}, full},
		{"after_null", executors.ListRequest{Resource: "orders", Fields: few, Sort: []string{"shipped_at"}}, bare},
		{"after_null_descending", executors.ListRequest{Resource: "orders", Fields: few, Sort: []string{"-shipped_at"}}, bare},
		{"after_two_nulls", executors.ListRequest{Resource: "orders", Fields: few, Sort: []string{"-shipped_at", "-total"}}, bare},
		{"after_nullable_between", executors.ListRequest{Resource: "orders", Fields: few, Sort: []string{"ref", "total", "status"}}, full},
		{"after_short_text", executors.ListRequest{Resource: "orders", Fields: few, Sort: []string{"notes"}}, full},
		{"after_long_text", executors.ListRequest{Resource: "orders", Fields: few, Sort: []string{"notes"}}, long},
		{"after_long_not_null", executors.ListRequest{Resource: "orders", Fields: few, Sort: []string{"-number"}, Count: executors.CountCapped}, long},
		{"after_filtered", executors.ListRequest{Resource: "orders", Fields: few, Sort: []string{"shipped_at"}, Filter: json.RawMessage(`{"paid":true}`), IDs: json.RawMessage(`[7,8]`)}, full},
		{"after_composite", executors.ListRequest{Resource: "documents"}, row{"region": "north", "no": "3", "title": "x"}},
		{"after_composite_sorted", executors.ListRequest{Resource: "documents", Sort: []string{"-title"}}, row{"region": "north", "no": "3", "title": "x"}},
		{"via", executors.ListRequest{Resource: "lines"}, nil},
		{"via_count", executors.ListRequest{Resource: "lines", Count: executors.CountExact}, nil},
		{"narrowed", executors.ListRequest{Resource: "customers", Sort: []string{"email"}}, nil},
		{"narrowed_after", executors.ListRequest{Resource: "customers", Sort: []string{"email"}}, row{"id": "1", "name": "a", "email": "b"}},
		{"shared", executors.ListRequest{Resource: "catalogue"}, nil},
		{"any_of", executors.ListRequest{Resource: "deals", Count: executors.CountExact}, nil},
		{"free", executors.ListRequest{Resource: "readings"}, nil},
		{"free_count", executors.ListRequest{Resource: "readings", Count: executors.CountExact}, nil},
		{"free_count_capped", executors.ListRequest{Resource: "readings", Count: executors.CountCapped}, nil},
		{"related_lists", executors.ListRequest{Resource: "orders", Fields: []string{"id", "lines"}}, nil},
		{"related_filter", executors.ListRequest{Resource: "orders", Fields: few, Count: executors.CountCapped, Filter: json.RawMessage(
			`{"lines.id":[1,2],"customer.id":7,"any":[{"lines.id":{"op":"not_eq","value":3}},{"paid":true}]}`)}, nil},
		{"related_hops", executors.ListRequest{Resource: "lines", Filter: json.RawMessage(`{"order.customer.id":7,"order.sku":"A-1"}`)}, nil},
		{"include_to_one", executors.ListRequest{Resource: "orders", Fields: few, Include: []string{"customer"}}, nil},
		{"include_to_many", executors.ListRequest{Resource: "orders", Fields: few, Include: []string{"lines"}, Sort: []string{"shipped_at"}}, full},
		{"view", executors.ListRequest{Resource: "summary", Sort: []string{"-day"}}, row{"day": "2026-07-01", "orders": "3"}},
	}
}

// One executor answers all the cases, in two orders, so that a statement that is kept for a shape is seen to
// serve that shape alone.
func TestListSQL(t *testing.T) {
	t.Parallel()
	x, db := openShop(t)
	p := caller(t, 42, staff...)
	cases := listCases()
	again := slices.Clone(cases)
	slices.Reverse(again)
	for _, tc := range append(cases, again...) {
		t.Run(tc.name, func(t *testing.T) {
			req := tc.req
			if tc.after != nil {
				db.rows = []row{tc.after, tc.after}
				first := req
				first.Limit, first.Count = new(1), ""
				req.Cursor = *list(t, x, p, first).Meta.NextCursor
				db.rows, db.calls = nil, nil
			}
			list(t, x, p, req)
			golden(t, "sql/"+tc.name, show(db.last(t)))
		})
	}
}

func TestGetSQL(t *testing.T) {
	t.Parallel()
	for name, req := range map[string]executors.GetRequest{
		"get":           {Resource: "orders", ID: json.RawMessage(`7`), Fields: []string{"number", "customer"}},
		"get_all":       {Resource: "customers", ID: json.RawMessage(`"7"`)},
		"get_composite": {Resource: "documents", ID: json.RawMessage(`"a%3Ab:2"`)},
		"get_via":       {Resource: "lines", ID: json.RawMessage(`7`)},
		"get_uuid":      {Resource: "readings", ID: json.RawMessage(`"6F1F2C9E-3B1A-4F0E-9A52-1F7F4C0D2B11"`)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x, db := openShop(t)
			db.rows = []row{{"id": "7", "no": "2", "region": "a:b", "number": "N", "name": "x", "quantity": "1", "sku": "A"}}
			if name == "get_uuid" {
				db.rows[0]["id"] = "6f1f2c9e-3b1a-4f0e-9a52-1f7f4c0d2b11"
			}
			if _, err := x.Get(context.Background(), caller(t, 42, staff...), req); err != nil {
				t.Fatal(err)
			}
			golden(t, "sql/"+name, show(db.last(t)))
		})
	}
}
