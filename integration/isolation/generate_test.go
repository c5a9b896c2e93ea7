package isolation_test

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/tenantry/tenantry/resource"
)

// generator makes calls. Each goroutine has one of its own.
type generator struct {
	*rand.Rand
	*world
}

func newGenerator(w *world, seed, stream uint64) *generator {
	return &generator{rand.New(rand.NewPCG(seed, stream)), w}
}

func pick[T any](g *generator, of ...T) T { return of[g.IntN(len(of))] }

// blank is a call of somebody for some kind.
func (g *generator) blank(tool string) *call {
	kind := pick(g, g.order...)
	for g.kinds[kind].spec.Internal {
		kind = pick(g, g.order...)
	}
	c := &call{tool: tool, resource: kind, tenant: 1 + g.IntN(g.tenants), token: pick(g, full, full, both), limit: -1}
	if g.IntN(40) == 0 {
		c.cancel = time.Duration(1+g.IntN(4000)) * time.Microsecond
	}
	return c
}

// call is the next one: mostly such that the model understands.
func (g *generator) call() *call {
	switch n := g.IntN(20); {
	case n < 11:
		return g.list()
	case n < 13:
		return g.get()
	case n < 15:
		return g.aggregate()
	case n == 15:
		c := g.blank(pick(g, "resource_schema", "resources"))
		c.token = pick(g, full, low)
		return c
	default:
		return g.hostile()
	}
}

func (g *generator) list() *call {
	c := g.blank("list")
	c.modelled = true
	e := g.kinds[c.resource]
	if g.IntN(4) > 0 {
		f := g.filter(c, 2)
		c.filter = &f
	}
	if g.IntN(12) == 0 {
		c.ids = []string{g.anyID(c.resource, c.tenant), g.anyID(c.resource, c.tenant), g.anyID(c.resource, 1+g.IntN(g.tenants))}
	}
	for range min(g.IntN(3), len(e.sortable)) {
		name := pick(g, e.sortable...)
		if !slices.Contains(c.sort, name) && !slices.Contains(c.sort, "-"+name) {
			c.sort = append(c.sort, pick(g, "", "-")+name)
		}
	}
	c.limit = pick(g, -1, 1, 3, 100)
	c.offset = pick(g, 0, 0, 0, 2)
	c.count = pick(g, "", "exact", "capped")
	g.relations(c)
	return c
}

// relations adds relations to show and to embed.
func (g *generator) relations(c *call) {
	e := g.kinds[c.resource]
	if g.IntN(3) == 0 {
		c.fields = append(slices.Clone(e.key), "")[:len(e.key)]
	}
	for _, rel := range e.spec.Relations {
		if c.fields != nil && g.IntN(2) == 0 {
			c.fields = append(c.fields, rel.Name)
		}
		if rel.Target != "" && g.IntN(3) == 0 {
			c.include = append(c.include, rel.Name)
		}
	}
}

// anyID is a key of a row that the tenant may read, or one like it.
func (g *generator) anyID(kind string, tenant int) string {
	rows := g.visible(kind, tenant)
	if len(rows) == 0 {
		return "1"
	}
	return g.kinds[kind].idOf(rows[g.IntN(len(rows))])
}

// filter is one that the model understands.
func (g *generator) filter(c *call, depth int) expr {
	if depth > 0 {
		switch g.IntN(6) {
		case 0:
			inner := g.filter(c, depth-1)
			return expr{not: &inner}
		case 1:
			return expr{any: []expr{g.filter(c, depth-1), g.filter(c, depth-1)}}
		case 2:
			a, b := g.comparison(c), g.comparison(c)
			if a.key != b.key && a.value != nil && b.value != nil {
				return expr{all: []expr{a, b}}
			}
			return a
		}
	}
	return g.condition(c)
}

// condition may lead through a relation, or two.
func (g *generator) condition(c *call) expr {
	switch e := g.kinds[c.resource]; {
	case c.resource == "orders" && g.IntN(15) == 0:
		if sku := g.value(c.tenant, "lines", "sku", "text"); sku != nil {
			return expr{key: "bought", op: "eq", value: sku}
		}
		return g.comparison(c)
	case len(e.spec.Relations) > 0 && g.IntN(2) == 0:
		return g.through(c, 2)
	default:
		return g.comparison(c)
	}
}

func (g *generator) comparison(c *call) expr { return g.on(c.resource, c.tenant) }

