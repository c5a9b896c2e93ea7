package scope_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/Masterminds/squirrel"
	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/scope"
)

const (
	inCustomers = `t."customer_id" IN (SELECT t."id" FROM "public"."customers" AS t WHERE (t."account_id" = ?))`
	ofCustomer  = `(SELECT w1."account_id" FROM "public"."customers" AS w1 WHERE w1."id" = t."customer_id")`
)

func TestRender(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name      string
		p         scope.Predicate
		sql       string
		args      []any
		witnesses []scope.Witness
	}{
		{
			"a column", scope.Column("account_id"),
			`t."account_id" = ?`,
			[]any{"<tenant>"},
			[]scope.Witness{{SQL: `t."account_id"`}},
		},
		{
			"a column that needs quotes", scope.Column(`acc"ount?`),
			`t."acc""ount?" = ?`,
			[]any{"<tenant>"},
			[]scope.Witness{{SQL: `t."acc""ount?"`}},
		},
		{
			"a parent", scope.Via("customers", "customer_id"),
			inCustomers,
			[]any{"<tenant>"},
			[]scope.Witness{{SQL: ofCustomer}},
		},
		{
			"a parent's parent", scope.Via("orders", "order_id"),
			`t."order_id" IN (SELECT t."id" FROM "public"."orders" AS t WHERE (` + inCustomers + `))`,
			[]any{"<tenant>"},
			[]scope.Witness{{SQL: `(SELECT (SELECT w2."account_id" FROM "public"."customers" AS w2 WHERE w2."id" = w1."customer_id") ` +
				`FROM "public"."orders" AS w1 WHERE w1."id" = t."order_id")`}},
		},
		{
			"a parent with a key of two columns", scope.Via("companies", "company_region", "company_no"),
			`(t."company_region", t."company_no") IN (SELECT t."region", t."no" FROM "public"."companies" AS t WHERE (t."account_id" = ?))`,
			[]any{"<tenant>"},
			[]scope.Witness{{SQL: `(SELECT w1."account_id" FROM "public"."companies" AS w1 WHERE (w1."region", w1."no") = (t."company_region", t."company_no"))`}},
		},
		{
			"a parent's raw conditions mean the parent", scope.Via("narrowed", "customer_id"),
			`t."customer_id" IN (SELECT t."id" FROM "public"."customers" AS t WHERE ` +
				`((t."account_id" = ?) AND (t.kind = ? OR t.kind = ?)) AND (t.gone IS NULL OR t.gone > ?))`,
			[]any{"<tenant>", "a", "b", "now"},
			[]scope.Witness{{SQL: ofCustomer}},
		},
		{
			"a shared parent", scope.Via("catalogue", "item_id"),
			`t."item_id" IN (SELECT t."id" FROM "public"."catalogue" AS t WHERE ((t."account_id" = ?) OR t."shared"))`,
			[]any{"<tenant>"},
			[]scope.Witness{
				{SQL: `(SELECT w1."account_id" FROM "public"."catalogue" AS w1 WHERE w1."id" = t."item_id")`},
				{SQL: `(SELECT w1."shared" FROM "public"."catalogue" AS w1 WHERE w1."id" = t."item_id")`, Flag: true},
			},
		},
		{
			"a parent of two tenants", scope.Via("deals", "deal_id").Narrow(squirrel.Expr("t.open")),
			`(t."deal_id" IN (SELECT t."id" FROM "public"."deals" AS t WHERE ((t."buyer_id" = ?) OR (t."seller_id" = ?)))) AND (t.open)`,
			[]any{"<tenant>", "<tenant>"},
			[]scope.Witness{
				{SQL: `(SELECT w1."buyer_id" FROM "public"."deals" AS w1 WHERE w1."id" = t."deal_id")`},
				{SQL: `(SELECT w1."seller_id" FROM "public"."deals" AS w1 WHERE w1."id" = t."deal_id")`},
			},
		},
		{
			"any of two", scope.AnyOf(scope.Column("a"), scope.Via("customers", "customer_id")),
			`(t."a" = ?) OR (` + inCustomers + `)`,
			[]any{"<tenant>", "<tenant>"},
			[]scope.Witness{{SQL: `t."a"`}, {SQL: ofCustomer}},
		},
		{
			"any of three in one", scope.AnyOf(scope.AnyOf(scope.Column("a"), scope.Column("b")), scope.Column("c").Narrow(squirrel.Expr("t.x OR t.y"))),
			`((t."a" = ?) OR (t."b" = ?)) OR ((t."c" = ?) AND (t.x OR t.y))`,
			[]any{"<tenant>", "<tenant>", "<tenant>"},
			[]scope.Witness{{SQL: `t."a"`}, {SQL: `t."b"`}, {SQL: `t."c"`}},
		},
		{
			"any of two, narrowed", scope.AnyOf(scope.Column("a"), scope.Column("b")).Narrow(squirrel.Eq{"t.x": "1"}),
			`((t."a" = ?) OR (t."b" = ?)) AND (t.x = ?)`,
			[]any{"<tenant>", "<tenant>", "1"},
			[]scope.Witness{{SQL: `t."a"`}, {SQL: `t."b"`}},
		},
		{
			"shared rows", scope.SharedOr(scope.Column("a"), "shared", "sold to all"),
			`(t."a" = ?) OR t."shared"`,
			[]any{"<tenant>"},
			[]scope.Witness{{SQL: `t."a"`}, {SQL: `t."shared"`, Flag: true}},
		},
		{
			"shared rows, narrowed", scope.SharedOr(scope.Column("a"), "shared", "sold to all").Narrow(squirrel.Expr("t.x OR t.y")),
			`((t."a" = ?) OR t."shared") AND (t.x OR t.y)`,
			[]any{"<tenant>"},
			[]scope.Witness{{SQL: `t."a"`}, {SQL: `t."shared"`, Flag: true}},
		},
		{
			"narrowed, then shared", scope.SharedOr(scope.Column("a").Narrow(squirrel.Expr("t.x")), "shared", "sold to all"),
			`((t."a" = ?) AND (t.x)) OR t."shared"`,
			[]any{"<tenant>"},
			[]scope.Witness{{SQL: `t."a"`}, {SQL: `t."shared"`, Flag: true}},
		},
		{
			"narrowed twice", scope.Column("a").Narrow(squirrel.Expr("t.x OR t.y")).Narrow(squirrel.Expr("t.z = ?", 1)),
			`((t."a" = ?) AND (t.x OR t.y)) AND (t.z = ?)`,
			[]any{"<tenant>", 1},
			[]scope.Witness{{SQL: `t."a"`}},
		},
		{
			"the free form", scope.Func("a", expr("t.a = ? OR t.b @> ARRAY[?] AND t.c ?? 'x'", "<tenant>", "<tenant>")),
			`t.a = ? OR t.b @> ARRAY[?] AND t.c ?? 'x'`,
			[]any{"<tenant>", "<tenant>"},
			[]scope.Witness{{SQL: `t."a"`}},
		},
		{
			"the free form over another table", scope.Func("a", expr("EXISTS (SELECT 1 FROM m WHERE m.id = t.a AND m.account = ?)", "<tenant>")),
			`EXISTS (SELECT 1 FROM m WHERE m.id = t.a AND m.account = ?)`,
			[]any{"<tenant>"},
			[]scope.Witness{{SQL: `t."a"`}},
		},
		{
			"the free form among others", scope.AnyOf(scope.Column("b"), scope.Func("a", expr("t.a = ? OR false", "<tenant>"))),
			`(t."b" = ?) OR (t.a = ? OR false)`,
			[]any{"<tenant>", "<tenant>"},
			[]scope.Witness{{SQL: `t."b"`}, {SQL: `t."a"`}},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			r := render(t, tc.p)
			if diff := cmp.Diff(tc.sql, r.SQL); diff != "" {
				t.Error("SQL:", diff)
			}
			if diff := cmp.Diff(tc.args, args(r.Args)); diff != "" {
				t.Error("arguments:", diff)
			}
			if diff := cmp.Diff(tc.witnesses, r.Witnesses); diff != "" {
				t.Error("witnesses:", diff)
			}
			if again := render(t, tc.p); again.SQL != r.SQL || !cmp.Equal(args(again.Args), args(r.Args)) {
				t.Error("two renders differ:", again.SQL)
			}
		})
	}
}

