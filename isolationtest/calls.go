package isolationtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// calls are the attack of a tenant: all that its schemas offer, with values of its own, of the other tenant
// and of nobody.
func (k *kit) calls(s *side) []request {
	out := []request{
		{Method: "tools/list"},
		{Method: "resources/list"},
		{Method: "resources/templates/list"},
		k.tool("resources", map[string]any{}),
		completion(""), completion(k.anyName()),
	}
	for _, name := range s.names {
		g := &generator{kit: k, side: s, known: s.known[name], name: name}
		g.pages()
		g.members()
		g.keys()
		g.relations()
		g.groups()
		out = append(out, g.out...)
	}
	return out
}

func completion(typed string) request {
	return request{Method: "completion/complete", Params: map[string]any{
		"ref":      map[string]any{"type": "ref/resource", "uri": "tenantry://{resource}/{id}"},
		"argument": map[string]any{"name": "resource", "value": typed},
	}}
}

func (k *kit) anyName() string { return string([]rune(k.app.Registry.All()[0].Name())[:1]) }

// generator makes the calls of one resource.
type generator struct {
	*kit
	side  *side
	known *known
	name  string
	out   []request
}

type args = map[string]any

// list adds a call of list.
func (g *generator) list(a args) {
	a["resource"] = g.name
	g.out = append(g.out, g.tool("list", a))
}

// pages are the listing itself, in pages of every kind, and its rows by their keys.
func (g *generator) pages() {
	g.list(args{})
	for _, limit := range []int{1, 2, 7, pageOf} {
		g.list(args{"limit": limit, "count": "exact"})
		g.list(args{"limit": limit, "offset": 1})
	}
	g.list(args{"limit": 0, "count": "capped"})
	g.list(args{"offset": 10_000})
	g.list(args{"updated_since": "2000-01-01"})
	ids := []string{}
	for _, id := range firstTwo(g.known.ids) {
		ids = append(ids, id)
		g.row(id)
	}
	for _, id := range firstTwo(g.foreignIDs(g.side, g.name)) {
		ids = append(ids, id)
		g.row(id)
	}
	if len(ids) > 0 {
		g.list(args{"ids": ids, "limit": pageOf, "count": "exact"})
	}
	g.out = append(g.out,
		request{Method: "resources/read", Params: args{"uri": "tenantry://" + g.name}}, g.tool("resource_schema", args{"resource": g.name}))
}

// row reads a row by its key, in both ways, with all that can be embedded.
func (g *generator) row(id string) {
	g.out = append(g.out,
		g.tool("get", args{"resource": g.name, "id": id}),
		g.tool("get", args{"resource": g.name, "id": id, "include": g.includable(), "fields": g.listed()}),
		request{Method: "resources/read", Params: args{"uri": rowURI(g.name, id)}})
}

func (g *generator) includable() []string {
	var out []string
	for _, r := range g.known.schema.Relationships {
		if r.Includable {
			out = append(out, r.Name)
		}
	}
	return out
}

func (g *generator) listed() []string {
	out := append([]string{}, g.known.schema.Key.Fields...)
	for _, r := range g.known.schema.Relationships {
		out = append(out, r.Name)
	}
	return out
}

// members show and order by every field.
func (g *generator) members() {
	for _, a := range g.known.schema.Attributes {
		g.list(args{"fields": []string{a.Name}, "limit": pageOf})
	}
	for _, name := range g.known.schema.Sortable {
		g.list(args{"sort": []string{name}, "limit": 3})
		g.list(args{"sort": []string{"-" + name}, "limit": 3, "count": "exact"})
	}
	if len(g.known.schema.Sortable) > 1 {
		g.list(args{"sort": g.known.schema.Sortable, "limit": pageOf})
	}
}

// keys filter by every key of the resource.
func (g *generator) keys() {
	for _, f := range g.known.schema.Filters {
		for _, value := range g.conditions(f, f.Key, g.name) {
			filter := args{f.Key: value}
			if f.Requires != "" {
				filter[f.Requires] = g.companion(f.Requires)
			}
			g.filtered(filter)
		}
	}
}

// filtered adds calls with a filter and with what turns it around.
func (g *generator) filtered(filter args) {
	g.list(args{"filter": filter, "limit": pageOf, "count": "exact"})
	if len(filter) > 1 {
		return // a companion stands beside its key, and nowhere else
	}
	if len(g.out)%3 == 0 {
		g.list(args{"filter": args{"not": filter}, "limit": pageOf, "count": "exact"})
	}
	if len(g.out)%5 == 0 {
		g.list(args{"filter": args{"any": []any{filter, args{"not": filter}}}, "limit": pageOf, "count": "exact"})
	}
}

