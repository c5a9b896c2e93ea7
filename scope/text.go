package scope

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/Masterminds/squirrel"
)

// TextRules says what a condition written by a host may contain beyond a scalar expression.
type TextRules struct {
	Tables bool // sub-selects over other tables
	Values bool // sides that are the same for every row: its arguments differ from call to call
}

// Condition returns the text and arguments of a host's condition, checked: not empty, balanced, one
// statement, no comment, no numbered placeholder, and as many placeholders as arguments. squirrel
// values may be empty or mean something else than they seem to: an empty Eq or And is true, an empty Or
// or list is false. What such a value renders to is refused here, at any depth. A panic of the value is
// an error.
func Condition(cond squirrel.Sqlizer, rules TextRules) (sql string, args []any, err error) {
	if cond == nil || (reflect.ValueOf(cond).Kind() == reflect.Pointer && reflect.ValueOf(cond).IsNil()) {
		return "", nil, errors.New("the condition is nil")
	}
	defer func() {
		if p := recover(); p != nil {
			sql, args, err = "", nil, fmt.Errorf("the condition panicked: %v", p)
		}
	}()
	sql, args, err = cond.ToSql()
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
	depth := 0
	var gist strings.Builder // without blanks and what is in quotes
	var tokens []Token
	err = Scan(sql, func(t Token) error {
		tokens = append(tokens, t)
		gist.WriteString(t.gist())
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
	switch {
	case err != nil:
		return 0, err
	case depth != 0:
		return 0, fmt.Errorf("the condition %q leaves a parenthesis open", sql)
	default:
		if err := saysNothing(sql, gist.String()); err != nil {
			return 0, err
		}
		if rules.Values {
			return placeholders, nil
		}
		return placeholders, constancy(sql, tokens)
	}
}

// saysNothing refuses text that is constant, and the two constants that squirrel writes for an empty value.
func saysNothing(sql, gist string) error {
	switch text := strings.Trim(gist, "()"); {
	case text == "", strings.EqualFold(text, "true"):
		return fmt.Errorf("the condition %q says nothing", sql)
	case strings.Contains("("+gist+")", "(1=1)"):
		return fmt.Errorf("the condition %q says nothing where it holds 1=1, which is what an empty squirrel value becomes", sql)
	case strings.Contains("("+gist+")", "(1=0)"):
		return fmt.Errorf("the condition %q is never true where it holds 1=0, which is what an empty list becomes", sql)
	default:
		return nil
	}
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
	Word        bool // an unquoted name, keyword or number
}

func (t Token) gist() string {
	switch t.Text[0] {
	case ' ', '\t', '\n', '\r', '\f', '\v':
		return ""
	case '\'', '"':
		return "''"
	default:
		return t.Text
	}
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
		return word(sql, rest)
	case strings.HasPrefix(rest, "&'"), strings.HasPrefix(rest, "&\""):
		return Token{}, 0, fmt.Errorf("the condition %q holds a string with a prefix: write it in plain quotes", sql)
	default:
		return Token{Text: rest[:1]}, 1, nil
	}
}

// number is what may begin with a digit. PostgreSQL before 15 takes anything else apart: 1e” is a number
// and a string with escapes, 1$2 a number and an argument.
var number = regexp.MustCompile(`^([0-9_]+([eE][0-9]*)?|0[xXoObB][0-9a-fA-F_]+)$`)

func word(sql, rest string) (Token, int, error) {
	n := 1
	for n < len(rest) && wordByte(rest[n]) { // a name with a $ is written in quotes
		n++
	}
	text := rest[:n]
	switch {
	case n < len(rest) && rest[n] == '\'':
		return Token{}, 0, fmt.Errorf("the condition %q holds a string with a prefix: write it in plain quotes, with a blank before it", sql)
	case '0' <= text[0] && text[0] <= '9' && !number.MatchString(text):
		return Token{}, 0, fmt.Errorf("the condition %q holds %q, which is neither a number nor a name", sql, text)
	default:
		return Token{Text: text, Word: true}, n, nil
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