func TestRenderTellsWhatItUses(t *testing.T) {
	t.Parallel()
	p := scope.AnyOf(
		scope.SharedOr(scope.Via("orders", "order_id"), "shared", "sold to all"),
		scope.Func("account_id", expr("t.x = ?", "<tenant>")))
	want := []scope.Use{
		{Resource: "customers", Column: "account_id", Tenant: true},
		{Resource: "orders", Column: "customer_id"},
		{Column: "order_id"},
		{Column: "shared", Flag: true},
		{Column: "account_id", Tenant: true},
	}
	if diff := cmp.Diff(want, render(t, p).Uses); diff != "" {
		t.Error(diff)
	}
}

func TestRenderRefuses(t *testing.T) {
	t.Parallel()
	boom := func(scope.Bound) (squirrel.Sqlizer, error) { panic("boom") }
	for _, tc := range []struct {
		name string
		p    scope.Predicate
		want string
	}{
		{"the zero predicate", scope.Predicate{}, "a scope is required"},
		{"the zero predicate in another", scope.AnyOf(scope.Column("a"), scope.Predicate{}), "a scope is required"},
		{"the zero predicate, narrowed", scope.Predicate{}.Narrow(squirrel.Expr("t.x")), "a scope is required"},
		{"the zero predicate, shared", scope.SharedOr(scope.Predicate{}, "shared", "why"), "a scope is required"},
		{"a column without a name", scope.Column(""), "needs a column"},
		{"a flag without a name", scope.SharedOr(scope.Column("a"), "", "why"), "flag"},
		{"no reason", scope.SharedOr(scope.Column("a"), "shared", " "), "reason"},
		{"an unknown parent", scope.Via("nobody", "x"), "nobody is not registered"},
		{"a parent without columns", scope.Via("customers"), "names 0 columns"},
		{"too many columns", scope.Via("customers", "a", "b"), "names 2 columns"},
		{"too few columns", scope.Via("companies", "a"), "the key of \"companies\" has 2"},
		{"a parent without a scope", scope.Via("broken", "x"), "a scope is required"},
		{"a parent whose narrowing fails", scope.Via("badnarrow", "x"), "no such luck"},
		{"a circle", scope.Via("egg", "egg_id"), "circle"},
		{"a circle in a branch", scope.AnyOf(scope.Via("egg", "egg_id"), scope.Via("egg", "egg_id")), "circle"},
		{"free without a witness", scope.Func("", expr("t.a = ?", "<tenant>")), "witness"},
		{"free without a function", scope.Func("a", nil), "function"},
		{"free that panics", scope.Func("a", boom), "panicked: boom"},
		{"free that fails", scope.Func("a", func(scope.Bound) (squirrel.Sqlizer, error) { return nil, errors.New("no") }), "no"},
		{"free that returns nil", scope.Func("a", func(scope.Bound) (squirrel.Sqlizer, error) { return nil, nil }), "nil"},
		{"free without the tenant", scope.Func("a", expr("t.a = ?", 42)), "b.Tenant()"},
		{"free without arguments", scope.Func("a", expr("t.a = 42")), "b.Tenant()"},
		{"free that is NULL", scope.Func("a", func(scope.Bound) (squirrel.Sqlizer, error) {
			return squirrel.Eq{"t.tenant_id": nil}, nil
		}), "b.Tenant()"},
		{"free without the tenant beside one that has it", scope.AnyOf(scope.Column("b"), scope.Func("a", expr("t.a = ?", 42))), "b.Tenant()"},
		{"free with a branch that is always true", scope.Func("a", func(b scope.Bound) (squirrel.Sqlizer, error) {
			return squirrel.Or{squirrel.Eq{"t.a": b.Tenant()}, squirrel.Eq{}}, nil
		}), "1=1"},
		{"free with the tenant in a string", scope.Func("a", expr("t.a = '?' OR t.b = 1", "<tenant>")), "0 placeholders and 1 arguments"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			r, err := scope.Render(tc.p, parents)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("%q, %v; want an error about %q", r.SQL, err, tc.want)
			}
			if r.SQL != "" {
				t.Errorf("text came with an error: %s", r.SQL)
			}
		})
	}
}

