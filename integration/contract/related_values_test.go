package contract_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// A key is exact behind a relation too: in the ids of many, in embedded rows, and in filters.
func TestLargeKeysInRelations(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.exec(t, `INSERT INTO tenants (id, name) VALUES (1, 'one');`+large+`INSERT INTO orders (id, tenant_id, parent_id) VALUES (9007199254740994, 1, 9007199254740992);
			INSERT INTO order_lines (id, tenant_id, order_id, sku) VALUES (9007199254740995, 1, 9007199254740993, 'x'), (9007199254740996, 1, 9007199254740992, 'y');`)
		specs := db.shop()
		specs[0].Relations = []resource.Relation{
			resource.BelongsTo("parent", "orders", "parent_id"), resource.HasMany("children", "orders", "parent_id"),
			resource.ManyToMany("by_line", "orders", "order_lines", []string{"order_id"}, []string{"order_id"}),
		}
		specs[0].Serializer = serializer.Columns("id")
		specs[0].Sortable, specs[0].UpdatedAt = []string{"id"}, ""
		specs[2].Relations = []resource.Relation{resource.BelongsTo("order", "orders", "order_id")}
		s := db.serve(t, settings{}, specs...)
		if diff := cmp.Diff([]string{
			`{"by_line":[],"children":["-9007199254740993"],"parent":"9007199254740993"}`,
			`{"by_line":["9007199254740993"],"children":["9223372036854775807"],"parent":"9007199254740992"}`,
			`{"by_line":["9007199254740992"],"children":["9007199254740993","9007199254740994"],"parent":9007199254740991}`,
		}, s.members(t, keyOne, `{"resource":"orders","ids":["9223372036854775807","9007199254740993",9007199254740992],"sort":["-id"],"fields":["children","parent","by_line"]}`, "links")); diff != "" {
			t.Errorf("links (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{
			`{"children":{"rows":[{"id":"9007199254740993","links":{"parent":"9007199254740992"}},{"id":"9007199254740994","links":{"parent":"9007199254740992"}}],"has_more":false},` +
				`"parent":{"id":9007199254740991,"links":{"parent":null}}}`,
		}, s.members(t, keyOne, `{"resource":"orders","filter":{"id":9007199254740992},"include":["children","parent"]}`, "included")); diff != "" {
			t.Errorf("included (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{`"9007199254740995" {"order":"9007199254740993"}`, `"9007199254740996" {"order":"9007199254740992"}`}, s.members(t, keyOne, `{"resource":"lines"}`, "id", "links")); diff != "" {
			t.Errorf("links to them (-want +got):\n%s", diff)
		}
		for filter, want := range map[string]string{
			`{"parent.id":9007199254740993}`: `"9223372036854775807"`, `{"parent.id":"9007199254740992"}`: `"9007199254740993" "9007199254740994"`,
			`{"children.id":[9007199254740993]}`: `"9007199254740992"`, `{"children.id":{"op":"gt","value":"9007199254740994"}}`: `"9007199254740993"`,
			`{"by_line.id":9007199254740993}`: `"9007199254740993"`, `{"parent.parent.id":9007199254740991}`: `"9007199254740993" "9007199254740994"`,
		} {
			if got := strings.Join(s.find(t, keyOne, "orders", filter), " "); got != want {
				t.Errorf("%s found %s, want %s", filter, got, want)
			}
		}
	})
}

