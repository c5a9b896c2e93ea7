package executors_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

// The start runs every statement of its own once, for a tenant that is nobody, without asking for a row, in few
// calls and without preparing it for later.
func TestNewProves(t *testing.T) {
	t.Parallel()
	db := &fakeDB{tables: shopTables()}
	if _, err := executors.New(t.Context(), db, registryOf(t, shop()...), quiet()); err != nil {
		t.Fatal(err)
	}
	specs, customs, relations := len(shop()), len(ordersSpec().Filters), 0
	for _, s := range shop() {
		for _, r := range s.Relations {
			if r.Target != "" {
				relations++
			}
		}
	}
	var all []*executors.Statement
	for _, call := range db.calls {
		if all = append(all, call.Statements...); !call.Tenant.Valid() {
			t.Error("a call has no tenant")
		}
	}
	if len(all) != specs+customs+2*relations || // each is followed and embedded
		len(db.calls) > (specs+7)/8 {
		t.Errorf("%d statements in %d calls for %d resources, %d custom filters and %d relations", len(all), len(db.calls), specs, customs, relations)
	}
	for _, s := range all {
		if s.Once && strings.HasPrefix(s.SQL, "SELECT p.n") && slices.Contains(s.Args, any("0")) {
			continue // embedded in no row
		}
		if !s.Once || s.Args[len(s.Args)-1] != "0" || !strings.HasSuffix(s.SQL, "LIMIT $"+itoa(len(s.Args))) {
			t.Errorf("kept, or not without rows: %s %v", s.SQL, s.Args)
		}
	}
}

// refusing is a database that refuses statements with a certain text, and every call that has one.
type refusing struct {
	*fakeDB
	texts []string
}

var errRefused = errors.New("refused")

func (db refusing) Run(ctx context.Context, call *executors.Call) error {
	for _, s := range call.Statements {
		for _, text := range db.texts {
			if strings.Contains(s.SQL, text) {
				return resource.Internal(errRefused)
			}
		}
	}
	return db.fakeDB.Run(ctx, call)
}

// What is proven together is told apart: only the members whose own statements fail are named, and behind a
// scope nothing else of its resource.
func TestNewProvesApart(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		texts []string
		want  []string
	}{
		{"a filter", []string{"l.sku = "}, []string{`resource orders: filter "sku": refused`}},
		{"a filter and a scope", []string{"t.changed_at > ", `"public"."documents"`}, []string{
			`resource documents: Scope: refused`, `resource orders: filter "changed_after": refused`,
		}},
		{"a relation", []string{"ARRAY(SELECT"}, []string{`resource orders: relation "lines": refused`}},
		{"all of a resource", []string{`AS "number"`}, []string{"resource orders: Scope: refused"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, err := executors.New(t.Context(), refusing{&fakeDB{tables: shopTables()}, tc.texts}, registryOf(t, shop()...), quiet())
			if !errors.Is(err, errRefused) {
				t.Fatalf("the start ended with %v", err)
			}
			got := strings.Split(err.Error(), "\n")
			slices.Sort(got)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
