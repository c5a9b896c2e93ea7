package scope

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/Masterminds/squirrel"
)

// TextRules says what a condition written by a host may contain beyond a scalar expression.
type TextRules struct {
	Tables bool // sub-selects over other tables
}

// Condition returns the text and arguments of a host's condition, checked: not empty, balanced, one
// statement, no comment, no numbered placeholder, and as many placeholders as arguments. squirrel
// values may be empty or mean something else than they seem to (a nil Eq is IS NULL, an empty And is
// true); what such a value renders to is refused here.
func Condition(cond squirrel.Sqlizer, rules TextRules) (string, []any, error) {
	if cond == nil || (reflect.ValueOf(cond).Kind() == reflect.Pointer && reflect.ValueOf(cond).IsNil()) {
		return "", nil, errors.New("the condition is nil")
	}
	sql, args, err := cond.ToSql()
	if err != nil {
		return "", nil, err
	}
	n, err := checkText(sql, rules)
	if err != nil {
		return "", nil, err
	}
	if n != len(args) {
		return "", nil, fmt.Errorf("the condition %q has %d placeholders and %d arguments; an operator ? is written ??", sql, n, len(args))
	}
	return sql, args, nil
}

func checkText(sql string, rules TextRules) (placeholders int, err error) {
	switch strings.Join(strings.Fields(strings.Trim(sql, "() ")), "") {
	case "", "1=1", "true", "TRUE", "True":
		return 0, fmt.Errorf("the condition %q says nothing", sql)
	}
	depth := 0
	err = Scan(sql, func(t Token) error {
		switch {
		case t.Placeholder:
			placeholders++
		case t.Text == "(":
			depth++
		case t.Text == ")":
			if depth--; depth < 0 {
				return fmt.Errorf("the condition %q closes a parenthesis it did not open", sql)
			}
		case t.Text == ";":
			return fmt.Errorf("the condition %q holds a semicolon", sql)
		case t.Word && !rules.Tables && isTable(t.Text):
			return fmt.Errorf("the condition %q reads another table; declare a relation, or a scope through a parent", sql)
		}
		return nil
	})
	if err == nil && depth != 0 {
		err = fmt.Errorf("the condition %q leaves a parenthesis open", sql)
	}
	return placeholders, err
}

func isTable(word string) bool {
	switch strings.ToLower(word) {
	case "select", "table", "values":
		return true
	default:
		return false
	}
}

// Token is a piece of a condition's text.
type Token struct {
	Text        string
	Placeholder bool // a single ?
	Word        bool // an unquoted name or keyword
}

// Scan cuts a condition into tokens, in order and without loss: joined, the texts are the condition
// again, except that ?? (an operator's question mark) comes as ?. Quoted strings and names come whole.
// Text whose meaning depends on what surrounds it is an error: comments, dollar quotes, numbered
// placeholders, strings with backslash escapes, an open quote, NUL.
func Scan(sql string, yield func(Token) error) error {
	for i := 0; i < len(sql); {
		t, n, err := next(sql, i)
		if err != nil {
			return err
		}
		if err := yield(t); err != nil {
			return err
		}
		i += n
	}
	return nil
}

func next(sql string, i int) (Token, int, error) {
	rest := sql[i:]
	switch c := rest[0]; {
	case c == '\'' || c == '"':
		return quoted(rest)
	case strings.HasPrefix(rest, "--"), strings.HasPrefix(rest, "/*"):
		return Token{}, 0, fmt.Errorf("the condition %q holds a comment", sql)
	case c == '$':
		return Token{}, 0, fmt.Errorf("the condition %q holds a $: write ? for an argument and quotes for a string", sql)
	case c == 0 || c == '`':
		return Token{}, 0, fmt.Errorf("the condition %q holds a character that no name or operator has", sql)
	case strings.HasPrefix(rest, "??"):
		return Token{Text: "?"}, 2, nil
	case c == '?':
		return Token{Text: "?", Placeholder: true}, 1, nil
	case wordByte(c):
		n := 1
		for n < len(rest) && (wordByte(rest[n]) || rest[n] == '$') {
			n++
		}
		if n < len(rest) && rest[n] == '\'' && !strings.EqualFold(rest[:n], "date") && n <= 2 {
			return Token{}, 0, fmt.Errorf("the condition %q holds a string with a prefix: write it in plain quotes", sql)
		}
		return Token{Text: rest[:n], Word: true}, n, nil
	case strings.HasPrefix(rest, "&'"), strings.HasPrefix(rest, "&\""):
		return Token{}, 0, fmt.Errorf("the condition %q holds a string with a prefix: write it in plain quotes", sql)
	default:
		return Token{Text: rest[:1]}, 1, nil
	}
}

func quoted(rest string) (Token, int, error) {
	q := rest[0]
	for n := 1; n < len(rest); n++ {
		if rest[n] != q {
			continue
		}
		if n+1 < len(rest) && rest[n+1] == q {
			n++
			continue
		}
		return Token{Text: rest[:n+1]}, n + 1, nil
	}
	return Token{}, 0, errors.New("a quote is left open")
}

func wordByte(c byte) bool {
	return c == '_' || c >= 0x80 || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