// on compares a key of a kind.
func (g *generator) on(kind string, tenant int) expr {
	types := g.kinds[kind].types
	names := keysOf(types)
	key := pick(g, names...)
	typ := types[key]
	v := g.value(tenant, kind, key, typ)
	if key == "state" && v != nil { // an enum knows its labels alone
		v = pick[any](g, "draft", "paid", "void")
	}
	op := pick(g, operators(typ, key)...)
	switch op {
	case "is_null":
		return expr{key: key, op: op, value: g.IntN(2) == 0}
	case "in", "not_in":
		return expr{key: key, op: op, value: []any{v, g.value(tenant, kind, key, typ), nil}}
	}
	if v == nil || (v == "" && op == "starts_with") {
		return expr{key: key, op: "is_null", value: true}
	}
	return expr{key: key, op: op, value: v}
}

func operators(typ, key string) []string {
	switch {
	case typ == "bool":
		return []string{"eq", "not_eq", "is_null"}
	case typ == "uuid", key == "state", key == "folder":
		return []string{"eq", "not_eq", "in", "not_in", "is_null"}
	case typ == "text":
		return []string{"eq", "not_eq", "in", "not_in", "starts_with", "is_null"}
	default:
		return []string{"eq", "not_eq", "in", "not_in", "gt", "gteq", "lt", "lteq", "is_null"}
	}
}

// value is one that some row has: of the tenant, or of another.
func (g *generator) value(tenant int, kind, key, typ string) any {
	if g.IntN(3) == 0 {
		tenant = 1 + g.IntN(g.tenants)
	}
	rows := g.visible(kind, tenant)
	if len(rows) == 0 {
		return map[string]any{"int": int64(1), "text": "x", "bool": true, "time": orphan.Time(1), "uuid": orphan.UUID(1)}[typ]
	}
	return rows[g.IntN(len(rows))][key]
}

// through leads to a key of related rows.
func (g *generator) through(c *call, hops int) expr {
	prefix, kind := "", c.resource
	for range 1 + g.IntN(hops) {
		var leads []resource.Relation
		for _, r := range g.kinds[kind].spec.Relations {
			if r.Target != "" {
				leads = append(leads, r)
			}
		}
		if len(leads) == 0 {
			break
		}
		r := pick(g, leads...)
		prefix, kind = prefix+r.Name+".", r.Target
	}
	e := g.on(kind, c.tenant)
	if list, ok := e.value.([]any); ok && len(list) > 0 {
		e.op, e.value = "is_null", g.IntN(2) == 0
	}
	e.key = prefix + e.key
	return e
}

func (g *generator) get() *call {
	c := g.blank("get")
	owner := c.tenant
	if g.IntN(3) == 0 {
		owner = 1 + g.IntN(g.tenants)
	}
	c.id = g.anyID(c.resource, owner)
	g.relations(c)
	c.modelled = slices.ContainsFunc(g.visible(c.resource, c.tenant), func(r row) bool { return g.kinds[c.resource].idOf(r) == c.id })
	return c
}

func (g *generator) aggregate() *call {
	c := g.blank("aggregate")
	c.modelled = true
	if g.IntN(2) == 0 {
		f := g.filter(c, 2)
		c.filter = &f
	}
	c.measure = []string{"count"}
	for _, m := range g.kinds[c.resource].spec.Measures {
		if g.kinds[c.resource].types[m] == "int" && len(c.measure) == 1 {
			c.measure = append(c.measure, "sum:"+m)
		}
	}
	return c
}

