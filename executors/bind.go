package executors

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/Masterminds/squirrel"

	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/schema"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/tenant"
)

// bound is a resource joined to its table: everything a call needs that does not depend on the caller.
type bound struct {
	index   int
	res     *resource.Resource
	table   *Table
	fullKey []Column // the key as declared
	key     []Column // the public key: without the tenant column, unless it is the whole key
	holes   []string // key columns that may hold NULL: a row without a key is not a row of the resource
	scope   scope.Rendered
	free    freedom // from a tenant: the zero value is none
	narrow  filtering.Filter
	wide    bool // the narrowing could not be bound: nothing may be read through the resource
	custom  map[string]filtering.Custom
	limits  resource.Limits

	tenantColumn string // when the scope compares one column of the table itself; else empty
	relations    []*relation

	meaning []byte            // a digest of the table and the declaration
	version [sha256.Size]byte // changes when that does, or that of what filters reach
	gates   []string          // the permission scopes on which the view of a caller depends

	st    *state
	rows  func() *schema.Plan // built when a caller first sees the resource: a start has hundreds
	views byScopes[*view]
	keys  byScopes[*filtering.Keys]
}

// binder joins a registry to the tables of one database. It collects every mistake.
type binder struct {
	dialect Dialect
	reg     *registry.Registry
	tables  map[TableName]*Table
	opts    Options
	bounds  map[string]*bound
	st      *state
	before  *state   // of the binding before; nil at the start
	tenants []string // the names of the columns that hold a tenant somewhere
	count   int      // of mistakes
}

func (b *binder) fail(bd *bound, member, format string, args ...any) {
	b.count++
	b.st.misfit(bd.res.Name(), fmt.Errorf("resource %s: %s: %s", bd.res.Name(), member, fmt.Sprintf(format, args...)))
}

// bind returns the bound resources in order. What is wrong with them goes to the state.
func (x *Executor) bind(ctx context.Context, st *state) ([]*bound, error) {
	tables, err := x.db.Describe(ctx, tableNames(x.reg))
	if err != nil {
		return nil, err
	}
	st.tables = digest(tables)
	b := &binder{before: x.state.Load(), dialect: x.dialect, reg: x.reg, tables: tables, opts: x.opts, bounds: map[string]*bound{}, st: st}
	var out []*bound
	for i, res := range x.reg.All() {
		if bd := b.table(i, res); bd != nil {
			b.bounds[res.Name()] = bd
			out = append(out, bd)
		}
	}
	for _, bd := range out {
		b.narrow(bd)
	}
	kinds := map[tenant.Kind]string{}
	for _, bd := range out {
		b.scope(bd, kinds) // also finds the public key, which relations from anywhere may use
	}
	b.globals(out)
	st.tenants = b.tenants
	for _, bd := range out {
		b.members(bd)
		b.aggregates(bd)
		b.relations(bd)
		b.filters(bd)
		bd.meaning = b.meaning(bd)
	}
	for _, bd := range out { // what depends on relations from anywhere
		b.arguments(bd)
		bd.gates = bd.allGates(filtering.MaxHops)
		bd.rows = sync.OnceValue(func() *schema.Plan { return rowPlan(bd) })
		bd.version = b.version(bd)
	}
	for kind := range kinds {
		st.kind = kind
	}
	for _, bd := range out {
		b.proof(bd, st.kind)
	}
	switch {
	case len(kinds) > 1:
		st.mistakes = append(st.mistakes, fmt.Errorf("the tenant columns disagree: %v; one registry has one kind of tenant key", kinds))
		st.kind = ""
	case len(kinds) == 0 && len(st.mistakes) == 0:
		return nil, errors.New("executors: no resource has a tenant column")
	}
	return out, nil
}

func nameOf(res *resource.Resource) TableName {
	return TableName{Schema: res.Schema(), Name: res.Table()}
}

func tableNames(reg *registry.Registry) []TableName {
	var names []TableName
	for _, res := range reg.All() {
		names = append(names, nameOf(res))
		for _, rel := range res.Relations() {
			if rel.Kind == resource.KindManyToMany {
				names = append(names, joinTable(rel))
			}
		}
	}
	return names
}

