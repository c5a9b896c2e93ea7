package sqlite_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
	"github.com/tenantry/tenantry/tenant"
)

const itemsSQL = `CREATE TABLE items (id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL, i BIGINT, d DOUBLE, n NUMERIC,
  b BOOLEAN, s TEXT, c TEXT COLLATE NOCASE, u UUID, day DATE, at TIMESTAMPTZ, must TEXT NOT NULL)`

// hostileItems are rows of which many have no value, equal ones, or one that is not of its column's type.
func hostileItems() []string {
	long := "printf('%.*c', 3000, 'y')"
	values := map[string][]string{
		"i":    {"NULL", "0", "-1", "9223372036854775807", "1.5", "'text'", "x'6162'", "'t' || char(0)"},
		"d":    {"NULL", "0.1", "1e999", "-1e999", "5e-324", "0.30000000000000004", "'text'", "x'00'"},
		"n":    {"NULL", "9007199254740993", "9007199254740992", "1.10", "'text'", "x'6162'"},
		"b":    {"NULL", "0", "1", "2", "'true'", "x''"},
		"s":    {"NULL", "''", "'a'", long, long + " || 'z'", "x'6162'", "zeroblob(2000)", `'\x6162'`, "'ä' || char(0)", "CAST(x'ff' AS TEXT)"},
		"c":    {"NULL", "'a'", "'A'", "'b'", "'B'"},
		"u":    {"NULL", "'6f1f2c9e-3b1a-4f0e-9a52-1f7f4c0d2b11'", "'6F1F2C9E-3B1A-4F0E-9A52-1F7F4C0D2B12'", "x'6162'"},
		"day":  {"NULL", "'2026-07-01'", "'2026-07-02'", "20260701", "'infinity'", "x'32'"},
		"at":   {"NULL", "'2026-07-01T09:30:00.000000Z'", "'2026-07-01 09:30:00'", "1782898200", "1782898200.5"},
		"must": {"'x'", "'y'", long},
	}
	columns := []string{"i", "d", "n", "b", "s", "c", "u", "day", "at", "must"}
	out := []string{itemsSQL, "CREATE INDEX items_d ON items (tenant_id, d, id)"}
	for row := range 60 {
		literals := make([]string, len(columns))
		for k, c := range columns {
			literals[k] = values[c][(row*(k+3)+row/7)%len(values[c])]
		}
		out = append(out, fmt.Sprintf("INSERT INTO items VALUES (%d, %d, %s)", row+1, 1+row%6/5, strings.Join(literals, ", ")))
	}
	return out
}

func items(narrow resource.Conditions) resource.Spec {
	sortable := []string{"id", "i", "d", "n", "b", "s", "c", "u", "day", "at", "must"}
	return resource.Spec{
		Name: "items", Table: "items", Scope: scope.Column("tenant_id"), Narrow: narrow, Sortable: sortable,
		Serializer: serializer.Columns(sortable...),
		Filterable: resource.Columns{"id": "id", "s": "s", "d": "d", "at": "at"},
	}
}

// TestWalk walks every row exactly once, in the order in which one page would have them.
func TestWalk(t *testing.T) {
	t.Parallel()
	x := executor(t, open(t, hostileItems()...), items(nil))
	p := principal(t, one(t))
	sorts := [][]string{nil, {"-id"}, {"i", "-s"}, {"-s", "d"}, {"b", "c", "-u"}, {"must", "at"}, {"-must", "-id"}}
	for _, name := range []string{"i", "d", "n", "b", "s", "c", "u", "day", "at", "must"} {
		sorts = append(sorts, []string{name}, []string{"-" + name})
	}
	for _, sort := range sorts {
		for _, filter := range []string{"", `{"any":[{"s":null},{"d":{"op":"not_eq","value":0.1}}]}`} {
			t.Run(strings.Join(sort, ",")+filter, func(t *testing.T) {
				t.Parallel()
				req := executors.ListRequest{Resource: "items", Sort: sort, Fields: []string{"id"}, Count: executors.CountExact}
				if filter != "" {
					req.Filter = json.RawMessage(filter)
				}
				limit := 100
				req.Limit = &limit
				whole := list(t, x, p, req)
				got := walk(t, x, req)
				if diff := cmp.Diff(whole.ids(), got); diff != "" {
					t.Errorf("one page (-) and a walk (+) differ:\n%s", diff)
				}
				if whole.Meta.TotalCount == nil || *whole.Meta.TotalCount != len(got) || len(got) == 0 {
					t.Errorf("counted %v of %d rows", whole.Meta.TotalCount, len(got))
				}
			})
		}
	}
}

// walk follows the cursors by pages of three rows.
func walk(t *testing.T, x *executors.Executor, req executors.ListRequest) []any {
	t.Helper()
	limit := 3
	req.Limit = &limit
	var ids []any
	for len(ids) < 200 {
		got := list(t, x, principal(t, one(t)), req)
		ids = append(ids, got.ids()...)
		if !got.Meta.HasMore {
			return ids
		}
		req.Cursor = got.Meta.NextCursor
	}
	t.Fatal("the walk does not end")
	return nil
}

// TestNullsAreLarger puts rows without a value last, or first in descending order.
func TestNullsAreLarger(t *testing.T) {
	t.Parallel()
	x := executor(t, open(t, hostileItems()...), items(nil))
	for sort, last := range map[string]bool{"d": true, "-d": false} {
		got := list(t, x, principal(t, one(t)), executors.ListRequest{Resource: "items", Sort: []string{sort}})
		values := make([]any, len(got.Rows))
		for i, r := range got.Rows {
			values[i] = r["d"]
		}
		nulls := slices.IndexFunc(values, func(v any) bool { return v == nil })
		if first := nulls == 0; first == last {
			t.Errorf("sort %s gives %v", sort, values)
		}
	}
}

// TestOffset skips rows of the same order.
func TestOffset(t *testing.T) {
	t.Parallel()
	x := executor(t, open(t, hostileItems()...), items(nil))
	p := principal(t, one(t))
	req := executors.ListRequest{Resource: "items", Sort: []string{"-d"}}
	whole := list(t, x, p, req)
	req.Offset = 7
	if diff := cmp.Diff(whole.ids()[7:10], list(t, x, p, req).ids()[:3]); diff != "" {
		t.Error(diff)
	}
}

// TestTenants shows each tenant its own rows, and neither the other's.
func TestTenants(t *testing.T) {
	t.Parallel()
	x := executor(t, open(t, hostileItems()...), items(resource.Conditions{"i": resource.Conditions{"op": "not_eq", "value": 0}}))
	two, err := tenant.Int(2)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[any]int{}
	for i, id := range []tenant.ID{one(t), two} {
		got := list(t, x, principal(t, id), executors.ListRequest{Resource: "items", Limit: new(100)})
		for _, key := range got.ids() {
			if n := int(key.(float64)); 1+(n-1)%6/5 != i+1 {
				t.Errorf("tenant %d was shown row %d", i+1, n)
			}
			seen[key]++
		}
		_, err := x.Get(t.Context(), principal(t, id), executors.GetRequest{Resource: "items", ID: json.RawMessage([]string{"6", "1"}[i])})
		if e, ok := err.(*resource.Error); !ok || e.Code != resource.NotFound {
			t.Errorf("tenant %d got a foreign row: %v", i+1, err)
		}
	}
	if len(seen) != 52 { // of 60, eight have 0 in i
		t.Errorf("%d rows were seen", len(seen))
	}
}
