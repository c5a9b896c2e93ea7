package executors

import (
	"maps"
	"slices"
	"strings"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
)

// view is a resource as the callers with one set of permission scopes see it. What they may not see is
// not in it, so that no later step can show, suggest or compare it.
type view struct {
	members  serializer.Members
	fields   []resource.Field
	links    []link
	keys     *filtering.Keys
	sortable []string          // in declared order
	sorts    map[string]Column // by public name
	updated  bool              // the caller may ask for what has changed
	aggregates
	schema []byte // the answer of resource_schema
}

// link is a to-one relation made of the row's own columns.
type link struct {
	name        string
	columns     []Column
	polymorphic bool
	relation    resource.Relation
}

// gates lists the permission scopes on which a caller's view of the resource depends.
func (b *binder) gates(bd *bound) []string {
	set := map[string]bool{}
	for _, f := range bd.res.Fields() {
		set[f.Requires] = true
	}
	for _, f := range bd.res.Filters() {
		set[f.Requires] = true
	}
	for _, rel := range bd.res.Relations() {
		if target, ok := b.reg.Find(rel.Target); ok {
			set[target.Requires()] = true
		}
	}
	delete(set, "")
	return slices.Sorted(maps.Keys(set))
}

// view returns what the principal may see of the resource. Views are kept by the scopes that matter,
// never by identity.
func (x *Executor) view(bd *bound, p *auth.Principal) *view {
	var buf [64]byte
	key := buf[:0]
	for _, g := range bd.gates {
		bit := byte('0')
		if p.Has(g) {
			bit = '1'
		}
		key = append(key, bit)
	}
	bd.mu.RLock()
	v, ok := bd.views[string(key)]
	bd.mu.RUnlock()
	if ok {
		return v
	}
	v = x.newView(bd, p)
	bd.mu.Lock()
	defer bd.mu.Unlock()
	if len(bd.views) >= maxViews {
		clear(bd.views)
	}
	bd.views[string(key)] = v
	return v
}

// maxViews bounds the kept views of one resource; a host with more sets of scopes than that builds some
// of them again.
const maxViews = 1024

func (x *Executor) newView(bd *bound, p *auth.Principal) *view {
	v := &view{sorts: map[string]Column{}}
	for _, f := range bd.res.Fields() {
		if visibleField(bd.res, f, p) {
			v.fields = append(v.fields, f)
		}
	}
	v.members.Fields = v.fields
	v.links = x.visibleLinks(bd, p)
	for _, l := range v.links {
		v.members.Links = append(v.members.Links, l.name)
	}
	for _, name := range bd.res.Sortable() {
		f, _ := bd.res.Field(name)
		if c, ok := bd.table.Column(f.Column); ok && visibleField(bd.res, f, p) {
			v.sortable = append(v.sortable, name)
			v.sorts[name] = c
		}
	}
	v.keys = filtering.NewKeys(x.visibleKeys(bd, p))
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
	for _, rel := range bd.res.Relations() {
		if !rel.Linked() || !x.visibleTarget(rel, p) {
			continue
		}
		l := link{name: rel.Name, polymorphic: rel.Kind == resource.KindPolymorphic, relation: rel}
		shown := true
		for _, name := range x.linkColumns(rel) {
			c, _ := bd.table.Column(name)
			l.columns = append(l.columns, c)
			shown = shown && visibleColumn(bd.res, name, p)
		}
		if shown {
			out = append(out, l)
		}
	}
	slices.SortFunc(out, func(a, b link) int { return strings.Compare(a.name, b.name) })
	return out
}

func (x *Executor) visibleTarget(rel resource.Relation, p *auth.Principal) bool {
	if rel.Kind == resource.KindPolymorphic {
		return true
	}
	target, ok := x.reg.Find(rel.Target)
	return ok && registry.CanRead(p, target)
}

// linkColumns are the columns whose values make the target's public key.
func (x *Executor) linkColumns(rel resource.Relation) []string {
	target, ok := x.byName[rel.Target]
	if !ok || len(rel.Columns) == len(target.key) {
		return rel.LocalColumns()
	}
	var out []string
	for i, c := range target.fullKey {
		if slices.ContainsFunc(target.key, func(k Column) bool { return k.Name == c.Name }) {
			out = append(out, rel.Columns[i])
		}
	}
	return out
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

// columnDescription is that of a field which shows the column to the principal.
// guarded is a host's condition that is evaluated on rows of the caller alone. The database may run
// conditions in any order, and one that fails on some value would tell of rows that the scope leaves out.
func (x *Executor) guarded(bd *bound, name string) filtering.Custom {
	custom := bd.custom[name]
	mine, args := owned(x.dialect, bd, x.dialect.Cast(filtering.Column{Type: tenantType(x.kind)}))
	return filtering.Custom{
		SQL:  "CASE WHEN " + mine + " THEN (" + custom.SQL + ") END",
		Args: append(args, custom.Args...),
	}
}

func columnDescription(res *resource.Resource, column string, p *auth.Principal) string {
	for _, f := range res.Fields() {
		if f.Column == column && f.Description != "" && visibleField(res, f, p) {
			return f.Description
		}
	}
	return ""
}
