package executors

import (
	"slices"
	"strconv"
	"strings"

	"github.com/Masterminds/squirrel"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
)

// include is a relation whose rows a call embeds, and the plan of showing them.
type include struct {
	link
	rows   *plan
	frame  int // bytes of the member without a row
	naming int // bytes that its name takes among those of what is cut
}

// maxEmbedded is how many rows of a to-many relation are embedded in a row.
const maxEmbedded = 20

// parseInclude types the include argument.
func (pl *plan) parseInclude(x *Executor, p *auth.Principal, names []string) error {
	if len(names) > maxNames {
		return resource.Errorf(resource.LimitExceeded, "/include", "include takes at most %d names: send fewer", maxNames)
	}
	var errs resource.Errors
	for i, name := range names {
		path := resource.Pointer("/include", strconv.Itoa(i))
		at := slices.IndexFunc(pl.v.links, func(l link) bool { return l.Name == name && l.target != nil })
		if at < 0 {
			errs = append(errs, unknownInclude(pl, name, path))
			continue
		}
		if slices.Contains(names[:i], name) {
			continue
		}
		in, err := x.include(pl.v.links[at], p, path)
		if err != nil {
			errs = errs.Add(err)
			continue
		}
		pl.includes = append(pl.includes, in)
		pl.reserve += in.frame + in.naming
	}
	if len(pl.includes) > 0 {
		pl.reserve += len(`,"included":{}`)
	}
	return errs.Err()
}

func unknownInclude(pl *plan, name, path string) *resource.Error {
	var allowed []string
	for _, name := range pl.v.members.Declared {
		if slices.ContainsFunc(pl.v.links, func(l link) bool { return l.Name == name && l.target != nil }) {
			allowed = append(allowed, name)
		}
	}
	advice := "send names of its relations from allowed"
	switch {
	case len(allowed) == 0:
		advice = "leave include away"
	case strings.Contains(name, "."):
		advice = "include goes one relation deep; send names from allowed, and read further rows by their ids"
	}
	e := resource.Errorf(resource.UnknownField, path, "%s cannot be included in %s: %s", resource.Echo(name), pl.bd.res.Name(), advice)
	e.Allowed, e.Suggestions = allowed, resource.Nearest(name, allowed)
	return e
}

// include plans the embedded rows: all that the caller sees of them.
func (x *Executor) include(l link, p *auth.Principal, path string) (*include, error) {
	if err := l.service(x, l.Name, path); err != nil {
		return nil, err
	}
	v := x.view(l.target, p)
	sel, err := serializer.Select(v.members, nil)
	if err != nil {
		return nil, err
	}
	in := &include{link: l, rows: &plan{bd: l.target, v: v, sel: sel, d: x.dialect, get: true, limit: 1}}
	name := len(appendName(nil, l.Name))
	in.frame = name + len(`:{"rows":[],"has_more":false},`)
	in.naming = name + 1
	return in, nil
}

// cutName names a member of the embedded rows in cut_fields.
func (in *include) cutName(member string) string { return in.Name + "." + member }

func outOfService(name, path string) *resource.Error {
	return resource.Errorf(resource.Unavailable, path, "%s is out of service; its operator knows why", resource.Echo(name))
}

// included compiles the statement of one included relation: the rows of the page once more, each with its
// related rows. The first column is the place of the row that they belong to, counted from 1.
func (b *builder) included(in *include) (*compiled, error) {
	sub := &builder{d: b.d, bd: in.target, p: in.rows, kind: b.kind, opts: b.opts}
	o, c := sub.layout("p.n")
	for _, col := range in.there {
		o.need[col.Name] = true
	}
	inner := sub.source(sub.columns(sub.need(o.need)), true)
	parents, err := b.parents(in.link)
	if err != nil {
		return nil, err
	}
	sql, args, err := squirrel.ConcatExpr("SELECT ", list(o.exprs), " FROM (", parents, ") AS p ", sub.joined(in, inner)).ToSql()
	if err != nil {
		return nil, err
	}
	c.sql, c.slots, err = b.finish(sql, args)
	return c, err
}

func list(exprs []squirrel.Sqlizer) squirrel.Sqlizer {
	var parts []any
	for i, e := range exprs {
		if i > 0 {
			parts = append(parts, ", ")
		}
		parts = append(parts, e)
	}
	return squirrel.ConcatExpr(parts...)
}

// parents are the rows of the page by their places, with the columns that lead to the related rows.
func (b *builder) parents(l link) (squirrel.Sqlizer, error) {
	s := selected{limit: argRows{}}
	need := map[string]bool{}
	var keys strings.Builder
	for i, c := range l.local {
		k := "k" + strconv.Itoa(i)
		s.exprs, s.names = append(s.exprs, squirrel.Expr(b.expr(c))), append(s.names, k)
		keys.WriteString(", q." + k)
		need[c.Name] = true
	}
	if b.p.get {
		sql, args, err := b.found(s, need)
		return squirrel.ConcatExpr("SELECT 1 AS n"+keys.String()+" FROM (", squirrel.Expr(sql, args...), ") AS q"), err
	}
	for i, t := range b.p.terms {
		s.exprs, s.names = append(s.exprs, squirrel.Expr(b.expr(t.col))), append(s.names, "s"+strconv.Itoa(i))
		need[t.col.Name] = true
	}
	sql, args, err := b.listed(s, need)
	order := strings.Join(b.order(func(i int) string { return "q.s" + strconv.Itoa(i) }), ", ")
	return squirrel.ConcatExpr("SELECT row_number() OVER (ORDER BY "+order+") AS n"+keys.String()+" FROM (",
		squirrel.Expr(sql, args...), ") AS q"), err
}

// joined joins the rows of the page, as p, to the related ones, as t. No row gets more of them than are shown
// and one.
func (b *builder) joined(in *include, inner squirrel.SelectBuilder) squirrel.Sqlizer {
	outer := make([]string, len(in.local))
	for i := range outer {
		outer[i] = "p.k" + strconv.Itoa(i)
	}
	related := in.within(b.d, "t", outer)
	order := strings.Join(names(b.d, "t", b.bd.key), ", ")
	last := " ORDER BY p.n, " + order
	limit := " LIMIT " + strconv.Itoa(in.most()+1)
	switch {
	case in.Kind == resource.KindBelongsTo:
		return squirrel.ConcatExpr("JOIN (", inner, ") AS t ON ", related, last)
	case b.d.Lateral():
		return squirrel.ConcatExpr("CROSS JOIN LATERAL (SELECT t.* FROM (", inner, ") AS t WHERE ", related,
			" ORDER BY "+order+limit+") AS t"+last)
	default:
		first := source(b.d, b.bd, columnNames(in.there, b.bd.key), true)
		keys := names(b.d, "r", b.bd.key)
		return squirrel.ConcatExpr("JOIN (", inner, ") AS t ON ", related, " AND "+tuple(names(b.d, "t", b.bd.key))+
			" IN (SELECT "+strings.Join(keys, ", ")+" FROM (", first, ") AS r WHERE ", in.within(b.d, "r", outer),
			" ORDER BY "+strings.Join(keys, ", ")+limit+")"+last)
	}
}

// most is how many related rows are shown.
func (in *include) most() int {
	if in.toOne() {
		return 1
	}
	return maxEmbedded
}
