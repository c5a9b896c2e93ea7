package contract_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// shown is a column, the SQL of its value, and the JSON that a client must get.
type shown struct{ column, value, want string }

// printed are the types that have no rules of their own, and those that look as if they had none.
var printed = []shown{
	{"a_uuid uuid", "'6F1F2C9E-3B1A-4F0E-9A52-1F7F4C0D2B11'", `"6f1f2c9e-3b1a-4f0e-9a52-1f7f4c0d2b11"`},
	{"an_interval interval", "'1 mon 2 days 3.5s'", `"1 mon 2 days 00:00:03.5"`},
	{"a_time time", "'24:00:00'", `"24:00:00"`},
	{"a_timetz timetz", "'12:34:56.5+02'", `"12:34:56.5+02"`},
	{"a_range int4range", "'[1,5]'", `"[1,6)"`},
	{"an_open_range tstzrange", "'[2026-01-01 12:00:00+02,infinity)'", `"[\"2026-01-01 10:00:00+00\",infinity)"`},
	{"an_empty_range numrange", "'empty'", `"empty"`},
	{"a_multirange int4multirange", "'{[1,3),[7,9)}'", `"{[1,3),[7,9)}"`},
	{"an_inet inet", "'192.0.2.7'", `"192.0.2.7"`},
	{"a_subnet inet", "'192.0.2.7/24'", `"192.0.2.7/24"`},
	{"a_cidr cidr", "'2001:db8::/32'", `"2001:db8::/32"`},
	{"a_mac macaddr", "'08:00:2B:01:02:03'", `"08:00:2b:01:02:03"`},
	{"a_mac8 macaddr8", "'08:00:2b:01:02:03:04:05'", `"08:00:2b:01:02:03:04:05"`},
	{"some_bits bit(3)", "B'101'", `"101"`},
	{"more_bits varbit", "B'0010'", `"0010"`},
	{"a_vector tsvector", "'a:1 fat:2'", `"'a':1 'fat':2"`},
	{"a_query tsquery", "'fat & !rat'", `"'fat' & !'rat'"`},
	{"a_point point", "'(1.5,-2)'", `"(1.5,-2)"`},
	{"a_line line", "'{1,-1,0.5}'", `"{1,-1,0.5}"`},
	{"a_box box", "'(2,2),(0,0)'", `"(2,2),(0,0)"`},
	{"a_circle circle", "'<(1,2),3>'", `"<(1,2),3>"`},
	{"a_polygon polygon", "'((0,0),(1,1),(2,0))'", `"((0,0),(1,1),(2,0))"`},
	{"some_money money", "1234.5", `"$1,234.50"`},
	{"an_oid oid", "4294967295", `"4294967295"`},
	{"an_lsn pg_lsn", "'16/B374D848'", `"16/B374D848"`},
	{"a_pair pair", "ROW(7, 'a,\"b')", `"(7,\"a,\"\"b\")"`},
	{"some_hours hours", "'36:00:00'", `"36:00:00"`},
	{"a_count positive", "5", `5`},
	{"a_name name", "'Ada'", `"Ada"`},
	{"a_char char(4)", "'ab'", `"ab"`},
	{"a_varchar varchar(4)", "'ab '", `"ab "`},
	{"a_citext citext", "'Ada@X'", `"Ada@X"`},
	{"twice int GENERATED ALWAYS AS (a_small * 2) STORED", "DEFAULT", `14`},
	{"a_small smallint", "7", `7`},
	{"a_text text", `E'\\x5c"\'\n\u2028ü😀</script>'`, `"\\x5c\"'\n` + "\u2028" + `ü😀</script>"`},
}

// unfilterable are the types that are shown and not compared.
var unfilterable = []shown{
	{"some_bytes bytea", `'\x00ff10'`, `"AP8Q"`},
	{"some_xml xml", "'<a b=\"c\">d</a>'", `"<a b=\"c\">d</a>"`},
	{"some_json json", `'{"b": 1.0, "a":[1e2]}'`, `{"b": 1.0, "a":[1e2]}`},
}

// Every type is plain JSON with a documented form, and the exact text received finds its row.
func TestEveryTypeIsPlain(t *testing.T) {
	onPostgres(t, func(t *testing.T, db *database) {
		db.exec(t, `CREATE TYPE pair AS (n int, word text); CREATE DOMAIN hours AS interval; CREATE DOMAIN positive AS int CHECK (VALUE > 0);`)
		columns, names, values := "id int PRIMARY KEY, tenant_id int", []string{}, ""
		for _, c := range append(printed[:len(printed):len(printed)], unfilterable...) {
			columns, values = columns+", "+c.column, values+", "+c.value
			names = append(names, strings.Fields(c.column)[0])
		}
		db.table(t, "readings", "tenant_id", columns)
		db.exec(t, "INSERT INTO readings VALUES (1, 1"+values+"), (2, 2"+values+"); INSERT INTO readings (id, tenant_id) VALUES (3, 1)")
		spec := readings(names[:len(printed)]...)
		spec.Serializer, spec.Sortable = serializer.Columns(append(names, "id")...), nil
		s := db.serve(t, settings{}, spec)
		row := s.call(t, keyOne, "get", `{"resource":"orders","id":1}`).row(t)
		for i, c := range append(printed[:len(printed):len(printed)], unfilterable...) {
			if got := string(row[names[i]]); got != c.want {
				t.Errorf("%s: want %s, got %s", c.column, c.want, got)
			}
		}
		s.findsItself(t, row, names[:len(printed)])
		for i, c := range printed {
			s.check(t, []finding{
				{filter: object(t, names[i], []any{json.RawMessage(c.want), nil}), ids: []string{"1", "3"}},
				{filter: object(t, names[i], condition("not_eq", json.RawMessage(c.want))), ids: []string{"3"}},
			})
		}
		for _, name := range names[len(printed):] {
			s.check(t, []finding{{filter: object(t, name, "a"), code: "unknown_filter"}})
		}
		s.check(t, []finding{{filter: `{"an_inet":"192.0.2.7/32"}`, ids: []string{}}, {filter: `{"a_range":"no range"}`, ids: []string{}}})
	})
}

