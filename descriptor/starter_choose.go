package descriptor

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/tenant"
)

// maxReach is how many parents a scope may go through; the registry follows no more.
const maxReach = 8

// choose finds the tables that the file serves: those with the tenant column, then those that lead to one.
func (st *starter) choose() error {
	st.kind = st.commonKind()
	var rest []*part
	for _, p := range st.tables {
		c, has := p.Column(st.column)
		if !has {
			rest = append(rest, p)
			continue
		}
		if kind, ok := executors.TenantKindOf(c.Type); !ok {
			st.leave(p, "has a tenant column of type %s: a tenant key is an integer, a uuid or a text", c.Type.Name)
		} else if kind != st.kind {
			st.leave(p, "has a tenant column of type %s, and other tables one that is not: a file has one kind of tenant key", c.Type.Name)
		} else if st.servable(p) {
			st.take(p)
		}
	}
	if len(st.chosen) == 0 {
		return st.noTable()
	}
	rest = st.reach(st.reachable(rest))
	for _, p := range rest {
		st.leave(p, "has neither the tenant column nor a foreign key to a table that has")
	}
	return nil
}

// take puts a table into the file.
func (st *starter) take(p *part) {
	p.in = true
	st.chosen = append(st.chosen, p)
}

// commonKind is the kind of tenant key that most of the tables have.
func (st *starter) commonKind() tenant.Kind {
	count := map[tenant.Kind]int{}
	for _, p := range st.tables {
		if c, ok := p.Column(st.column); ok {
			if kind, ok := executors.TenantKindOf(c.Type); ok {
				count[kind]++
			}
		}
	}
	best := tenant.KindInt
	for _, kind := range slices.Sorted(maps.Keys(count)) {
		if count[kind] > count[best] {
			best = kind
		}
	}
	return best
}

// servable finds the name and the key under which a table can be served, or says why it cannot be.
func (st *starter) servable(p *part) bool {
	switch written, ok := p.reference(); {
	case !ok:
		st.leave(p, "has a name that a file cannot hold")
		return false
	default:
		p.written = written
	}
	sets := append([][]string{p.Key}, p.candidates(st.column)...)
	for i, set := range sets {
		if len(set) > 0 && st.goodKey(p, set) {
			p.key, p.primary = set, i == 0
			return st.shows(p)
		}
	}
	if len(p.Key) > 0 {
		st.leave(p, "has a key (%s) that cannot be shown: it is no readable column with an order, or looks like a secret", strings.Join(p.Key, ", "))
	} else {
		st.leave(p, "has no primary key, and no unique index over columns that are never null")
	}
	return false
}

// shows reports whether a table has a column to show, or says that it has none.
func (st *starter) shows(p *part) bool {
	if !slices.ContainsFunc(p.Columns, func(c executors.Column) bool { return c.Name != st.column && p.hides(c) == "" }) {
		st.leave(p, "has no column to show")
		return false
	}
	return true
}

// reference is the table's name as a file writes it. What stands before the first dot is the schema.
func (p *part) reference() (string, bool) {
	dotted := strings.Contains(p.Name.Name, ".") || !p.Bare
	switch {
	case !holds(p.Name.Name), dotted && (strings.Contains(p.Name.Schema, ".") || !holds(p.Name.Schema)):
		return "", false
	case dotted:
		return p.Name.Schema + "." + p.Name.Name, true
	default:
		return p.Name.Name, true
	}
}

// holds reports whether a file can hold the name: SQLite takes any bytes, and none.
func holds(name string) bool { return name != "" && utf8.ValidString(name) }

// candidates are the sets of columns that could be a key beside the primary one, the smallest first, each
// in the order of the table. The tenant column may be null: such a row is nobody's.
func (p *part) candidates(tenantColumn string) (out [][]string) {
	for _, set := range p.Unique {
		var ordered []string
		for _, c := range p.Columns {
			if slices.Contains(set, c.Name) && (!c.Nullable || c.Name == tenantColumn) {
				ordered = append(ordered, c.Name)
			}
		}
		if len(ordered) == len(set) {
			out = append(out, ordered)
		}
	}
	slices.SortFunc(out, func(a, b []string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return slices.Compare(a, b)
	})
	return out
}

// goodKey reports whether rows can be addressed and ordered by the columns.
func (st *starter) goodKey(p *part, key []string) bool {
	for _, name := range key {
		c, ok := p.readable(name)
		if !ok || !c.Type.Sortable() || name != st.column && p.secret(c) {
			return false
		}
	}
	return true
}

// readable finds a column that the role may read and a file can name.
func (p *part) readable(name string) (executors.Column, bool) {
	c, ok := p.Column(name)
	return c, ok && holds(name)
}

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