// awkward serves rows 1 and 4 of every type and of arrays, an empty row 3, of which 1 is the parent of both, and a
// row of another tenant that says the same.
func (db *database) awkward(t *testing.T) (s *server, shown, keys []string) {
	t.Helper()
	db.exec(t, `CREATE TYPE pair AS (n int, word text); CREATE DOMAIN hours AS interval; CREATE DOMAIN positive AS int CHECK (VALUE > 0);`)
	columns, values := "id int PRIMARY KEY, tenant_id int, parent int", ""
	for _, c := range slices.Concat(printed, several, unfilterable) {
		columns, values = columns+", "+c.column, values+", "+c.value
		shown = append(shown, strings.Fields(c.column)[0])
	}
	db.table(t, "readings", "tenant_id", columns)
	db.exec(t, "INSERT INTO readings VALUES (1, 1, NULL"+values+"), (2, 2, 1"+values+"), (4, 1, 1"+values+"); INSERT INTO readings (id, tenant_id, parent) VALUES (3, 1, 1)")
	keys = shown[:len(shown)-len(unfilterable)]
	spec := readings(keys...)
	spec.Serializer, spec.Sortable = serializer.Columns(append(slices.Clone(shown), "id")...), nil
	spec.Relations = []resource.Relation{resource.BelongsTo("parent", "orders", "parent"), resource.HasMany("copies", "orders", "parent")}
	return db.serve(t, settings{}, spec), shown, keys
}

// several are arrays and enums.
var several = []shown{
	{"words text[]", `'{NULL,"NULL","","\"q\"","\\","{x}","a,b"}'`, `[null,"NULL","","\"q\"","\\","{x}","a,b"]`},
	{"states order_state[]", "'{NULL,void,draft}'", `[null,"void","draft"]`},
	{"grid int[]", "'{{1,2},{3,4}}'", `[[1,2],[3,4]]`},
	{"refs uuid[]", "'{6F1F2C9E-3B1A-4F0E-9A52-1F7F4C0D2B11}'", `["6f1f2c9e-3b1a-4f0e-9a52-1f7f4c0d2b11"]`},
	{"none_at_all text[]", "'{}'", `[]`},
	{"state order_state", "'paid'", `"paid"`},
	{"a_document jsonb", `'{"a": [1.50, null]}'`, `{"a": [1.50, null]}`},
	{"no_number float8", "'NaN'", `"NaN"`},
	{"no_end timestamptz", "'-infinity'", `"-infinity"`},
	{"endless numeric", "'Infinity'", `"Infinity"`},
}

// Every type is as plain in an embedded row as in one of its own, and its text finds rows through a relation.
func TestEveryTypeBehindARelation(t *testing.T) {
	onPostgres(t, func(t *testing.T, db *database) {
		s, names, keys := db.awkward(t)
		var included struct {
			Copies struct{ Rows []map[string]json.RawMessage }
		}
		if err := json.Unmarshal(s.call(t, keyOne, "get", `{"resource":"orders","id":1,"include":["copies"]}`).row(t)["included"], &included); err != nil || len(included.Copies.Rows) != 2 {
			t.Fatalf("%d copies (%v)", len(included.Copies.Rows), err)
		}
		up := s.call(t, keyOne, "list", `{"resource":"orders","filter":{"id":[3,4]},"include":["parent"]}`).page(t)
		for i, c := range slices.Concat(printed, several, unfilterable) {
			for where, row := range map[string]map[string]json.RawMessage{
				"its own row": up.Rows[1], "one of many": included.Copies.Rows[1],
				"the one": pieces(t, pieces(t, up.Rows[0]["included"])["parent"]), "the one of another": pieces(t, pieces(t, up.Rows[1]["included"])["parent"]),
			} {
				if got := string(row[names[i]]); got != c.want {
					t.Errorf("%s in %s: want %s, got %s", c.column, where, c.want, got)
				}
			}
			if got := string(included.Copies.Rows[0][names[i]]); got != "null" && names[i] != "twice" {
				t.Errorf("%s of an empty row: %s", c.column, got)
			}
		}
		for i, c := range slices.Concat(printed, several)[:len(keys)] {
			eq, other := condition("eq", json.RawMessage(c.want)), condition("not_eq", json.RawMessage(c.want))
			s.check(t, []finding{
				{filter: object(t, "parent."+keys[i], eq), ids: []string{"3", "4"}},
				{filter: object(t, "copies."+keys[i], eq), ids: []string{"1"}},
				{filter: object(t, "copies."+keys[i], other), ids: []string{"3", "4"}},
				{filter: object(t, "parent.copies."+keys[i], eq, "id", 3), ids: []string{"3"}},
				{filter: object(t, "copies."+keys[i], nil), ids: []string{"1"}},
			})
		}
		for _, name := range names[len(keys):] {
			s.check(t, []finding{{filter: object(t, "parent."+name, "a"), code: "unknown_filter"}})
		}
		s.checkSeveral(t)
	})
}