// lists are rows of arrays: text, enum, two dimensions, uuid.
const lists = `INSERT INTO readings VALUES
	(1, 1, '{"a,b"}', '{draft,paid}', '{{1,2},{3,4}}', '{6F1F2C9E-3B1A-4F0E-9A52-1F7F4C0D2B11}', 'paid'),
	(2, 1, '{a,b}', '{}', '{}', '{}', 'draft'),
	(3, 1, '{}', '{NULL,void}', '{1}', '{NULL}', 'void'),
	(4, 1, NULL, NULL, NULL, NULL, NULL),
	(5, 1, '{NULL,"NULL","","\"q\"","\\","{x}"}', '{paid}', '{{{1},{NULL}}}', NULL, 'paid'),
	(6, 2, '{"a,b"}', '{paid}', '{{1,2},{3,4}}', NULL, 'paid')`

// Arrays and enums keep their form, out and in.
func TestArraysAndEnums(t *testing.T) {
	onPostgres(t, func(t *testing.T, db *database) {
		db.table(t, "readings", "tenant_id", "id int PRIMARY KEY, tenant_id int, words text[], states order_state[], grid int[][], refs uuid[], state order_state")
		db.exec(t, lists)
		s := db.serve(t, settings{}, listed())
		names := []string{"words", "states", "grid", "refs", "state"}
		got := map[string][]string{}
		for _, row := range s.call(t, keyOne, "list", `{"resource":"orders"}`).page(t).Rows {
			for _, name := range names {
				got[name] = append(got[name], string(row[name]))
			}
			s.findsItself(t, row, names)
		}
		want := map[string][]string{
			"words":  {`["a,b"]`, `["a","b"]`, `[]`, `null`, `[null,"NULL","","\"q\"","\\","{x}"]`},
			"states": {`["draft","paid"]`, `[]`, `[null,"void"]`, `null`, `["paid"]`},
			"grid":   {`[[1,2],[3,4]]`, `[]`, `[1]`, `null`, `[[[1],[null]]]`},
			"refs":   {`["6f1f2c9e-3b1a-4f0e-9a52-1f7f4c0d2b11"]`, `[]`, `[null]`, `null`, `null`},
			"state":  {`"paid"`, `"draft"`, `"void"`, `null`, `"paid"`},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		s.check(t, []finding{
			{filter: `{"state":["draft","paid"]}`, ids: []string{"1", "2", "5"}},
			{filter: `{"state":{"op":"in","value":["draft","paid"]}}`, ids: []string{"1", "2", "5"}},
			{filter: `{"state":{"op":"eq","value":"paid"}}`, ids: []string{"1", "5"}},
			{filter: `{"state":{"op":"in","value":["paid","nope"]}}`, code: "invalid_filter"},
			{filter: `{"words":{"op":"contains","value":["a,b"]}}`, ids: []string{"1"}},
			{filter: `{"words":{"op":"contains","value":["a"]}}`, ids: []string{"2"}},
			{filter: `{"words":{"op":"contains","value":[]}}`, ids: []string{"1", "2", "3", "5"}},
			{filter: `{"words":{"op":"overlaps","value":["a","NULL"]}}`, ids: []string{"2", "5"}},
			{filter: `{"words":{"op":"not_eq","value":[]}}`, ids: []string{"1", "2", "4", "5"}},
			{filter: `{"words":null}`, ids: []string{"4"}},
			{filter: `{"words":"a,b"}`, code: "invalid_filter"},
			{filter: `{"words":["a,b"]}`, code: "invalid_filter"},
			{filter: `{"states":{"op":"contains","value":["paid"]}}`, ids: []string{"1", "5"}},
			{filter: `{"states":{"op":"contains","value":["payd"]}}`, code: "invalid_filter"},
			{filter: `{"grid":{"op":"contains","value":[[4,1]]}}`, ids: []string{"1"}},
			{filter: `{"grid":{"op":"eq","value":[1,2,3,4]}}`, ids: []string{}},
			{filter: `{"grid":{"op":"eq","value":[[1,2],[3]]}}`, code: "invalid_filter"},
			{filter: `{"grid":{"op":"eq","value":[2147483648]}}`, code: "invalid_filter"},
			{filter: `{"refs":{"op":"contains","value":["6F1F2C9E-3B1A-4F0E-9A52-1F7F4C0D2B11"]}}`, ids: []string{"1"}},
		})
	})
}

func listed() resource.Spec {
	return resource.Spec{
		Name: "orders", Table: "readings", Scope: scope.Column("tenant_id"),
		Filterable: resource.Columns{"id": "id", "words": "words", "states": "states", "grid": "grid", "refs": "refs", "state": "state"},
		Serializer: serializer.Columns("id", "words", "states", "grid", "refs", "state"),
	}
}
