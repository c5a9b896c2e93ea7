package executors

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/schema"
	"github.com/tenantry/tenantry/serializer"
)

// view is a resource as the callers with one set of permission scopes see it. What they may not see is
// not in it, so that no later step can show, suggest or compare it.
type view struct {
	members  serializer.Members
	rows     *schema.View // the fields as they are told
	fields   []resource.Field
	links    []link
	keys     *filtering.Keys
	sortable []string          // in declared order
	sorts    map[string]Column // by public name
	updated  bool              // the caller may ask for what has changed
	aggregates
	schema []byte // the answer of resource_schema
}

// link is a relation as rows show it: made of the row's own columns, or listed from the related rows.
type link struct {
	*relation
	columns []Column // the row's own, in the order of the target's public key
}

// listed reports whether showing the link looks at the related rows.
func (l link) listed() bool { return !l.Linked() }

// allGates lists the permission scopes on which a caller's view of the resource depends, with what can be
// seen behind so many relations.
func (bd *bound) allGates(hops int) []string {
	set := map[string]bool{}
	bd.addGates(set, hops)
	delete(set, "")
	return slices.Sorted(maps.Keys(set))
}

func (bd *bound) addGates(set map[string]bool, hops int) {
	for _, f := range bd.res.Fields() {
		set[f.Requires] = true
	}
	for _, f := range bd.res.Filters() {
		set[f.Requires] = true
	}
	for _, r := range bd.relations {
		if hops > 0 && r.target != nil {
			set[r.target.res.Requires()] = true
			r.target.addGates(set, hops-1)
		}
	}
}

// byScopes keeps something that depends on a caller's permission scopes: by the scopes that matter, never by
// identity. It holds declarations, never a row or anything made of one, so that the tenant has no part in its
// key. What holds rows or decisions for a tenant has a key that begins with the tenant. The zero byScopes is
// empty and ready to use.
type byScopes[T any] struct {
	mu   sync.RWMutex
	kept map[string]T
}

func (b *byScopes[T]) get(gates []string, p *auth.Principal, build func() T) T {
	var buf [64]byte
	key := buf[:0]
	for _, g := range gates {
		bit := byte('0')
		if p.Has(g) {
			bit = '1'
		}
		key = append(key, bit)
	}
	b.mu.RLock()
	v, ok := b.kept[string(key)]
	b.mu.RUnlock()
	if ok {
		return v
	}
	v = build()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.kept == nil || len(b.kept) >= maxViews {
		b.kept = map[string]T{}
	}
	b.kept[string(key)] = v
	return v
}

// view returns what the principal may see of the resource.
func (x *Executor) view(bd *bound, p *auth.Principal) *view {
	return bd.views.get(bd.gates, p, func() *view { return x.newView(bd, p) })
}

// maxViews bounds the kept views of one resource; a host with more sets of scopes than that builds some
// of them again.
const maxViews = 1024

func (x *Executor) newView(bd *bound, p *auth.Principal) *view {
	v := &view{sorts: map[string]Column{}, rows: rowView(bd, p)}
	for _, name := range v.rows.Fields() {
		f, _ := bd.res.Field(name)
		v.fields = append(v.fields, f)
	}
	v.members.Fields = v.fields
	v.links = x.visibleLinks(bd, p)
	for _, r := range bd.relations {
		if slices.ContainsFunc(v.links, func(l link) bool { return l.relation == r }) {
			v.members.Declared = append(v.members.Declared, r.Name)
		}
	}
	for _, l := range v.links {
		v.members.Links = append(v.members.Links, l.Name)
		v.members.Asked = append(v.members.Asked, l.listed())
	}
	for _, name := range bd.res.Sortable() {
		f, _ := bd.res.Field(name)
		if c, ok := bd.table.Column(f.Column); ok && visibleField(bd.res, f, p) {
			v.sortable = append(v.sortable, name)
			v.sorts[name] = c
		}
	}
	v.keys = x.keys(bd, p, filtering.MaxHops)
	v.aggregates = visibleAggregates(bd, p)
	v.updated = bd.res.UpdatedAt() != "" && visibleColumn(bd.res, bd.res.UpdatedAt(), p)
	v.schema = x.schema(bd, v)
	return v
}

func visibleField(res *resource.Resource, f resource.Field, p *auth.Principal) bool {
	if auth.Decide(p, f.Requires) != auth.Allow {
		return false
	}
	for _, c := range f.Reads {
		if !visibleColumn(res, c, p) {
			return false
		}
	}
	return true
}

