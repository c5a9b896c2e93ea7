package descriptor

import (
	"slices"
	"strings"

	"github.com/tenantry/tenantry/executors"
)

// link is a relation to be written.
type link struct {
	name    string
	to      *part
	fk      []string
	theirs  []string
	through string
	one     bool
}

// arrow is a foreign key between two tables that the file serves, or from a join table to one.
type arrow struct {
	from, to *part
	columns  []string // in the order of the key of to
}

// relate gives every resource its relations: first those whose keys it has itself, then those back, then
// those through join tables.
func (st *starter) relate() {
	var arrows, joins []arrow
	for _, p := range st.tables {
		own := st.arrows(p)
		if p.in {
			arrows = append(arrows, own...)
		}
		if st.joins(p, own) {
			joins = append(joins, own...)
		}
	}
	for _, a := range arrows {
		a.forward(arrows)
	}
	for _, a := range arrows {
		if !slices.ContainsFunc(joins, func(j arrow) bool { return j.from == a.from }) {
			a.back(st.column, arrows)
		}
	}
	for i := 0; i < len(joins); i += 2 {
		across(joins[i], joins[i+1])
		across(joins[i+1], joins[i])
	}
}

// arrows are the foreign keys of a table to the key of one that is served. Two that are the same but for
// the tenant column are one.
func (st *starter) arrows(p *part) (out []arrow) {
	for _, k := range p.ForeignKeys {
		target := st.byName[k.Target]
		if target == nil || !target.in {
			continue
		}
		columns, ok := match(k, st.publicKey(target))
		if whole, all := match(k, target.key); all {
			columns, ok = whole, true
		}
		if !ok || !p.has(columns) || p.hidden(st.column, columns) {
			continue
		}
		again := func(a arrow) bool { return a.to == target && slices.Equal(a.columns, columns) }
		if !slices.ContainsFunc(out, again) {
			out = append(out, arrow{p, target, columns})
		}
	}
	return out
}

// publicKey is the key without the tenant column, unless it is the whole key.
func (st *starter) publicKey(p *part) []string {
	if len(p.key) < 2 {
		return p.key
	}
	return slices.DeleteFunc(slices.Clone(p.key), func(c string) bool { return c == st.column })
}

// hidden reports whether one of the columns is no field because it looks like a secret.
func (p *part) hidden(tenantColumn string, columns []string) bool {
	return slices.ContainsFunc(columns, func(name string) bool {
		c, _ := p.Column(name)
		return name != tenantColumn && p.secret(c)
	})
}

// forward is the relation to the row that the foreign key names. A key of several columns, of which none
// says what it leads to, takes the name of the target.
func (a arrow) forward(all []arrow) {
	stem, target := a.stem(), singular(a.to.name)
	names := []string{stem, stem + "_" + target}
	if len(a.columns) > 1 && a.sole(all) {
		names = slices.Insert(names, 0, target)
	}
	a.from.relate(link{to: a.to, fk: a.columns}, names...)
}

// sole reports whether a foreign key is the only one between its tables, which are not the same.
func (a arrow) sole(all []arrow) bool {
	alike := 0
	for _, b := range all {
		if b.from == a.from && b.to == a.to {
			alike++
		}
	}
	return alike == 1 && a.from != a.to
}

// back is the relation to the rows that name this one. It is to-one where no two of them can.
func (a arrow) back(tenantColumn string, all []arrow) {
	name, one := a.from.name, a.from.apart(append([]string{tenantColumn}, a.columns...))
	if one {
		name = singular(name)
	}
	by := name + "_by_" + a.stem()
	if !a.sole(all) {
		name = by
	}
	a.to.relate(link{to: a.from, theirs: a.columns, one: one}, name, by)
}

// across is the relation through a join table, from the target of one foreign key to that of the other.
func across(here, there arrow) {
	name := there.to.name
	if here.to == there.to {
		name += "_by_" + there.stem()
	}
	here.to.relate(link{to: there.to, fk: here.columns, theirs: there.columns, through: there.from.written},
		name, name+"_through_"+publicName(there.from.Name.Name, "table", nil))
}

// relate adds a relation under the first of the names that is free.
func (p *part) relate(l link, names ...string) {
	free := func(n string) bool { return !p.names(n) }
	for _, n := range names {
		if l.name = publicName(n, "relation", nil); free(l.name) {
			break
		}
	}
	l.name = publicName(l.name, "relation", free)
	p.relations = append(p.relations, l)
}

func (a arrow) stem() string { return stem(a.columns[len(a.columns)-1]) }

// stem is a column without what says that it is a foreign key: customer of customer_id.
func stem(column string) string {
	for _, end := range []string{"_id", "_ID", "_uuid", "_key", "_fk", "Id", "ID"} {
		if stem, ok := strings.CutSuffix(column, end); ok && stem != "" {
			return stem
		}
	}
	return column
}

// apart reports whether no two rows agree in the columns.
func (p *part) apart(columns []string) bool {
	return slices.ContainsFunc(append([][]string{p.Key}, p.Unique...), func(set []string) bool {
		return len(set) > 0 && !slices.ContainsFunc(set, func(c string) bool { return !slices.Contains(columns, c) })
	})
}

// joins reports whether a table is there to join two others, each pair of rows once, and holds nothing
// else that is worth reading.
func (st *starter) joins(p *part, own []arrow) bool {
	if len(own) != 2 {
		return false
	}
	keys := slices.Concat(own[0].columns, own[1].columns)
	for _, c := range p.Columns {
		if !slices.Contains(keys, c.Name) && c.Name != st.column && !beside(p, c) {
			return false
		}
	}
	written, ok := p.reference()
	p.written = written
	return ok && p.apart(append(keys, st.column))
}

// beside reports whether a column is one that join tables have for their own sake.
func beside(p *part, c executors.Column) bool {
	return moment(c.Type) || slices.Equal(p.Key, []string{c.Name})
}

// singular is for names alone: it need not be right, and is where English is regular.
func singular(name string) string {
	for _, form := range []struct{ many, one string }{
		{"ies", "y"}, {"sses", "ss"}, {"xes", "x"}, {"ches", "ch"}, {"shes", "sh"}, {"ss", "ss"}, {"us", "us"}, {"is", "is"}, {"s", ""},
	} {
		if stem, ok := strings.CutSuffix(name, form.many); ok && stem != "" {
			return stem + form.one
		}
	}
	return name
}
