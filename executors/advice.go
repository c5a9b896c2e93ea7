package executors

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tenantry/tenantry/resource"
)

// Indexer is a DB that knows the indexes of its tables.
type Indexer interface {
	// Indexes returns, by the table's quoted name, the columns of each index that covers every row, in
	// order; an expression is an empty name. A table without indexes, as every view, is missing.
	Indexes(ctx context.Context, tables []*Table) (map[string][][]string, error)
}

// Advice says, for each resource with a tenant column, by which of its columns rows are sorted or filtered
// and no index begins with the tenant and that column: such a call reads every row of the tenant. Nothing
// is wrong with a resource of few rows. A view, and a type that no index serves, gets no advice.
func (x *Executor) Advice(ctx context.Context) ([]error, error) {
	db, ok := x.db.(Indexer)
	if !ok {
		return nil, nil
	}
	var tables []*Table
	for _, bd := range x.byName {
		tables = append(tables, bd.table)
	}
	indexes, err := db.Indexes(ctx, tables)
	if err != nil {
		return nil, err
	}
	var out []error
	for _, res := range x.reg.All() {
		bd := x.byName[res.Name()]
		tenant := bd.tenantColumns()
		if len(tenant) == 0 || bd.table.View || slices.Contains(tenant, bd.key[0].Name) { // the tenant's own row
			continue
		}
		if bare := bd.unindexed(tenant, indexes[bd.table.Quoted]); len(bare) > 0 {
			out = append(out, fmt.Errorf("resource %s: no index of %s begins with %s and one of %s: sorting or filtering by it reads every row of the tenant",
				res.Name(), bd.table.Quoted, listed(tenant, " or "), listed(bare, ", ")))
		}
	}
	return out, nil
}

func listed(names []string, between string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = strconv.Quote(n)
	}
	return strings.Join(out, between)
}

// tenantColumns are the columns of the resource's own table that hold a tenant.
func (bd *bound) tenantColumns() []string {
	var out []string
	for _, u := range bd.scope.Uses {
		if u.Tenant && u.Resource == "" && !slices.Contains(out, u.Column) {
			out = append(out, u.Column)
		}
	}
	return out
}

// unindexed lists the columns that a listing sorts or filters by without an index: the first of the key,
// which every order ends in, and what is declared.
func (bd *bound) unindexed(tenant []string, indexes [][]string) []string {
	wanted := []string{bd.key[0].Name}
	for _, name := range bd.res.Sortable() {
		f, _ := bd.res.Field(name)
		wanted = append(wanted, f.Column)
	}
	filterable := bd.res.Filterable()
	for _, key := range slices.Sorted(maps.Keys(filterable)) {
		wanted = append(wanted, filterable[key])
	}
	var out []string
	for _, name := range wanted {
		c, _ := bd.table.Column(name)
		if !slices.Contains(out, name) && !slices.Contains(tenant, name) && !c.indexed(tenant, indexes) {
			out = append(out, name)
		}
	}
	return out
}

// indexed reports whether an index narrows the rows of a tenant by the column, or none could.
func (c Column) indexed(tenant []string, indexes [][]string) bool {
	anywhere := false
	switch {
	case c.Type.Kind == resource.Printed, c.Type.Elem != nil && c.Type.Elem.Kind == resource.Printed:
		return true // compared as text
	case c.Type.Kind == resource.Array, c.Type.Kind == resource.JSONB:
		anywhere = true // by a GIN index, in which the order of columns does not matter
	}
	return slices.ContainsFunc(indexes, func(columns []string) bool {
		if anywhere {
			return slices.Contains(columns, c.Name)
		}
		return len(columns) > 1 && slices.Contains(tenant, columns[0]) && columns[1] == c.Name
	})
}
