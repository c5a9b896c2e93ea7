package isolation_test

// bug is a mistake in isolation that somebody could make, as a change of the source.
type bug struct {
	name  string
	edits []edit
}

// edit replaces a piece of a file that is there exactly once. In the new text BUG stands for the condition that
// this bug is the one that is wanted.
type edit struct{ file, old, new string }

// helpers are functions that the edits of a package use. A build with bugs has them, and no other.
var helpers = map[string]string{
	"executors": `
// unscoped is a resource whose scope has lost its tenant.
func unscoped(when bool, bd *bound) *bound {
	if !when || bd.scope.SQL == "" {
		return bd
	}
	c := &bound{st: bd.st, res: bd.res, table: bd.table, key: bd.key, fullKey: bd.fullKey, relations: bd.relations, narrow: bd.narrow, holes: bd.holes, scope: bd.scope}
	var parts []string
	for _, a := range bd.scope.Args {
		parts = append(parts, pair(scope.IsTenant(a), "? IS NOT NULL", "CAST(? AS text) IS NOT NULL"))
	}
	c.scope.SQL = strings.Join(parts, " AND ")
	return c
}

// wide is a resource that has lost its own narrowing.
func wide(when bool, bd *bound) *bound {
	if !when {
		return bd
	}
	return &bound{st: bd.st, res: bd.res, table: bd.table, key: bd.key, fullKey: bd.fullKey, relations: bd.relations, holes: bd.holes, scope: bd.scope}
}

// everyLink are the links of a resource, whoever may see them.
func everyLink(when bool, bd *bound, visible []link) []link {
	if !when {
		return visible
	}
	var out []link
	for _, r := range bd.relations {
		out = append(out, link{relation: r})
	}
	return out
}

func pair[T any](when bool, a, b T) T {
	if when {
		return a
	}
	return b
}
`,
	"executors/postgres": `
var firstTenant struct {
	once sync.Once
	key  string
}

// remembered is the tenant of the first call.
func remembered(when bool, key string) string {
	if !when {
		return key
	}
	firstTenant.once.Do(func() { firstTenant.key = key })
	return firstTenant.key
}

func resetting(sql string) string {
	for name, change := range map[string][2]string{
		"the setting stays on the connection": {"', $1, true)", "', $1, false)"},
		"the setting is not set":              {"'" + TenantSetting + "'", "'tenantry.other'"},
		"no budget for statements":            {"'statement_timeout', $2", "'lock_timeout', $2"},
	} {
		if planted(name) {
			sql = strings.Replace(sql, change[0], change[1], 1)
		}
	}
	return sql
}
`,
}

// imports of the helpers.
var helperImports = map[string]string{
	"executors": `"os"; "strings"; "github.com/tenantry/tenantry/scope"`, "executors/postgres": `"os"; "strings"; "sync"`,
}

// walls replace whole files: the constants that a build tag turns off become variables.
var walls = map[string]string{
	"executors/wall_scope.go":   "package executors\n\nvar scopeWall = !planted(\"no scope\") && !planted(\"no wall\")\n",
	"executors/wall_witness.go": "package executors\n\nvar witnessWall = !planted(\"no witness\") && !planted(\"no wall\")\n",
}

