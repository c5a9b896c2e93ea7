package scope_test

import (
	"fmt"

	"github.com/Masterminds/squirrel"

	"github.com/tenantry/tenantry/scope"
)

func show(p scope.Predicate) {
	r, err := scope.Render(p, parents)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.SQL)
	for _, w := range r.Witnesses {
		fmt.Println("witness:", w.SQL)
	}
}

func ExampleColumn() {
	show(scope.Column("account_id"))
	// Output:
	// t."account_id" = ?
	// witness: t."account_id"
}

func ExampleVia() {
	show(scope.Via("customers", "customer_id"))
	// Output:
	// t."customer_id" IN (SELECT t."id" FROM "public"."customers" AS t WHERE (t."account_id" = ?))
	// witness: (SELECT w1."account_id" FROM "public"."customers" AS w1 WHERE w1."id" = t."customer_id")
}

func ExampleAnyOf() {
	show(scope.AnyOf(scope.Column("buyer_id"), scope.Column("seller_id")))
	// Output:
	// (t."buyer_id" = ?) OR (t."seller_id" = ?)
	// witness: t."buyer_id"
	// witness: t."seller_id"
}

func ExampleSharedOr() {
	show(scope.SharedOr(scope.Column("account_id"), "is_template", "templates are for everyone"))
	// Output:
	// (t."account_id" = ?) OR t."is_template"
	// witness: t."account_id"
	// witness: t."is_template"
}

func ExampleFunc() {
	show(scope.Func("account_id", func(b scope.Bound) (squirrel.Sqlizer, error) {
		return squirrel.Expr("t.account_id = ? AND t.region <> ?", b.Tenant(), "test"), nil
	}))
	show(scope.Func("account_id", func(scope.Bound) (squirrel.Sqlizer, error) {
		return squirrel.Eq{"t.account_id": 42}, nil
	}))
	// Output:
	// t.account_id = ? AND t.region <> ?
	// witness: t."account_id"
	// scope.Func: the condition does not use b.Tenant(), so it could not tell one tenant from another
}

func ExamplePredicate_Narrow() {
	show(scope.Column("account_id").Narrow(squirrel.Expr("t.kind = ? OR t.urgent", "draft")))
	// Output:
	// (t."account_id" = ?) AND (t.kind = ? OR t.urgent)
	// witness: t."account_id"
}

func ExampleRender() {
	r, err := scope.Render(scope.Column("account_id"), parents)
	fmt.Println(r.SQL, len(r.Args), scope.IsTenant(r.Args[0]), err)
	// Output: t."account_id" = ? 1 true <nil>
}
