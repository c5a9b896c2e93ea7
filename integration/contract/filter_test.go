package contract_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// finding is a filter over the resource orders and the ids it finds, or the code of its refusal.
type finding struct {
	filter string
	ids    []string
	code   string
}

func (s *server) check(t *testing.T, findings []finding) {
	t.Helper()
	for _, f := range findings {
		a := s.call(t, keyOne, "list", `{"resource":"orders","limit":100,"count":"exact","filter":`+f.filter+`}`)
		if f.code != "" {
			if e := a.refused(t); e.Code != f.code || e.Message == "" {
				t.Errorf("%s: want %s, got %+v", f.filter, f.code, e)
			}
			continue
		}
		p := a.page(t)
		if diff := cmp.Diff(f.ids, p.ids()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", f.filter, diff)
		}
		if p.Meta.TotalCount == nil || int(*p.Meta.TotalCount) != len(f.ids) {
			t.Errorf("%s: the count is not the number of rows: %s", f.filter, a.body)
		}
	}
}

// %, _ and \ have no meaning of their own.
func TestSearchIsLiteral(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.start(t, `INSERT INTO orders (id, tenant_id, note) VALUES (1,1,'50%'), (2,1,'500'), (3,1,'a_b'), (4,1,'axb'),
			(5,1,'c\d'), (6,1,'c\'), (7,1,''), (8,1,NULL), (9,1,'ÄRGER'), (10,2,'50%');`)
		all := []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}
		without := func(ids ...string) []string {
			return slices.DeleteFunc(slices.Clone(all), func(id string) bool { return slices.Contains(ids, id) })
		}
		op := func(op, value string) string { return fmt.Sprintf(`{"note":{"op":%q,"value":%q}}`, op, value) }
		s.check(t, []finding{
			{filter: op("matches", "%"), ids: []string{"1"}},
			{filter: op("matches", "_"), ids: []string{"3"}},
			{filter: op("matches", `\`), ids: []string{"5", "6"}},
			{filter: op("matches", "50%"), ids: []string{"1"}},
			{filter: op("matches", "a_b"), ids: []string{"3"}},
			{filter: op("matches", `c\d`), ids: []string{"5"}},
			{filter: op("matches", "ärg"), ids: []string{"9"}},
			{filter: op("matches", ""), code: "invalid_filter"},
			{filter: op("does_not_match", "%"), ids: without("1")},
			{filter: op("does_not_match", `\`), ids: without("5", "6")},
			{filter: op("does_not_match", "a_b"), ids: without("3")},
			{filter: op("starts_with", "50"), ids: []string{"1", "2"}},
			{filter: op("starts_with", "0%"), ids: []string{}},
			{filter: op("ends_with", `\`), ids: []string{"6"}},
			{filter: op("ends_with", "%"), ids: []string{"1"}},
		})
	})
}

// A misspelt filter is refused, with what is nearest.
func TestMisspelt(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.start(t, twins)
		for _, test := range []struct{ arguments, code, suggestion string }{
			{`{"resource":"orders","filter":{"statee":"paid"}}`, "unknown_filter", "state"},
			{`{"resource":"orders","filters":{"state":"paid"}}`, "unknown_argument", "filter"},
			{`{"resource":"orders","where":{"state":"paid"}}`, "unknown_argument", ""},
			{`{"resource":"orders","filter":{"state":{"operator":"eq","value":"paid"}}}`, "invalid_filter", ""},
			{`{"resource":"orders","filter":{"state":{"op":"equals","value":"paid"}}}`, "invalid_filter", ""},
			{`{"resource":"orders","order_by":"id"}`, "unknown_argument", ""},
			{`{"resource":"orders","fields":["idd"]}`, "unknown_field", "id"},
			{`{"resource":"orders","sort":["totl"]}`, "unknown_field", "total"},
			{`{"resource":"order"}`, "unknown_resource", "orders"},
		} {
			e := s.call(t, keyOne, "list", test.arguments).refused(t)
			if e.Code != test.code || test.suggestion != "" && !slices.Contains(e.Suggestions, test.suggestion) {
				t.Errorf("%s: %+v", test.arguments, e)
			}
		}
	})
}

// Null, missing and empty operands.
func TestNullOperands(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.start(t, `INSERT INTO orders (id, tenant_id, state, qty, note) VALUES (1,1,'paid',1,''), (2,1,'draft',2,'x'), (3,1,NULL,NULL,NULL), (4,2,NULL,NULL,'');`)
		s.check(t, []finding{
			{filter: `{"state":{"op":"eq","value":null}}`, ids: []string{"3"}},
			{filter: `{"state":null}`, ids: []string{"3"}},
			{filter: `{"state":{"op":"not_eq","value":null}}`, ids: []string{"1", "2"}},
			{filter: `{"state":{"op":"is_null","value":true}}`, ids: []string{"3"}},
			{filter: `{"state":{"op":"is_null","value":false}}`, ids: []string{"1", "2"}},
			{filter: `{"state":{"op":"eq"}}`, code: "invalid_filter"},
			{filter: `{"state":{"value":"paid"}}`, code: "invalid_filter"},
			{filter: `{"state":{}}`, code: "invalid_filter"},
			{filter: `{"state":{"op":"in","value":[]}}`, code: "invalid_filter"},
			{filter: `{"state":{"op":"in","value":[null]}}`, ids: []string{"3"}},
			{filter: `{"state":["paid",null]}`, ids: []string{"1", "3"}},
			{filter: `{"state":{"op":"not_in","value":["paid",null]}}`, ids: []string{"2"}},
			{filter: `{"state":{"op":"not_eq","value":"paid"}}`, ids: []string{"2", "3"}},
			{filter: `{"state":{"op":"not_in","value":["paid"]}}`, ids: []string{"2", "3"}},
			{filter: `{"not":{"state":"paid"}}`, ids: []string{"2", "3"}},
			{filter: `{"not":{"any":[{"state":"paid"},{"qty":2}]}}`, ids: []string{"3"}},
			{filter: `{"note":{"op":"matches","value":null}}`, code: "invalid_filter"},
			{filter: `{"qty":{"op":"gt","value":null}}`, code: "invalid_filter"},
			{filter: `{"note":{"op":"eq","value":""}}`, ids: []string{"1"}},
			{filter: `{"any":[]}`, code: "invalid_filter"},
			{filter: `{"any":[{}]}`, code: "invalid_filter"},
			{filter: `{"not":{}}`, code: "invalid_filter"},
		})
	})
}

// Nothing is read in two ways.
func TestShapes(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.start(t, `INSERT INTO orders (id, tenant_id, qty, note) VALUES (1,1,1,'a,b'), (2,1,2,'a'), (3,1,3,'b'), (4,1,4,'null'), (5,1,NULL,NULL);`)
		s.check(t, []finding{
			{filter: `{"note":"a,b"}`, ids: []string{"1"}},
			{filter: `{"note":{"op":"eq","value":"a,b"}}`, ids: []string{"1"}},
			{filter: `{"note":{"op":"in","value":["a,b"]}}`, ids: []string{"1"}},
			{filter: `{"note":["a","b"]}`, ids: []string{"2", "3"}},
			{filter: `{"note":"null"}`, ids: []string{"4"}},
			{filter: `{"note":{"op":"eq","value":"null"}}`, ids: []string{"4"}},
			{filter: `{"qty":[{"op":"gteq","value":1},5]}`, code: "invalid_filter"},
			{filter: `{"qty":[[1,2]]}`, code: "invalid_filter"},
			{filter: `{"qty":[{"op":"gteq","value":1},{"op":"lt","value":3}]}`, ids: []string{"1", "2"}},
			{filter: `[]`, code: "invalid_filter"},
			{filter: `"paid"`, code: "invalid_filter"},
			{filter: `"{\"qty\":2}"`, ids: []string{"2"}},
		})
	})
}

// A value that the column cannot hold is refused before any SQL.
func TestValuesTheColumnCannotHold(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.start(t, `INSERT INTO orders (id, tenant_id, qty, note, urgent) VALUES (1,1,5,'5',true);`)
		s.check(t, []finding{
			{filter: `{"ref":"xyz"}`, code: "invalid_filter"},
			{filter: `{"qty":99999999999999999999}`, code: "invalid_filter"},
			{filter: `{"qty":"abc"}`, code: "invalid_filter"},
			{filter: `{"qty":1.5}`, code: "invalid_filter"},
			{filter: `{"due":"2026-02-30"}`, code: "invalid_filter"},
			{filter: `{"placed_at":"yesterday-ish"}`, code: "invalid_filter"},
			{filter: `{"note":"a\u0000b"}`, code: "invalid_filter"},
			{filter: `{"urgent":1}`, code: "invalid_filter"},
			{filter: `{"note":true}`, code: "invalid_filter"},
			{filter: `{"note":5}`, ids: []string{"1"}},
			{filter: `{"qty":"5"}`, ids: []string{"1"}},
			{filter: `{"qty":5.0}`, ids: []string{"1"}},
			{filter: `{"urgent":"true"}`, ids: []string{"1"}},
		})
		for _, id := range []string{`"abc"`, `99999999999999999999`, `1.5`, `true`, `[1]`, `"1\u0000"`} {
			if e := s.call(t, keyOne, "get", `{"resource":"orders","id":`+id+`}`).refused(t); e.Code != "invalid_argument" {
				t.Errorf("id %s: %+v", id, e)
			}
		}
	})
}

// What only PostgreSQL's types refuse.
func TestValuesAnEnumCannotHold(t *testing.T) {
	onPostgres(t, func(t *testing.T, db *database) {
		s := db.start(t, `INSERT INTO orders (id, tenant_id, state) VALUES (1,1,'paid');`)
		e := s.call(t, keyOne, "list", `{"resource":"orders","filter":{"state":"payd"}}`).refused(t)
		want := errorDoc{Code: "invalid_filter", Path: "/filter/state", Allowed: []string{"draft", "paid", "void"}, Suggestions: []string{"paid"}}
		e.Message = ""
		if diff := cmp.Diff(want, e); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		s.check(t, []finding{
			{filter: `{"qty":3000000000}`, code: "invalid_filter"},
			{filter: `{"state":["draft","paid"]}`, ids: []string{"1"}},
			{filter: `{"state":["paid","nope"]}`, code: "invalid_filter"},
		})
	})
}

// A bare date is that day in UTC, and a missing offset is refused, whatever zone a clock has.
func TestDaysAndInstants(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.start(t, `INSERT INTO orders (id, tenant_id, placed_at) VALUES (1,1,'2026-07-06T23:59:59.000000Z'), (2,1,'2026-07-07T00:00:00.000000Z'),
			(3,1,'2026-07-07T12:00:00.000000Z'), (4,1,'2026-07-07T23:59:59.999999Z'), (5,1,'2026-07-08T00:00:00.000000Z'), (6,1,'2026-07-08T04:30:00.000000Z'), (7,1,NULL);`)
		at := func(op, value string) string { return fmt.Sprintf(`{"placed_at":{"op":%q,"value":%q}}`, op, value) }
		s.check(t, []finding{
			{filter: at("lteq", "2026-07-07"), ids: []string{"1", "2", "3", "4"}},
			{filter: at("eq", "2026-07-07"), ids: []string{"2", "3", "4"}},
			{filter: at("not_eq", "2026-07-07"), ids: []string{"1", "5", "6", "7"}},
			{filter: at("gt", "2026-07-07"), ids: []string{"5", "6"}},
			{filter: at("gteq", "2026-07-07"), ids: []string{"2", "3", "4", "5", "6"}},
			{filter: at("lt", "2026-07-07"), ids: []string{"1"}},
			{filter: `{"placed_at":["2026-07-06","2026-07-08T04:30:00Z"]}`, ids: []string{"1", "6"}},
			{filter: at("eq", "2026-07-07T23:30:00-05:00"), ids: []string{"6"}},
			{filter: at("lt", "2026-07-08T00:00:00+02:00"), ids: []string{"1", "2", "3"}},
			{filter: at("gteq", "2026-07-07T00:00:00"), code: "invalid_filter"},
			{filter: at("gt", "now"), code: "invalid_filter"},
		})
		since := s.call(t, keyOne, "list", `{"resource":"orders","updated_since":"2026-07-07T23:59:59.999999Z"}`).page(t).ids()
		if diff := cmp.Diff([]string{"5", "6"}, since); diff != "" {
			t.Errorf("updated_since (-want +got):\n%s", diff)
		}
	})
}
