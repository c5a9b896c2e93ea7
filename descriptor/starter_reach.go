package descriptor

import (
	"slices"

	"github.com/tenantry/tenantry/executors"
)

// maxReach is how many parents a scope may go through; the registry follows no more.
const maxReach = 8

// reachable are the tables that can be children. One that the tenant column leads to holds the tenants, and
// one that leads there itself has the tenant under another name: through some other foreign key, to an
// author say, either would show rows of the wrong tenant.
func (st *starter) reachable(rest []*part) (out []*part) {
	for _, p := range rest {
		switch by, other := st.tenants(p), st.otherName(p); {
		case by != "":
			st.leave(p, "holds the tenants themselves: to show a caller its own row, write it with scope: {column: %s}", by)
		case other != "":
			st.leave(p, "seems to have the tenant under another name: if it has, write it with scope: {column: %s}", other)
		default:
			out = append(out, p)
		}
	}
	return out
}

// tenants returns the column of a table that the tenant column of the chosen ones leads to. A table that is
// named as the tenant column is such a table without a foreign key.
func (st *starter) tenants(p *part) string {
	for _, q := range st.chosen {
		for _, k := range q.ForeignKeys {
			if k.Target == p.Name && len(k.Columns) == 1 && k.Columns[0] == st.column {
				return k.TargetColumns[0]
			}
		}
	}
	if stem := stem(st.column); len(p.Key) == 1 && stem != st.column && (p.Name.Name == stem || singular(p.Name.Name) == stem) {
		return p.Key[0]
	}
	return ""
}

// otherName returns the column by which a table leads to the tenants.
func (st *starter) otherName(p *part) string {
	for _, k := range p.ForeignKeys {
		if target := st.byName[k.Target]; target != nil && len(k.Columns) == 1 && k.TargetColumns[0] == st.tenants(target) {
			return k.Columns[0]
		}
	}
	return ""
}

// reach takes the tables that a foreign key leads from to one that is chosen, the nearest first, and
// returns those that none does.
func (st *starter) reach(rest []*part) []*part {
	for depth := 1; depth <= maxReach; depth++ {
		var found, still []*part
		for _, p := range rest {
			if p.parent, p.fk = st.parentOf(p); p.parent == nil {
				still = append(still, p)
			} else if st.servable(p) {
				found = append(found, p)
			}
		}
		for _, p := range found {
			p.depth = depth
			st.take(p)
		}
		if rest = still; len(found) == 0 {
			break
		}
	}
	return rest
}

// parentOf finds the foreign key to scope a table by: one that is never null before one that may be, then
// in the order of the survey. The parents of a shorter way have been tried before.
func (st *starter) parentOf(p *part) (parent *part, fk []string) {
	strict := false
	for _, k := range p.ForeignKeys {
		target := st.byName[k.Target]
		if target == nil || !target.in {
			continue
		}
		columns, ok := match(k, target.key)
		if !ok || !p.has(columns) {
			continue
		}
		never := !slices.ContainsFunc(columns, func(name string) bool {
			c, _ := p.Column(name)
			return c.Nullable
		})
		if parent == nil || never && !strict {
			parent, fk, strict = target, columns, never
		}
	}
	return parent, fk
}

// has reports whether a file can name all of the columns.
func (p *part) has(columns []string) bool {
	return !slices.ContainsFunc(columns, func(name string) bool { _, ok := p.readable(name); return !ok })
}

// match returns the columns of a foreign key in the order of the key that it leads to. It may lead to more
// columns than the key has.
func match(k executors.ForeignKey, key []string) (columns []string, ok bool) {
	for _, part := range key {
		i := slices.Index(k.TargetColumns, part)
		if i < 0 {
			return nil, false
		}
		columns = append(columns, k.Columns[i])
	}
	return columns, len(columns) > 0
}
