package isolation_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/tenantry/tenantry/isolationtest"
	"github.com/tenantry/tenantry/resource"
)

// gates asks for what a token may not see, and for what does not exist.
func (s *subject) gates(ctx context.Context) {
	s.quietly(ctx, &call{tool: "list", resource: "customers", tenant: 1, token: full, limit: -1}) // which a cache may remember
	s.quietly(ctx, &call{tool: "list", resource: "orders", tenant: 1, token: full, limit: -1})
	type at = func(name string) *call
	list := func(c call) *call { c.tool, c.tenant, c.token, c.limit = "list", 1, low, -1; return &c }
	on := func(kind string, change func(*call, string)) at {
		return func(name string) *call { c := call{resource: kind}; change(&c, name); return list(c) }
	}
	aggregate := func(kind string, change func(*call, string)) at {
		return func(name string) *call { c := on(kind, change)(name); c.tool = "aggregate"; return c }
	}
	for _, tt := range []struct {
		hidden, absent string
		call           at
	}{
		{"staff", "zzzzz", func(n string) *call { return list(call{resource: n}) }},
		{"profiles", "zzzzzzzz", func(n string) *call { return list(call{resource: n}) }},
		{"staff", "zzzzz", func(n string) *call {
			return &call{tool: "get", resource: n, tenant: 1, token: low, id: isolationtest.MarkOf(1).Text("")}
		}},
		{"staff", "zzzzz", func(n string) *call { return &call{tool: "resource_schema", resource: n, tenant: 1, token: low} }},
		{"staff", "zzzzz", aggregate("", func(c *call, n string) { c.resource = n })},
		{"staffx", "zzzzzz", func(n string) *call { return list(call{resource: n}) }},
		{"secret", "zzzzzz", on("customers", func(c *call, n string) { c.fields = []string{n} })},
		{"secret", "zzzzzz", on("customers", func(c *call, n string) { c.sort = []string{"-" + n} })},
		{"secret", "zzzzzz", on("customers", func(c *call, n string) { c.raw = map[string]any{n: "x"} })},
		{"secretx", "zzzzzzz", on("customers", func(c *call, n string) { c.raw = map[string]any{n: "x"} })},
		{"secret", "zzzzzz", on("orders", func(c *call, n string) { c.raw = map[string]any{"customer." + n: "x"} })},
		{"secret", "zzzzzz", aggregate("customers", func(c *call, n string) { c.groups = []string{n} })},
		{"secret", "zzzzzz", aggregate("customers", func(c *call, n string) { c.measure = []string{"max:" + n} })},
		{"margin", "zzzzzz", aggregate("orders", func(c *call, n string) { c.measure = []string{"sum:" + n} })},
		{"margin", "zzzzzz", on("orders", func(c *call, n string) { c.sort = []string{n} })},
		{"manager", "zzzzzzz", on("customers", func(c *call, n string) { c.fields = []string{n} })},
		{"manager", "zzzzzzz", on("customers", func(c *call, n string) { c.include = []string{n} })},
		{"manager", "zzzzzzz", on("customers", func(c *call, n string) { c.raw = map[string]any{n + ".name": "x"} })},
		{"manager", "zzzzzzz", on("orders", func(c *call, n string) { c.raw = map[string]any{"customer." + n + ".name": "x"} })},
	} {
		s.alike(ctx, tt.call(tt.hidden), tt.call(tt.absent), tt.hidden, tt.absent)
	}
	s.unmentioned(ctx)
}

// unmentioned looks for hidden names in all that a token is told of what there is.
func (s *subject) unmentioned(ctx context.Context) {
	for _, c := range []*call{
		{tool: "resources", tenant: 1, token: low},
		{tool: "resource_schema", resource: "customers", tenant: 1, token: low},
		{tool: "resource_schema", resource: "orders", tenant: 1, token: low},
		{tool: "list", resource: "customers", tenant: 1, token: low, limit: 1},
		{tool: "list", resource: "orders", tenant: 1, token: low, limit: 1},
	} {
		body := string(s.quietly(ctx, c))
		for _, name := range []string{`"staff"`, `"secret"`, `"manager`, `"margin"`, "customer.secret", `"profiles"`} {
			if strings.Contains(body, name) {
				s.leak("O4: %v names %s", c, name)
			}
		}
	}
}

