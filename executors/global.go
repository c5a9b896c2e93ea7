package executors

import (
	"slices"
	"strings"

	"github.com/Masterminds/squirrel"

	"github.com/tenantry/tenantry/resource"
)

// freedom says that rows are read without a tenant, and why that may be. Whatever was not given one reads
// rows of the caller's tenant or none at all: it is set where a resource is bound, from the call that it was
// registered by, and never found out from a scope that is missing.
type freedom byte

const (
	tenantBound     freedom = iota // rows are the tenant's
	belongsToNobody                // shared reference data, registered as such
	onlyJoins                      // a join table that nobody registered: both its ends have their scopes
)

// globals checks the resources that are registered without a scope. Nothing in their tables may be a tenant's.
func (b *binder) globals(all []*bound) {
	scoped := map[string]string{}
	b.tenants = tenantNames(all, b.before)
	for _, bd := range all {
		if bd.free == tenantBound {
			scoped[bd.table.Quoted] = bd.res.Name()
		}
	}
	for _, bd := range all {
		if bd.free != belongsToNobody {
			continue
		}
		if other, ok := scoped[bd.table.Quoted]; ok {
			b.fail(bd, "Global", "the table has a tenant: the resource %q reads it inside a scope", other)
		}
		if name := bd.table.anyOf(b.tenants); name != "" {
			b.fail(bd, "Global", "the table has the tenant column %q: write a scope; scope.SharedOr is for rows that every tenant may read", name)
		}
		b.keysOfTenants(bd)
	}
}

// tenantNames are the names of the columns that hold a tenant somewhere, or have held one when the resources
// were bound before: a resource that does not fit any more takes no name along. A resource that is the list of
// the tenants holds them in its key, by a name that says nothing elsewhere.
func tenantNames(all []*bound, before *state) (out []string) {
	if before != nil {
		out = slices.Clone(before.tenants)
	}
	for _, bd := range all {
		for _, u := range bd.scope.Uses {
			whole := u.Resource == "" && len(bd.fullKey) == 1 && bd.fullKey[0].Name == u.Column
			if u.Tenant && !whole && !slices.Contains(out, u.Column) {
				out = append(out, u.Column)
			}
		}
	}
	slices.Sort(out)
	return out
}

// anyOf finds a column by any of the names, in whatever letter case, whether the role may read it or not.
func (t *Table) anyOf(names []string) string {
	for _, c := range append(columnNames(t.Columns), t.Unreadable...) {
		if slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, c) }) {
			return c
		}
	}
	return ""
}

// keysOfTenants refuses links that would show every tenant the keys of another's rows.
func (b *binder) keysOfTenants(bd *bound) {
	for _, rel := range bd.res.Relations() {
		target := b.bounds[rel.Target]
		switch {
		case rel.Kind == resource.KindPolymorphic, rel.Kind == resource.KindBelongsTo && target != nil && !target.global():
			b.fail(bd, "relation \""+rel.Name+"\"", "rows that every tenant reads cannot hold keys of rows that belong to one")
		}
	}
}

// global reports whether every tenant reads every row.
func (bd *bound) global() bool { return bd.free == belongsToNobody }

// scoped is the condition of the source: without a freedom there is always one.
func (bd *bound) scoped() squirrel.Sqlizer {
	switch {
	case bd.wide:
		return squirrel.Expr("1=0") // as without a scope
	case bd.free != tenantBound:
		return nil
	case bd.scope.SQL == "":
		return squirrel.Expr("1=0") // a mistake stopped the start; no row is ever read without a scope
	default:
		return squirrel.Expr("("+rooted(bd.scope.SQL)+")", constants(bd.scope.Args)...)
	}
}
