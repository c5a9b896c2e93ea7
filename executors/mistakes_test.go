package executors_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

// Mistakes that the decoder found are told with those found here, in one answer, and cost no statement.
func TestMistakesTogether(t *testing.T) {
	t.Parallel()
	x, db := openShop(t)
	told := resource.Errors{resource.Errorf(resource.UnknownArgument, "/wat", "no")}
	_, err := x.List(t.Context(), caller(t, 42), executors.ListRequest{
		Resource: "orders", Mistakes: told, Filter: json.RawMessage(`{"nope":1,"paid":"maybe"}`), IDs: json.RawMessage(`["x",1,"y"]`),
		UpdatedSince: "yesterday", Sort: []string{"nope", "number", "-number"}, Limit: new(-1), Offset: -1, Fields: []string{"id", "nope"},
		Include: []string{"nope"}, Count: "all", Cursor: "x",
	})
	want := []string{
		"unknown_argument /wat", "unknown_filter /filter/nope", "invalid_filter /filter/paid", "invalid_argument /ids/0", "invalid_argument /ids/2",
		"invalid_argument /updated_since", "unknown_field /sort/0", "invalid_argument /sort/2", "unknown_field /fields/1",
		"invalid_argument /count", "invalid_argument /limit", "invalid_argument /offset", "unknown_field /include/0",
	}
	if diff := cmp.Diff(want, codes(err)); diff != "" {
		t.Error(diff)
	}
	_, err = x.Get(t.Context(), caller(t, 42), executors.GetRequest{Resource: "orders", ID: json.RawMessage(`"x"`), Fields: []string{"nope"}, Include: []string{"nope"}, Mistakes: told})
	if diff := cmp.Diff([]string{"unknown_argument /wat", "invalid_argument /id", "unknown_field /fields/0", "unknown_field /include/0"}, codes(err)); diff != "" {
		t.Error(diff)
	}
	_, err = x.Schema(t.Context(), caller(t, 42), "nope", told)
	if diff := cmp.Diff([]string{"unknown_argument /wat", "unknown_resource /resource"}, codes(err)); diff != "" {
		t.Error(diff)
	}
	db.silent(t)
}

func TestMissingArguments(t *testing.T) {
	t.Parallel()
	x, db := openShop(t)
	p := caller(t, 42)
	missing := resource.Errors{resource.Errorf(resource.InvalidArgument, "/resource", "resource is required")}
	noID := resource.Errors{resource.Errorf(resource.InvalidArgument, "/id", "id is required")}
	run := func(f func(context.Context, *auth.Principal) error) []string { return codes(f(t.Context(), p)) }
	for name, got := range map[string][]string{
		"list without a resource": run(func(ctx context.Context, p *auth.Principal) error {
			_, err := x.List(ctx, p, executors.ListRequest{Mistakes: missing})
			return err
		}),
		"get without a resource": run(func(ctx context.Context, p *auth.Principal) error {
			_, err := x.Get(ctx, p, executors.GetRequest{Mistakes: missing})
			return err
		}),
		"schema without a resource": run(func(_ context.Context, p *auth.Principal) error {
			_, err := x.Schema(t.Context(), p, "", missing)
			return err
		}),
	} {
		if diff := cmp.Diff([]string{"invalid_argument /resource"}, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for name, told := range map[string]resource.Errors{"told by the decoder": noID, "told by nobody": nil} {
		_, err := x.Get(t.Context(), p, executors.GetRequest{Resource: "orders", Mistakes: told})
		if diff := cmp.Diff([]string{"invalid_argument /id"}, codes(err)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	db.silent(t)
}

func TestCallerNeedsOneTenant(t *testing.T) {
	t.Parallel()
	x, db := openShop(t)
	several := grant(t, auth.Grant{Subject: "alice", Tenants: append(caller(t, 1).Granted(), caller(t, 2).Granted()...)})
	for _, tc := range []struct {
		name string
		p    *auth.Principal
		want string
	}{{"nobody", nil, "unauthenticated "}, {"no tenant chosen", several, "forbidden "}} {
		_, listed := x.List(t.Context(), tc.p, executors.ListRequest{Resource: "orders"})
		_, got := x.Get(t.Context(), tc.p, executors.GetRequest{Resource: "orders", ID: json.RawMessage(`1`)})
		for _, err := range []error{listed, got} {
			if diff := cmp.Diff([]string{tc.want}, codes(err)); diff != "" {
				t.Errorf("%s: %s", tc.name, diff)
			}
			if own, _ := errors.AsType[*resource.Error](err); tc.p != nil && !strings.Contains(own.Message, "1, 2") {
				t.Errorf("the granted tenants are not named: %s", own.Message)
			}
		}
	}
	db.silent(t)
}
