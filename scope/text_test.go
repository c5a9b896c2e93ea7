package scope_test

import (
	"strings"
	"testing"

	"github.com/Masterminds/squirrel"
	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/scope"
)

// TestSquirrelTraps has every way in which squirrel drops, turns or lets out a condition; see
// reference/isolation.md 0.2.
func TestSquirrelTraps(t *testing.T) {
	t.Parallel()
	var nilEq squirrel.Eq
	var nilExpr *panicking
	for _, tc := range []struct {
		name string
		cond squirrel.Sqlizer
		want string
	}{
		{"nil", nil, "nil"},
		{"a nil pointer", nilExpr, "nil"},
		{"a value that panics", &panicking{}, "panicked: boom"},
		{"the empty text", squirrel.Expr(""), "says nothing"},
		{"blanks", squirrel.Expr(" \n\t"), "says nothing"},
		{"parentheses around nothing", squirrel.Expr("(())"), "says nothing"},
		{"true", squirrel.Expr("TRUE"), "says nothing"},
		{"true in parentheses", squirrel.Expr("( true )"), "says nothing"},
		{"1=1", squirrel.Expr("1 = 1"), "says nothing"},
		{"an empty Eq", squirrel.Eq{}, "says nothing"},
		{"a nil Eq", nilEq, "says nothing"},
		{"an empty And", squirrel.And{}, "says nothing"},
		{"a nil And", squirrel.And(nil), "says nothing"},
		{"an empty NotEq", squirrel.NotEq{}, "says nothing"},
		{"not in an empty list", squirrel.NotEq{"tenant_id": []int{}}, "says nothing"},
		{"an And of empty ones", squirrel.And{squirrel.Eq{}, squirrel.Eq{}}, "says nothing"},
		{"an Or with an empty one", squirrel.Or{squirrel.Eq{"t.a": 1}, squirrel.And{}}, "says nothing"},
		{"an empty one deep inside", squirrel.And{squirrel.Expr("t.a"), squirrel.Or{squirrel.Expr("t.b"), squirrel.NotEq{}}}, "says nothing"},
		{"an empty Or", squirrel.Or{}, "never true"},
		{"in an empty list", squirrel.Eq{"t.a": []int{}}, "never true"},
		{"a key that is text", squirrel.Eq{"t.tenant_id = 1); DROP TABLE t --": 1}, "closes a parenthesis"},
		{"a key that comments", squirrel.Eq{"t.tenant_id = 1 --": 1}, "comment"},
		{"a statement behind", squirrel.Expr("t.a = 1; DROP TABLE orders"), "semicolon"},
		{"a comment to the end", squirrel.Expr("t.a = 1 -- "), "comment"},
		{"a comment", squirrel.Expr("t.a /* = 1 */"), "comment"},
		{"a parenthesis closed", squirrel.Expr("t.a = 1) OR (1 = 2"), "closes a parenthesis"},
		{"a parenthesis left open", squirrel.Expr("(t.a = 1"), "leaves a parenthesis open"},
		{"a quote left open", squirrel.Expr("t.a = 'x"), "quote"},
		{"a name left open", squirrel.Expr(`t."a = 1`), "quote"},
		{"a numbered placeholder", squirrel.Expr("t.a = $1", "x"), "$"},
		{"a numbered builder", squirrel.Select("1").From("m").Where(squirrel.Eq{"a": 1}).PlaceholderFormat(squirrel.Dollar), "$"},
		{"a dollar quote", squirrel.Expr("t.a = $$x$$"), "$"},
		{"a number and a placeholder in one", squirrel.Expr("t.a = 1$2"), "$"},
		{"a number and an escape string", squirrel.Expr(`t.a = 1e'\' OR true OR '`), "prefix"},
		{"an escape string", squirrel.Expr(`t.a = E'\' OR true OR t.b = \''`), "prefix"},
		{"an escape string in small letters", squirrel.Expr(`t.a = e'\''`), "prefix"},
		{"a bit string", squirrel.Expr(`t.a = B'1'`), "prefix"},
		{"a unicode string", squirrel.Expr(`t.a = U&'\0041'`), "prefix"},
		{"a unicode name", squirrel.Expr(`t.a = U&"d\0061t"`), "prefix"},
		{"NUL", squirrel.Expr("t.a = 1\x00"), "character"},
		{"a backtick", squirrel.Expr("t.`a` = 1"), "character"},
		{"another table", squirrel.Expr("t.a IN (SELECT id FROM secrets)"), "another table"},
		{"another table in a builder", squirrel.Expr("t.a IN (?)", squirrel.Select("id").From("secrets")), "another table"},
		{"another table by TABLE", squirrel.Expr("EXISTS (TABLE secrets)"), "another table"},
		{"rows of values", squirrel.Expr("t.a IN (VALUES (1))"), "another table"},
		{"too few arguments", squirrel.Expr("t.a = ? AND t.b = ?", 1), "2 placeholders and 1 arguments"},
		{"too many arguments", squirrel.Expr("t.a = ?", 1, 2), "1 placeholders and 2 arguments"},
		{"an operator taken for a placeholder", squirrel.Expr("t.a ? 'key'"), "written ??"},
		{"a placeholder in a string", squirrel.Expr("t.a = '?'", 1), "0 placeholders and 1 arguments"},
		{"a placeholder in a name", squirrel.Expr(`t."?" = 1`, 1), "0 placeholders and 1 arguments"},
		{"a value that fails", failing{}, "no such luck"},
		{"a list of lists", squirrel.Gt{"t.a": []int{1}}, "array"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			sql, args, err := scope.Condition(tc.cond, scope.TextRules{})
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("%q, %v; want an error about %q", sql, err, tc.want)
			}
			if sql != "" || args != nil {
				t.Errorf("text came with an error: %q %v", sql, args)
			}
			if _, err := scope.Render(scope.Column("a").Narrow(tc.cond), parents); err == nil {
				t.Error("Narrow takes it")
			}
		})
	}
}

