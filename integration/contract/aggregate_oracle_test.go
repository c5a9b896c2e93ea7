package contract_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// gauge is a table with a column of every type that is grouped or measured: its name, its type and some
// values as SQL writes them, on PostgreSQL and, where they differ, on SQLite.
type gauge struct {
	name, kind     string
	values, sqlite []string
}

var gauges = []gauge{
	{"kind", "text", []string{"NULL", "'a'", "'b'", "'b b'", "''"}, nil},
	{"lit", "boolean", []string{"NULL", "true", "false"}, nil},
	{"n", "integer", []string{"NULL", "0", "-5", "2147483647", "-2147483648", "12"}, nil},
	{"big", "bigint", []string{"NULL", "9223372036854775807", "-9223372036854775808", "9007199254740993", "1"}, nil},
	{"amount", "numeric", []string{"NULL", "0.10", "-19.90", "123456789012345678901234567890.25", "0.20", "'NaN'", "'Infinity'", "'-Infinity'"}, []string{"NULL", "0.5", "-19.75", "3.25"}},
	{"plain", "numeric", []string{"NULL", "0.10", "-19.90", "1.05", "0.20"}, []string{"NULL", "0.5", "-19.75", "3.25"}},
	{"rate", "double precision", []string{"NULL", "0.1", "0.2", "-3.5", "1e308", "1.7e308", "-1e308", "5e-324", "'NaN'", "'Infinity'", "'-Infinity'"}, []string{"NULL", "0.1", "0.2", "-3.5", "1e300"}},
	{"calm", "double precision", []string{"NULL", "0.1", "0.2", "0.7", "1e200", "-1e200", "3"}, []string{"NULL", "0.1", "0.2", "0.7", "3"}},
	{"small", "real", []string{"NULL", "0.1", "0.2", "16777216", "1"}, []string{"NULL", "0.25", "3"}},
	{"at", "timestamptz", []string{
		"NULL", "'2026-01-31T23:59:59.999999Z'", "'2026-02-01T00:00:00.000000Z'", "'2025-12-29T00:00:00.000000Z'", "'2025-12-28T23:59:59.999999Z'",
		"'2024-02-29T12:00:00.000000Z'", "'2026-10-01T00:00:00.000000Z'", "'2026-03-29T01:30:00.000000Z'",
	}, nil},
	{"wall", "timestamp", []string{"NULL", "'2026-01-01T00:00:00.000000'", "'2025-12-31T23:59:59.999999'", "'2026-06-30T00:00:00.000000'", "'2026-07-01T00:00:00.000000'"}, nil},
	{"due", "date", []string{"NULL", "'2026-01-05'", "'2026-01-04'", "'2024-02-29'", "'1970-01-01'", "'0001-01-01'", "'9999-12-31'"}, nil},
}

const gaugeRows = 240 // of each tenant

// serveGauges fills the table for two tenants and serves it. The database's own time zone is half a day away.
func (db *database) serveGauges(t *testing.T, seed uint64) *server {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 2))
	columns, fields := "id bigint PRIMARY KEY, tenant_id bigint NOT NULL", []string{"id"}
	filterable := resource.Columns{"id": "id"}
	for _, g := range gauges {
		columns += ", " + g.name + " " + g.kind
		fields = append(fields, g.name)
		filterable[g.name] = g.name
	}
	db.table(t, "gauges", "tenant_id", columns)
	var rows []string
	for id := range 2 * gaugeRows {
		row := []string{strconv.Itoa(id), strconv.Itoa(1 + id%2)}
		for _, g := range gauges {
			values := g.values
			if db.name == "sqlite" && g.sqlite != nil {
				values = g.sqlite
			}
			row = append(row, values[r.IntN(len(values))])
		}
		rows = append(rows, "("+strings.Join(row, ",")+")")
	}
	db.exec(t, "INSERT INTO gauges VALUES "+strings.Join(rows, ","))
	if db.name == "postgres" {
		db.exec(t, `DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' SET timezone = ''Pacific/Auckland'''; END $$`)
	}
	return db.serve(t, settings{}, resource.Spec{
		Name: "gauges", Table: "gauges", Scope: scope.Column("tenant_id"), Filterable: filterable,
		Groupable: fields, Measures: fields, Serializer: serializer.Columns(fields...),
	})
}

