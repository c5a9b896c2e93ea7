package executors_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
)

// host is a serializer that computes as it is told.
type host struct {
	compute func(resource.Row, []string) ([]any, error)
}

func (host) Fields() ([]resource.Field, error) {
	return []resource.Field{
		{Name: "id", Column: "id"}, {Name: "a", Type: resource.Text, Reads: []string{"name"}}, {Name: "b", Type: resource.Text, Reads: []string{"slug"}},
	}, nil
}

func (h host) Compute(r resource.Row, names []string) ([]any, error) { return h.compute(r, names) }

// panics and fails are values that cannot become JSON.
type (
	panics struct{}
	fails  struct{}
)

func (panics) MarshalJSON() ([]byte, error) { panic("SECRET") }

func (fails) MarshalJSON() ([]byte, error) { return nil, errors.New("SECRET") }

func TestComputed(t *testing.T) {
	t.Parallel()
	var seen [][]string
	read := func(column string) func(resource.Row, []string) ([]any, error) {
		return func(r resource.Row, names []string) ([]any, error) {
			seen = append(seen, names)
			var s string
			err := r.Scan(column, &s)
			return []any{s, "<b>"}[:len(names)], err
		}
	}
	for _, tc := range []struct {
		name    string
		compute func(resource.Row, []string) ([]any, error)
		fields  []string
		want    string // "": an internal error
	}{
		{"both", read("name"), nil, `{"id":1,"a":"N","b":"<b>"}`},
		{"one", read("slug"), []string{"b"}, `{"b":"S"}`},
		{"none", func(resource.Row, []string) ([]any, error) { panic("not asked") }, []string{"id"}, `{"id":1}`},
		{"a column that was not declared", read("flag"), []string{"a"}, ""},
		{"a column of another member", read("slug"), []string{"a"}, ""},
		{"an error", func(resource.Row, []string) ([]any, error) { return nil, errors.New("SECRET") }, nil, ""},
		{"a panic", func(resource.Row, []string) ([]any, error) { panic("SECRET") }, nil, ""},
		{"too few values", func(resource.Row, []string) ([]any, error) { return []any{1}, nil }, nil, ""},
		{"too many values", func(resource.Row, []string) ([]any, error) { return []any{1, 2, 3}, nil }, nil, ""},
		{"a panic while marshalling", func(resource.Row, []string) ([]any, error) { return []any{panics{}, 1}, nil }, nil, ""},
		{"an error while marshalling", func(resource.Row, []string) ([]any, error) { return []any{1, fails{}}, nil }, nil, ""},
		{"what is no JSON", func(resource.Row, []string) ([]any, error) { return []any{func() {}, 1}, nil }, nil, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			db := &fakeDB{tables: thingTables()}
			x := open(t, db, quiet(), thing("thing", func(s *resource.Spec) { s.Serializer = host{tc.compute} }))
			db.rows = []row{{"id": "1", "name": "N", "slug": "S", "flag": "1"}}
			req := executors.ListRequest{Resource: "thing", Fields: tc.fields}
			if tc.want != "" {
				got := list(t, x, caller(t, 42), req)
				if diff := cmp.Diff(tc.want, string(got.Rows[0])); diff != "" {
					t.Error(diff)
				}
				return
			}
			a, err := x.List(t.Context(), caller(t, 42), req)
			blocked(t, a, err)
			if strings.Contains(fmt.Sprint(codes(err)), "SECRET") {
				t.Error(err)
			}
			list(t, x, caller(t, 42), executors.ListRequest{Resource: "thing", Fields: []string{"id"}}) // the resource goes on
		})
	}
	if diff := cmp.Diff([][]string{{"a", "b"}, {"b"}, {"a"}, {"a"}}, seen); diff != "" {
		t.Error("the host was asked for", diff)
	}
}

// spelling is a type of a host's own.
type spelling string

// key is a UUID as the libraries have it.
type key [16]byte

func (key) String() string { return "6f1f2c9e-3b1a-4f0e-9a52-1f7f4c0d2b11" }

// Constants in a host's conditions are bound in one form, whatever their type.
func TestConstants(t *testing.T) {
	t.Parallel()
	in := []any{
		"x", spelling("y"), true, 1, int8(2), int16(3), int32(4), int64(5), uint8(6), uint16(7), uint32(8), 1.5,
		[]string{"a", "b"},
		time.Date(2026, 7, 1, 2, 0, 0, 1500, time.FixedZone("", 7200)),
		key{1},
		valuer{"v"},
		&valuer{"w"},
	}
	text := "t.id = ?" + strings.Repeat(" OR t.id = ?", len(in)-1)
	db := &fakeDB{tables: thingTables()}
	x := open(t, db, quiet(), thing("thing", func(s *resource.Spec) { s.Scope = s.Scope.Narrow(squirrel.Expr(text, in...)) }))
	list(t, x, caller(t, 42), executors.ListRequest{Resource: "thing", Fields: []string{"id"}})
	want := []any{
		"x", "y", true, int64(1), int64(2), int64(3), int64(4), int64(5), int64(6), int64(7), int64(8), 1.5,
		[]string{"a", "b"},
		"2026-07-01T00:00:00.000001Z", "6f1f2c9e-3b1a-4f0e-9a52-1f7f4c0d2b11", "v", "w",
	}
	got := db.last(t).Statements[0].Args
	if diff := cmp.Diff(want, got[1:len(got)-1]); diff != "" {
		t.Error(diff)
	}
}

// One statement serves all tenants at once, and each call has its own.
func TestConcurrentCalls(t *testing.T) {
	t.Parallel()
	x, db := openShop(t)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			p := caller(t, int64(i+1), staff[:i%3]...)
			for range 50 {
				if _, err := x.List(t.Context(), p, executors.ListRequest{Resource: "lines"}); err != nil {
					t.Error(err)
				}
				if _, err := x.Schema(t.Context(), p, "orders", nil); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	calls := map[string]int{}
	for _, call := range db.calls {
		calls[call.Tenant.Key()]++
		if sql := call.Statements[0].SQL; sql != db.calls[0].Statements[0].SQL {
			t.Errorf("another text: %s", sql)
		}
		if !scope.IsTenant(call.Statements[0].Args[0]) {
			t.Error("a tenant's key is in the arguments")
		}
	}
	for i := range 8 {
		if n := calls[itoa(i+1)]; n != 50 {
			t.Errorf("tenant %d: %d calls", i+1, n)
		}
	}
}

func TestErrorsOfTheDatabase(t *testing.T) {
	t.Parallel()
	x, db := openShop(t)
	for _, code := range []resource.Code{resource.Timeout, resource.Unavailable, resource.CodeInternal} {
		db.down = resource.Errorf(code, "", "sorry")
		_, listed := x.List(t.Context(), caller(t, 42), executors.ListRequest{Resource: "lines", Count: executors.CountExact})
		_, got := x.Get(t.Context(), caller(t, 42), executors.GetRequest{Resource: "lines", ID: []byte(`1`)})
		for _, err := range []error{listed, got} {
			if diff := cmp.Diff([]string{string(code) + " "}, codes(err)); diff != "" {
				t.Error(diff)
			}
		}
	}
	db.down = errors.New("ping")
	if err := x.Ping(t.Context()); !errors.Is(err, db.down) {
		t.Error(err)
	}
}