// panicking is a condition of a host that does not look whether it is nil.
type panicking struct{ text string }

func (p *panicking) ToSql() (string, []any, error) { panic("boom" + p.text) }

func TestCondition(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		cond  squirrel.Sqlizer
		rules scope.TextRules
		sql   string
		args  []any
	}{
		{"null", squirrel.Eq{"t.deleted_at": nil}, scope.TextRules{}, "t.deleted_at IS NULL", nil},
		{"a list", squirrel.Eq{"t.kind": []string{"a", "b"}}, scope.TextRules{}, "t.kind IN (?,?)", []any{"a", "b"}},
		{"or", squirrel.Or{squirrel.Eq{"t.a": 1}, squirrel.Gt{"t.b": 2}}, scope.TextRules{}, "(t.a = ? OR t.b > ?)", []any{1, 2}},
		{"an operator's question mark", squirrel.Expr("t.a ?? ? AND t.b ??| ARRAY['?']", "k"), scope.TextRules{}, "t.a ?? ? AND t.b ??| ARRAY['?']", []any{"k"}},
		{"a question mark in quotes", squirrel.Expr(`t."what?" <> 'who''s there?' AND t.c = ?`, 1), scope.TextRules{}, `t."what?" <> 'who''s there?' AND t.c = ?`, []any{1}},
		{"what would be a comment, in quotes", squirrel.Expr(`t.a <> '--' AND t."/*;" <> ';'`), scope.TextRules{}, `t.a <> '--' AND t."/*;" <> ';'`, nil},
		{"a parenthesis in quotes", squirrel.Expr(`t.a <> ')' AND t.b <> '('`), scope.TextRules{}, `t.a <> ')' AND t.b <> '('`, nil},
		{"words of other tables, quoted", squirrel.Expr(`t."select" = 'table' AND t.selected`), scope.TextRules{}, `t."select" = 'table' AND t.selected`, nil},
		{"numbers", squirrel.Expr("t.a > 1.5e3 AND t.b < -0x1F AND t.c = 1_000 AND t.\"d$e\" = 2e-5"), scope.TextRules{}, "t.a > 1.5e3 AND t.b < -0x1F AND t.c = 1_000 AND t.\"d$e\" = 2e-5", nil},
		{"a date", squirrel.Expr("t.a > date '2026-01-01'"), scope.TextRules{}, "t.a > date '2026-01-01'", nil},
		{"another table, where they are allowed", squirrel.Expr("t.a IN (SELECT id FROM m)"), scope.TextRules{Tables: true}, "t.a IN (SELECT id FROM m)", nil},
		{"a comparison that only looks like 1=1", squirrel.Expr("(t.a)=1 AND t.b1=1"), scope.TextRules{}, "(t.a)=1 AND t.b1=1", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			sql, args, err := scope.Condition(tc.cond, tc.rules)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]any{tc.sql, tc.args}, []any{sql, args}); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What is not refused is caged: a top-level OR cannot reach the tenant's condition.
func TestNarrowIsParenthesised(t *testing.T) {
	t.Parallel()
	for _, raw := range []squirrel.Sqlizer{
		squirrel.Expr("t.a OR t.b"), squirrel.Eq{"t.tenant_id = 1 OR t.kind": 1}, squirrel.ConcatExpr("t.a", " OR ", squirrel.Expr("t.b")),
	} {
		sql, _, err := raw.ToSql()
		if err != nil {
			t.Fatal(err)
		}
		got := render(t, scope.Column("tenant_id").Narrow(raw)).SQL
		if diff := cmp.Diff(`(t."tenant_id" = ?) AND (`+sql+`)`, got); diff != "" {
			t.Error(diff)
		}
	}
}

func TestScan(t *testing.T) {
	t.Parallel()
	const text = "t.\"a\"\"b\" ?? ? AND\tx1='it''s' "
	want := []scope.Token{
		{Text: "t", Word: true},
		{Text: "."},
		{Text: `"a""b"`},
		{Text: " "},
		{Text: "?"},
		{Text: " "},
		{Text: "?", Placeholder: true},
		{Text: " "},
		{Text: "AND", Word: true},
		{Text: "\t"},
		{Text: "x1", Word: true},
		{Text: "="},
		{Text: "'it''s'"},
		{Text: " "},
	}
	var got []scope.Token
	if err := scope.Scan(text, func(tok scope.Token) error { got = append(got, tok); return nil }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
