package scope_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/Masterminds/squirrel"

	"github.com/tenantry/tenantry/scope"
)

// env is a registry and a database of literals.
type env map[string]scope.Parent

func (env) Quote(ident string) string { return `"` + strings.ReplaceAll(ident, `"`, `""`) + `"` }

func (e env) Parent(name string) (scope.Parent, error) {
	p, ok := e[name]
	if !ok {
		return scope.Parent{}, errors.New("the parent " + name + " is not registered")
	}
	return p, nil
}

// parents has customers of an account, their companies, whose key has two columns, and resources that
// lead in a circle.
var parents = env{
	"customers": {Table: `"public"."customers"`, Key: []string{"id"}, Scope: scope.Column("account_id")},
	"narrowed": {
		Table: `"public"."customers"`, Key: []string{"id"}, Narrow: squirrel.Expr("t.gone IS NULL OR t.gone > ?", "now"),
		Scope: scope.Column("account_id").Narrow(squirrel.Expr("t.kind = ? OR t.kind = ?", "a", "b")),
	},
	"orders":    {Table: `"public"."orders"`, Key: []string{"id"}, Scope: scope.Via("customers", "customer_id")},
	"companies": {Table: `"public"."companies"`, Key: []string{"region", "no"}, Scope: scope.Column("account_id")},
	"catalogue": {Table: `"public"."catalogue"`, Key: []string{"id"}, Scope: scope.SharedOr(scope.Column("account_id"), "shared", "sold to all")},
	"deals":     {Table: `"public"."deals"`, Key: []string{"id"}, Scope: scope.AnyOf(scope.Column("buyer_id"), scope.Column("seller_id"))},
	"chicken":   {Table: `"public"."chicken"`, Key: []string{"id"}, Scope: scope.Via("egg", "egg_id")},
	"egg":       {Table: `"public"."egg"`, Key: []string{"id"}, Scope: scope.Via("chicken", "chicken_id")},
	"broken":    {Table: `"public"."broken"`, Key: []string{"id"}},
	"badnarrow": {Table: `"public"."b"`, Key: []string{"id"}, Scope: scope.Column("account_id"), Narrow: failing{}},
}

// failing is a condition that cannot be rendered.
type failing struct{}

func (failing) ToSql() (string, []any, error) { return "", nil, errors.New("no such luck") }

func render(t *testing.T, p scope.Predicate) scope.Rendered {
	t.Helper()
	r, err := scope.Render(p, parents)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// args writes arguments with the tenant in angle brackets.
func args(in []any) []any {
	out := make([]any, len(in))
	for i, a := range in {
		if out[i] = a; scope.IsTenant(a) {
			out[i] = "<tenant>"
		}
	}
	return out
}

// expr is a free predicate of one text.
func expr(sql string, args ...any) func(scope.Bound) (squirrel.Sqlizer, error) {
	return func(b scope.Bound) (squirrel.Sqlizer, error) {
		all := make([]any, len(args))
		for i, a := range args {
			if all[i] = a; a == "<tenant>" {
				all[i] = b.Tenant()
			}
		}
		return squirrel.Expr(sql, all...), nil
	}
}
