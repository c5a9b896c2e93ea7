package filtering

import (
	"strconv"

	"github.com/Masterminds/squirrel"

	"github.com/tenantry/tenantry/resource"
)

// node is a part of a checked filter. The text of every node stands in parentheses of its own, so that
// no part can change the meaning of its neighbours.
type node interface {
	sql(d Dialect) squirrel.Sqlizer
	args(dst []any, d Dialect) []any
	encode(dst []byte, values bool) []byte // the shape, or with values the digest
}

// leaf compares a column by a positive operator; operand is a string, []string or Nested.
type leaf struct {
	key     *Key
	op      resource.Operator
	operand any
}

func (l leaf) sql(d Dialect) squirrel.Sqlizer {
	c := l.key.Column
	return squirrel.Expr("("+d.Operator(c, l.op)+")", d.Operand(c, l.op, l.operand))
}

func (l leaf) args(dst []any, d Dialect) []any {
	return append(dst, d.Operand(l.key.Column, l.op, l.operand))
}

func (l leaf) encode(dst []byte, values bool) []byte {
	dst = strconv.AppendQuote(dst, l.key.Name)
	dst = append(dst, ':')
	dst = append(dst, l.op...)
	dst = append(dst, ';')
	if values {
		dst = appendOperand(dst, l.operand)
	}
	return dst
}

// nullTest asks whether a column is null, or is not.
type nullTest struct {
	key *Key
	not bool
}

func (n nullTest) sql(Dialect) squirrel.Sqlizer {
	if n.not {
		return squirrel.Expr("(" + n.key.Column.Expr + " IS NOT NULL)")
	}
	return squirrel.Expr("(" + n.key.Column.Expr + " IS NULL)")
}

func (n nullTest) args(dst []any, _ Dialect) []any { return dst }

func (n nullTest) encode(dst []byte, _ bool) []byte {
	dst = strconv.AppendQuote(dst, n.key.Name)
	if n.not {
		return append(dst, ":not_null;"...)
	}
	return append(dst, ":null;"...)
}

// hosted is the host's own condition with the caller's value in it.
type hosted struct {
	key  *Key
	text string
}

func (h hosted) sql(d Dialect) squirrel.Sqlizer {
	return squirrel.Expr("("+h.key.Custom.SQL+")", h.args(nil, d)...)
}

func (h hosted) args(dst []any, d Dialect) []any {
	for _, arg := range h.key.Custom.Args {
		if _, ok := arg.(resource.Value); ok {
			arg = d.Operand(h.key.Column, resource.Eq, h.text)
		}
		dst = append(dst, arg)
	}
	return dst
}

func (h hosted) encode(dst []byte, values bool) []byte {
	dst = strconv.AppendQuote(dst, h.key.Name)
	dst = append(dst, ":custom;"...)
	if values {
		dst = appendOperand(dst, h.text)
	}
	return dst
}

// group is the AND or the OR of two parts or more.
type group struct {
	or    bool
	parts []node
}

// join returns the AND or the OR of parts, of which there is at least one. It never makes a group that
// squirrel would render as a constant.
func join(or bool, parts []node) node {
	if len(parts) == 1 {
		return parts[0]
	}
	return group{or, parts}
}

func (g group) sql(d Dialect) squirrel.Sqlizer {
	parts := make([]squirrel.Sqlizer, len(g.parts))
	for i, part := range g.parts {
		parts[i] = part.sql(d)
	}
	if g.or {
		return squirrel.Or(parts)
	}
	return squirrel.And(parts)
}

func (g group) args(dst []any, d Dialect) []any {
	for _, part := range g.parts {
		dst = part.args(dst, d)
	}
	return dst
}

func (g group) encode(dst []byte, values bool) []byte {
	if g.or {
		dst = append(dst, "|("...)
	} else {
		dst = append(dst, "&("...)
	}
	for _, part := range g.parts {
		dst = part.encode(dst, values)
	}
	return append(dst, ')')
}

// negation keeps the rows for which part is not true: those where it is false, and those where it is
// null.
type negation struct{ part node }

// negate returns the complement of n.
func negate(n node) node {
	if test, ok := n.(nullTest); ok {
		test.not = !test.not
		return test
	}
	return negation{n}
}

func (n negation) sql(d Dialect) squirrel.Sqlizer {
	return squirrel.Expr("(? IS NOT TRUE)", n.part.sql(d))
}

func (n negation) args(dst []any, d Dialect) []any { return n.part.args(dst, d) }

func (n negation) encode(dst []byte, values bool) []byte {
	return append(n.part.encode(append(dst, "!("...), values), ')')
}