func (g *generator) companion(key string) any {
	for _, row := range g.known.rows {
		if v, ok := row[key].(string); ok {
			return v
		}
	}
	return "Order"
}

// conditions are what a key can be compared by: every operator, with values that rows of either tenant have.
func (g *generator) conditions(f filter, field, resource string) []any {
	values := g.values(field, resource, f.Type)
	var out []any
	for _, op := range f.Operators {
		switch op {
		case "is_null":
			out = append(out, args{"op": op, "value": true}, args{"op": op, "value": false})
		case "in", "not_in":
			out = append(out, args{"op": op, "value": append(append([]any{}, values...), nil)})
		case "matches", "does_not_match", "starts_with", "ends_with":
			out = append(out, args{"op": op, "value": g.other(g.side).mark.Text("")}, args{"op": op, "value": "%"}, args{"op": op, "value": "a"})
		case "has_key":
			out = append(out, args{"op": op, "value": "a"})
		default:
			for _, v := range values {
				out = append(out, args{"op": op, "value": v})
			}
		}
	}
	return out
}

// values are values of a type: one of each tenant, and one that is nobody's or hostile.
func (g *generator) values(field, resource, kind string) []any {
	var out []any
	for _, s := range []*side{g.side, g.other(g.side)} {
		if kn := s.known[resource]; kn != nil {
			out = append(out, firstOfField(kn.rows, field)...)
		}
	}
	if len(out) == 0 { // no field shows it, as of a host's own filter: then it may be about any value
		out = g.anything(kind)
	}
	return append(out, plain(kind))
}

// sampled is how many values of each tenant a filter is tried with that no field shows.
const sampled = 12

// anything are values of a type that rows of either tenant have, of any field of any resource.
func (g *generator) anything(kind string) (out []any) {
	for _, s := range []*side{g.side, g.other(g.side)} {
		seen := map[any]bool{}
		for _, name := range s.names {
			for _, a := range s.known[name].schema.Attributes {
				for _, v := range firstOfField(s.known[name].rows, a.Name) {
					if alike(a.Type, kind) && !seen[fmt.Sprint(v)] && len(seen) < sampled {
						seen[fmt.Sprint(v)] = true
						out = append(out, v)
					}
				}
			}
		}
	}
	return out
}

// alike reports whether values of one type can be those of another.
func alike(a, b string) bool {
	families := []string{"text varchar citext char", "smallint integer bigint numeric", "date timestamptz timestamp"}
	return a == b || slices.ContainsFunc(families, func(f string) bool {
		words := strings.Fields(f)
		return slices.Contains(words, a) && slices.Contains(words, b)
	})
}

func firstOfField(rows []map[string]any, field string) []any {
	for _, row := range rows {
		if v := row[field]; v != nil {
			return []any{v}
		}
	}
	return nil
}

// plain is a legal value of a type.
func plain(kind string) any {
	switch {
	case strings.HasSuffix(kind, "[]"):
		return []any{}
	case kind == "boolean":
		return true
	case kind == "smallint", kind == "integer", kind == "bigint", kind == "numeric", kind == "real", kind == "double":
		return 0
	case kind == "date", kind == "timestamptz", kind == "timestamp":
		return "2026-01-01"
	case kind == "uuid":
		return "00000000-0000-4000-8000-000000000000"
	case kind == "jsonb", kind == "json":
		return args{}
	default:
		return `x' OR 1=1 --%_\`
	}
}

// groups group by every field and measure every other.
func (g *generator) groups() {
	a := g.known.schema.Aggregates
	if a == nil {
		return
	}
	measures := []string{"count"}
	for _, m := range a.Measures {
		for _, fn := range m.Functions {
			measures = append(measures, fn+":"+m.Field)
		}
	}
	for len(measures) > 0 {
		n := min(len(measures), 10)
		g.aggregate(args{"measures": measures[:n]})
		for _, by := range a.GroupBy {
			names := []string{by.Field}
			for _, u := range by.Units {
				names = append(names, by.Field+":"+u)
			}
			for _, name := range names {
				g.aggregate(args{"group_by": []string{name}, "measures": measures[:n], "limit": pageOf})
			}
		}
		measures = measures[n:]
	}
	for _, f := range g.known.schema.Filters {
		for _, value := range g.conditions(f, f.Key, g.name)[:1] {
			g.aggregate(args{"filter": args{f.Key: value}})
		}
	}
}

func (g *generator) aggregate(a args) {
	a["resource"] = g.name
	g.out = append(g.out, g.tool("aggregate", a))
}

func firstTwo(ids []string) []string { return ids[:min(2, len(ids))] }

// without is the object without one member.
func without(object args, name string) args {
	out := maps.Clone(object)
	delete(out, name)
	return out
}
