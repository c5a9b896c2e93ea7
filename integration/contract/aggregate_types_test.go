package contract_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// Every type that may be grouped and measured, with everything its type allows, as rows show its values.
func TestAggregatesOfEveryType(t *testing.T) {
	onPostgres(t, func(t *testing.T, db *database) {
		db.exec(t, `CREATE TYPE mood AS ENUM ('sad', 'ok', 'glad'); CREATE DOMAIN price AS numeric(8,2) CHECK (VALUE > -5); CREATE DOMAIN label AS citext`)
		columns := []string{"small", "n", "big", "amount", "single", "double", "flag", "words", "short", "folded", "padded", "ref", "feeling", "day", "wall", "at", "cost", "tag"}
		db.table(t, "kinds", "tenant_id", `id bigint PRIMARY KEY, tenant_id bigint NOT NULL, small smallint, n int, big bigint, amount numeric, single real, double float8, flag boolean,
			words text, short varchar(9), folded citext, padded char(5), ref uuid, feeling mood, day date, wall timestamp, at timestamptz, cost price, tag label`)
		db.exec(t, `INSERT INTO kinds SELECT i, 1, i, i, i, i * 1.5, i * 0.5, i * 0.25, i > 1, 'w' || i, 's' || i, CASE i WHEN 1 THEN 'Ab' ELSE 'aB' END, 'p' || i,
			'6f1f2c9e-3b1a-4f0e-9a52-1f7f4c0d2b11', CASE i WHEN 1 THEN 'sad' ELSE 'glad' END::mood, '2026-01-01'::date + i, '2026-01-01'::timestamp + i * interval '1 hour',
			'2026-01-01Z'::timestamptz + i * interval '1 hour', i, 't' FROM generate_series(1, 2) AS i`)
		s := db.serve(t, settings{}, resource.Spec{
			Name: "kinds", Table: "kinds", Scope: scope.Column("tenant_id"), Filterable: resource.Columns{"id": "id"},
			Groupable: columns, Measures: columns, Serializer: serializer.Columns(columns...),
		})
		rows := s.call(t, keyOne, "list", `{"resource":"kinds"}`).page(t).Rows
		var doc struct {
			Aggregates struct {
				GroupBy  []struct{ Field string } `json:"group_by"`
				Measures []struct {
					Field     string
					Functions []string
				}
			}
		}
		if err := json.Unmarshal(s.call(t, keyOne, "resource_schema", `{"resource":"kinds"}`).body, &doc); err != nil {
			t.Fatal(err)
		}
		if len(doc.Aggregates.GroupBy) != len(columns) || len(doc.Aggregates.Measures) != len(columns) {
			t.Errorf("the schema: %+v", doc.Aggregates)
		}
		for _, m := range doc.Aggregates.Measures {
			if len(m.Functions) == 0 {
				t.Errorf("%s has no function", m.Field)
			}
			for _, fn := range m.Functions {
				g := s.aggregate(t, keyOne, "kinds", `,"filter":{"id":2},"measures":["`+fn+":"+m.Field+`"]`).Groups[0][fn+":"+m.Field]
				want := string(rows[1][m.Field])
				switch {
				case fn == "count_distinct":
					want = "1"
				case fn == "avg" && (m.Field == "small" || m.Field == "n" || m.Field == "big"):
					want = `"2.0000000000000000"`
				case fn == "avg" && m.Field == "amount":
					want = `"3.0000000000000000"`
				case fn == "avg" && m.Field == "cost":
					want = `"2.0000000000000000"`
				}
				if diff := cmp.Diff(want, string(g)); diff != "" {
					t.Errorf("%s of %s (-want +got):\n%s", fn, m.Field, diff)
				}
			}
		}
		for _, column := range columns {
			if column == "wall" || column == "at" {
				continue // by their units alone
			}
			groups := s.aggregate(t, keyOne, "kinds", `,"group_by":["`+column+`"],"measures":["count","count_distinct:`+column+`"]`).Groups
			same := column == "folded" || column == "ref" || column == "tag" // the two rows have one value
			if want := 2; same && len(groups) != 1 || !same && len(groups) != want {
				t.Errorf("%s: %d groups", column, len(groups))
				continue
			}
			for i, g := range groups {
				if got := string(g[column]); got != string(rows[i][column]) && column != "folded" {
					t.Errorf("%s: group %d is %s, and the row shows %s", column, i, got, rows[i][column])
				}
				if string(g["count_distinct:"+column]) != "1" {
					t.Errorf("%s: %s different values in a group", column, g["count_distinct:"+column])
				}
			}
		}
		if got := jsonOf(t, s.aggregate(t, keyOne, "kinds", `,"measures":["count_distinct:folded","min:padded","max:short","sum:double","avg:single"]`).Groups); got != `[{"avg:single":0.75,"count_distinct:folded":1,"max:short":"s2","min:padded":"p1","sum:double":0.75}]` {
			t.Errorf("%s", got)
		}
	})
}

