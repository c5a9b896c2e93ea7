package executors

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tenantry/tenantry/resource"
)

// Advice returns a line for an operator about each column that callers may sort or filter by and that no
// index serves within a tenant, and about each foreign key in another table by which a relation finds rows,
// with the statement that would make an index. All of it works without.
//
// An index serves when the column stands behind the tenant column, and for a scope through a parent behind
// the foreign key or first. For a relation the foreign key stands first or behind the tenant column. Columns
// whose operators no B-tree serves, booleans, views and scopes that join several conditions by OR are left
// out.
func (x *Executor) Advice() []string {
	var out []string
	byName := x.state.Load().byName
	for _, res := range x.reg.All() {
		if bd := byName[res.Name()]; bd != nil && !res.Internal() && !bd.table.View {
			out = append(out, bd.advice(x.dialect)...)
			out = append(out, bd.relationAdvice(x.dialect)...)
		}
	}
	return out
}

// advice is what Advice says of one resource: its key first, then its columns in the order of the table.
func (bd *bound) advice(d Dialect) (out []string) {
	lead, through := bd.lead()
	if lead == nil {
		return nil
	}
	say := func(what string, columns []string) {
		out = append(out, fmt.Sprintf("resource %s: no index serves %s: %s", bd.res.Name(), what, d.CreateIndex(bd.table, columns)))
	}
	key := columnNames(bd.key)
	if !bd.served(key, lead, through) {
		say("the order by key", slices.Concat(lead, key))
	}
	for _, use := range bd.uses() {
		switch {
		case !through && slices.Contains(lead, use.column) || len(key) == 1 && key[0] == use.column:
		case bd.served([]string{use.column}, lead, through):
		case through:
			say(use.what, []string{use.column})
		default:
			say(use.what, slices.Concat(lead, []string{use.column}))
		}
	}
	return out
}

// lead are the columns that the scope binds to the tenant, and whether they only lead to a parent. Nil: not
// every row is found by them.
func (bd *bound) lead() (columns []string, through bool) {
	if len(bd.scope.Witnesses) != 1 {
		return nil, false
	}
	for _, u := range bd.scope.Uses {
		if u.Resource == "" {
			columns, through = append(columns, u.Column), through || !u.Tenant
		}
	}
	return columns, through
}

// served reports whether some index has the columns behind the lead, or keeps them apart by themselves.
func (bd *bound) served(columns, lead []string, through bool) bool {
	if bd.table.keepsApart(columns) {
		return true
	}
	return slices.ContainsFunc(bd.table.Indexes, func(index []string) bool {
		return behind(index, lead, columns) || through && behind(index, nil, columns)
	})
}

// behind reports whether an index begins with the lead, in any order, and then the columns.
func behind(index, lead, columns []string) bool {
	n := len(lead)
	if len(index) < n+len(columns) {
		return false
	}
	return slices.Equal(slices.Sorted(slices.Values(index[:n])), slices.Sorted(slices.Values(lead))) &&
		slices.Equal(index[n:n+len(columns)], columns)
}

// use is a column with what callers do by it.
type use struct{ column, what string }

func (bd *bound) uses() (out []use) {
	doing := map[string][]string{}
	for _, name := range bd.res.Sortable() {
		f, _ := bd.res.Field(name)
		doing[f.Column] = append(doing[f.Column], "sorting by "+resource.Echo(name))
	}
	filterable := bd.res.Filterable()
	for _, key := range slices.Sorted(maps.Keys(filterable)) {
		doing[filterable[key]] = append(doing[filterable[key]], "filtering by "+resource.Echo(key))
	}
	if c := bd.res.UpdatedAt(); c != "" {
		doing[c] = append(doing[c], "updated_since")
	}
	for _, c := range bd.table.Columns {
		if what := doing[c.Name]; what != nil && c.Type.Sortable() && c.Type.Kind != resource.Boolean {
			out = append(out, use{c.Name, strings.Join(what, " and ")})
		}
	}
	return out
}

// relationAdvice is about the foreign keys in other tables by which related rows are found.
func (bd *bound) relationAdvice(d Dialect) (out []string) {
	for _, r := range bd.relations {
		var t *Table
		var columns []string
		switch {
		case r.join != nil:
			t, columns = r.join.bd.table, columnNames(r.join.back)
		case r.Kind == resource.KindHasOne || r.Kind == resource.KindHasMany:
			t, columns = r.target.table, columnNames(r.there)
		default:
			continue
		}
		tenantFirst := slices.Concat([]string{bd.tenantColumn}, columns)
		if t.View || slices.ContainsFunc(t.Indexes, func(index []string) bool {
			return behind(index, columns, nil) || bd.tenantColumn != "" && behind(index, tenantFirst, nil)
		}) {
			continue
		}
		out = append(out, fmt.Sprintf("resource %s: no index serves the relation %s: %s", bd.res.Name(), resource.Echo(r.Name), d.CreateIndex(t, columns)))
	}
	return out
}
