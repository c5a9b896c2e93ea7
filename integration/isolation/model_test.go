package isolation_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tenantry/tenantry/resource"
)

// expr is a filter that the model understands: a comparison, or others joined.
type expr struct {
	key, op string
	value   any

	all, any []expr
	not      *expr
}

// json is the filter argument.
func (e expr) json() any {
	switch {
	case e.not != nil:
		return map[string]any{"not": e.not.json()}
	case e.any != nil:
		out := []any{}
		for _, inner := range e.any {
			out = append(out, inner.json())
		}
		return map[string]any{"any": out}
	case e.all != nil:
		out := map[string]any{}
		for _, inner := range e.all {
			out[inner.key] = inner.condition()
		}
		return out
	default:
		return map[string]any{e.key: e.condition()}
	}
}

func (e expr) condition() any { return map[string]any{"op": e.op, "value": shown(e.value)} }

// shown is a value as JSON has it.
func shown(v any) any {
	switch v := v.(type) {
	case time.Time:
		return v.Format(instant)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = shown(v[i])
		}
		return out
	default:
		return v
	}
}

// visible are the rows of a kind that the tenant may read.
func (w *world) visible(kind string, tenant int) []row {
	type key struct {
		kind   string
		tenant int
	}
	if known, ok := w.seen.Load(key{kind, tenant}); ok {
		rows, _ := known.([]row)
		return rows
	}
	e := w.kinds[kind]
	table := e.table
	if kind == "order_view" {
		table = "w_orders"
	}
	var out []row
	for _, r := range w.tables[table] {
		if e.sees(w, tenant, r) {
			out = append(out, r)
		}
	}
	w.seen.Store(key{kind, tenant}, out)
	return out
}

// reader evaluates for one tenant.
type reader struct {
	*world
	tenant int
}

// true reports whether a row fulfils the filter.
func (m reader) true(e expr, kind string, r row) bool {
	switch {
	case e.not != nil:
		return !m.true(*e.not, kind, r)
	case e.any != nil:
		return slices.ContainsFunc(e.any, func(inner expr) bool { return m.true(inner, kind, r) })
	case e.all != nil:
		return !slices.ContainsFunc(e.all, func(inner expr) bool { return !m.true(inner, kind, r) })
	}
	if e.key == "bought" {
		return slices.ContainsFunc(m.tables["w_lines"], func(l row) bool { return l["order_id"] == r["id"] && l["sku"] == e.value })
	}
	positive, negative := e.positive()
	relation, rest, found := strings.Cut(e.key, ".")
	if !found {
		return negative != compare(positive.op, r[e.key], positive.value)
	}
	positive.key = rest
	target := m.relation(kind, relation).Target
	return negative != slices.ContainsFunc(m.related(kind, relation, r), func(t row) bool { return m.true(positive, target, t) })
}

// positive is the comparison that a negative one is the complement of.
func (e expr) positive() (expr, bool) {
	switch {
	case e.op == "not_eq":
		e.op = "eq"
		return e, true
	case e.op == "not_in":
		e.op = "in"
		return e, true
	case e.op == "is_null" && e.value == false:
		e.value = true
		return e, true
	default:
		return e, false
	}
}

func compare(op string, have, want any) bool {
	switch op {
	case "is_null":
		return have == nil
	case "eq":
		return equal(have, want)
	case "in":
		values, _ := want.([]any)
		return slices.ContainsFunc(values, func(v any) bool { return equal(have, v) })
	case "starts_with":
		text, ok := have.(string)
		prefix, _ := want.(string)
		return ok && strings.HasPrefix(strings.ToLower(text), strings.ToLower(prefix))
	}
	if have == nil {
		return false
	}
	c := order(have, want)
	switch op {
	case "gt":
		return c > 0
	case "gteq":
		return c >= 0
	case "lt":
		return c < 0
	default:
		return c <= 0
	}
}

func equal(have, want any) bool {
	if have == nil || want == nil {
		return have == want
	}
	return order(have, want) == 0
}

func order(a, b any) int {
	switch a := a.(type) {
	case int64:
		n, _ := b.(int64)
		return cmp.Compare(a, n)
	case time.Time:
		at, _ := b.(time.Time)
		return a.Compare(at)
	default:
		return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b))
	}
}

func (w *world) relation(kind, name string) resource.Relation {
	for _, r := range w.kinds[kind].spec.Relations {
		if r.Name == name {
			return r
		}
	}
	panic("no relation " + name)
}

// related are the rows behind a relation that the tenant may read, by key.
func (m reader) related(kind, name string, r row) []row {
	rel := m.relation(kind, name)
	var out []row
	for _, t := range m.visible(rel.Target, m.tenant) {
		var is bool
		switch rel.Kind {
		case resource.KindBelongsTo:
			is = r[rel.Columns[0]] != nil && t["id"] == r[rel.Columns[0]]
		case resource.KindHasOne, resource.KindHasMany:
			is = t[rel.TheirColumns[0]] == r["id"]
		case resource.KindManyToMany:
			is = slices.ContainsFunc(m.joined(rel, r["id"]), func(j row) bool {
				owner, has := j["tenant_id"]
				return (!has || owner == m.tenant) && j[rel.TheirColumns[0]] == t["id"]
			})
		case resource.KindPolymorphic:
		}
		if is {
			out = append(out, t)
		}
	}
	slices.SortFunc(out, func(a, b row) int { return order(a["id"], b["id"]) })
	return out
}

// joined are the rows of a join table that name a row.
func (w *world) joined(rel resource.Relation, id any) []row {
	key := rel.Through + " by " + rel.ThroughFK[0]
	index, ok := w.keys.Load(key)
	if !ok {
		rows := map[any][]row{}
		for _, j := range w.tables[rel.Through] {
			rows[j[rel.ThroughFK[0]]] = append(rows[j[rel.ThroughFK[0]]], j)
		}
		index, _ = w.keys.LoadOrStore(key, rows)
	}
	rows, _ := index.(map[any][]row)
	return rows[id]
}

// listed are the rows of a listing in order.
func (m reader) listed(c *call) []row {
	rows := slices.Clone(m.visible(c.resource, m.tenant))
	if c.filter != nil {
		rows = slices.DeleteFunc(rows, func(r row) bool { return !m.true(*c.filter, c.resource, r) })
	}
	e := m.kinds[c.resource]
	if c.ids != nil {
		rows = slices.DeleteFunc(rows, func(r row) bool { return !slices.Contains(c.ids, e.idOf(r)) })
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		desc := false
		for _, s := range c.sort {
			name, d := strings.CutPrefix(s, "-")
			desc = d
			if o := ordered(a[name], b[name], desc); o != 0 {
				return o
			}
		}
		for _, k := range e.key {
			if o := ordered(a[k], b[k], desc); o != 0 {
				return o
			}
		}
		return 0
	})
	return rows
}

// ordered compares two values of which nulls are the largest.
func ordered(a, b any, desc bool) int {
	var o int
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		o = 1
	case b == nil:
		o = -1
	default:
		o = order(a, b)
	}
	if desc {
		return -o
	}
	return o
}

// idOf is the key of a row as clients have it.
func (e *entity) idOf(r row) string {
	parts := make([]string, len(e.key))
	for i, k := range e.key {
		parts[i] = fmt.Sprint(r[k])
	}
	return strings.Join(parts, ":")
}
