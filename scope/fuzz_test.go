package scope_test

import (
	"strings"
	"testing"

	"github.com/Masterminds/squirrel"

	"github.com/tenantry/tenantry/scope"
)

var corpus = []string{
	"", "t.a = ?", "t.a ?? ?", `t."what?" = 'it''s ?'`, "a OR b", "(a", "a)", "a) OR (b", ";", "--", "/* */", "E'\\''", "u&'x'",
	"$1", "$$", "1e5", "1e'x'", "'", `"`, "''''", "(1=1)", " ( ( 1 = 1 ) ) ", "t.a IN (SELECT 1)", "ü.ß = ?", "\x00", "\xff", "a$b", "??", "???", "????",
	"x'' '", "`a`", "t.a = ANY(?) AND (t.b OR NOT t.c)", "date '2026-01-01'", "(1=0)", "true",
}

func FuzzScan(f *testing.F) {
	for _, s := range corpus {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, sql string) {
		var back strings.Builder
		err := scope.Scan(sql, func(tok scope.Token) error {
			if tok.Text == "" {
				t.Fatal("an empty token")
			}
			if tok.Text == "?" && !tok.Placeholder {
				back.WriteByte('?')
			}
			back.WriteString(tok.Text)
			return nil
		})
		if err == nil && back.String() != sql {
			t.Fatalf("%q comes back as %q", sql, back.String())
		}
	})
}

// FuzzCondition holds what Condition accepts against a reader that knows nothing but quotes.
func FuzzCondition(f *testing.F) {
	for _, s := range corpus {
		f.Add(s, 1, true)
	}
	f.Fuzz(func(t *testing.T, text string, n int, tables bool) {
		args := make([]any, uint(n)%8)
		for i := range args {
			args[i] = i
		}
		sql, got, err := scope.Condition(squirrel.Expr(text, args...), scope.TextRules{Tables: tables})
		if err != nil {
			return
		}
		if sql != text || len(got) != len(args) {
			t.Fatalf("%q became %q with %v", text, sql, got)
		}
		plain := outsideQuotes(t, sql)
		for _, bad := range []string{";", "--", "/*", "$$", "\x00"} {
			if strings.Contains(plain, bad) {
				t.Fatalf("%q holds %q", sql, bad)
			}
		}
		if holes := strings.Count(strings.ReplaceAll(plain, "??", ""), "?"); holes != len(args) {
			t.Fatalf("%q has %d placeholders for %d arguments", sql, holes, len(args))
		}
		depth := 0
		for _, c := range plain {
			switch c {
			case '(':
				depth++
			case ')':
				depth--
			}
			if depth < 0 {
				t.Fatalf("%q closes a parenthesis it did not open", sql)
			}
		}
		if depth != 0 {
			t.Fatalf("%q leaves a parenthesis open", sql)
		}
	})
}

// outsideQuotes returns what is left when everything in quotes is taken out.
func outsideQuotes(t *testing.T, sql string) string {
	t.Helper()
	var out strings.Builder
	quote := byte(0)
	for i := range len(sql) {
		c := sql[i]
		switch {
		case quote == c:
			quote = 0
			out.WriteByte(' ')
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote == 0:
			out.WriteByte(c)
		}
	}
	if quote != 0 {
		t.Fatalf("%q leaves a quote open", sql)
	}
	return out.String()
}
