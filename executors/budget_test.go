package executors_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
)

// orderOf is a row of orders with a note of n bytes.
func orderOf(n int) row {
	r := row{"notes": strings.Repeat("x", n)}
	for k, v := range oneRow {
		if k != "notes" {
			r[k] = v
		}
	}
	return r
}

func TestPageBudget(t *testing.T) {
	t.Parallel()
	x, db := openShop(t)
	p := caller(t, 42, staff...)
	for _, tc := range []struct {
		name      string
		rows      []row
		limit     int
		returned  int
		more      bool
		truncated bool
		cut       []string
	}{
		{"no row", nil, 25, 0, false, false, nil},
		{"fewer than the limit", many(orderOf(10), 3), 25, 3, false, false, nil},
		{"as many as the limit", many(orderOf(10), 5), 5, 5, false, false, nil},
		{"one more than the limit", many(orderOf(10), 6), 5, 5, true, false, nil},
		{"more bytes than a page takes", many(orderOf(10_000), 25), 25, 6, true, true, nil},
		{"a long row behind a short one", []row{orderOf(10), orderOf(65_000)}, 25, 1, true, true, nil},
		{"one long row", []row{orderOf(70_000)}, 25, 1, false, false, []string{"notes"}},
		{"one long row and others", []row{orderOf(70_000), orderOf(10)}, 25, 1, true, true, []string{"notes"}},
		{"limit zero", many(orderOf(10), 3), 0, 0, true, false, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			db.rows = tc.rows
			req := executors.ListRequest{Resource: "orders", Limit: &tc.limit, Count: executors.CountExact}
			got := list(t, x, p, req)
			want := []any{tc.returned, tc.more, tc.truncated, tc.cut}
			if diff := cmp.Diff(want, []any{got.Meta.Returned, got.Meta.HasMore, got.Meta.Truncated, got.Meta.CutFields}); diff != "" {
				t.Error(diff)
			}
			withinBudget(t, x, db, req)
		})
	}
}

// withinBudget walks the listing to its end; every page is small enough and every cursor is good.
func withinBudget(t *testing.T, x *executors.Executor, db *fakeDB, req executors.ListRequest) {
	t.Helper()
	p := caller(t, 42, staff...)
	for rest := db.rows; ; {
		a, err := x.List(context.Background(), p, req)
		if err != nil {
			t.Fatal(err)
		}
		if len(a.JSON) > pageBytes {
			t.Fatalf("a page of %d bytes", len(a.JSON))
		}
		got := decode(t, a)
		if !got.Meta.HasMore || got.Meta.Returned == 0 {
			break
		}
		rest = rest[got.Meta.Returned:]
		db.rows, req.Cursor = rest, *got.Meta.NextCursor
	}
	db.rows = nil
}

// The budget holds with every field cut, every name in cut_fields and the longest cursor.
func TestPageBudgetOfTheWidestAnswer(t *testing.T) {
	t.Parallel()
	x, db := openWide(t)
	wide := row{"id": "1", "big": "1"}
	var sort []string
	for _, name := range wideColumns() {
		wide[name] = strings.Repeat("\x01", 3000)
		sort = append(sort, "-"+name)
	}
	for _, at := range wideTimes() {
		wide[at] = "2026-07-01T09:30:00.000001Z"
		sort = append(sort, at)
	}
	for _, rows := range [][]row{many(wide, 1), many(wide, 3)} {
		db.rows = rows
		withinBudget(t, x, db, executors.ListRequest{Resource: "wide", Sort: sort, Count: executors.CountCapped})
	}
	db.rows = many(wide, 1)
	got := list(t, x, caller(t, 42), executors.ListRequest{Resource: "wide"})
	if n := len(got.Meta.CutFields); n < 30 {
		t.Errorf("only %d fields are cut", n)
	}
	a, err := x.Get(t.Context(), caller(t, 42), executors.GetRequest{Resource: "wide", ID: json.RawMessage(`1`)})
	if err != nil || len(a.JSON) > pageBytes || !a.Truncated {
		t.Errorf("get: %d bytes, %v", len(a.JSON), err)
	}
}

// A number of any length can be sorted by: a long one is not carried.
func TestCursorOfALongNumber(t *testing.T) {
	t.Parallel()
	x, db := openWide(t)
	p := caller(t, 42)
	for _, digits := range []int{1, 1000, 1024, 1025, 60_000, 131_072} {
		r := row{"id": "1", "big": strings.Repeat("9", digits)}
		db.rows = []row{r, r}
		req := executors.ListRequest{Resource: "wide", Fields: []string{"id"}, Sort: []string{"-big"}, Limit: new(1)}
		got := list(t, x, p, req)
		if req.Cursor = *got.Meta.NextCursor; len(req.Cursor) > 2000 {
			t.Errorf("%d digits: a cursor of %d characters", digits, len(req.Cursor))
		}
		list(t, x, p, req)
	}
}

// A cut row is still a row: it can be read, and what was cut is named in the order of the fields.
func TestCutFields(t *testing.T) {
	t.Parallel()
	x, db := openShop(t)
	r := orderOf(70_000)
	r["number"], r["meta"] = strings.Repeat("é", 40_000), `{"a":"`+strings.Repeat("x", 70_000)+`"}`
	db.rows = []row{r}
	got := list(t, x, caller(t, 42, staff...), executors.ListRequest{Resource: "orders", Fields: []string{"id", "meta", "number", "notes"}})
	if diff := cmp.Diff([]string{"number", "notes", "meta"}, got.Meta.CutFields); diff != "" {
		t.Error(diff)
	}
	var shown struct {
		ID            int
		Number, Notes string
		Meta          *struct{}
	}
	if err := json.Unmarshal(got.Rows[0], &shown); err != nil {
		t.Fatal(err)
	}
	if shown.ID != 7 || shown.Meta != nil || strings.Trim(shown.Number, "é") != "" || len(shown.Number) < 10_000 || len(shown.Notes) < 10_000 {
		t.Errorf("the cut row: id %d, %d and %d bytes of text, meta %v", shown.ID, len(shown.Number), len(shown.Notes), shown.Meta)
	}
}

// A computed member over a value that is too long to leave the database is null and named; the host is not
// asked.
func TestCutComputed(t *testing.T) {
	t.Parallel()
	x, db := openShop(t)
	r := orderOf(10)
	r["number"] = strings.Repeat("n", 70_000)
	db.rows = []row{r}
	got := list(t, x, caller(t, 42, staff...), executors.ListRequest{Resource: "orders", Fields: []string{"id", "headline"}})
	if diff := cmp.Diff(`{"id":7,"headline":null}`, string(got.Rows[0])); diff != "" {
		t.Error(diff)
	}
	if !slices.Equal(got.Meta.CutFields, []string{"headline"}) {
		t.Errorf("cut: %v", got.Meta.CutFields)
	}
}
