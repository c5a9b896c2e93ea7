package contract_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
)

// keeping are the shop with a field of the customers, rating, that none of the keys may read, in every clause that a
// field can stand in; never is the same shop without it. The columns tenant_id and credit_note are no fields of either.
func (db *database) keeping(t *testing.T, never bool) []resource.Spec {
	t.Helper()
	if db.name == "postgres" {
		db.exec(t, `GRANT SELECT (credit_note) ON customers TO tenantry_reader`)
	}
	specs := db.summed()
	customers := &specs[1]
	names := []string{"email", "display_name"}
	fields := []serializer.Field{{Name: "id"}, {Name: "email"}, {Name: "display_name"}}
	if !never {
		names = append(names, "rating")
		fields = append(fields, serializer.Field{Name: "rating", Column: "credit_note", Requires: "customers:rate"})
		customers.Filterable["rating"] = "credit_note"
	}
	customers.Serializer = serializer.Fields(fields...)
	customers.Filterable["display_name"] = "display_name"
	customers.Sortable, customers.Groupable, customers.Measures = names, names, names
	return specs
}

// clauses are calls in which a name can stand, which is written NAME.
var clauses = [][2]string{
	{"get", `{"resource":"customers","id":1,"fields":["NAME"]}`},
	{"list", `{"resource":"customers","fields":["id","NAME"]}`},
	{"list", `{"resource":"customers","fields":"NAME"}`},
	{"list", `{"resource":"customers","include":["NAME"]}`},
	{"list", `{"resource":"customers","filter":{"NAME":"a"}}`},
	{"list", `{"resource":"customers","filter":{"NAME":null}}`},
	{"list", `{"resource":"customers","filter":{"NAME":{"op":"eq","value":"a"}}}`},
	{"list", `{"resource":"customers","filter":{"NAME":{"op":"matches","value":"a"}}}`},
	{"list", `{"resource":"customers","filter":{"NAME":{"op":"is_null","value":true}}}`},
	{"list", `{"resource":"customers","filter":{"NAME":{"op":"no such","value":true}}}`},
	{"list", `{"resource":"customers","filter":{"any":[{"id":1},{"not":{"NAME":["a"]}}]}}`},
	{"list", `{"resource":"customers","sort":["NAME"]}`},
	{"list", `{"resource":"customers","sort":["-NAME"]}`},
	{"list", `{"resource":"customers","sort":["email","-NAME"],"cursor":"x"}`},
	{"list", `{"resource":"orders","filter":{"customer.NAME":"a"}}`},
	{"list", `{"resource":"orders","filter":{"parent.customer.NAME":{"op":"matches","value":"a"}}}`},
	{"list", `{"resource":"orders","sort":["customer.NAME"]}`},
	{"list", `{"resource":"orders","fields":["customer.NAME"]}`},
	{"list", `{"resource":"orders","include":["customer.NAME"]}`},
	{"aggregate", `{"resource":"customers","group_by":["NAME"]}`},
	{"aggregate", `{"resource":"customers","group_by":["NAME:month"]}`},
	{"aggregate", `{"resource":"customers","measures":["min:NAME","count_distinct:NAME"]}`},
	{"aggregate", `{"resource":"customers","group_by":["email"],"sort":["-NAME"]}`},
	{"aggregate", `{"resource":"customers","filter":{"NAME":{"op":"starts_with","value":"a"}}}`},
	{"aggregate", `{"resource":"orders","filter":{"customer.NAME":"a"}}`},
}

