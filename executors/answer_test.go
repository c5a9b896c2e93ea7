package executors_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

func TestListAnswer(t *testing.T) {
	t.Parallel()
	x, db := openShop(t)
	full := orderOf(0)
	full["customer_id"], full["subject_type"], full["subject_id"], full["meta"] = "3", "Order", "9007199254740993", `{"a":1.50}`
	db.rows = []row{full}
	for _, tc := range []struct {
		name string
		req  executors.ListRequest
		want string
	}{
		{
			"everything",
			executors.ListRequest{Resource: "orders"},
			`{"resource":"orders","rows":[{"id":7,"number":"N-7","status":"open","paid":true,"placed_at":"2026-07-01T09:30:00.000001Z","shipped_at":null,` +
				`"notes":"","meta":{"a":1.50},"ref":"6f1f2c9e-3b1a-4f0e-9a52-1f7f4c0d2b11","headline":"N-7 open",` +
				`"links":{"subject":{"type":"Order","id":"9007199254740993"}}}],"meta":{"limit":25,"returned":1,"has_more":false}}`,
		},
		{
			"some fields in declared order",
			executors.ListRequest{Resource: "orders", Fields: []string{"paid", "id", "paid"}},
			`{"resource":"orders","rows":[{"id":7,"paid":true}],"meta":{"limit":25,"returned":1,"has_more":false}}`,
		},
		{
			"a count",
			executors.ListRequest{Resource: "orders", Fields: []string{"id"}, Count: executors.CountExact, Limit: new(1000)},
			`{"resource":"orders","rows":[{"id":7}],"meta":{"limit":100,"returned":1,"has_more":false,"total_count":3,"count_status":"exact"}}`,
		},
	} {
		a, err := x.List(t.Context(), caller(t, 42), tc.req)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, string(a.JSON)); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}

func TestCounts(t *testing.T) {
	t.Parallel()
	x, db := openShop(t)
	for _, tc := range []struct {
		count  string
		late   bool
		mode   executors.CountMode
		total  *int
		status string
	}{
		{"0", false, executors.CountExact, new(0), "exact"},
		{"123456", false, executors.CountExact, new(123456), "exact"},
		{"9999", false, executors.CountCapped, new(9999), "exact"},
		{"10000", false, executors.CountCapped, new(10000), "exact"},
		{"10001", false, executors.CountCapped, new(10000), "at_least"},
		{"5", true, executors.CountExact, nil, "timed_out"},
		{"5", true, executors.CountCapped, nil, "timed_out"},
		{"5", false, executors.CountNone, nil, ""},
	} {
		db.count, db.late, db.rows = tc.count, tc.late, []row{oneRow, oneRow}
		req := executors.ListRequest{Resource: "orders", Count: tc.mode, Limit: new(1)}
		got := list(t, x, caller(t, 42), req)
		if diff := cmp.Diff([]any{tc.total, tc.status, 1}, []any{got.Meta.TotalCount, got.Meta.Status, got.Meta.Returned}); diff != "" {
			t.Errorf("%+v: %s", tc, diff)
		}
		if !tc.late {
			continue
		}
		db.late, req.Cursor = false, *got.Meta.NextCursor // the next page counts again
		if got := list(t, x, caller(t, 42), req); got.Meta.Status != "exact" {
			t.Errorf("%+v: the next page says %q", tc, got.Meta.Status)
		}
	}
}

// A row that is not there, one of another tenant and one that is gone are one answer.
func TestGetNotFound(t *testing.T) {
	t.Parallel()
	x, db := openShop(t)
	for id, echoed := range map[string]string{`7`: `7`, `"7"`: `7`, `7.0`: `7.0`} {
		_, err := x.Get(t.Context(), caller(t, 42), executors.GetRequest{Resource: "orders", ID: json.RawMessage(id)})
		own, _ := errors.AsType[*resource.Error](err)
		body, err := json.Marshal(own)
		if err != nil {
			t.Fatal(err)
		}
		want := `{"code":"not_found","message":"orders has no row with the id \"` + echoed + `\": send an id that a listing of it shows","path":"/id"}`
		if diff := cmp.Diff(want, string(body)); diff != "" {
			t.Error(diff)
		}
	}
	db.calls = nil
}

func TestKeys(t *testing.T) {
	t.Parallel()
	x, db := openShop(t)
	p := caller(t, 42)
	for _, tc := range []struct {
		resource, id string
		want         string // the error, or the bound values
	}{
		{"orders", `7`, `["7"]`},
		{"orders", `"7"`, `["7"]`},
		{"orders", `1e1`, `["10"]`},
		{"orders", `9223372036854775807`, `["9223372036854775807"]`},
		{"orders", `9223372036854775808`, "invalid_argument /id"},
		{"orders", `"1e1"`, "invalid_argument /id"},
		{"orders", `"x"`, "invalid_argument /id"},
		{"orders", `null`, "invalid_argument /id"},
		{"orders", `true`, "invalid_argument /id"},
		{"orders", `[7]`, "invalid_argument /id"},
		{"orders", `{`, "invalid_argument /id"},
		{"documents", `"north:7"`, `["north","7"]`},
		{"documents", `"n%3Ao%2Fr%25th:7"`, `["n:o/r%th","7"]`},
		{"documents", `"%6Eorth:7"`, `["north","7"]`},
		{"documents", `"north"`, "invalid_argument /id"},
		{"documents", `"north:7:8"`, "invalid_argument /id"},
		{"documents", `"north:x"`, "invalid_argument /id"},
		{"documents", `"no%rth:7"`, "invalid_argument /id"},
		{"documents", `"%FF:7"`, "invalid_argument /id"},
		{"documents", `"%00:7"`, "invalid_argument /id"},
		{"documents", `7`, "invalid_argument /id"},
		{"documents", `null`, "invalid_argument /id"},
		{"readings", `"6F1F2C9E-3B1A-4F0E-9A52-1F7F4C0D2B11"`, `["spare","6f1f2c9e-3b1a-4f0e-9a52-1f7f4c0d2b11"]`},
		{"readings", `7`, "invalid_argument /id"},
	} {
		_, err := x.Get(t.Context(), p, executors.GetRequest{Resource: tc.resource, ID: json.RawMessage(tc.id)})
		got := codes(err)[0]
		if got == "not_found /id" {
			body, err := json.Marshal(db.last(t).Statements[0].Args[1:])
			if err != nil {
				t.Fatal(err)
			}
			got = string(body)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s %s: %s", tc.resource, tc.id, diff)
		}
	}
}

