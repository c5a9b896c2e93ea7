package executors_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

// A cursor's meaning hangs on the declaration and on the table. When either changes it is over.
func TestCursorEndsWithItsSchema(t *testing.T) {
	t.Parallel()
	p := caller(t, 42, staff...)
	for _, tc := range []struct {
		name string
		spec func(*resource.Spec)
		db   func(map[executors.TableName]*executors.Table)
		good bool
	}{
		{"nothing changes", nil, nil, true},
		{"a description changes", func(s *resource.Spec) { s.Description = "Other words." }, nil, true},
		{"a filter key means another column", func(s *resource.Spec) { s.Filterable["number"] = "notes" }, nil, false},
		{"a custom filter means something else", func(s *resource.Spec) { s.Filters[0].Condition = s.Filters[1].Condition }, nil, false},
		{"the resource is narrowed", func(s *resource.Spec) { s.Narrow = resource.Conditions{"paid": true} }, nil, false},
		{"the key changes", func(s *resource.Spec) { s.Key = []string{"ref"} }, nil, false},
		{"changes are recorded elsewhere", func(s *resource.Spec) { s.UpdatedAt = "placed_at" }, nil, false},
		{"a column takes nulls", nil, func(m map[executors.TableName]*executors.Table) {
			m[executors.TableName{Name: "orders"}].Columns[3].Nullable = true
		}, false},
		{"a column's type changes", nil, func(m map[executors.TableName]*executors.Table) {
			m[executors.TableName{Name: "orders"}].Columns[3].Native = `"pg_catalog"."varchar"`
		}, false},
		{"the labels of an enum change their order", nil, func(m map[executors.TableName]*executors.Table) {
			slices.Reverse(m[executors.TableName{Name: "orders"}].Columns[4].Type.Labels)
		}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			x, db := openShop(t)
			req := firstPage(t, x, db, p, executors.ListRequest{Resource: "orders"})
			specs, all := shop(), shopTables()
			if tc.spec != nil {
				tc.spec(&specs[1])
			}
			if tc.db != nil {
				tc.db(all)
			}
			later := open(t, &fakeDB{tables: all}, quiet(), specs...)
			if tc.good {
				list(t, later, p, req)
			} else if got := refusal(t, later, p, req); got != refused {
				t.Error(got)
			}
		})
	}
}

// One finished count serves a listing, as long as it is asked in the same mode.
func TestCursorCarriesTheCount(t *testing.T) {
	t.Parallel()
	x, db := openShop(t)
	p := caller(t, 42)
	db.count = "77"
	req := firstPage(t, x, db, p, executors.ListRequest{Resource: "orders", Count: executors.CountExact})
	db.count = "88"
	for _, tc := range []struct {
		mode       executors.CountMode
		statements int
		total      *int
		status     string
	}{
		{executors.CountExact, 1, new(77), "exact"},
		{executors.CountCapped, 2, new(88), "exact"},
		{executors.CountNone, 1, nil, ""},
		{"", 1, nil, ""},
	} {
		req.Count = tc.mode
		got := list(t, x, p, req)
		if diff := cmp.Diff([]any{tc.total, tc.status}, []any{got.Meta.TotalCount, got.Meta.Status}); diff != "" {
			t.Errorf("%q: %s", tc.mode, diff)
		}
		if n := len(db.last(t).Statements); n != tc.statements {
			t.Errorf("%q: %d statements, want %d", tc.mode, n, tc.statements)
		}
		again := req
		again.Cursor, again.Count = *got.Meta.NextCursor, executors.CountExact
		want := new(77)
		if tc.mode == executors.CountCapped {
			want = new(88) // the page's own count took the place of the first
		}
		if got := list(t, x, p, again); !cmp.Equal(got.Meta.TotalCount, want) {
			t.Errorf("%q: two pages on the total is %d", tc.mode, *got.Meta.TotalCount)
		}
		db.calls = nil
	}
}

// A sort value over 1 KiB is read back by its key. Its row may be gone, or the database may fail to say so.
func TestCursorOfALongValue(t *testing.T) {
	t.Parallel()
	x, db := openShop(t)
	p := caller(t, 42, staff...)
	long := row{"id": "7", "number": strings.Repeat("n", 2000), "status": "open", "placed_at": oneRow["placed_at"], "paid": "true", "ref": oneRow["ref"]}
	db.rows = []row{long, long}
	req := executors.ListRequest{Resource: "orders", Sort: []string{"number"}, Limit: new(1)}
	got := list(t, x, p, req)
	req.Cursor = *got.Meta.NextCursor
	if len(req.Cursor) > 400 {
		t.Errorf("the cursor of a long value has %d characters", len(req.Cursor))
	}
	list(t, x, p, req)
	db.anchor = false
	if got := refusal(t, x, p, req); got != refused {
		t.Error(got)
	}
	db.down = resource.Errorf(resource.Timeout, "", "too slow")
	_, err := x.List(t.Context(), p, req)
	if diff := cmp.Diff([]string{"timeout "}, codes(err)); diff != "" {
		t.Error(diff)
	}
}
