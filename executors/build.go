package executors

import (
	"strconv"
	"strings"

	"github.com/Masterminds/squirrel"

	"github.com/tenantry/tenantry/scope"
)

// page compiles the statement of a list page.
func (b *builder) page() (*compiled, error) {
	o, c := b.layout()
	sql, args, err := b.listed(selected{exprs: o.exprs, limit: argLimit{}}, o.need)
	if err != nil {
		return nil, err
	}
	c.sql, c.slots, err = b.finish(sql, args)
	return c, err
}

// selected is what is selected of the rows of a listing, and how many.
type selected struct {
	exprs []squirrel.Sqlizer
	names []string // of the expressions; none where their order is enough
	limit any
}

// as is what gives the i-th expression its name.
func (s selected) as(i int) string {
	if s.names == nil {
		return ""
	}
	return " AS " + s.names[i]
}

func (s selected) from(inner squirrel.SelectBuilder) squirrel.SelectBuilder {
	out := squirrel.Select().FromSelect(inner, "t")
	for i, e := range s.exprs {
		out = out.Column(squirrel.ConcatExpr(e, s.as(i)))
	}
	return out
}

// listed is the listing of the plan, from its cursor on. Need has the columns that the expressions read.
func (b *builder) listed(s selected, need map[string]bool) (string, []any, error) {
	conditions, err := b.conditions()
	if err != nil {
		return "", nil, err
	}
	inner := b.source(b.columns(b.need(need)), true)
	alternatives := []squirrel.Sqlizer{}
	if b.p.after != nil && len(b.p.after.values) > 0 {
		if alternatives, err = b.after(); err != nil {
			return "", nil, err
		}
		if len(alternatives) == 0 { // behind the last null of the last term: nothing can follow
			alternatives = append(alternatives, squirrel.Expr("1=0"))
		}
	}
	if len(alternatives) > 1 {
		return b.union(s, inner, conditions, alternatives)
	}
	return b.outer(s, inner, append(conditions, alternatives...)).ToSql()
}

// outer is one ordered, limited SELECT over the source.
func (b *builder) outer(s selected, inner squirrel.SelectBuilder, conditions squirrel.And) squirrel.SelectBuilder {
	out := s.from(inner)
	for _, cond := range conditions {
		out = out.Where(cond)
	}
	out = out.OrderBy(b.ownOrder()...)
	if b.p.offset > 0 {
		return out.Suffix("LIMIT ? OFFSET ?", s.limit, argOffset{})
	}
	return out.Suffix("LIMIT ?", s.limit)
}

// union puts the alternatives behind each other, each with an order and a limit of its own that an
// index serves, and merges the few rows that are left.
func (b *builder) union(s selected, inner squirrel.SelectBuilder, conditions squirrel.And, alternatives []squirrel.Sqlizer) (string, []any, error) {
	branches := selected{limit: s.limit}
	outs := make([]string, len(s.exprs))
	for i, e := range s.exprs {
		branches.exprs = append(branches.exprs, squirrel.ConcatExpr(e, " AS o"+strconv.Itoa(i)))
		outs[i] = "u.o" + strconv.Itoa(i) + s.as(i)
	}
	for i, t := range b.p.terms {
		branches.exprs = append(branches.exprs, squirrel.Expr(b.expr(t.col)+" AS s"+strconv.Itoa(i)))
	}
	var (
		text strings.Builder
		args []any
	)
	text.WriteString("SELECT " + strings.Join(outs, ", ") + " FROM (")
	for i, alt := range alternatives {
		branch := append(append(squirrel.And{}, conditions...), alt)
		sql, more, err := b.outer(branches, inner, branch).ToSql()
		if err != nil {
			return "", nil, err
		}
		if i > 0 {
			text.WriteString(" UNION ALL ")
		}
		text.WriteString("SELECT * FROM (" + sql + ") AS b" + strconv.Itoa(i))
		args = append(args, more...)
	}
	text.WriteString(") AS u ORDER BY " + strings.Join(b.order(unionOrder), ", ") + " LIMIT ?")
	return text.String(), append(args, s.limit), nil
}