// cursors walks listings, and tries their cursors where they must not open.
func (s *subject) cursors(ctx context.Context, g *generator) {
	for _, kind := range []string{"companies", "orders", "order_view", "lines", "ledger", "documents", "transfers"} {
		base := call{tool: "list", resource: kind, tenant: 1, token: both, limit: 2, modelled: true}
		s.walk(ctx, base)
		sorted := base
		sorted.sort = []string{"-" + pick(g, s.kinds[kind].sortable...)}
		s.walk(ctx, sorted)

		cursor := next(s.quietly(ctx, &base))
		if cursor == "" {
			s.bad("%v has no second page", &base)
			continue
		}
		for _, change := range []func(c *call){
			func(c *call) { c.tenant, c.token = 2, full },
			func(c *call) { c.tenant = s.secondOf(1) },
			func(c *call) { c.token = full },
			func(c *call) { c.sort = []string{"-" + s.kinds[kind].sortable[0]} },
			func(c *call) { c.ids = []string{"1", "2"}; c.ids = c.ids[:1+len(s.kinds[kind].key)/2] },
			func(c *call) {
				c.filter = &expr{key: s.kinds[kind].key[len(s.kinds[kind].key)-1], op: "gt", value: int64(-5)}
			},
			func(c *call) { c.resource = map[string]string{"companies": "orders", "orders": "companies"}[kind] },
			func(c *call) { c.cursor = flipped(c.cursor) },
			func(c *call) { c.cursor = c.cursor[:len(c.cursor)/2] },
		} {
			c := base
			c.cursor, c.modelled = cursor, false
			change(&c)
			if c.resource == "" || (len(s.kinds[kind].key) > 1 && c.ids != nil) {
				continue
			}
			s.pairs.Add(1)
			if body := s.asBoth(ctx, &c); code(body) != resource.InvalidCursor {
				s.leak("O4: a cursor opens what it was not made for: %v: %s", &c, body)
			}
		}
	}
}

// secondOf is the other tenant of the token that the tenant shares.
func (s *subject) secondOf(n int) int { return n%s.tenants + 1 }

// asBoth runs a call as the holder of the token for tenants 1 and 2, who chooses the one of the call.
func (s *subject) asBoth(ctx context.Context, c *call) []byte {
	p := s.principal(c)
	if c.token == both {
		var err error
		if p, err = s.tokens[holder{1, both}].Activate(s.id(c.tenant).Key()); err != nil {
			panic(err)
		}
	}
	body, _ := c.on(expecting(ctx, s.id(c.tenant).Key()), s.exec, p)
	return body
}

// walk follows a listing to its end and holds it against the model.
func (s *subject) walk(ctx context.Context, c call) {
	c.modelled = false
	var got []map[string]json.RawMessage
	const mostPages = 200
	for range mostPages {
		body := s.run(ctx, &c)
		var doc answerDoc
		if json.Unmarshal(body, &doc) != nil || code(body) != "" {
			s.bad("O2: the walk %v stops: %s", &c, body)
			return
		}
		got = append(got, doc.Rows...)
		if doc.Meta.NextCursor == nil {
			break
		}
		c.cursor = *doc.Meta.NextCursor
	}
	m := reader{s.world, c.tenant}
	if wrong := m.sameRows(&c, got, m.listed(&c)); wrong != "" {
		s.bad("O2: the walk %v: %s", &c, wrong)
	}
}

func next(body []byte) string {
	var doc answerDoc
	if json.Unmarshal(body, &doc) != nil || doc.Meta.NextCursor == nil {
		return ""
	}
	return *doc.Meta.NextCursor
}

// flipped is a cursor with one bit turned.
func flipped(cursor string) string {
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		panic(err) // we were just given it
	}
	raw[len(raw)-3] ^= 4
	return base64.RawURLEncoding.EncodeToString(raw)
}
