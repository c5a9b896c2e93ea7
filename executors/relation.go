package executors

import (
	"fmt"
	"slices"
	"strings"

	"github.com/Masterminds/squirrel"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
)

// relation is a declared relation joined to its tables: columns of a row and what they are equal to in the
// related rows, or in a join table between. Related rows are always read through the target's own source.
type relation struct {
	resource.Relation
	target *bound // nil for a polymorphic relation
	local  []Column
	there  []Column // of the target, equal to local; with a join table, to its columns on
	join   *join
	args   []any // of the condition that some related row fulfils another
}

// join is the table between the two ends of a many-to-many relation.
type join struct {
	bd   *bound // the table inside its scope, if it has one
	back []Column
	on   []Column
}

// relations joins the declared relations to their tables.
func (b *binder) relations(bd *bound) {
	for _, rel := range bd.res.Relations() {
		before := b.count
		r := &relation{Relation: rel, target: b.bounds[rel.Target]}
		for _, name := range rel.LocalColumns() {
			c, _ := b.exists(bd, r.member(), name)
			r.local = append(r.local, c)
		}
		if rel.Kind != resource.KindPolymorphic && r.target == nil {
			continue // the target's own mistake, told already
		}
		b.ends(bd, r)
		whole := len(r.local) > 0 && (r.target == nil || len(r.there) > 0) // else a key is missing, as told already
		if b.count == before && whole {
			bd.relations = append(bd.relations, r)
		}
	}
}

// arguments finds the arguments of what leads through each relation.
func (b *binder) arguments(bd *bound) {
	for _, r := range bd.relations {
		if r.target == nil || r.target.scope.SQL == "" && !r.target.global() {
			continue
		}
		var err error
		if r.args, err = r.wrapped(b.dialect); err != nil {
			b.fail(bd, r.member(), "%v", err)
		}
	}
}

func (r *relation) member() string { return fmt.Sprintf("relation %q", r.Name) }

// ends finds the columns of both ends that are not those of the declaration: the keys.
func (b *binder) ends(bd *bound, r *relation) {
	switch r.Kind {
	case resource.KindBelongsTo:
		r.there = b.keyFor(bd, r, r.target, len(r.Columns))
		b.ownTenant(bd, r)
	case resource.KindHasOne, resource.KindHasMany:
		r.local = b.keyFor(bd, r, bd, len(r.TheirColumns))
		r.there = b.theirs(bd, r.member(), r.target.table, r.TheirColumns)
		if r.Kind == resource.KindHasOne && len(r.there) == len(r.TheirColumns) {
			b.single(bd, r)
		}
	case resource.KindManyToMany:
		table, ok := b.tables[joinTable(r.Relation)]
		if !ok {
			b.fail(bd, r.member(), "the database has no join table %q that this role can see", r.Through)
			return
		}
		r.local = b.keyFor(bd, r, bd, len(r.ThroughFK))
		r.there = b.keyFor(bd, r, r.target, len(r.TheirColumns))
		r.join = &join{
			bd:   b.between(bd, r, table),
			back: b.theirs(bd, r.member(), table, r.ThroughFK),
			on:   b.theirs(bd, r.member(), table, r.TheirColumns),
		}
	case resource.KindPolymorphic:
	}
}

// keyFor is the key of a resource that n columns can be equal to: as declared, or without its tenant column.
func (b *binder) keyFor(bd *bound, r *relation, of *bound, n int) []Column {
	switch {
	case of.fullKey == nil: // told already
		return nil
	case n == len(of.fullKey):
		return of.fullKey
	case n == len(of.key):
		return of.key
	default:
		b.fail(bd, r.member(), "names %d columns, and the key of %q has %d", n, of.res.Name(), len(of.fullKey))
		return nil
	}
}

// ownTenant refuses a foreign key whose tenant is not the row's own: the link shows the rest of the key alone,
// which would name a row of the caller's tenant.
func (b *binder) ownTenant(bd *bound, r *relation) {
	for i, c := range r.there {
		public := slices.ContainsFunc(r.target.key, func(k Column) bool { return k.Name == c.Name })
		if !public && r.Columns[i] != bd.tenantColumn && !bd.leads(r.Columns[i]) {
			b.fail(bd, r.member(), "%q stands for the tenant in the key of %q, and is not the tenant column of %q: name that, or leave it away",
				r.Columns[i], r.Target, qualified(nameOf(bd.res)))
		}
	}
}