// Groups and measures are those of the rows that list shows, added up by hand.
func TestAggregatesAreOfTheRows(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.serveGauges(t, 7)
		kinds := s.kindsOf(t, "gauges")
		r := rand.New(rand.NewPCG(11, 3))
		filters := []string{`{}`, `{"lit":true}`, `{"n":{"op":"gt","value":0}}`, `{"kind":null}`, `{"not":{"kind":["a","b"]}}`, `{"at":{"op":"gteq","value":"2026-01-01"}}`, `{"n":77}`}
		for n := range 60 {
			filter := filters[n%len(filters)]
			rows := s.everyRowOf(t, "gauges", filter)
			groupBy, measures := someGroups(r), someMeasures(r, kinds)
			got := s.aggregate(t, keyOne, "gauges", fmt.Sprintf(`,"filter":%s,"limit":500,"group_by":%s,"measures":%s`, filter, jsonOf(t, groupBy), jsonOf(t, measures)))
			want := groupsOf(rows, groupBy)
			if got.Meta.HasMore || len(got.Groups) != len(want) {
				if len(want) > 100 && got.Meta.HasMore && len(got.Groups) == 100 {
					continue // as many as an answer has
				}
				t.Fatalf("%s by %s: %d groups, want %d", filter, groupBy, len(got.Groups), len(want))
			}
			seen := map[string]bool{}
			for _, g := range got.Groups {
				key := keyOf(g, groupBy)
				members, ok := want[key]
				if !ok || seen[key] {
					t.Fatalf("%s by %s: the group %s is not among the rows, or is there twice", filter, groupBy, key)
				}
				seen[key] = true
				for _, m := range measures {
					if problem := differs(m, kinds, members, g[m]); problem != "" {
						t.Errorf("%s, group %s: %s: %s", filter, key, m, problem)
					}
				}
			}
		}
	})
}

// kindsOf are the types of the fields, as the schema names them.
func (s *server) kindsOf(t *testing.T, name string) map[string]string {
	t.Helper()
	var doc struct{ Attributes []struct{ Name, Type string } }
	if err := json.Unmarshal(s.call(t, keyOne, "resource_schema", `{"resource":"`+name+`"}`).body, &doc); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, a := range doc.Attributes {
		out[a.Name] = a.Type
	}
	return out
}

func (s *server) everyRowOf(t *testing.T, name, filter string) []map[string]json.RawMessage {
	t.Helper()
	var rows []map[string]json.RawMessage
	cursor := ""
	for range 20 {
		p := s.call(t, keyOne, "list", fmt.Sprintf(`{"resource":%q,"filter":%s,"limit":100,"cursor":%q}`, name, filter, cursor)).page(t)
		rows = append(rows, p.Rows...)
		if cursor = p.Meta.NextCursor; cursor == "" {
			return rows
		}
	}
	t.Fatal("the listing does not end")
	return nil
}

var units = []string{"day", "week", "month", "quarter", "year"}

func someGroups(r *rand.Rand) []string {
	names := []string{"kind", "lit", "n", "amount", "rate", "small", "due", "big"}
	for _, field := range []string{"at", "wall", "due"} {
		for _, unit := range units {
			names = append(names, field+":"+unit)
		}
	}
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	return names[:r.IntN(3)]
}

func someMeasures(r *rand.Rand, kinds map[string]string) []string {
	names := []string{"count"}
	for _, g := range gauges {
		names = append(names, "count_distinct:"+g.name)
		if kinds[g.name] != "boolean" {
			names = append(names, "min:"+g.name, "max:"+g.name)
		}
		if number(kinds[g.name]) {
			names = append(names, "sum:"+g.name, "avg:"+g.name)
		}
	}
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	return names[:10]
}