// checkSeveral looks into arrays, enums and documents through relations.
func (s *server) checkSeveral(t *testing.T) {
	t.Helper()
	s.check(t, []finding{
		{filter: `{"parent.words":{"op":"contains","value":["a,b"]}}`, ids: []string{"3", "4"}},
		{filter: `{"parent.words":{"op":"contains","value":["a"]}}`, ids: []string{}},
		{filter: `{"copies.words":{"op":"overlaps","value":["NULL","zz"]}}`, ids: []string{"1"}},
		{filter: `{"copies.states":{"op":"contains","value":["void","draft"]}}`, ids: []string{"1"}},
		{filter: `{"copies.states":{"op":"contains","value":["payd"]}}`, code: "invalid_filter"},
		{filter: `{"copies.state":["draft","paid"]}`, ids: []string{"1"}},
		{filter: `{"copies.state":["draft",null]}`, ids: []string{"1"}},
		{filter: `{"parent.state":["paid","nope"]}`, code: "invalid_filter"},
		{filter: `{"parent.grid":{"op":"contains","value":[[4,1]]}}`, ids: []string{"3", "4"}},
		{filter: `{"parent.a_document":{"op":"has_key","value":"a"}}`, ids: []string{"3", "4"}},
		{filter: `{"copies.a_document":{"op":"contains","value":{"a":[1.5]}}}`, ids: []string{"1"}},
		{filter: `{"parent.words":["a"]}`, code: "invalid_filter"},
	})
}

// A filter through a relation counts what it finds among infinities and what is no number.
func TestSpecialValuesBehindARelation(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		columns, rows, _ := special(db)
		db.table(t, "readings", "tenant_id", columns)
		db.table(t, "sheets", "tenant_id", "id INTEGER PRIMARY KEY, tenant_id INTEGER, reading_id INTEGER")
		db.exec(t, "INSERT INTO readings VALUES "+rows+"; INSERT INTO sheets VALUES (10, 1, 1), (20, 1, 2), (30, 1, 3), (40, 1, 4), (50, 1, 5), (60, 1, 99), (61, 1, NULL)")
		names := []string{"ratio"}
		if db.name == "postgres" {
			names = []string{"ratio", "part", "amount", "day", "at", "local"}
		}
		target := readings(names...)
		target.Name = "readings"
		s := db.serve(t, settings{}, target, resource.Spec{
			Name: "orders", Table: "sheets", Scope: scope.Column("tenant_id"), Serializer: serializer.Columns("id"),
			Filterable: resource.Columns{"id": "id"}, Relations: []resource.Relation{resource.BelongsTo("reading", "readings", "reading_id")},
		})
		for _, name := range names {
			ordinary, endless := any(1.5), "Infinity"
			if !slices.Contains([]string{"ratio", "part", "amount"}, name) {
				ordinary, endless = map[string]any{"day": "2026-07-01", "at": "2026-07-01T09:30:00.5Z", "local": "2026-07-01T09:30:00"}[name], "infinity"
			}
			key := "reading." + name
			s.check(t, []finding{
				{filter: object(t, key, condition("gt", ordinary)), ids: []string{"20"}},
				{filter: object(t, key, condition("lt", ordinary)), ids: []string{"30", "40"}},
				{filter: object(t, key, endless), ids: []string{"20"}},
				{filter: object(t, key, []any{"-" + endless, nil}), ids: []string{"30", "50"}},
				{filter: object(t, key, condition("not_eq", endless)), ids: []string{"10", "30", "40", "50", "60", "61"}},
				{filter: object(t, key, condition("is_null", false)), ids: []string{"10", "20", "30", "40", "60", "61"}},
				{filter: object(t, key, condition("gt", endless)), code: "invalid_filter"},
			})
		}
		s.check(t, []finding{{filter: `{}`, ids: []string{"10", "20", "30", "40", "50", "60", "61"}}})
	})
}