// leads reports whether the scope goes by a column of the row's own, so that it is the tenant's or its parent's.
func (bd *bound) leads(column string) bool {
	return len(bd.scope.Witnesses) == 1 && slices.ContainsFunc(bd.scope.Uses, func(u scope.Use) bool {
		return u.Resource == "" && u.Column == column
	})
}

// single refuses a relation to one row where a row may lead to many.
func (b *binder) single(bd *bound, r *relation) {
	columns := append(columnNames(r.there), r.target.tenantColumn)
	if !r.target.table.keepsApart(columns) {
		b.fail(bd, r.member(), "no unique index keeps the rows of %q apart by %s: declare it as a relation to many",
			qualified(nameOf(r.target.res)), strings.Join(columnNames(r.there), ", "))
	}
}

func (b *binder) theirs(bd *bound, member string, t *Table, columns []string) (out []Column) {
	for _, name := range columns {
		c, ok := t.Column(name)
		if !ok {
			b.fail(bd, member, "%q has no column %q", qualified(t.Name), name)
			continue
		}
		out = append(out, c)
	}
	return out
}

func joinTable(rel resource.Relation) TableName {
	schema, table := resource.SplitTable(rel.Through)
	return TableName{Schema: schema, Name: table}
}

// between is a join table as it is read. One that is registered itself is read inside its scope; one that has
// the tenant column of one of the ends, or of any resource, inside that. Any other has no tenant of its own:
// then both its ends have, and lead to nothing else by keys that are unique by themselves.
func (b *binder) between(bd *bound, r *relation, table *Table) *bound {
	for _, res := range b.reg.All() {
		if other, ok := b.bounds[res.Name()]; ok && other.table.Quoted == table.Quoted {
			return other
		}
	}
	out := &bound{res: bd.res, table: table, free: onlyJoins}
	name := b.joinTenant(bd, r, table)
	if name == "" {
		b.apart(bd, r)
		return out
	}
	if _, readable := table.Column(name); !readable {
		b.fail(bd, r.member(), "the role may not select the tenant column %q of the join table %q: grant it, or its rows could not be told apart", name, r.Through)
		return out
	}
	out.free, out.tenantColumn = tenantBound, name
	var err error
	if out.scope, err = scope.Render(scope.Column(name), env{b}); err != nil {
		b.fail(bd, r.member(), "%v", err)
	}
	b.st.joined[joinName(bd, r)] = true
	return out
}

func joinName(bd *bound, r *relation) string { return bd.res.Name() + "." + r.Name }

func (b *binder) joinTenant(bd *bound, r *relation, table *Table) string {
	for _, name := range []string{bd.tenantColumn, r.target.tenantColumn} {
		if found := table.anyOf([]string{name}); name != "" && found != "" {
			return found
		}
	}
	return table.anyOf(b.tenants)
}

// apart refuses a join table without a tenant that could join the rows of several.
func (b *binder) apart(bd *bound, r *relation) {
	const register = "register the join table as a resource with a scope; it may be internal"
	switch {
	case b.before != nil && b.before.joined[joinName(bd, r)]:
		b.fail(bd, r.member(), "the join table %q has lost its tenant column: %s", r.Through, register)
	case bd.global() || r.target.global():
		b.fail(bd, r.member(), "the join table %q has no tenant column, and one of its ends belongs to nobody: %s", r.Through, register)
	case len(r.local) > 0 && !bd.table.keepsApart(columnNames(r.local)), len(r.there) > 0 && !r.target.table.keepsApart(columnNames(r.there)):
		b.fail(bd, r.member(), "the join table %q has no tenant column, and the keys in it are not unique without one: %s", r.Through, register)
	}
}

// toOne reports whether a row leads to one related row at most.
func (r *relation) toOne() bool { return !r.ToMany() }