// visibleColumn reports whether the principal may learn from a column: some field shows it to the
// principal, or no field shows it at all and the host named it for another use.
func visibleColumn(res *resource.Resource, column string, p *auth.Principal) bool {
	gates := res.Gates(column)
	return gates == nil || slices.ContainsFunc(gates, p.Has)
}

func (x *Executor) visibleLinks(bd *bound, p *auth.Principal) []link {
	var out []link
	for _, r := range bd.relations {
		if l := (link{relation: r}); visibleRelation(bd, r, p) {
			for _, name := range linkColumns(r) {
				c, _ := bd.table.Column(name)
				l.columns = append(l.columns, c)
			}
			out = append(out, l)
		}
	}
	slices.SortFunc(out, func(a, b link) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// visibleRelation reports whether the principal may learn who is related: it may read the target, and the
// columns of the foreign key on either side. That clients reach the target by name is not needed.
func visibleRelation(bd *bound, r *relation, p *auth.Principal) bool {
	for _, name := range r.LocalColumns() {
		if !visibleColumn(bd.res, name, p) {
			return false
		}
	}
	if r.target == nil {
		return true
	}
	if r.Kind == resource.KindHasOne || r.Kind == resource.KindHasMany {
		for _, name := range r.TheirColumns {
			if !visibleColumn(r.target.res, name, p) {
				return false
			}
		}
	}
	return auth.Decide(p, r.target.res.Requires()) == auth.Allow
}

// linkColumns are the row's own columns whose values make the target's public key, or a polymorphic link.
func linkColumns(r *relation) []string {
	if r.Kind != resource.KindBelongsTo || len(r.Columns) == len(r.target.key) {
		return r.LocalColumns()
	}
	var out []string
	for i, c := range r.target.fullKey {
		if slices.ContainsFunc(r.target.key, func(k Column) bool { return k.Name == c.Name }) {
			out = append(out, r.Columns[i])
		}
	}
	return out
}

// keys are the filter keys of the principal, with those behind so many relations.
func (x *Executor) keys(bd *bound, p *auth.Principal, hops int) *filtering.Keys {
	own := bd.keys.get(bd.allGates(0), p, func() *filtering.Keys { return filtering.NewKeys(x.visibleKeys(bd, p)) })
	if hops == 0 {
		return own
	}
	var relations []filtering.Relation
	for _, l := range x.visibleLinks(bd, p) {
		if l.target == nil {
			continue
		}
		relations = append(relations, filtering.Relation{
			Name: l.Name, Keys: x.keys(l.target, p, hops-1), Columns: columnNames(l.local),
			Wrap: l.wrap(x.dialect), Args: l.args, Down: func() bool { return l.service(x, "", "") != nil },
		})
	}
	return own.With(relations)
}

func (x *Executor) visibleKeys(bd *bound, p *auth.Principal) []filtering.Key {
	companions := bd.res.Companions()
	var keys []filtering.Key
	for name, column := range bd.res.Filterable() {
		c, ok := bd.table.Column(column)
		if ok && visibleColumn(bd.res, column, p) {
			keys = append(keys, filtering.Key{
				Name: name, Column: filterColumn(x.dialect, c), Companion: companions[name],
				Description: columnDescription(bd.res, column, p),
			})
		}
	}
	for _, f := range bd.res.Filters() {
		if auth.Decide(p, f.Requires) != auth.Allow {
			continue
		}
		custom := x.guarded(bd, f.Name)
		keys = append(keys, filtering.Key{
			Name: f.Name, Column: filtering.Column{Name: f.Name, Type: resource.Plain(f.Type)},
			Companion: companions[f.Name], Custom: &custom, Description: f.Description,
		})
	}
	return keys
}

// guarded is a host's condition that is evaluated on rows of the caller alone. The database may run
// conditions in any order, and one that fails on some value would tell of rows that the scope leaves out.
func (x *Executor) guarded(bd *bound, name string) filtering.Custom {
	custom := bd.custom[name]
	mine, args := owned(x.dialect, bd, "t")
	return filtering.Custom{
		SQL:  "CASE WHEN " + mine + " THEN (" + custom.SQL + ") END",
		Args: append(args, custom.Args...),
	}
}

// columnDescription is that of a field which shows the column to the principal.
func columnDescription(res *resource.Resource, column string, p *auth.Principal) string {
	for _, f := range res.Fields() {
		if f.Column == column && f.Description != "" && visibleField(res, f, p) {
			return f.Description
		}
	}
	return ""
}