// one compiles the statement of get.
func (b *builder) one() (*compiled, error) {
	o, c := b.layout()
	sql, args, err := b.found(selected{exprs: o.exprs}, o.need)
	if err != nil {
		return nil, err
	}
	c.sql, c.slots, err = b.finish(sql, args)
	return c, err
}

// found is the row of a get.
func (b *builder) found(s selected, need map[string]bool) (string, []any, error) {
	where, args := b.keyed(func(i int) any { return argKey{i} })
	inner := b.source(b.columns(b.need(need)), true)
	return s.from(inner).Where(squirrel.Expr(where, args...)).Suffix("LIMIT 1").ToSql()
}

// countAll compiles the count of a listing: by the page's own conditions, without its order. A capped one
// stops one row behind the cap.
func (b *builder) countAll(capped bool) (*compiled, error) {
	conditions, err := b.conditions()
	if err != nil {
		return nil, err
	}
	sql, args := owned(b.d, b.bd, "t") // a count hands out no row that could be checked
	conditions = append(conditions, squirrel.Expr("("+sql+")", args...))
	inner := b.source(b.columns(b.need(map[string]bool{})), true)
	var s squirrel.SelectBuilder
	if capped {
		rows := squirrel.Select(b.d.Nothing()).FromSelect(inner, "t")
		for _, cond := range conditions {
			rows = rows.Where(cond)
		}
		s = squirrel.Select("count(*)").FromSelect(rows.Suffix("LIMIT "+strconv.Itoa(maxCount+1)), "c")
	} else {
		s = squirrel.Select("count(*)").FromSelect(inner, "t")
		for _, cond := range conditions {
			s = s.Where(cond)
		}
	}
	sql, args, err = s.ToSql()
	if err != nil {
		return nil, err
	}
	c := &compiled{}
	c.sql, c.slots, err = b.finish(sql, args)
	return c, err
}

// owned writes the witnesses of a source's row as a condition, under the source's alias.
func owned(d Dialect, bd *bound, alias string) (string, []any) {
	switch {
	case bd.free != tenantBound:
		return "1=1", nil // there is nobody else's row
	case len(bd.scope.Witnesses) == 0:
		return "1=0", nil
	}
	names := make([]string, len(bd.scope.Witnesses))
	for i := range names {
		names[i] = alias + "." + witnessName(d, i)
	}
	sql, args := mine(bd, names)
	if !witnessWall {
		sql = alwaysTrue(sql)
	}
	return sql, args
}

// mine is the condition that a row with these witnesses belongs to the caller.
func mine(bd *bound, names []string) (string, []any) {
	parts := make([]string, len(names))
	var args []any
	for i, w := range bd.scope.Witnesses {
		parts[i] = names[i]
		if !w.Flag {
			parts[i] += " = ?"
			args = append(args, scope.TenantArg())
		}
	}
	return strings.Join(parts, " OR "), args
}

// unchanged compiles the statement that finds the row of a cursor whose long values are still what they
// were.
func (b *builder) unchanged() (*compiled, error) {
	where, args := b.anchor()
	columns := columnNames(b.bd.key)
	for i, v := range b.p.after.values {
		if v.form == formDigest {
			col := b.p.terms[i].col
			columns = append(columns, col.Name)
			where += " AND " + b.d.Digest(b.expr(col)) + " = ?"
			args = append(args, argDigest{i})
		}
	}
	sql, all, err := squirrel.Select("1").FromSelect(b.source(columns, false), "t").
		Where(squirrel.Expr(where, args...)).ToSql()
	if err != nil {
		return nil, err
	}
	c := &compiled{}
	c.sql, c.slots, err = b.finish(sql, all)
	return c, err
}