func (b *binder) table(i int, res *resource.Resource) *bound {
	t, ok := b.tables[nameOf(res)]
	if !ok {
		b.fail(&bound{res: res}, "Table", "the database has no table or view %q that this role can see", qualified(nameOf(res)))
		return nil
	}
	bd := &bound{index: i, res: res, table: t, st: b.st, custom: map[string]filtering.Custom{}}
	b.key(bd)
	l := res.Limits()
	bd.limits = resource.Limits{Max: b.opts.MaxLimit, Default: b.opts.DefaultLimit}
	if l.Max > 0 {
		bd.limits.Max = l.Max
	}
	if l.Default > 0 {
		bd.limits.Default = l.Default
	}
	bd.limits.Default = min(bd.limits.Default, bd.limits.Max)
	return bd
}

// key finds the columns of the key. A mistake leaves it empty.
func (b *binder) key(bd *bound) {
	names := bd.res.Key()
	if len(names) == 0 {
		names = bd.table.Key
	}
	if len(names) == 0 {
		b.fail(bd, "Key", "%q has no primary key: declare one", qualified(nameOf(bd.res)))
	}
	before := b.count
	for _, name := range names {
		c, ok := b.exists(bd, "Key", name)
		if ok && !c.Type.Sortable() {
			b.fail(bd, "Key", "column %q is of type %s, which has no order", name, c.Type.Name)
		}
		b.even(bd, "Key", c)
		if c.Nullable { // as every column of a view, and a text key on SQLite
			bd.holes = append(bd.holes, name)
			c.Nullable = false
		}
		bd.fullKey = append(bd.fullKey, c)
	}
	if b.count > before {
		bd.fullKey = nil
	}
	bd.key = bd.fullKey
}

func qualified(n TableName) string {
	if n.Schema == "" {
		return n.Name
	}
	return n.Schema + "." + n.Name
}

// narrow types the resource's own conditions over its columns.
func (b *binder) narrow(bd *bound) {
	if len(bd.res.Narrow()) == 0 {
		return
	}
	raw, err := json.Marshal(bd.res.Narrow())
	if err != nil {
		b.fail(bd, "Narrow", "%v", err)
		return
	}
	var keys []filtering.Key
	for _, c := range bd.table.Columns {
		if c.Type.Operators() != nil {
			keys = append(keys, filtering.Key{Name: c.Name, Column: b.column(c)})
		}
	}
	bd.narrow, err = filtering.Parse(raw, filtering.NewKeys(keys))
	if err != nil {
		bd.wide = true
		b.fail(bd, "Narrow", "%v", err)
	}
}

// column is a column as filtering compares it, over the row t.
func (b *binder) column(c Column) filtering.Column { return filterColumn(b.dialect, c) }

func filterColumn(d Dialect, c Column) filtering.Column { return columnOf(d, "t", c) }

// columnOf is a column as it is compared, of the row with the alias.
func columnOf(d Dialect, alias string, c Column) filtering.Column {
	out := filtering.Column{
		Name: c.Name, Expr: alias + "." + d.Quote(c.Name), Type: c.Type, Native: c.Native, Nullable: c.Nullable,
	}
	if c.Recast {
		out.Expr = strings.Replace(d.Cast(out), "?", out.Expr, 1)
	}
	return out
}

// fixed is a filter whose values are part of the text's arguments for good.
type fixed struct {
	f filtering.Filter
	d Dialect
}

// ToSql renders the filter with its own values as constants.
func (f fixed) ToSql() (string, []any, error) {
	sql, _, err := f.f.SQL(f.d).ToSql()
	return sql, f.f.AppendArgs(nil, f.d), err
}

// env lets scopes see the registry and the database.
type env struct{ *binder }

func (e env) Quote(ident string) string { return e.dialect.Quote(ident) }