func TestIDs(t *testing.T) {
	t.Parallel()
	x, db := openShop(t)
	long := make([]int, 501)
	tooMany, err := json.Marshal(long)
	if err != nil {
		t.Fatal(err)
	}
	enough, err := json.Marshal(long[:500])
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		resource, ids string
		want          []string // mistakes; nil: a statement
	}{
		{"orders", `[1]`, nil},
		{"orders", `7`, nil},
		{"orders", `" 1 , ,2,"`, nil},
		{"orders", string(enough), nil},
		{"orders", string(tooMany), []string{"limit_exceeded /ids"}},
		{"orders", `[]`, []string{"invalid_argument /ids"}},
		{"orders", `","`, []string{"invalid_argument /ids"}},
		{"orders", `"1,x"`, []string{"invalid_argument /ids"}},
		{"orders", `["1,2"]`, []string{"invalid_argument /ids/0"}},
		{"orders", `["x",1,null,[2]]`, []string{"invalid_argument /ids/0", "invalid_argument /ids/2", "invalid_argument /ids/3"}},
		{"orders", `{"a":1}`, []string{"invalid_argument /ids"}},
		{"orders", `true`, []string{"invalid_argument /ids"}},
		{"documents", `"a,b:1"`, nil},
		{"documents", `["a:1","b:2"]`, nil},
		{"documents", `["a:1","b"]`, []string{"invalid_argument /ids/1"}},
	} {
		_, err := x.List(t.Context(), caller(t, 42), executors.ListRequest{Resource: tc.resource, IDs: json.RawMessage(tc.ids)})
		if diff := cmp.Diff(tc.want, codes(err)); diff != "" {
			t.Errorf("%s %.40s: %s", tc.resource, tc.ids, diff)
		}
		if tc.want == nil {
			db.last(t)
		}
	}
	db.silent(t)
}

func TestLimits(t *testing.T) {
	t.Parallel()
	small := thing("small", func(s *resource.Spec) { s.Limits = resource.Limits{Default: 3, Max: 7} })
	top := thing("top", func(s *resource.Spec) { s.Limits = resource.Limits{Max: 10} })
	db := &fakeDB{tables: thingTables(), count: "0"}
	x := open(t, db, quiet(), small, top, thing("plain", nil))
	for _, tc := range []struct {
		req  executors.ListRequest
		want int // the limit in force; -1: refused
	}{
		{executors.ListRequest{Resource: "plain"}, 25},
		{executors.ListRequest{Resource: "plain", Limit: new(100)}, 100},
		{executors.ListRequest{Resource: "plain", Limit: new(101)}, 100},
		{executors.ListRequest{Resource: "small"}, 3},
		{executors.ListRequest{Resource: "small", Limit: new(8)}, 7},
		{executors.ListRequest{Resource: "top"}, 10},
		{executors.ListRequest{Resource: "plain", Limit: new(0)}, -1},
		{executors.ListRequest{Resource: "plain", Limit: new(0), Count: executors.CountNone}, -1},
		{executors.ListRequest{Resource: "plain", Limit: new(0), Count: executors.CountCapped}, 0},
		{executors.ListRequest{Resource: "plain", Limit: new(0), Count: executors.CountCapped, Offset: 5}, -1},
		{executors.ListRequest{Resource: "plain", Limit: new(-1)}, -1},
		{executors.ListRequest{Resource: "plain", Offset: 10_000}, 25},
		{executors.ListRequest{Resource: "plain", Offset: 10_001}, -1},
		{executors.ListRequest{Resource: "plain", Offset: -1}, -1},
		{executors.ListRequest{Resource: "plain", Offset: 1, Cursor: "x"}, -1},
		{executors.ListRequest{Resource: "plain", UpdatedSince: "2026-07-01"}, -1},
		{executors.ListRequest{Resource: "plain", Sort: make([]string, 501)}, -1},
	} {
		a, err := x.List(t.Context(), caller(t, 42), tc.req)
		if tc.want < 0 {
			if err == nil {
				t.Errorf("%+v is accepted: %s", tc.req, a.JSON)
			}
			continue
		}
		if got := list(t, x, caller(t, 42), tc.req); err != nil || got.Meta.Limit != tc.want {
			t.Errorf("%+v: limit %d, %v; want %d", tc.req, got.Meta.Limit, err, tc.want)
		}
	}
}