// A field that may not be read steers nothing: in every clause it is refused as a name that never was, without a
// statement, and on the way to it nothing suggests it.
func TestHiddenFieldsInEveryClause(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.exec(t, `INSERT INTO tenants (id, name) VALUES (1, 'one'), (2, 'two');`+twins)
		with, w := watched(settings{})
		s, without := db.serve(t, with, db.keeping(t, false)...), db.serve(t, settings{}, db.keeping(t, true)...)
		w.take()
		for _, clause := range clauses {
			refusal := func(s *server, name string) string {
				a := s.call(t, keyOne, clause[0], strings.ReplaceAll(clause[1], "NAME", name))
				if !a.isError {
					t.Errorf("%s %s: %s is served: %s", clause[0], clause[1], name, a.body)
				}
				return strings.ReplaceAll(string(a.body), name, "NAME")
			}
			want := refusal(without, "never_was")
			for _, name := range []string{"rating", "credit_note", "tenant_id", "ratinh", "credit_notf", "tenant_ie", "never_was"} {
				if diff := cmp.Diff(want, refusal(s, name)); diff != "" {
					t.Errorf("%s %s: %s (-never +hidden):\n%s", clause[0], clause[1], name, diff)
				}
			}
		}
		if calls, _, _ := w.take(); calls != 0 {
			t.Errorf("%d calls went to the database", calls)
		}
	})
}

var anyCursor = regexp.MustCompile(`"next_cursor":"([\w-]+)"`)

// uncovered takes the cursor out of an answer, and leaves its length: what is sealed has as many bytes as it has open.
func uncovered(body []byte) (rest string, cursor string) {
	m := anyCursor.FindSubmatch(body)
	if m == nil {
		return string(body), ""
	}
	return strings.ReplaceAll(string(body), string(m[1]), strings.Repeat("~", len(m[1]))), string(m[1])
}

// Nothing of what is hidden is in an answer or in its cursor: with other values there, of this tenant and of the other
// one, every answer is the same, every cursor as long, and the walks go on from where they were.
func TestHiddenValuesChangeNothing(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.exec(t, `INSERT INTO tenants (id, name) VALUES (1, 'one'), (2, 'two');
			INSERT INTO customers (id, tenant_id, email, display_name, credit_note) `+numbered("6", `SELECT i, 1, 'c' || (i % 2) || '@x', CASE WHEN i < 5 THEN 'd' || (i % 3) END, 'n' || (7 - i) FROM s;`)+`
			INSERT INTO customers (id, tenant_id, email, display_name, credit_note) VALUES (20, 2, 'c0@x', 'd1', 'n');`)
		s := db.serve(t, ring("a"), db.keeping(t, false)...)
		var calls []string
		for _, sort := range []string{`[]`, `["email"]`, `["-email"]`, `["display_name"]`, `["-display_name","email"]`} {
			for _, rest := range []string{``, `,"fields":["id"]`, `,"filter":{"email":{"op":"matches","value":"c"}},"count":"exact"`} {
				calls = append(calls, `{"resource":"customers","limit":2,"sort":`+sort+rest)
			}
		}
		look := func() (answers, cursors []string) {
			for _, call := range calls {
				rest, cursor := uncovered(s.call(t, keyOne, "list", call+`}`).body)
				if cursor == "" {
					t.Fatalf("%s: no cursor: %s", call, rest)
				}
				answers, cursors = append(answers, rest), append(cursors, cursor)
			}
			return answers, cursors
		}
		behind := func(cursors []string) (answers []string) {
			for i, call := range calls {
				rest, _ := uncovered(s.call(t, keyOne, "list", call+`,"cursor":"`+cursors[i]+`"}`).body)
				answers = append(answers, rest)
			}
			return answers
		}
		first, cursors := look()
		second := behind(cursors)
		for _, change := range []string{
			`UPDATE customers SET credit_note = 'a much longer note ' || id WHERE tenant_id = 1`,
			`UPDATE customers SET credit_note = NULL WHERE id = 2`,
			`UPDATE customers SET email = 'a', display_name = NULL, credit_note = 'SECRET-OF-TWO' WHERE tenant_id = 2`,
			`INSERT INTO customers (id, tenant_id, email, display_name) VALUES (21, 2, 'c1@x', 'd0')`,
		} {
			db.exec(t, change)
			again, others := look()
			if diff := cmp.Diff(first, again); diff != "" {
				t.Errorf("%s (-before +after):\n%s", change, diff)
			}
			for _, c := range [][]string{cursors, others} {
				if diff := cmp.Diff(second, behind(c)); diff != "" {
					t.Errorf("%s, the next page (-before +after):\n%s", change, diff)
				}
			}
		}
		if slices.Equal(first, second) {
			t.Error("the second pages are the first ones")
		}
	})
}