func (e env) Parent(name string) (scope.Parent, error) {
	bd, ok := e.bounds[name]
	if !ok || len(bd.fullKey) == 0 {
		if _, registered := e.reg.Find(name); registered {
			return scope.Parent{}, fmt.Errorf("the parent %q could not be bound", name)
		}
		return scope.Parent{}, fmt.Errorf("the parent %q is not registered", name)
	}
	if _, global := bd.res.Global(); global {
		return scope.Parent{}, fmt.Errorf("the parent %q is global: its rows belong to no tenant, and lead to none", name)
	}
	if bd.wide {
		return scope.Parent{}, fmt.Errorf("the narrowing of the parent %q could not be bound", name)
	}
	p := scope.Parent{Table: bd.table.Quoted, Scope: bd.res.Scope(), Key: columnNames(bd.fullKey)}
	if len(p.Key) > 0 && !bd.table.keepsApart(p.Key) {
		return scope.Parent{}, fmt.Errorf("the key of the parent %q is not unique by itself: a row of another tenant could share it; name the tenant column in the key", name)
	}
	if !bd.narrow.Empty() {
		p.Narrow = fixed{bd.narrow, e.dialect}
	}
	return p, nil
}

func (b *binder) scope(bd *bound, kinds map[tenant.Kind]string) {
	if _, global := bd.res.Global(); global {
		bd.free = belongsToNobody
		b.unique(bd, "")
		return
	}
	r, err := b.render(bd)
	if err != nil {
		b.fail(bd, "Scope", "%v", err)
		if r.SQL == "" {
			return
		}
	}
	own := ""
	for _, u := range r.Uses {
		res, t := bd.res, bd.table
		if u.Resource != "" {
			res, t = b.bounds[u.Resource].res, b.bounds[u.Resource].table
		}
		c, ok := t.Column(u.Column)
		switch {
		case !ok:
			b.fail(bd, "Scope", "%q has no column %q", qualified(nameOf(res)), u.Column)
		case u.Tenant:
			if u.Resource == "" {
				own = u.Column
			}
			b.tenantColumn(bd, res, c, kinds)
		case u.Flag && c.Type.Kind != resource.Boolean:
			b.fail(bd, "Scope", "the flag column %q is of type %s, not boolean", u.Column, c.Type.Name)
		}
	}
	bd.scope = r
	if len(r.Witnesses) > 1 {
		own = "" // the rows that a caller sees may be those of several tenants
	}
	bd.tenantColumn = own
	bd.key = withoutTenant(bd.fullKey, own)
	b.unique(bd, own)
}

// unique checks that no two rows which one caller sees share a key: a page would lose one of them. The
// rows of one tenant are apart when the key is unique together with the tenant column.
func (b *binder) unique(bd *bound, tenantColumn string) {
	columns := append([]string{tenantColumn}, columnNames(bd.fullKey)...)
	if len(bd.fullKey) > 0 && !bd.table.keepsApart(columns) {
		b.fail(bd, "Key", "no unique index keeps the rows of %q apart by %s", qualified(nameOf(bd.res)), strings.Join(columns[1:], ", "))
	}
}

// withoutTenant leaves the tenant column out of a key, unless it is the whole key.
func withoutTenant(key []Column, tenantColumn string) []Column {
	if len(key) < 2 {
		return key
	}
	return slices.DeleteFunc(slices.Clone(key), func(c Column) bool { return c.Name == tenantColumn })
}

func (b *binder) tenantColumn(bd *bound, res *resource.Resource, c Column, kinds map[tenant.Kind]string) {
	kind, ok := tenantKind(c.Type.Kind)
	if !ok {
		b.fail(bd, "Scope", "the tenant column %q is of type %s; a tenant key is an integer, a uuid or a text", c.Name, c.Type.Name)
		return
	}
	if c.Type.NoMatch {
		b.fail(bd, "Scope", "the tenant column %q has a collation for which different keys are equal: two tenants could be one", c.Name)
	}
	if b.before != nil && kind != b.before.kind {
		b.fail(bd, "Scope", "the tenant column %q is of type %s, and tenants were of kind %s when the process began", c.Name, c.Type.Name, b.before.kind)
		return
	}
	if _, seen := kinds[kind]; !seen {
		kinds[kind] = qualified(nameOf(res)) + "." + c.Name
	}
}

