package scope_test

import (
	"testing"

	"github.com/Masterminds/squirrel"

	"github.com/tenantry/tenantry/scope"
)

// A text that shows that it says nothing is refused; what only the database could find out is not.
func TestConstantConditions(t *testing.T) {
	t.Parallel()
	refused := []string{
		"true", "TRUE", "not false", "1 = 1", "'a' = 'a'", "2 > 1", "null is null", "? = ?", "? is not distinct from ?",
		"t.a = t.a", "t.a=T.A", "(t.a) = (t.a)", "t.a IS NOT DISTINCT FROM t.a", "t.a >= t.a", `"a" = "a"`, "t.a + 1 = t.a + 1",
		"t.a = ? OR true", "t.a = ? or 1=1", "t.a = ? OR (1 = 1)", "t.a = ? OR NOT (1=0)", "t.a = ? OR t.b = t.b", "true OR t.a = ?",
		"t.a = ? OR ('x' = 'x' AND 2 = 2)", "t.b AND (t.a = ? OR true)", "(t.a = ? OR true)", "NOT (t.a = ? OR true)",
		"t.a IS NULL OR t.a IS NOT NULL", "t.a = ? OR t.b OR NOT t.b", "t.a = ? OR NOT (t.a = ?)",
		"t.a = ? AND EXISTS (SELECT 1 FROM l WHERE l.a = t.a OR true)", "coalesce(t.a = ? OR true, false)",
		"CASE WHEN t.a = ? OR true THEN t.b END", "t.a = ? OR ? = ?", "t.a = ? OR ? BETWEEN 1 AND 2",
	}
	for _, text := range refused {
		if err := scope.Constant(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
	accepted := []string{
		"t.a = ?", "t.a = ? OR t.b", "t.a = ? OR false", "t.a = t.b", "t.a = ? AND 1 = 1", "t.a BETWEEN ? AND ? OR t.b = ?",
		"t.a IS DISTINCT FROM ? OR t.b = ?", "t.limit = ? OR t.end = ? OR t.case = ?", "t.a NOT BETWEEN 1 AND 2",
		"CASE WHEN t.a THEN 1 ELSE 2 END = 1 OR t.b = ?", "t.a = ? OR CASE WHEN t.b THEN true ELSE false END",
		"t.a = ? OR t.b IN (1, 2)", "t.a = ? OR EXISTS (SELECT 1 FROM l WHERE l.t = t.id AND l.kind = ?)", "t.a = 'true'",
		"t.a = ? OR lower(t.b) = ?", "t.a = ANY (?) OR t.b", "t.a -> 'x' = ? OR t.b", "t.a IS NULL OR t.b IS NOT NULL", "t.a IS NULL OR t.a", "t.b = ? AND (t.a OR t.a IS NULL)", "t.true = ? OR t.a = ?",
		"(t.a = ? AND t.b IS NULL) OR (t.a = ? AND t.b IS NOT NULL)", "((t.a = ?) AND (t.b IS NULL)) OR ((t.a = ?) AND (t.b IS NOT NULL))",
		"NOT t.a AND t.b OR t.a AND t.b", "t.a = ? OR (t.a) = (t.b)",
	}
	for _, text := range accepted {
		if err := scope.Constant(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// The same holds of every condition that a host hands over.
func TestConstantConditionsOfAHost(t *testing.T) {
	t.Parallel()
	free := scope.Func("tenant_id", func(b scope.Bound) (squirrel.Sqlizer, error) {
		return squirrel.Expr("t.tenant_id = ? OR ? = ?", b.Tenant(), b.Tenant(), b.Tenant()), nil
	})
	for name, p := range map[string]scope.Predicate{
		"free":   free,
		"key":    scope.Column("tenant_id").Narrow(squirrel.Eq{"t.tenant_id = 1 OR 1": 1}),
		"narrow": scope.Column("tenant_id").Narrow(squirrel.Or{squirrel.Eq{"t.kind": 1}, squirrel.Expr("true")}),
	} {
		if _, err := scope.Render(p, env{}); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}