// within is the condition that a row of the target, under the given alias, is related to outer: the
// expressions that stand for the columns local.
func (r *relation) within(d Dialect, alias string, outer []string) squirrel.Sqlizer {
	there := names(d, alias, r.there)
	if r.join == nil {
		return squirrel.Expr(equals(there, outer))
	}
	rows := source(d, r.join.bd, columnNames(r.join.back, r.join.on), true)
	s := squirrel.Select(names(d, "j", r.join.on)...).FromSelect(rows, "j").
		Where(squirrel.Expr(equals(names(d, "j", r.join.back), outer)))
	return squirrel.ConcatExpr(tuple(there), " IN (", r.join.bd.mine(d, s, "j"), ")")
}

// mine adds the witness to a selection of the source's rows under an alias: the second wall, for rows that
// are looked at and not handed out.
func (bd *bound) mine(d Dialect, s squirrel.SelectBuilder, alias string) squirrel.SelectBuilder {
	if bd.free == onlyJoins {
		return s
	}
	sql, args := owned(d, bd, alias)
	return s.Where(squirrel.Expr("("+sql+")", args...))
}

// wrap makes the condition that some related row fulfils another.
func (r *relation) wrap(d Dialect) func(columns []string, all bool, condition string) string {
	return func(columns []string, all bool, condition string) string {
		sql, _, err := r.fulfilled(d, columns, all).ToSql()
		if err != nil {
			return "1=0" // unreachable: the same text was rendered when the relation was proven
		}
		return sql + condition + r.closing()
	}
}

// wrapped are the arguments of what wrap writes before the condition.
func (r *relation) wrapped(d Dialect) ([]any, error) {
	_, args, err := r.fulfilled(d, nil, false).ToSql()
	for i, a := range args {
		if c, ok := a.(argConst); ok {
			args[i] = c.v
		}
	}
	return args, err
}

// fulfilled is the text before the condition: membership in a sub-select, in which the related row has the
// alias t, so that a condition written for it means its own columns and can mean nothing else.
func (r *relation) fulfilled(d Dialect, columns []string, all bool) squirrel.Sqlizer {
	need := map[string]bool{}
	for _, name := range append(columnNames(r.there), columns...) {
		need[name] = true
	}
	rows := source(d, r.target, r.target.table.pick(need, all), true)
	s := r.target.mine(d, squirrel.Select(names(d, "t", r.there)...).FromSelect(rows, "t"), "t")
	before := tuple(names(d, "t", r.local)) + " IN ("
	if r.join == nil {
		return squirrel.ConcatExpr(before, s, " AND (")
	}
	joined := source(d, r.join.bd, columnNames(r.join.back, r.join.on), true)
	j := r.join.bd.mine(d, squirrel.Select(names(d, "j", r.join.back)...).FromSelect(joined, "j").Where("1=1"), "j")
	return squirrel.ConcatExpr(before, j, " AND "+tuple(names(d, "j", r.join.on))+" IN (", s, " AND (")
}

func (r *relation) closing() string {
	if r.join == nil {
		return "))"
	}
	return ")))"
}

// pick are the needed columns in the table's order, or all of them.
func (t *Table) pick(need map[string]bool, all bool) []string {
	var out []string
	for _, c := range t.Columns {
		if all || need[c.Name] {
			out = append(out, c.Name)
		}
	}
	return out
}

func columnNames(lists ...[]Column) []string {
	var out []string
	for _, list := range lists {
		for _, c := range list {
			if !slices.Contains(out, c.Name) {
				out = append(out, c.Name)
			}
		}
	}
	return out
}

// names are the columns as they are compared.
func names(d Dialect, alias string, columns []Column) []string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = columnOf(d, alias, c).Expr
	}
	return out
}

func tuple(exprs []string) string {
	if len(exprs) == 1 {
		return exprs[0]
	}
	return "(" + strings.Join(exprs, ", ") + ")"
}

func equals(left, right []string) string {
	parts := make([]string, len(left))
	for i := range left {
		parts[i] = left[i] + " = " + right[i]
	}
	return strings.Join(parts, " AND ")
}