func tenantKind(k resource.Kind) (tenant.Kind, bool) {
	switch k {
	case resource.SmallInt, resource.Integer, resource.BigInt:
		return tenant.KindInt, true
	case resource.UUID:
		return tenant.KindUUID, true
	case resource.Text, resource.VarChar:
		return tenant.KindText, true
	default:
		return "", false
	}
}

// members checks that every column that the resource names is there and fits its use.
func (b *binder) members(bd *bound) {
	for _, f := range bd.res.Fields() {
		columns := f.Reads
		if !f.Computed() {
			columns = []string{f.Column}
		}
		for _, name := range columns {
			b.exists(bd, fmt.Sprintf("field %q", f.Name), name)
		}
	}
	for _, name := range bd.res.Sortable() {
		f, _ := bd.res.Field(name)
		if c, ok := bd.table.Column(f.Column); ok && !c.Type.Sortable() {
			b.fail(bd, "Sortable", "%q is of type %s, which has no order", name, c.Type.Name)
		} else if ok {
			b.even(bd, "Sortable", c)
		}
	}
	if name := bd.res.UpdatedAt(); name != "" {
		if c, ok := b.exists(bd, "UpdatedAt", name); ok && c.Type.Kind != resource.TimestampTZ && c.Type.Kind != resource.Timestamp {
			b.fail(bd, "UpdatedAt", "column %q is of type %s, not a timestamp", name, c.Type.Name)
		}
	}
}

func (b *binder) exists(bd *bound, member, column string) (Column, bool) {
	c, ok := bd.table.Column(column)
	if !ok {
		b.fail(bd, member, "%q has no column %q", qualified(nameOf(bd.res)), column)
	}
	return c, ok
}

// even refuses a column whose comparisons are not those of its type.
func (b *binder) even(bd *bound, member string, c Column) {
	if c.Odd {
		b.fail(bd, member, "column %q is of type %s, and its comparisons are not those of the type's default operator class: an operator in a schema of the tables stands in for one", c.Name, c.Type.Name)
	}
}

func (b *binder) filters(bd *bound) {
	m := bd.res.Filterable()
	for _, key := range slices.Sorted(maps.Keys(m)) {
		c, ok := b.exists(bd, fmt.Sprintf("filter key %q", key), m[key])
		if ok && c.Type.Operators() == nil {
			b.fail(bd, fmt.Sprintf("filter key %q", key), "column %q is of type %s, which cannot be filtered", m[key], c.Type.Name)
		}
		b.even(bd, fmt.Sprintf("filter key %q", key), c)
	}
	for _, f := range bd.res.Filters() {
		custom, err := b.customFilter(f)
		if err != nil {
			b.fail(bd, fmt.Sprintf("filter %q", f.Name), "%v", err)
		}
		bd.custom[f.Name] = custom
	}
}

// customFilter renders a host's condition once, with the caller's value cast to the declared type.
func (b *binder) customFilter(f resource.Filter) (filtering.Custom, error) {
	c, err := b.oneCustomFilter(f)
	if err != nil {
		return c, err
	}
	again, err := b.oneCustomFilter(f)
	if err == nil && (again.SQL != c.SQL || !reflect.DeepEqual(again.Args, c.Args)) {
		err = errors.New("two renderings differ: a condition is a constant, whatever else changes")
	}
	return c, err
}

