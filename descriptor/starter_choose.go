package descriptor

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/tenant"
)

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
	written, ok := p.reference()
	if !ok {
		st.leave(p, "has a name that a file cannot hold")
		return false
	}
	p.written = written
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
