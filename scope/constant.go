package scope

import (
	"fmt"
	"slices"
	"strings"
)

// constancy refuses text that shows that it says nothing: the whole is constant, or some OR in it, at any
// depth, has a side that is. What only a database could find out stays for the witness.
func constancy(sql string, tokens []Token) error {
	whole, err := clauses(words(tokens))
	if err != nil {
		return fmt.Errorf("the condition %q says nothing: %w", sql, err)
	}
	if whole {
		return fmt.Errorf("the condition %q says nothing: it is the same for every row", sql)
	}
	return nil
}

// Constant says why a condition's text is the same for every row, as far as the text shows it; nil when it
// is not, and when the text is none that Scan takes apart.
func Constant(sql string) error {
	var tokens []Token
	if err := Scan(sql, func(t Token) error { tokens = append(tokens, t); return nil }); err != nil {
		return nil //nolint:nilerr // text of a database, with casts and quotes of its own
	}
	return constancy(sql, tokens)
}

// words leaves the blanks out, joins DISTINCT and FROM, and puts the name behind a dot in quotes: it is no
// keyword.
func words(tokens []Token) (out []Token) {
	for _, t := range tokens {
		last := ""
		if len(out) > 0 {
			last = strings.ToLower(out[len(out)-1].Text)
		}
		switch {
		case t.gist() == "":
		case t.Word && last == ".":
			out = append(out, Token{Text: `"` + strings.ToLower(t.Text) + `"`})
		case last == "distinct" && strings.EqualFold(t.Text, "from"):
			out[len(out)-1].Text = "distinctfrom"
		case t.Word:
			out = append(out, Token{Text: strings.ToLower(t.Text), Word: true})
		default:
			out = append(out, t)
		}
	}
	return out
}

// breaks are the words between which stands at most one condition.
var breaks = map[string]bool{
	",": true, "select": true, "from": true, "where": true, "on": true, "having": true, "group": true, "order": true,
	"limit": true, "offset": true, "union": true, "intersect": true, "except": true, "join": true,
	"when": true, "then": true, "else": true,
}

// clauses looks at a text between two parentheses and reports whether it is one constant condition.
func clauses(tokens []Token) (constant bool, err error) {
	from, count := 0, 0
	for i, depth := 0, 0; i <= len(tokens); i++ {
		if i < len(tokens) {
			depth += nesting(tokens[i])
			if depth > 0 || !breaks[tokens[i].Text] {
				continue
			}
		}
		if constant, err = clause(tokens[from:i]); err != nil {
			return false, err
		}
		from, count = i+1, count+1
	}
	return constant && count == 1, nil
}

func nesting(t Token) int {
	switch t.Text {
	case "(", "case":
		return 1
	case ")", "end":
		return -1
	default:
		return 0
	}
}

// clause looks at one condition: OR of AND of conditions that may be negated.
func clause(tokens []Token) (constant bool, err error) {
	sides := split(tokens, "or")
	constant = true
	var seen []string
	for _, side := range sides {
		fixed, err := all(side)
		if err != nil {
			return false, err
		}
		text := alone(side)
		if len(sides) > 1 && (fixed && text != "false" || slices.ContainsFunc(seen, func(s string) bool { return opposite(s, text) })) {
			return false, fmt.Errorf("one side of an OR in it is the same for every row")
		}
		seen, constant = append(seen, text), constant && fixed
	}
	return constant, nil
}

// alone is the text of one condition without parentheses around it; empty for several joined by AND, of which
// two that differ in one part are no opposites.
func alone(tokens []Token) string {
	tokens = stripped(tokens)
	if len(split(tokens, "and")) > 1 || len(split(tokens, "or")) > 1 {
		return ""
	}
	return join(tokens)
}

// opposite reports whether one of two conditions is plainly true where the other is not.
func opposite(a, b string) bool {
	return a != "" && b != "" && complements(a, b)
}

func complements(a, b string) bool {
	return negates(a, b) || negates(b, a)
}