// The tenant is one opaque argument, whoever asks for it, and nothing else is taken for it.
func TestTenantArgument(t *testing.T) {
	t.Parallel()
	if !scope.IsTenant(scope.TenantArg()) || !scope.IsTenant(scope.Bound{}.Tenant()) {
		t.Error("the tenant is not the tenant")
	}
	for _, a := range []any{nil, "", 0, struct{}{}, scope.Bound{}, []any{scope.TenantArg()}} {
		if scope.IsTenant(a) {
			t.Errorf("%T is taken for the tenant", a)
		}
	}
	r := render(t, scope.Func("a", func(b scope.Bound) (squirrel.Sqlizer, error) {
		return squirrel.And{squirrel.Eq{"t.a": b.Tenant()}, squirrel.Eq{"t.b": []any{b.Tenant()}}}, nil
	}))
	if diff := cmp.Diff(`(t.a = ? AND t.b IN (?))`, r.SQL); diff != "" {
		t.Error(diff)
	}
}

func TestValid(t *testing.T) {
	t.Parallel()
	if (scope.Predicate{}).Valid() || !scope.Column("a").Valid() || !scope.Via("a", "b").Valid() {
		t.Error("Valid does not tell a constructed predicate from the zero one")
	}
}

// The caller's list of columns is its own.
func TestViaKeepsItsColumns(t *testing.T) {
	t.Parallel()
	fk := []string{"customer_id"}
	p := scope.Via("customers", fk...)
	fk[0] = "another"
	if got := render(t, p).SQL; got != inCustomers {
		t.Error(got)
	}
}