func number(kind string) bool {
	return slices.Contains([]string{"smallint", "integer", "bigint", "numeric", "real", "double"}, kind)
}

// groupsOf sorts rows by what they are grouped by; without that they are one group.
func groupsOf(rows []map[string]json.RawMessage, groupBy []string) map[string][]map[string]json.RawMessage {
	out := map[string][]map[string]json.RawMessage{}
	if len(groupBy) == 0 {
		out[""] = nil
	}
	for _, row := range rows {
		key := make(map[string]json.RawMessage)
		for _, name := range groupBy {
			field, unit, _ := strings.Cut(name, ":")
			key[name] = firstOf(row[field], unit)
		}
		k := keyOf(key, groupBy)
		out[k] = append(out[k], row)
	}
	return out
}

func keyOf(group map[string]json.RawMessage, groupBy []string) string {
	parts := make([]string, len(groupBy))
	for i, name := range groupBy {
		parts[i] = string(group[name])
	}
	return strings.Join(parts, " | ")
}

// firstOf is the first day of a date's or an instant's period.
func firstOf(value json.RawMessage, unit string) json.RawMessage {
	text := strings.Trim(string(value), `"`)
	if unit == "" || text == "null" {
		return value
	}
	day, err := time.Parse(time.DateOnly, text[:10])
	if err != nil {
		return value
	}
	switch unit {
	case "week":
		for day.Weekday() != time.Monday {
			day = day.AddDate(0, 0, -1)
		}
	case "month":
		day = day.AddDate(0, 0, 1-day.Day())
	case "quarter":
		day = time.Date(day.Year(), (day.Month()-1)/3*3+1, 1, 0, 0, 0, 0, time.UTC)
	case "year":
		day = time.Date(day.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return json.RawMessage(`"` + day.Format(time.DateOnly) + `"`)
}

// differs says how a measure is not that of the rows.
func differs(measure string, kinds map[string]string, rows []map[string]json.RawMessage, got json.RawMessage) string {
	fn, field, _ := strings.Cut(measure, ":")
	values := []string{}
	for _, row := range rows {
		if text := strings.Trim(string(row[field]), `"`); fn != "count" && text != "null" {
			values = append(values, text)
		}
	}
	if fn == "count" {
		return unequal(strconv.Itoa(len(rows)), string(got))
	}
	if fn == "count_distinct" {
		slices.Sort(values)
		return unequal(strconv.Itoa(len(slices.Compact(values))), string(got))
	}
	if len(values) == 0 {
		return unequal("null", string(got))
	}
	text, kind := strings.Trim(string(got), `"`), kinds[field]
	switch fn {
	case "sum":
		return sumDiffers(kind, values, text)
	case "avg":
		return avgDiffers(values, text)
	default:
		slices.SortFunc(values, func(a, b string) int { return compareAs(kind, a, b) })
		if fn == "min" {
			return unequal(values[0], text)
		}
		return unequal(values[len(values)-1], text)
	}
}

func unequal(want, got string) string { return cmp.Diff(want, got) }

func compareAs(kind, a, b string) int {
	if !number(kind) {
		return strings.Compare(a, b)
	}
	ra, okA := new(big.Rat).SetString(a)
	rb, okB := new(big.Rat).SetString(b)
	if okA && okB {
		return ra.Cmp(rb)
	}
	rank := func(s string) int { return slices.Index([]string{"-Infinity", "", "Infinity", "NaN"}, s) }
	place := func(s string, finite bool) int {
		if finite {
			return 1
		}
		return rank(s)
	}
	return place(a, okA) - place(b, okB)
}

// total adds up exactly; special is what a sum with infinities or NaN is instead.
func total(values []string) (sum *big.Rat, special string) {
	sum = new(big.Rat)
	up, down := slices.Contains(values, "Infinity"), slices.Contains(values, "-Infinity")
	switch {
	case slices.Contains(values, "NaN"), up && down:
		return nil, "NaN"
	case up:
		return nil, "Infinity"
	case down:
		return nil, "-Infinity"
	}
	for _, v := range values {
		r, _ := new(big.Rat).SetString(v)
		sum.Add(sum, r)
	}
	return sum, ""
}

func sumDiffers(kind string, values []string, got string) string {
	sum, special := total(values)
	if special != "" {
		return unequal(special, got)
	}
	switch kind {
	case "smallint", "integer", "bigint":
		return unequal(sum.Num().String(), got)
	case "numeric":
		return unequal(sum.FloatString(2), got)
	default:
		want, _ := sum.Float64()
		return near(want, got)
	}
}

func avgDiffers(values []string, got string) string {
	sum, special := total(values)
	if special != "" {
		return unequal(special, got)
	}
	want, _ := sum.Quo(sum, new(big.Rat).SetInt64(int64(len(values)))).Float64()
	return near(want, got)
}

// near holds a float against another that was rounded a few times more.
func near(want float64, got string) string {
	f, err := strconv.ParseFloat(got, 64)
	if err != nil && !math.IsInf(f, 0) {
		return err.Error()
	}
	if f == want || math.Abs(f-want) <= 1e-13*max(math.Abs(want), math.Abs(f), 1e-3) {
		return ""
	}
	return fmt.Sprintf("want %v, got %s", want, got)
}

// Dates at the ends of the calendar, and infinite ones, are groups like others.
func TestAggregatesOfTheLastDates(t *testing.T) {
	onPostgres(t, func(t *testing.T, db *database) {
		db.table(t, "ages", "tenant_id", "id bigint PRIMARY KEY, tenant_id bigint NOT NULL, day date, at timestamptz, wall timestamp")
		db.exec(t, `INSERT INTO ages VALUES (1, 1, '4713-11-24 BC', '4713-11-24 00:00:00+00 BC', '4713-11-24 BC'), (2, 1, '5874897-12-31', '294276-12-31 23:59:59+00', '294276-12-31'),
			(3, 1, 'infinity', 'infinity', 'infinity'), (4, 1, '-infinity', '-infinity', '-infinity'), (5, 1, '0001-12-31 BC', '0001-12-31 23:59:59+00 BC', '0001-12-31 BC'),
			(6, 1, '300000-08-15', '4713-12-31 00:00:00+00 BC', NULL), (7, 1, '0044-03-15 BC', '0044-03-15 00:00:00+00 BC', '0044-03-15 BC')`)
		s := db.serve(t, settings{}, resource.Spec{
			Name: "ages", Table: "ages", Scope: scope.Column("tenant_id"), Groupable: []string{"day", "at", "wall"}, Measures: []string{"day", "at"},
			Serializer: serializer.Columns("id", "day", "at", "wall"),
		})
		for name, want := range map[string]string{
			"day:quarter": `"-infinity" "4713-11-24 BC" "0044-01-01 BC" "0001-10-01 BC" "300000-07-01" "5874897-10-01" "infinity"`,
			"day:week":    `"-infinity" "4713-11-24 BC" "0044-03-11 BC" "0001-12-25 BC" "300000-08-14" "5874897-12-30" "infinity"`,
			"at:year":     `"-infinity" "4713-11-24 BC" "0044-01-01 BC" "0001-01-01 BC" "294276-01-01" "infinity"`,
			"wall:month":  `"-infinity" "4713-11-24 BC" "0044-03-01 BC" "0001-12-01 BC" "294276-12-01" "infinity" null`,
			"at:day":      `"-infinity" "4713-11-24 BC" "4713-12-31 BC" "0044-03-15 BC" "0001-12-31 BC" "294276-12-31" "infinity"`,
		} {
			var got []string
			for _, g := range s.aggregate(t, keyOne, "ages", `,"group_by":["`+name+`"],"measures":["max:day","min:at"]`).Groups {
				got = append(got, string(g[name]))
			}
			if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
	})
}