// On SQLite a value may be of another type than its column. It is a group of its own, as rows show it, and no
// number of a sum.
func TestAggregatesOfUntypedValues(t *testing.T) {
	t.Parallel()
	db := newSQLite(t)
	db.exec(t, `CREATE TABLE loose (id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL, n INTEGER, x DOUBLE, at TIMESTAMPTZ, day DATE, ref UUID, c CHAR(5), f CITEXT);
		INSERT INTO loose VALUES
		(1, 1, 2, 1, '2026-02-03T04:05:06.000007Z', '2026-02-03', '6F1F2C9E-3B1A-4F0E-9A52-1F7F4C0D2B11', 'a  ', 'Straße'),
		(2, 1, 'two', 'x', 'now', 'today', '6f1f2c9e-3b1a-4f0e-9a52-1f7f4c0d2b11', 'a', 'STRASSE'),
		(3, 1, 2.5, 0.5, '2026-02-03 04:05:06', '2026-02-31', NULL, NULL, 'STRASSE'),
		(4, 1, NULL, x'00', 2460000, 2460000, x'6162', 'b', 'straße')`)
	s := db.serve(t, settings{}, resource.Spec{
		Name: "loose", Table: "loose", Scope: scope.Column("tenant_id"), Groupable: []string{"n", "x", "at", "day", "ref", "c", "f"},
		Measures: []string{"n", "x", "at", "ref", "c", "f"}, Serializer: serializer.Columns("id", "n", "x", "at", "day", "ref", "c", "f"),
	})
	for arguments, want := range map[string]string{
		`,"measures":["sum:n","avg:n","sum:x","avg:x","count_distinct:ref","count_distinct:c","count_distinct:f"]`: `[{"avg:n":2,"avg:x":0.75,"count_distinct:c":2,"count_distinct:f":2,"count_distinct:ref":2,"sum:n":2,"sum:x":1.5}]`,
		`,"group_by":["at:month"],"measures":["max:at"],"sort":["-at:month"],"limit":3`:                            `[{"at:month":"now","max:at":"now"},{"at:month":"2026-02-03 04:05:06","max:at":"2026-02-03 04:05:06"},{"at:month":"2026-02-01","max:at":"2026-02-03T04:05:06.000007Z"}]`,
		`,"group_by":["day:year"],"filter":{}`:                                                                     `[{"count":1,"day:year":"2460000"},{"count":1,"day:year":"2026-01-01"},{"count":1,"day:year":"2026-02-31"},{"count":1,"day:year":"today"}]`,
		`,"group_by":["c"]`:                                                                                        `[{"c":"a","count":2},{"c":"b","count":1},{"c":null,"count":1}]`,
		`,"group_by":["f"],"measures":["min:f"]`:                                                                   `[{"f":"strasse","min:f":"STRASSE"},{"f":"straße","min:f":"Straße"}]`,
		`,"group_by":["ref"],"sort":["-count"],"limit":1`:                                                          `[{"count":2,"ref":"6f1f2c9e-3b1a-4f0e-9a52-1f7f4c0d2b11"}]`,
	} {
		if diff := cmp.Diff(want, jsonOf(t, s.aggregate(t, keyOne, "loose", arguments).Groups)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", arguments, diff)
		}
	}
}
