package executors

import (
	"slices"
	"strconv"
	"strings"

	"github.com/Masterminds/squirrel"

	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// outputs lays out the columns of a statement's answer: what is shown, what a cursor needs, and the
// witnesses last.
type outputs struct {
	b     *builder
	exprs []squirrel.Sqlizer
	bin   []bool
	oids  []uint32
	index map[string]int // by column, for columns that arrive as they are shown
	need  map[string]bool
}

// layout plans the answer of a page, of get or of embedded rows. The given expressions come first.
func (b *builder) layout(first ...string) (*outputs, *compiled) {
	o := &outputs{b: b, index: map[string]int{}, need: map[string]bool{}}
	for _, e := range first {
		o.add(e, 0)
	}
	c := &compiled{opening: opening(b.p)}
	members, links := o.members(c), o.links(c)
	c.enc = serializer.NewEncoder(members, links, len(b.p.sel.Links) > 0)
	c.naming = naming(namesOf(members, links))
	if !b.p.get {
		for _, k := range b.bd.key {
			c.keys = append(c.keys, o.cell(k))
		}
		for _, t := range b.p.terms {
			c.terms = append(c.terms, o.term(t.col))
		}
	}
	c.witness = len(o.exprs)
	for i, w := range b.bd.scope.Witnesses {
		o.add("t."+b.witness(i), 0)
		c.flags = append(c.flags, w.Flag)
	}
	c.binary, c.oids = o.bin, o.oids
	return o, c
}

func (o *outputs) members(c *compiled) []serializer.Member {
	var out []serializer.Member
	for _, i := range o.b.p.sel.Fields {
		f := o.b.p.v.fields[i]
		if !f.Computed() {
			col, _ := o.b.bd.table.Column(f.Column)
			n, w := o.column(col)
			out = append(out, serializer.Member{Name: f.Name, Column: n, Write: w, Type: col.Type})
			continue
		}
		out = append(out, serializer.Member{Name: f.Name, Column: -1, Type: resource.Plain(f.Type)})
		c.computed.names = append(c.computed.names, f.Name)
		for _, name := range f.Reads {
			col, _ := o.b.bd.table.Column(name)
			n, _ := o.column(col)
			c.computed.reads(col, n)
		}
	}
	return out
}

func namesOf(members []serializer.Member, links []serializer.Link) []string {
	var out []string
	for _, m := range members {
		out = append(out, m.Name)
	}
	for _, l := range links {
		out = append(out, l.Name)
	}
	return out
}

func (o *outputs) links(c *compiled) []serializer.Link {
	var out []serializer.Link
	for _, i := range o.b.p.sel.Links {
		l := o.b.p.v.links[i]
		if l.listed() {
			out = append(out, o.list(c, l))
			continue
		}
		s := serializer.Link{Name: l.Name, Polymorphic: l.Kind == resource.KindPolymorphic}
		for _, col := range l.columns {
			n, w := o.column(col)
			s.Columns = append(s.Columns, n)
			s.Writers = append(s.Writers, w)
		}
		out = append(out, s)
	}
	return out
}

// list selects the keys of related rows, each behind its witnesses: those are compared before a key is
// written, as the witnesses of rows are.
func (o *outputs) list(c *compiled, l link) serializer.Link {
	target := l.target
	for _, col := range l.local {
		o.need[col.Name] = true
	}
	at := listAt{index: len(o.exprs), target: target}
	s := serializer.Link{Name: l.Name, Columns: []int{at.index}, Listed: true, One: l.toOne()}
	var collected []filtering.Column
	for i, w := range target.scope.Witnesses {
		at.flags = append(at.flags, w.Flag)
		collected = append(collected, filtering.Column{Expr: "r." + witnessName(o.b.d, i), Type: o.b.witnessType(w)})
	}
	s.Skip = len(collected)
	for _, k := range target.key {
		collected = append(collected, columnOf(o.b.d, "r", k))
		s.Writers = append(s.Writers, o.b.d.Writer(k))
	}
	before, after := o.b.d.Collect(collected)
	o.exprs = append(o.exprs, squirrel.ConcatExpr(before, o.b.keysOf(l), after))
	o.bin, o.oids = append(o.bin, false), append(o.oids, 0)
	c.lists = append(c.lists, at)
	return s
}

// witnessType is the type of a witness in the form in which rows are read.
func (b *builder) witnessType(w scope.Witness) resource.Type {
	if w.Flag {
		return resource.Plain(resource.Boolean)
	}
	return tenantType(b.kind)
}

// maxListed is one more than the ids that a row shows of a to-many relation: it says that there are more.
const maxListed = serializer.MaxIDs + 1

// keysOf are the related rows of a row, from their FROM on, ascending by key.
func (b *builder) keysOf(l link) squirrel.Sqlizer {
	d, target := b.d, l.target
	rows := source(d, target, columnNames(l.there, target.key), true)
	limit := maxListed
	if l.toOne() {
		limit = 1
	}
	return squirrel.ConcatExpr("FROM (", rows, ") AS r WHERE ", l.within(d, "r", names(d, "t", l.local)),
		" ORDER BY "+strings.Join(names(d, "r", target.key), ", ")+" LIMIT "+strconv.Itoa(limit))
}

// column selects a column as it is shown, once, and returns its place and its writer.
func (o *outputs) column(c Column) (int, serializer.Writer) {
	w := o.b.writer(c)
	if n, ok := o.index[c.Name]; ok {
		return n, w
	}
	o.need[c.Name] = true
	expr, oid := o.b.expr(c), c.OID
	if c.Long {
		expr, oid = o.b.d.Shown(c, expr, o.b.opts.PageBytes), 0
	}
	n := o.add(expr, oid)
	o.bin[n] = c.Binary
	o.index[c.Name] = n
	return n, w
}

// add selects an expression, as text. One with a type must have that type: its writer knows no other.
func (o *outputs) add(expr string, oid uint32) int {
	o.exprs = append(o.exprs, squirrel.Expr(expr))
	o.bin = append(o.bin, false)
	o.oids = append(o.oids, oid)
	return len(o.exprs) - 1
}

// cell selects a column whose value a later statement binds.
func (o *outputs) cell(c Column) cellAt {
	n, w := o.column(c)
	if !c.Binary {
		return cellAt{index: n}
	}
	return cellAt{index: n, write: w, kind: c.Type.Kind}
}

// term selects the value of a sort term. One that may be too long for a cursor comes as a digest when
// it is; the key is always carried whole.
func (o *outputs) term(c Column) termAt {
	isKey := slices.ContainsFunc(o.b.bd.key, func(k Column) bool { return k.Name == c.Name })
	if isKey || !c.longTerm() {
		return termAt{cellAt: o.cell(c)}
	}
	o.need[c.Name] = true
	d, e := o.b.d, o.b.expr(c)
	expr := "CASE WHEN " + d.Size(e) + " > " + strconv.Itoa(maxCarried) +
		" THEN 'h' || " + d.Digest(e) + " ELSE 'v' || " + e + " END"
	return termAt{cellAt: cellAt{index: o.add(expr, 0)}, marked: true}
}

// longTerm reports whether a value of a sortable column can be too long for a cursor.
func (c Column) longTerm() bool {
	switch c.Type.Kind {
	case resource.Text, resource.VarChar, resource.CIText, resource.Char, resource.Numeric:
		return c.MaxBytes == 0 || c.MaxBytes > maxCarried
	default:
		return false
	}
}

func (b *builder) writer(c Column) serializer.Writer {
	if c.Binary {
		if w, ok := serializer.BinaryWriter(c.Type); ok {
			return w
		}
	}
	return b.d.Writer(c)
}

// computedPlan is what the computed members of a shape need.
type computedPlan struct {
	names   []string
	columns []Column
	cells   []int
}

func (p *computedPlan) reads(c Column, cell int) {
	if !slices.ContainsFunc(p.columns, func(o Column) bool { return o.Name == c.Name }) {
		p.columns = append(p.columns, c)
		p.cells = append(p.cells, cell)
	}
}