// negates reports whether a is b with a NOT, or the one that tests for NULL where b tests for a value.
func negates(a, b string) bool {
	null, isNull := strings.CutSuffix(a, "isnull")
	value, isValue := strings.CutSuffix(b, "isnotnull")
	return a == "not"+b || a == "not("+b+")" || isNull && isValue && null == value
}

func all(tokens []Token) (constant bool, err error) {
	constant = true
	for _, part := range split(tokens, "and") {
		fixed, err := single(part)
		if err != nil {
			return false, err
		}
		constant = constant && fixed
	}
	return constant, nil
}

// single looks at a condition without AND and OR outside its parentheses.
func single(tokens []Token) (constant bool, err error) {
	for len(tokens) > 0 && tokens[0].Text == "not" {
		tokens = tokens[1:]
	}
	if len(tokens) == 0 {
		return false, nil // the beginning or the end of a clause
	}
	if group := inner(tokens); group != nil {
		return clauses(group)
	}
	for i := 0; i < len(tokens); i++ {
		if nesting(tokens[i]) > 0 {
			end := closing(tokens, i)
			if _, err := clauses(tokens[i+1 : end]); err != nil {
				return false, err
			}
			i = end
		}
	}
	return namesNothing(tokens) || sameSides(tokens), nil
}

// inner is what one pair of parentheses around everything holds; nil without one.
func inner(tokens []Token) []Token {
	if tokens[0].Text != "(" || closing(tokens, 0) != len(tokens)-1 {
		return nil
	}
	return tokens[1 : len(tokens)-1]
}

// closing is the place of the parenthesis that closes the one at i, or the end.
func closing(tokens []Token, i int) int {
	depth := 0
	for ; i < len(tokens); i++ {
		if depth += nesting(tokens[i]); depth == 0 {
			return i
		}
	}
	return len(tokens) - 1
}

// split cuts at a word outside parentheses. The AND of BETWEEN is none.
func split(tokens []Token, word string) (parts [][]Token) {
	from, depth, between := 0, 0, false
	for i, t := range tokens {
		depth += nesting(t)
		switch {
		case depth > 0 || !t.Word:
		case t.Text == "between":
			between = true
		case t.Text == "and" && between:
			between = false
		case t.Text == word:
			parts, from = append(parts, tokens[from:i]), i+1
		}
	}
	return append(parts, tokens[from:])
}

// plain are the words that name nothing of a row.
var plain = []string{"true", "false", "null", "is", "not", "distinctfrom", "in", "between", "and", "like", "ilike", "unknown"}

// namesNothing reports whether a condition is made of constants and arguments alone.
func namesNothing(tokens []Token) bool {
	return !slices.ContainsFunc(tokens, func(t Token) bool {
		name := t.Word && (t.Text[0] < '0' || t.Text[0] > '9') && !slices.Contains(plain, t.Text)
		return name || t.Text[0] == '"'
	})
}

// sameSides reports whether a condition compares something with itself.
func sameSides(tokens []Token) bool {
	depth := 0
	for i, t := range tokens {
		depth += nesting(t)
		if depth > 0 || !strings.Contains("=<>!", t.Text) {
			continue
		}
		end := i + 1
		for end < len(tokens) && strings.Contains("=<>!", tokens[end].Text) {
			end++
		}
		left, right := bare(tokens[:i]), bare(tokens[end:])
		return left != "" && left == right && !strings.Contains(left, "?")
	}
	left, right, found := strings.Cut(join(tokens), "isnotdistinctfrom")
	return found && left != "" && left == right
}

// bare is the text without parentheses around it.
func bare(tokens []Token) string { return join(stripped(tokens)) }

func stripped(tokens []Token) []Token {
	for len(tokens) > 0 && inner(tokens) != nil {
		tokens = inner(tokens)
	}
	return tokens
}

func join(tokens []Token) string {
	var out strings.Builder
	for _, t := range tokens {
		out.WriteString(t.Text)
	}
	return out.String()
}
