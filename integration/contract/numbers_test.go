package contract_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// large are orders whose keys no double holds, each the parent of the next.
const large = `INSERT INTO orders (id, tenant_id, parent_id) VALUES (9007199254740991,1,NULL), (9007199254740992,1,9007199254740991),
	(9007199254740993,1,9007199254740992), (9223372036854775807,1,9007199254740993), (-9007199254740993,1,9223372036854775807);`

// A key is exact wherever it goes: rows, links, cursors, filters, ids, get, and the next call.
func TestLargeKeysSurvive(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.start(t, large)
		want := []string{`"-9007199254740993"`, `9007199254740991`, `"9007199254740992"`, `"9007199254740993"`, `"9223372036854775807"`}
		for _, sort := range []string{`"id"`, `"-id"`} {
			got := s.walk(t, keyOne, `{"resource":"orders","sort":[`+sort+`]}`, 1, 5)
			if sort == `"-id"` {
				slices.Reverse(got)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("walked by %s (-want +got):\n%s", sort, diff)
			}
		}
		for _, id := range want {
			plain := strings.Trim(id, `"`)
			for _, sent := range []string{plain, `"` + plain + `"`} {
				row := s.call(t, keyOne, "get", `{"resource":"orders","id":`+sent+`}`).row(t)
				if string(row["id"]) != id {
					t.Errorf("get %s: %s", sent, row["id"])
				}
				for _, arguments := range []string{
					`"filter":{"id":` + sent + `}`, `"filter":{"id":[` + sent + `]}`, `"filter":{"id":{"op":"eq","value":` + sent + `}}`,
					`"ids":[` + sent + `]`, `"ids":"` + plain + `,5"`, `"filter":{"id":[{"op":"gteq","value":` + sent + `},{"op":"lteq","value":` + sent + `}]}`,
				} {
					if got := s.call(t, keyOne, "list", `{"resource":"orders",`+arguments+`}`).page(t).ids(); !cmp.Equal([]string{id}, got) {
						t.Errorf("%s found %s", arguments, got)
					}
				}
			}
		}
		links := string(s.call(t, keyOne, "get", `{"resource":"orders","id":"9223372036854775807"}`).row(t)["links"])
		if links != `{"customer":null,"parent":"9007199254740993"}` {
			t.Errorf("links: %s", links)
		}
	})
}

// Numeric columns keep every digit and their scale.
func TestDecimalsSurvive(t *testing.T) {
	onPostgres(t, func(t *testing.T, db *database) {
		s := db.start(t, `INSERT INTO orders (id, tenant_id, total) VALUES (1,1,0.1000), (2,1,12345678901234.5678), (3,1,12345678901234.5679), (4,1,-0.0001), (5,1,0);`)
		totals := map[string]string{}
		for _, row := range s.call(t, keyOne, "list", `{"resource":"orders"}`).page(t).Rows {
			totals[string(row["id"])] = string(row["total"])
		}
		want := map[string]string{"1": `"0.1000"`, "2": `"12345678901234.5678"`, "3": `"12345678901234.5679"`, "4": `"-0.0001"`, "5": `"0.0000"`}
		if diff := cmp.Diff(want, totals); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{"4", "5", "1", "2", "3"}, s.walk(t, keyOne, `{"resource":"orders","sort":["total"]}`, 1, 5)); diff != "" {
			t.Errorf("walked (-want +got):\n%s", diff)
		}
		s.check(t, []finding{
			{filter: `{"total":{"op":"gteq","value":"12345678901234.5678"}}`, ids: []string{"2", "3"}},
			{filter: `{"total":{"op":"gteq","value":12345678901234.5678}}`, ids: []string{"2", "3"}},
			{filter: `{"total":{"op":"gt","value":"12345678901234.5678"}}`, ids: []string{"3"}},
			{filter: `{"total":12345678901234.56785}`, ids: []string{}},
			{filter: `{"total":0.1}`, ids: []string{"1"}},
			{filter: `{"total":"0.1000"}`, ids: []string{"1"}},
			{filter: `{"total":-1e-4}`, ids: []string{"4"}},
			{filter: `{"total":"-0"}`, ids: []string{"5"}},
		})
	})
}

