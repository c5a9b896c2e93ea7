package executors_test

import (
	"strings"
	"testing"

	"github.com/Masterminds/squirrel"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/tenant"
)

// Every scope is rendered more than once, and what breaks a rule stops the start with resource and rule.
func TestScopesAreProven(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		edit func(*resource.Spec)
		want string
	}{
		{"a scope that changes", func(s *resource.Spec) { s.Scope = changing() }, "resource a: Scope: two renderings differ"},
		{"an argument that changes", func(s *resource.Spec) { s.Scope = counting() }, "resource a: Scope: two renderings differ"},
		{"a scope that is always true", func(s *resource.Spec) { s.Scope = always() }, "resource a: Scope: scope.Func: the condition"},
		{"a filter that changes", func(s *resource.Spec) {
			n := 0
			s.Filters = []resource.Filter{{Name: "odd", Type: resource.Text, Condition: func(v resource.Value) (squirrel.Sqlizer, error) {
				n++
				return squirrel.Expr("t.name = ? OR t.name = "+strings.Repeat("''", n), v), nil
			}}}
		}, `resource a: filter "odd": two renderings differ`},
	} {
		got := newErrors(t, thing("a", tc.edit))
		if len(got) != 1 || !strings.HasPrefix(got[0], tc.want) {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
	caller := thing("a", func(s *resource.Spec) {
		s.Filters = []resource.Filter{{Name: "odd", Type: resource.Text, Condition: func(v resource.Value) (squirrel.Sqlizer, error) {
			return squirrel.Expr("? = 'all' OR t.name = ?", v, v), nil // true for a value: the caller's to choose
		}}}
	})
	if got := newErrors(t, caller); got != nil {
		t.Errorf("a filter that one value makes true: %q", got)
	}
}

func changing() scope.Predicate {
	n := 0
	return scope.Func("account_id", func(b scope.Bound) (squirrel.Sqlizer, error) {
		n++
		return squirrel.Expr("t.account_id = ? AND t.name <> "+strings.Repeat("''", n), b.Tenant()), nil
	})
}

func counting() scope.Predicate {
	n := 0
	return scope.Func("account_id", func(b scope.Bound) (squirrel.Sqlizer, error) {
		n++
		return squirrel.Expr("t.account_id = ? AND t.flag > ?", b.Tenant(), n), nil
	})
}

func always() scope.Predicate {
	return scope.Func("account_id", func(b scope.Bound) (squirrel.Sqlizer, error) {
		return squirrel.Expr("t.account_id = ? OR 1=1", b.Tenant()), nil
	})
}

// No runner sends a statement for nobody.
func TestACallNeedsATenant(t *testing.T) {
	t.Parallel()
	if _, err := (&executors.Call{}).TenantKey(); err == nil {
		t.Error("a call without a tenant has a key")
	}
	id, err := tenant.Int(7)
	if err != nil {
		t.Fatal(err)
	}
	if key, err := (&executors.Call{Tenant: id}).TenantKey(); key != "7" || err != nil {
		t.Errorf("key %q, %v", key, err)
	}
}
