package executors

import (
	"strconv"
	"strings"

	"github.com/Masterminds/squirrel"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
	"github.com/tenantry/tenantry/tenant"
)

// groupsBuilder writes the statement of aggregate. The rows are those of list: the same source under the same
// conditions, in a derived table g that has what the groups need of each row.
type groupsBuilder struct {
	*builder
	need   map[string]bool
	inner  []string       // the expressions of g
	places map[string]int // of a column in g
	cells  []Aggregate    // the members of the answer
}

// groups compiles the statement of aggregate.
func (b *builder) groups() (*compiled, error) {
	g := &groupsBuilder{builder: b, need: map[string]bool{}, places: map[string]int{}}
	grouping := g.keys()
	g.measures()
	witness, args := g.witnesses()
	rows, err := g.rows()
	if err != nil {
		return nil, err
	}
	c := g.layout()
	list := squirrel.Expr(strings.Join(append(g.shown(), witness...), ", "), args...)
	s := squirrel.Select().Column(list).FromSelect(rows, "g").OrderBy(g.order()...)
	if len(grouping) > 0 {
		s = s.GroupBy(grouping...)
	}
	sql, all, err := s.Suffix("LIMIT ?", argLimit{}).ToSql()
	if err != nil {
		return nil, err
	}
	c.sql, c.slots, err = b.finish(sql, all)
	return c, err
}

// add puts an expression into g and returns its name there.
func (g *groupsBuilder) add(expr string) string {
	name := "c" + strconv.Itoa(len(g.inner))
	g.inner = append(g.inner, expr+" AS "+name)
	return "g." + name
}

// keys puts what rows are grouped by into g.
func (g *groupsBuilder) keys() []string {
	var out []string
	for _, k := range g.p.agg.keys {
		g.need[k.col.Name] = true
		cell := g.d.Key(k.col, g.expr(k.col), k.unit)
		cell.Expr = g.add(cell.Expr)
		g.cells = append(g.cells, cell)
		out = append(out, cell.Expr)
	}
	return out
}

// measures puts the columns that are measured into g, each once.
func (g *groupsBuilder) measures() {
	for _, m := range g.p.agg.measures {
		if m.fn == "" {
			g.cells = append(g.cells, Aggregate{Expr: "count(*)", Column: Column{Type: resource.Plain(resource.BigInt)}})
			continue
		}
		g.need[m.col.Name] = true
		at, ok := g.places[m.col.Name]
		if !ok {
			at = len(g.inner)
			g.add(g.expr(m.col))
			g.places[m.col.Name] = at
		}
		g.cells = append(g.cells, g.d.Measure(m.fn, m.col, "g.c"+strconv.Itoa(at)))
	}
}

// witnesses tell of each group how many rows it has, how many of them are not the caller's, and the least
// and the greatest tenant among them, so that the groups of a statement that went wrong, or was sent for
// somebody else, are recognised without seeing their rows.
func (g *groupsBuilder) witnesses() ([]string, []any) {
	if g.bd.global() {
		if len(g.inner) == 0 {
			g.add("1") // rows that are only counted
		}
		return []string{"count(*)", "0", "NULL", "NULL"}, nil
	}
	names := make([]string, len(g.bd.scope.Witnesses))
	for i := range names {
		names[i] = g.add("t." + g.witness(i))
	}
	own, mineArgs := mine(g.bd, names)
	owner, ownerArgs := g.owner(names)
	args := append(append(mineArgs, ownerArgs...), ownerArgs...)
	return []string{
		"count(*)", "count(*) FILTER (WHERE (" + own + ") IS NOT TRUE)", "min(" + owner + ")", "max(" + owner + ")",
	}, args
}

// owner is the tenant of a row of g: the one there is, or of several the one that makes the row the caller's.
func (g *groupsBuilder) owner(names []string) (string, []any) {
	var text strings.Builder
	var args []any
	for i, w := range g.bd.scope.Witnesses {
		value := names[i]
		if g.kind == tenant.KindUUID { // which not every database can order
			value = "CAST(" + value + " AS text)"
		}
		switch {
		case len(names) == 1:
			return value, nil
		case !w.Flag:
			text.WriteString(" WHEN " + names[i] + " = ? THEN " + value)
			args = append(args, scope.TenantArg())
		}
	}
	return "CASE" + text.String() + " END", args
}

// rows is g: the rows of the resource that the caller asked for.
func (g *groupsBuilder) rows() (squirrel.SelectBuilder, error) {
	conditions, err := g.conditions()
	if err != nil {
		return squirrel.SelectBuilder{}, err
	}
	s := squirrel.Select(g.inner...).FromSelect(g.source(g.columns(g.builder.need(g.need)), true), "t")
	for _, cond := range conditions {
		s = s.Where(cond)
	}
	return s.Suffix(g.d.Fence()), nil
}

// shown are the expressions of the answer's members, none longer than a page.
func (g *groupsBuilder) shown() []string {
	out := make([]string, len(g.cells))
	for i, cell := range g.cells {
		out[i] = cell.Expr
		if cell.Column.Long {
			out[i] = g.d.Shown(cell.Column, cell.Expr, g.opts.PageBytes)
		}
	}
	return out
}

// order is the order of the groups, in which nulls are larger than every value.
func (g *groupsBuilder) order() []string {
	var out []string
	for _, o := range g.p.agg.order {
		by := g.cells[o.member].Order
		if by == nil {
			by = []string{g.cells[o.member].Expr}
		}
		for _, expr := range by {
			if o.desc {
				out = append(out, expr+" DESC NULLS FIRST")
			} else {
				out = append(out, expr+" ASC NULLS LAST")
			}
		}
	}
	return out
}

// layout says how the answer of the statement is read: members, then what witnesses tell.
func (g *groupsBuilder) layout() *compiled {
	c := &compiled{opening: append(appendName([]byte(`{"resource":`), g.bd.res.Name()), `,"groups":[`...), witness: len(g.cells)}
	names := g.p.agg.members()
	members := make([]serializer.Member, len(g.cells))
	for i, cell := range g.cells {
		write := cell.Write
		if write == nil {
			write = g.writer(cell.Column)
		}
		members[i] = serializer.Member{Name: names[i], Column: i, Write: write, Type: cell.Column.Type}
		c.binary, c.oids = append(c.binary, cell.Column.Binary), append(c.oids, expected(cell))
	}
	c.enc, c.naming = serializer.NewEncoder(members, nil, false), naming(names)
	c.binary, c.oids = append(c.binary, make([]bool, groupWitnesses)...), append(c.oids, make([]uint32, groupWitnesses)...)
	for _, w := range g.bd.scope.Witnesses {
		c.flags = append(c.flags, w.Flag)
	}
	return c
}

// expected is the type that a value must arrive in: what a writer that is not the column's reads, or a binary
// format. Text is text whatever its type.
func expected(cell Aggregate) uint32 {
	if cell.Column.Binary || cell.Write != nil {
		return cell.Column.OID
	}
	return 0
}