// special are rows of values that JSON numbers and calendars do not have.
func special(db *database) (columns, rows string, want map[string]string) {
	if db.name == "sqlite" {
		return "id INTEGER PRIMARY KEY, tenant_id INTEGER, ratio DOUBLE",
			"(1,1,1.5), (2,1,9e999), (3,1,-9e999), (4,1,-0.0), (5,1,NULL)",
			map[string]string{"1": "1.5", "2": `"Infinity"`, "3": `"-Infinity"`, "5": "null"}
	}
	return "id int PRIMARY KEY, tenant_id int, ratio float8, part float4, amount numeric, day date, at timestamptz, local timestamp",
		`(1,1,1.5,1.5,1.50,'2026-07-01','2026-07-01 09:30:00.5Z','2026-07-01 09:30'), (2,1,'Infinity','Infinity','Infinity','infinity','infinity','infinity'),
		(3,1,'-Infinity','-Infinity','-Infinity','-infinity','-infinity','-infinity'), (4,1,'-0','-0',0,'0044-03-15 BC','0044-03-15 12:00:00Z BC','0044-03-15 12:00:00 BC'),
		(5,1,NULL,NULL,NULL,NULL,NULL,NULL), (6,1,'NaN','NaN','NaN','10000-01-01','12345-06-07 08:09:10.5Z','12345-06-07 08:09:10.5')`,
		map[string]string{
			"1": `1.5 1.5 "1.50" "2026-07-01" "2026-07-01T09:30:00.500000Z" "2026-07-01T09:30:00.000000"`,
			"2": `"Infinity" "Infinity" "Infinity" "infinity" "infinity" "infinity"`,
			"3": `"-Infinity" "-Infinity" "-Infinity" "-infinity" "-infinity" "-infinity"`,
			"4": `-0 -0 "0" "0044-03-15 BC" "0044-03-15 12:00:00+00 BC" "0044-03-15 12:00:00 BC"`,
			"5": `null null null null null null`,
			"6": `"NaN" "NaN" "NaN" "10000-01-01" "12345-06-07 08:09:10.5+00" "12345-06-07 08:09:10.5"`,
		}
}

// Infinity and NaN have their documented texts, and cost no other row anything.
func TestSpecialValues(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		columns, rows, want := special(db)
		db.table(t, "readings", "tenant_id", columns)
		db.exec(t, "INSERT INTO readings VALUES "+rows)
		names := []string{"ratio"}
		order := map[string][]string{"ratio": {"3", "4", "1", "2", "5"}}
		if db.name == "postgres" {
			names = []string{"ratio", "part", "amount", "day", "at", "local"}
			for _, name := range names { // NaN is larger than infinity
				order[name] = []string{"3", "4", "1", "2", "6", "5"}
			}
			for _, name := range names[3:] { // and no day is
				order[name] = []string{"3", "4", "1", "6", "2", "5"}
			}
		}
		s := db.serve(t, settings{}, readings(names...))
		for _, row := range s.call(t, keyOne, "list", `{"resource":"orders"}`).page(t).Rows {
			var shown []string
			for _, name := range names {
				shown = append(shown, string(row[name]))
			}
			if got := strings.Join(shown, " "); want[string(row["id"])] != got && want[string(row["id"])] != "" {
				t.Errorf("row %s: want %s, got %s", row["id"], want[string(row["id"])], got)
			}
			s.findsItself(t, row, names)
		}
		for _, name := range names {
			up := order[name]
			if diff := cmp.Diff(up, s.walk(t, keyOne, object(t, "resource", "orders", "sort", name), 1, 6)); diff != "" {
				t.Errorf("by %s (-want +got):\n%s", name, diff)
			}
			down := s.walk(t, keyOne, object(t, "resource", "orders", "sort", "-"+name), 1, 6)
			if slices.Reverse(down); !cmp.Equal(up, down) {
				t.Errorf("by -%s (-want +got):\n%s", name, cmp.Diff(up, down))
			}
			ordinary := map[string]any{"ratio": 1.5, "part": 1.5, "amount": "1.50", "day": "2026-07-01", "at": "2026-07-01T09:30:00.5Z", "local": "2026-07-01T09:30:00"}[name]
			s.check(t, []finding{
				{filter: object(t, name, condition("gt", ordinary)), ids: slices.Sorted(slices.Values(up[3 : len(up)-1]))},
				{filter: object(t, name, condition("lt", ordinary)), ids: []string{"3", "4"}},
				{filter: `{}`, ids: slices.Sorted(slices.Values(up))},
				{filter: object(t, name, condition("is_null", false)), ids: slices.Sorted(slices.Values(up[:len(up)-1]))},
				{filter: object(t, name, condition("gt", "Infinity")), code: "invalid_filter"},
				{filter: object(t, name, condition("lteq", "-infinity")), code: "invalid_filter"},
				{filter: object(t, name, condition("gteq", "NaN")), code: "invalid_filter"},
			})
		}
	})
}

// readings is the resource of a table of that name, which is filtered and sorted by every column named. It is
// called orders for the sake of check.
func readings(names ...string) resource.Spec {
	filterable := resource.Columns{"id": "id"}
	for _, name := range names {
		filterable[name] = name
	}
	return resource.Spec{
		Name: "orders", Table: "readings", Scope: scope.Column("tenant_id"), Filterable: filterable, Sortable: names,
		Serializer: serializer.Columns(append([]string{"id"}, names...)...),
	}
}