func (b *binder) oneCustomFilter(f resource.Filter) (c filtering.Custom, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the condition panicked: %v", p)
		}
	}()
	cond, err := f.Condition(resource.Value{})
	if err != nil {
		return c, err
	}
	sql, args, err := scope.Condition(cond, scope.TextRules{Tables: true, Values: true})
	if err != nil {
		return c, err
	}
	cast := b.dialect.Cast(filtering.Column{Type: resource.Plain(f.Type)})
	used, i := false, 0
	for n, a := range args {
		if _, ok := a.(resource.Value); ok {
			used = true
		} else if args[n], err = constant(a); err != nil {
			return c, err
		}
	}
	if !used {
		return c, errors.New("the condition does not use its value")
	}
	var text []byte
	err = scope.Scan(sql, func(t scope.Token) error {
		switch {
		case t.Placeholder:
			if _, ok := args[i].(resource.Value); ok {
				text = append(text, cast...)
			} else {
				text = append(text, '?')
			}
			i++
		case t.Text == "?":
			text = append(text, "??"...)
		default:
			text = append(text, t.Text...)
		}
		return nil
	})
	return filtering.Custom{SQL: string(text), Args: args}, err
}

// version is a digest of everything a cursor's meaning depends on: the resource, and what its filters reach.
func (b *binder) version(bd *bound) [sha256.Size]byte {
	h := sha256.New()
	h.Write(bd.meaning)
	bd.addReached(h, filtering.MaxHops)
	return [sha256.Size]byte(h.Sum(nil))
}

// addReached adds what the filters of so many relations depend on.
func (bd *bound) addReached(h hash.Hash, hops int) {
	for _, r := range bd.relations {
		_, _ = fmt.Fprintf(h, "relation %d %q %q %v %v\n", hops, r.Name, r.Kind, columnNames(r.local), columnNames(r.there))
		if r.target == nil {
			continue
		}
		h.Write(r.target.meaning)
		if r.join != nil {
			j := r.join.bd
			_, _ = fmt.Fprintf(h, "by %q %v %v %q %q\n", j.table.Quoted, columnNames(r.join.back), columnNames(r.join.on), j.scope.SQL, j.narrow.AppendDigest(nil))
		}
		if hops > 1 {
			r.target.addReached(h, hops-1)
		}
	}
}

// meaning is a digest of what the resource by itself gives to the meaning of a cursor.
func (b *binder) meaning(bd *bound) []byte {
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "%q %q %q %d\n", bd.res.Name(), bd.table.Quoted, bd.scope.SQL, bd.free)
	for _, c := range bd.key {
		_, _ = fmt.Fprintf(h, "key %q\n", c.Name)
	}
	for _, name := range bd.res.Sortable() {
		f, _ := bd.res.Field(name)
		_, _ = fmt.Fprintf(h, "sort %q %q\n", name, f.Column)
	}
	filterable := bd.res.Filterable()
	for _, c := range bd.table.Columns { // those that a position or a filter can be about
		if slices.Contains(columnNames(bd.key), c.Name) || slices.ContainsFunc(bd.res.Sortable(), sortedBy(bd.res, c.Name)) ||
			slices.Contains(slices.Collect(maps.Values(filterable)), c.Name) || c.Name == bd.res.UpdatedAt() {
			_, _ = fmt.Fprintf(h, "column %q %q %v %q\n", c.Name, c.Native, c.Nullable, c.Type.Labels)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(filterable)) {
		_, _ = fmt.Fprintf(h, "filter %q %q\n", key, filterable[key])
	}
	for _, name := range slices.Sorted(maps.Keys(bd.custom)) {
		_, _ = fmt.Fprintf(h, "custom %q %q %q\n", name, bd.custom[name].SQL, fmt.Sprint(bd.custom[name].Args...))
	}
	_, _ = fmt.Fprintf(h, "updated %q narrow %q\n", bd.res.UpdatedAt(), bd.narrow.AppendDigest(nil))
	return h.Sum(nil)
}

// digest is one of all that the database says of tables.
func digest(tables map[TableName]*Table) [sha256.Size]byte {
	h := sha256.New()
	names := slices.SortedFunc(maps.Keys(tables), func(a, b TableName) int { return strings.Compare(qualified(a), qualified(b)) })
	for _, name := range names {
		h.Write(marshal(tables[name]))
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// sortedBy tells the fields that sort by a column.
func sortedBy(res *resource.Resource, column string) func(field string) bool {
	return func(field string) bool {
		f, _ := res.Field(field)
		return f.Column == column
	}
}

var _ squirrel.Sqlizer = fixed{}
