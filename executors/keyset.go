package executors

import (
	"strconv"
	"strings"

	"github.com/Masterminds/squirrel"

	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/resource"
)

// after returns the alternatives of "behind the cursor", each of which an index on the order can serve
// by itself: rows that share the first terms and lie behind in the next. Terms of one direction without
// nulls make one row comparison; a single alternative is the common case. Written as one condition with
// OR, no index would serve it.
func (b *builder) after() ([]squirrel.Sqlizer, error) {
	var out []squirrel.Sqlizer
	var equal squirrel.And
	for i := 0; i < len(b.p.terms); {
		n := b.run(i)
		for _, alt := range b.beyond(i, n) {
			alternative := append(append(squirrel.And{}, equal...), alt)
			out = append(out, alternative)
		}
		for j := i; j < i+n; j++ {
			e, err := b.equal(j)
			if err != nil {
				return nil, err
			}
			equal = append(equal, e)
		}
		i += n
	}
	return out, nil
}

// run is the number of terms from i on that one row comparison serves.
func (b *builder) run(i int) int {
	terms := b.p.terms
	n := 1
	for ; !terms[i].col.Nullable && i+n < len(terms); n++ {
		if next := terms[i+n]; next.col.Nullable || next.desc != terms[i].desc {
			break
		}
	}
	return n
}

// beyond lies behind the cursor in the terms i to i+n. Nulls order as larger than every value.
func (b *builder) beyond(i, n int) []squirrel.Sqlizer {
	t, v := b.p.terms[i], b.p.after.values[i]
	e := b.expr(t.col)
	switch {
	case v.form == formNull && t.desc: // descending begins with the nulls
		return []squirrel.Sqlizer{squirrel.Expr(e + " IS NOT NULL")}
	case v.form == formNull: // ascending ends with them
		return nil
	case t.col.Nullable && !t.desc:
		return []squirrel.Sqlizer{b.compare(i, n), squirrel.Expr(e + " IS NULL")}
	default:
		return []squirrel.Sqlizer{b.compare(i, n)}
	}
}

func (b *builder) compare(i, n int) squirrel.Sqlizer {
	op := " > "
	if b.p.terms[i].desc {
		op = " < "
	}
	left, right := make([]string, n), make([]string, n)
	var args []any
	for j := range n {
		text, more := b.operand(i + j)
		left[j], right[j] = b.col(b.p.terms[i+j].col).Expr, text
		args = append(args, more...)
	}
	return squirrel.Expr(tuple(left)+op+tuple(right), args...)
}

func (b *builder) equal(i int) (squirrel.Sqlizer, error) {
	t := b.p.terms[i]
	if b.p.after.values[i].form == formNull {
		return squirrel.Expr(b.expr(t.col) + " IS NULL"), nil
	}
	text, args := b.operand(i)
	return squirrel.Expr(b.col(t.col).Expr+" = "+text, args...), nil
}

// operand is the cursor's value of a term: bound, or read back by key inside the scope.
func (b *builder) operand(i int) (string, []any) {
	t := b.p.terms[i]
	if b.p.after.values[i].form != formDigest {
		return b.d.Cast(b.col(t.col)), []any{argAfter{i}}
	}
	where, args := b.anchor()
	sub := b.source(append([]string{t.col.Name}, columnNames(b.bd.key)...), false)
	sql, subArgs, err := squirrel.Select("t."+b.d.Quote(t.col.Name)).FromSelect(sub, "t").
		Where(squirrel.Expr(where, args...)).ToSql()
	if err != nil {
		return "NULL", nil // unreachable: the same source was rendered for the page
	}
	return "(" + sql + ")", subArgs
}

// anchor finds the row of the cursor by its key.
func (b *builder) anchor() (string, []any) {
	return b.keyed(func(i int) any { return argAnchor{i} })
}

// keyed compares the key with one argument for each column.
func (b *builder) keyed(arg func(i int) any) (string, []any) {
	parts := make([]string, len(b.bd.key))
	args := make([]any, len(b.bd.key))
	for i, c := range b.bd.key {
		parts[i] = b.d.Operator(b.col(c), resource.Eq)
		args[i] = arg(i)
	}
	return strings.Join(parts, " AND "), args
}

// order is the ORDER BY list over an alias, with the terms' own names or, in a union, their places.
func (b *builder) order(name func(i int) string) []string {
	out := make([]string, len(b.p.terms))
	for i, t := range b.p.terms {
		out[i] = name(i)
		if t.desc {
			out[i] += " DESC"
		}
		switch {
		case !t.col.Nullable:
		case t.desc:
			out[i] += " NULLS FIRST"
		default:
			out[i] += " NULLS LAST"
		}
	}
	return out
}

func (b *builder) ownOrder() []string {
	return b.order(func(i int) string { return b.expr(b.p.terms[i].col) })
}

func unionOrder(i int) string { return "u.s" + strconv.Itoa(i) }

var _ filtering.Dialect = Dialect(nil)
