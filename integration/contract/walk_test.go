package contract_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// walkWhile is walk with something that happens between two pages.
func (s *server) walkWhile(t *testing.T, arguments func(cursor string) string, pages int, between func(page int)) []string {
	t.Helper()
	ids, cursor := []string{}, ""
	for n := range pages {
		p := s.call(t, keyOne, "list", arguments(cursor)).page(t)
		ids = append(ids, p.ids()...)
		if !p.Meta.HasMore {
			return ids
		}
		cursor = p.Meta.NextCursor
		between(n)
	}
	t.Fatalf("%s: the walk does not end", arguments(""))
	return nil
}

// crowd is a thousand orders of one instant, with ten pairs of state and qty. A cast makes an enum of a text.
func crowd(cast string) string {
	return `INSERT INTO orders (id, tenant_id, placed_at, state, qty) ` + numbered("1000",
		`SELECT i, 1, '2026-07-01T09:30:00.000000Z', (CASE WHEN i % 2 = 0 THEN 'paid' ELSE 'draft' END)`+cast+`, i % 5 FROM s;`)
}

// Rows with equal sort keys come once each, whatever happens between the pages.
func TestEqualSortKeys(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		cast := map[string]string{"postgres": "::order_state", "sqlite": ""}[db.name]
		s := db.start(t, crowd(cast))
		vacuum := map[string]string{"postgres": "VACUUM orders", "sqlite": "VACUUM"}[db.name]
		for _, sort := range []string{`["placed_at"]`, `["-placed_at"]`, `["qty","-placed_at"]`, `["state"]`, `[]`} {
			arguments := func(limit int) func(string) string {
				return func(cursor string) string {
					return fmt.Sprintf(`{"resource":"orders","fields":["id"],"sort":%s,"limit":%d,"cursor":%q}`, sort, limit, cursor)
				}
			}
			r := rand.New(rand.NewPCG(27, 0))
			walked := s.walkWhile(t, arguments(7), 1000/7+3, func(page int) {
				if page%30 == 10 {
					db.exec(t, fmt.Sprintf("UPDATE orders SET note = 'x' WHERE id %% 7 = %d", r.IntN(7)))
					db.exec(t, vacuum)
				}
			})
			quiet := s.walkWhile(t, arguments(100), 13, func(int) {})
			if diff := gocmp.Diff(quiet, walked); diff != "" {
				t.Errorf("%s: the order is not the same on data at rest (-rest +got):\n%s", sort, diff)
			}
			once := slices.Clone(quiet)
			slices.Sort(once)
			if len(quiet) != 1000 || len(slices.Compact(once)) != 1000 {
				t.Errorf("%s: %d rows, %d different ones", sort, len(quiet), len(once))
			}
		}
	})
}

// dated is an order that is due on a day of a month; the day 0 is none.
type dated struct{ id, day, state int }

// edges have repeated days, and nulls first by key.
func edges() (rows []dated, sql string) {
	sql = `INSERT INTO orders (id, tenant_id, due, state) VALUES (99, 2, NULL, 'paid')`
	for id := 1; id <= 12; id++ {
		d := dated{id: id, day: max(0, id-5+id%2), state: id % 3}
		due := "NULL"
		if d.day > 0 {
			due = fmt.Sprintf("'2026-07-%02d'", d.day)
		}
		sql += fmt.Sprintf(",(%d, 1, %s, '%s')", id, due, []string{"draft", "paid", "void"}[d.state])
		rows = append(rows, d)
	}
	return rows, sql + ";"
}

// byDay orders by the day, with none as larger than every other.
func byDay(a, b dated) int {
	last := func(d dated) int { return (d.day + 31) % 32 }
	return cmp.Compare(last(a), last(b))
}

// Nulls at the edge of a page lose no row, and end no walk.
func TestNullsAtThePageEdge(t *testing.T) {
	t.Parallel()
	byState := func(a, b dated) int { return cmp.Compare(a.state, b.state) }
	byID := func(a, b dated) int { return cmp.Compare(a.id, b.id) }
	sorts := []struct {
		sort  string
		order func(a, b dated) int
	}{
		{`["due"]`, func(a, b dated) int { return cmp.Or(byDay(a, b), byID(a, b)) }},
		{`["-due"]`, func(a, b dated) int { return cmp.Or(byDay(b, a), byID(b, a)) }},
		{`["state","due"]`, func(a, b dated) int { return cmp.Or(byState(a, b), byDay(a, b), byID(a, b)) }},
		{`["-due","state"]`, func(a, b dated) int { return cmp.Or(byDay(b, a), byState(a, b), byID(a, b)) }},
		{`["-state","due"]`, func(a, b dated) int { return cmp.Or(byState(b, a), byDay(a, b), byID(a, b)) }},
		{`["due","-id"]`, func(a, b dated) int { return cmp.Or(byDay(a, b), byID(b, a)) }},
	}
	onBoth(t, func(t *testing.T, db *database) {
		rows, sql := edges()
		s := db.start(t, sql)
		for _, test := range sorts {
			slices.SortFunc(rows, test.order)
			want := []string{}
			for _, r := range rows {
				want = append(want, strconv.Itoa(r.id))
			}
			for limit := 1; limit <= 6; limit++ {
				got := s.walk(t, keyOne, `{"resource":"orders","fields":["id"],"sort":`+test.sort+`}`, limit, 12)
				if diff := gocmp.Diff(want, got); diff != "" {
					t.Errorf("%s, limit %d (-want +got):\n%s", test.sort, limit, diff)
				}
			}
		}
	})
}

// A cursor holds a sort value to its last digit.
func TestCursorsKeepTheLastDigit(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.table(t, "readings", "tenant_id", "id bigint PRIMARY KEY, tenant_id int, at timestamptz, local timestamp, amount numeric, ratio double precision, part real, n bigint, word text")
		db.exec(t, `INSERT INTO readings VALUES
			(3, 1, '2026-07-01T09:30:00.123456Z', '2026-07-01T09:30:00.123456', 1.0001, 0.1, 0.1, 9007199254740992, 'a'),
			(1, 1, '2026-07-01T09:30:00.123457Z', '2026-07-01T09:30:00.123457', 1.0002, 0.10000000000000002, 0.10000001, 9007199254740993, 'a '),
			(4, 1, '2026-07-01T09:30:00.123999Z', '2026-07-01T09:30:00.123999', 1.00021, 0.30000000000000004, 0.3, 9223372036854775806, 'a  '),
			(2, 1, '2026-07-01T09:30:00.124000Z', '2026-07-01T09:30:00.124000', 1.00022, 5e-1, 0.5, 9223372036854775807, 'b')`)
		names := []string{"at", "local", "amount", "ratio", "part", "n", "word"}
		s := db.serve(t, settings{}, readings(names...))
		for _, name := range names {
			for _, dash := range []string{"", "-"} {
				want := []string{"3", "1", "4", "2"}
				if dash != "" {
					slices.Reverse(want)
				}
				got := s.walk(t, keyOne, object(t, "resource", "orders", "sort", dash+name), 1, 4)
				if diff := gocmp.Diff(want, got); diff != "" {
					t.Errorf("by %s%s (-want +got):\n%s", dash, name, diff)
				}
			}
		}
	})
}
