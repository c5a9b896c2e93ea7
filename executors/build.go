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
	conditions, err := b.conditions()
	if err != nil {
		return nil, err
	}
	inner := b.source(b.columns(b.need(o.need)), true)
	alternatives := []squirrel.Sqlizer{}
	if b.p.after != nil && len(b.p.after.values) > 0 {
		if alternatives, err = b.after(); err != nil {
			return nil, err
		}
		if len(alternatives) == 0 { // behind the last null of the last term: nothing can follow
			alternatives = append(alternatives, squirrel.Expr("1=0"))
		}
	}
	var sql string
	var args []any
	if len(alternatives) > 1 {
		sql, args, err = b.union(o, inner, conditions, alternatives)
	} else {
		sql, args, err = b.outer(inner, o.exprs, append(conditions, alternatives...)).ToSql()
	}
	if err != nil {
		return nil, err
	}
	c.sql, c.slots, err = b.finish(sql, args)
	return c, err
}

// outer is one ordered, limited SELECT over the source.
func (b *builder) outer(inner squirrel.SelectBuilder, exprs []string, conditions squirrel.And) squirrel.SelectBuilder {
	s := squirrel.Select(exprs...).FromSelect(inner, "t")
	for _, cond := range conditions {
		s = s.Where(cond)
	}
	s = s.OrderBy(b.ownOrder()...)
	if b.p.offset > 0 {
		return s.Suffix("LIMIT ? OFFSET ?", argLimit{}, argOffset{})
	}
	return s.Suffix("LIMIT ?", argLimit{})
}

// union puts the alternatives behind each other, each with an order and a limit of its own that an
// index serves, and merges the few rows that are left.
func (b *builder) union(o *outputs, inner squirrel.SelectBuilder, conditions squirrel.And, alternatives []squirrel.Sqlizer) (string, []any, error) {
	exprs := make([]string, 0, len(o.exprs)+len(b.p.terms))
	outs := make([]string, len(o.exprs))
	for i, e := range o.exprs {
		exprs = append(exprs, e+" AS o"+strconv.Itoa(i))
		outs[i] = "u.o" + strconv.Itoa(i)
	}
	for i, t := range b.p.terms {
		exprs = append(exprs, b.expr(t.col)+" AS s"+strconv.Itoa(i))
	}
	var (
		text strings.Builder
		args []any
	)
	text.WriteString("SELECT " + strings.Join(outs, ", ") + " FROM (")
	for i, alt := range alternatives {
		branch := append(append(squirrel.And{}, conditions...), alt)
		sql, more, err := b.outer(inner, exprs, branch).ToSql()
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
	return text.String(), append(args, argLimit{}), nil
}

// one compiles the statement of get.
func (b *builder) one() (*compiled, error) {
	o, c := b.layout()
	inner := b.source(b.columns(b.need(o.need)), true)
	where, args := b.keyed(func(i int) any { return argKey{i} })
	sql, all, err := squirrel.Select(o.exprs...).FromSelect(inner, "t").
		Where(squirrel.Expr(where, args...)).Suffix("LIMIT 1").ToSql()
	if err != nil {
		return nil, err
	}
	c.sql, c.slots, err = b.finish(sql, all)
	return c, err
}

// countAll compiles the count of a listing: by the page's own conditions, without its order. A capped one
// stops one row behind the cap.
func (b *builder) countAll(capped bool) (*compiled, error) {
	conditions, err := b.conditions()
	if err != nil {
		return nil, err
	}
	conditions = append(conditions, b.owned())
	inner := b.source(b.columns(b.need(map[string]bool{})), true)
	var s squirrel.SelectBuilder
	if capped {
		rows := squirrel.Select("1 AS one").FromSelect(inner, "t")
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
	sql, args, err := s.ToSql()
	if err != nil {
		return nil, err
	}
	c := &compiled{}
	c.sql, c.slots, err = b.finish(sql, args)
	return c, err
}

// owned is the witness as a condition: a count hands out no row that could be checked.
func (b *builder) owned() squirrel.Sqlizer {
	sql, args := owned(b.d, b.bd, "?")
	return squirrel.Expr("("+sql+")", args...)
}

// owned writes the witnesses of a row as a condition over the source, with the given text for the tenant.
func owned(d Dialect, bd *bound, tenant string) (string, []any) {
	parts := make([]string, len(bd.scope.Witnesses))
	var args []any
	for i, w := range bd.scope.Witnesses {
		parts[i] = "t." + witnessName(d, i)
		if !w.Flag {
			parts[i] += " = " + tenant
			args = append(args, scope.TenantArg())
		}
	}
	return strings.Join(parts, " OR "), args
}

// unchanged compiles the statement that finds the row of a cursor whose long values are still what they
// were.
func (b *builder) unchanged() (*compiled, error) {
	where, args := b.anchor()
	columns := b.keyNames()
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