// hostile is a call of which nothing is known but what it must not show.
func (g *generator) hostile() *call {
	c := g.list()
	c.modelled, c.token = false, pick(g, full, low, low, both)
	strange := pick[any](g, "x' OR 1=1 --", "%", nil, []any{}, true, -1, "9223372036854775808", "mark~002~", "7002004001", "1e400", []any{nil, "a", []any{}},
		map[string]any{"op": "eq"}, "infinity", "NaN", "\u202e", `"; DROP TABLE w_orders; --`)
	key := pick(g, append(keysOf(g.kinds[c.resource].spec.Filterable), "tenant_id", "customer.secret", "manager.name", "any", "not", "code_over", "ratio", "ID", "labels.orders.note")...)
	c.filter, c.raw = nil, map[string]any{key: pick(g, strange, any(map[string]any{
		"op": pick(g, "eq", "not_eq", "in", "gt", "matches", "contains", "has_key", "overlaps", "is_null", "EQ"), "value": strange,
	}))}
	switch g.IntN(8) {
	case 0:
		c.sort = []string{pick(g, "-secret", "margin", "tenant_id", "note", "-name", "1; DROP")}
	case 1:
		c.fields = []string{pick(g, "secret", "tenant_id", "manager", "*", "lines", "margin")}
	case 2:
		c.include = []string{pick(g, "manager", "owner", "profile", "staff")}
	case 3:
		c.cursor = pick(g, "AAAA", "x", "AQ")
	case 4:
		c.raw, c.tool, c.groups = nil, "aggregate", []string{pick(g, "secret", "name", "state", "vip", "placed_at:month", "tenant_id")}
		c.measure = []string{"count", pick(g, "max:secret", "max:margin", "max:note", "sum:qty", "avg:score")}
	case 5:
		c.resource = pick(g, "profiles", "staff", "Orders", "w_orders", "pg_class")
	case 6:
		c.ids, c.since = []string{pick(g, "7002004001", "x", "1:2")}, pick(g, "", "2026-01-01")
	}
	// A condition of the host may fail on rows of the tenant itself.
	c.fails = key == "code_over" || key == "ratio"
	return c
}

func keysOf[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// conditions are the host's own: they are evaluated on rows of the caller alone, so that a row on which one fails
// fails for its tenant.
func (g *generator) conditions() []*call {
	return []*call{
		{tool: "list", resource: "lines", tenant: 1, token: full, limit: 100, raw: map[string]any{"code_over": 5}, count: "exact"},
		{tool: "list", resource: "lines", tenant: 2, token: full, limit: 100, raw: map[string]any{"code_over": 5}, fails: true},
		{tool: "list", resource: "orders", tenant: 1, token: full, limit: 100, raw: map[string]any{"ratio": 5}, fails: true},
		{tool: "list", resource: "orders", tenant: 2, token: full, limit: 100, raw: map[string]any{"ratio": 5}, fails: true},
	}
}

// directed are calls that visit everything once, so that no seed leaves a corner out.
func (g *generator) directed(tenant int) []*call {
	var out []*call
	add := func(c *call) { c.tenant, c.token, c.modelled = tenant, full, true; out = append(out, c) }
	for _, kind := range g.order {
		e := g.kinds[kind]
		if e.spec.Internal {
			continue
		}
		add(&call{tool: "list", resource: kind, limit: 100, count: "exact"})
		for _, name := range e.sortable {
			add(&call{tool: "list", resource: kind, limit: 2, count: "capped", sort: []string{"-" + name}})
		}
		add(&call{tool: "aggregate", resource: kind, limit: -1, measure: []string{"count"}})
		add(&call{tool: "list", resource: kind, limit: 100, ids: []string{g.anyID(kind, tenant), g.anyID(kind, tenant%g.tenants+1)}})
		if len(g.visible(kind, tenant)) > 0 {
			add(&call{tool: "get", resource: kind, limit: -1, id: g.anyID(kind, tenant)})
		}
		for _, r := range e.spec.Relations {
			if r.Target == "" {
				continue
			}
			add(&call{tool: "list", resource: kind, limit: 100, fields: append(slices.Clone(e.key), r.Name)})
			add(&call{tool: "list", resource: kind, limit: 100, include: []string{r.Name}, count: "exact"})
			add(&call{tool: "list", resource: kind, limit: 100, filter: &expr{key: r.Name + ".id", op: "gt", value: int64(1)}})
			for _, second := range g.kinds[r.Target].spec.Relations {
				if second.Target != "" {
					add(&call{tool: "list", resource: kind, limit: 100, filter: &expr{key: r.Name + "." + second.Name + ".id", op: "gt", value: int64(1)}})
				}
			}
		}
		for _, typed := range keysOf(e.types) {
			x := g.on(kind, tenant)
			for range 3 {
				if x.key != typed {
					x = g.on(kind, tenant)
				}
			}
			y := expr{any: []expr{x, {key: typed, op: "is_null", value: false}}}
			add(&call{tool: "list", resource: kind, limit: 3, filter: &y, ids: g.allIDs(kind)})
		}
	}
	return out
}

// allIDs are keys of rows of several tenants.
func (g *generator) allIDs(kind string) []string {
	var out []string
	for n := 1; n <= min(3, g.tenants); n++ {
		for _, r := range g.visible(kind, n) {
			out = append(out, g.kinds[kind].idOf(r))
		}
	}
	if len(out) == 0 {
		return []string{"1"}
	}
	return out
}