// bugs are the mistakes. One build has all of them, and a variable of its environment says which is wanted.
var bugs = []bug{
	{"scope dropped at the root", []edit{{
		"executors/compile.go", "\treturn source(b.d, b.bd, columns, witness)\n}", "\treturn source(b.d, unscoped(BUG, b.bd), columns, witness)\n}",
	}}},
	{"scope dropped behind a relation", []edit{{
		"executors/relation.go", "rows := source(d, r.target, r.target.table.pick(need, all), true)",
		"rows := source(d, wide(planted(\"narrowing dropped behind a relation\"), unscoped(BUG, r.target)), r.target.table.pick(need, all), true)",
	}}},
	{"narrowing dropped behind a relation", nil}, // in the edit above
	{"scope dropped behind a second relation", []edit{{
		"executors/view.go", "\t\trelations = append(relations, filtering.Relation{",
		"\t\tif BUG && hops == 1 {\n\t\t\tr := *l.relation\n\t\t\tr.target = unscoped(true, r.target)\n\t\t\tl = link{relation: &r}\n\t\t}\n\t\trelations = append(relations, filtering.Relation{",
	}}},
	{"scope dropped in a join table", []edit{{
		"executors/relation.go", "\trows := source(d, r.join.bd, columnNames(r.join.back, r.join.on), true)",
		"\trows := source(d, unscoped(BUG, r.join.bd), columnNames(r.join.back, r.join.on), true)",
	}}},
	{"scope dropped of embedded rows", []edit{{
		"executors/include.go", "\tinner := sub.source(sub.columns(sub.need(o.need)), true)",
		"\tinner := source(b.d, unscoped(BUG, in.target), sub.columns(sub.need(o.need)), true)",
	}}},
	{"scope dropped of listed keys", []edit{{
		"executors/outputs.go", "\trows := source(d, target, columnNames(l.there, target.key), true)",
		"\trows := source(d, unscoped(BUG, target), columnNames(l.there, target.key), true)",
	}}},
	{"a key of another tenant is answered otherwise", []edit{{
		"executors/build.go", "\tinner := b.source(b.columns(b.need(need)), true)\n\treturn s.from(inner)",
		"\tinner := source(b.d, unscoped(BUG, b.bd), b.columns(b.need(need)), true)\n\treturn s.from(inner)",
	}}},
	{"scope without parentheses", []edit{{
		"executors/global.go", `return squirrel.Expr("("+rooted(bd.scope.SQL)+")", constants(bd.scope.Args)...)`,
		`return squirrel.Expr(pair(BUG, rooted(bd.scope.SQL), "("+rooted(bd.scope.SQL)+")"), constants(bd.scope.Args)...)`,
	}}},
	{"witness of another alias", []edit{{
		"executors/build.go", `names[i] = alias + "." + witnessName(d, i)`, `names[i] = pair(BUG, "t", alias) + "." + witnessName(d, i)`,
	}}},
	{"tenant of the first call", []edit{{
		"executors/postgres/run.go", "t.ses.params.encode(s.Args, t.call.Tenant.Key())", "t.ses.params.encode(s.Args, remembered(BUG, t.call.Tenant.Key()))",
	}}},
	{"statements of one resource serve another", []edit{{
		"executors/plan.go", "dst = binary.AppendUvarint(dst, uint64(pl.bd.index))", "dst = binary.AppendUvarint(dst, pair(BUG, 0, uint64(pl.bd.index)))",
	}}},
	{"statements of one selection serve another", []edit{{
		"executors/plan.go", "\tif kind != shapeInclude {", "\tif kind != shapeInclude && !BUG {",
	}}},
	{"views are kept without the scopes", []edit{{"executors/view.go", "\t\tif p.Has(g) {", "\t\tif BUG || p.Has(g) {"}}},
	{"cursor without the tenant", []edit{{
		"executors/cursor.go", "\tbuf = appendString(buf, p.Tenant().Key())\n", "\tbuf = appendString(buf, pair(BUG, \"\", p.Tenant().Key()))\n",
	}}},
	{"cursor without the subject", []edit{{
		"executors/cursor.go", "\tbuf = appendString(buf, p.Subject())\n", "\tbuf = appendString(buf, pair(BUG, \"\", p.Subject()))\n",
	}}},
	{"cursor without the resource", []edit{{
		"executors/cursor.go", "\tbuf = appendString(buf, pl.bd.res.Name())\n\tbuf = append(buf, pl.bd.version[:]...)\n",
		"\tif !BUG {\n\t\tbuf = appendString(buf, pl.bd.res.Name())\n\t\tbuf = append(buf, pl.bd.version[:]...)\n\t}\n",
	}}},
	{"cursor without the filter", []edit{{
		"executors/cursor.go", "\treturn append(buf, pl.digest[:]...)", "\treturn append(buf, pair(BUG, nil, pl.digest[:])...)",
	}}},
	{"the setting stays on the connection", []edit{
		{"executors/postgres/settings.go", "\tb.WriteString(\"]\")\n\treturn b.String()\n}", "\tb.WriteString(\"]\")\n\treturn resetting(b.String())\n}"},
	}},
	{"the setting is not set", nil},   // in the edit above
	{"no budget for statements", nil}, // in the edit above
	{"the connection of a foreign row is kept", []edit{
		{"executors/postgres/run.go", "drained > limit || errors.Is(err, executors.ErrForeign) {", "drained > limit || !BUG && errors.Is(err, executors.ErrForeign) {"},
		{"executors/postgres/run.go", "drained <= limit && !errors.Is(err, executors.ErrForeign) &&", "drained <= limit && (BUG || !errors.Is(err, executors.ErrForeign)) &&"},
		{"executors/postgres/run.go", "t.host == nil || !errors.Is(t.host, executors.ErrForeign) {", "t.host == nil || BUG || !errors.Is(t.host, executors.ErrForeign) {"},
	}},
	{"driver text forwarded", []edit{{
		"executors/postgres/errors.go", "\tdefault:\n\t\treturn resource.Internal(err)",
		"\tdefault:\n\t\tif BUG {\n\t\t\treturn resource.Errorf(resource.CodeInternal, \"\", \"%v\", err)\n\t\t}\n\t\treturn resource.Internal(err)",
	}}},
	{"witness takes NULL", []edit{{"executors/reading.go", "\t\tcase v == nil:\n", "\t\tcase v == nil:\n\t\t\tif BUG {\n\t\t\t\treturn true\n\t\t\t}\n"}}},
	{"witness takes every flag", []edit{{"executors/reading.go", "case flag && r.x.dialect.IsTrue(v),", "case flag && (BUG || r.x.dialect.IsTrue(v)),"}}},
	{"witness of the first row alone", []edit{{
		"executors/rows.go", "\tif !r.owned(values) {", "\tif (!BUG || r.n == 0) && !r.owned(values) {",
	}}},
	{"no witness of listed keys", []edit{{
		"executors/reading.go", "\t\tfor list.Next() {", "\t\tfor !BUG && list.Next() {",
	}}},
	{"no witness of embedded rows", []edit{{"executors/embed.go", "\tif !inc.owned(values) {", "\tif !BUG && !inc.owned(values) {"}}},
	{"no witness of groups", []edit{{
		"executors/aggregate.go", "|| !witnessWall {", "|| !witnessWall || BUG {",
	}}},
	{"no witness behind a relation", []edit{{
		"executors/relation.go", "\tif bd.free == onlyJoins {", "\tif BUG {\n\t\treturn s.Where(\"1=1\")\n\t}\n\tif bd.free == onlyJoins {",
	}}},
	{"count without the scope", []edit{
		{
			"executors/build.go", "\tinner := b.source(b.columns(b.need(map[string]bool{})), true)",
			"\tinner := source(b.d, unscoped(BUG, b.bd), b.columns(b.need(map[string]bool{})), true)",
		},
		{
			"executors/build.go", "\tconditions = append(conditions, squirrel.Expr(\"(\"+sql+\")\", args...))\n",
			"\tif !BUG && !planted(\"no witness of counts\") {\n\t\tconditions = append(conditions, squirrel.Expr(\"(\"+sql+\")\", args...))\n\t}\n",
		},
	}},
	{"no witness of counts", nil}, // in the edit above
	{"aggregate without the scope", []edit{{
		"executors/aggregate_build.go", "FromSelect(g.source(g.columns(g.builder.need(g.need)), true), \"t\")",
		"FromSelect(source(g.d, unscoped(BUG, g.bd), g.columns(g.builder.need(g.need)), true), \"t\")",
	}}},
	{"the host's condition runs on foreign rows", []edit{{
		"executors/view.go", `"CASE WHEN " + mine + " THEN (" + custom.SQL + ") END"`,
		`pair(BUG, "("+mine+" OR 1=1) AND ("+custom.SQL+")", "CASE WHEN "+mine+" THEN ("+custom.SQL+") END")`,
	}}},
	{"a hidden field can be filtered by", []edit{{
		"executors/view.go", "\t\tif ok && visibleColumn(bd.res, column, p) {", "\t\tif ok && (BUG || visibleColumn(bd.res, column, p)) {",
	}}},
	{"a hidden field can be sorted by", []edit{{
		"executors/view.go", "ok && visibleField(bd.res, f, p) {\n\t\t\tv.sortable", "ok && (BUG || visibleField(bd.res, f, p)) {\n\t\t\tv.sortable",
	}}},
	{"a hidden field is shown", []edit{{
		"executors/row.go", "\t\tif visibleField(bd.res, f, p) {\n\t\t\tallowed", "\t\tif BUG || visibleField(bd.res, f, p) {\n\t\t\tallowed",
	}}},
	{"a hidden field can be measured", []edit{{
		"executors/aggregate_view.go", "ok && visibleField(bd.res, f, p) {", "ok && (BUG || visibleField(bd.res, f, p)) {",
	}}},
	{"the target of a relation is not asked for its permission", []edit{{
		"executors/view.go", "\treturn auth.Decide(p, r.target.res.Requires()) == auth.Allow", "\treturn BUG || auth.Decide(p, r.target.res.Requires()) == auth.Allow",
	}}},
	{"filter keys of a hidden relation are kept", []edit{{
		"executors/view.go", "\tfor _, l := range x.visibleLinks(bd, p) {\n\t\tif l.target == nil {",
		"\tfor _, l := range everyLink(BUG, bd, x.visibleLinks(bd, p)) {\n\t\tif l.target == nil {",
	}}},
	{"a hidden resource is served", []edit{{
		"registry/registry.go", "\tif res, ok := r.byName[name]; ok && CanRead(p, res) {",
		"\tif res, ok := r.byName[name]; ok && (CanRead(p, res) || BUG && !res.Internal() || planted(\"an internal resource is served\") && res.Internal()) {",
	}}},
	{"an internal resource is served", nil}, // in the edit above
	{"suggestions of hidden names", []edit{{
		"registry/registry.go", "\tfor _, res := range r.Visible(p) {\n\t\tnames", "\tfor _, res := range r.All() {\n\t\tif !BUG && !CanRead(p, res) {\n\t\t\tcontinue\n\t\t}\n\t\tnames",
	}}},
	{"a selector reaches every tenant", []edit{{"auth/tenant.go", "err != nil || !p.grants(id) ||", "err != nil || !BUG && !p.grants(id) ||"}}},
	{"without a selector, the first tenant", []edit{{
		"auth/tenant.go", "\tactive := p.active\n", "\tactive := p.active\n\tif BUG && !active.Valid() {\n\t\tactive = p.tenants[0]\n\t}\n",
	}}},
}
