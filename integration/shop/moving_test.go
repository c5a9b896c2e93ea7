package shop_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// seen walks reviews while rows are inserted, deleted and moved between the pages.
type seen struct {
	*shop
	r       *rand.Rand
	touched map[string]bool
	spare   bool // the row that a cursor stands on is left alone
	next    int
}

// disturb touches a few rows: some that have been shown and some that have not.
func (s *seen) disturb(t *testing.T, ids []string, p page) {
	t.Helper()
	last := ""
	if s.spare {
		last = string(p.Rows[len(p.Rows)-1]["id"])
	}
	var sql strings.Builder
	for range 2 {
		s.next++
		fmt.Fprintf(&sql, "INSERT INTO shop.reviews VALUES (%d, 11, %s);\n", s.next*(1-2*(s.next%2)), s.values())
		if id := ids[s.r.IntN(len(ids))]; id != last {
			s.touched[id] = true
			fmt.Fprintf(&sql, "UPDATE shop.reviews SET (subject_type, subject_id, stars, body, written_at) = ROW(%s) WHERE id = %s;\n", s.values(), id)
		}
		if id := ids[s.r.IntN(len(ids))]; id != last && s.next%4 == 0 {
			s.touched[id] = true
			fmt.Fprintf(&sql, "DELETE FROM shop.reviews WHERE id = %s;\n", id)
		}
	}
	s.db.Exec(t, sql.String())
}

// values are the columns behind key and merchant.
func (s *seen) values() string {
	pick := func(of ...string) string { return of[s.r.IntN(len(of))] }
	return strings.Join([]string{
		pick("NULL", "'Order'", "'Product'"), "'1'", pick("NULL", "1", "3", "5"),
		pick("NULL", "'Body 2'", "repeat('long ', 300)", "repeat('long ', 300) || 'er'"), pick("NULL", "'2026-07-01Z'", "'0044-03-15 BC'", "'infinity'"),
	}, ", ")
}

// Rows that stay are walked once each, in their order, whatever is inserted, deleted and moved meanwhile:
// even the row that the last page ended with, unless its sort value was too long for the cursor.
func TestWalksWhileRowsMove(t *testing.T) {
	t.Parallel()
	for n, sort := range [][]string{
		nil,
		{"-id"},
		{"stars"},
		{"-stars"},
		{"written_at", "-stars"},
		{"-subject_type", "written_at"},
		{"body"},
		{"-body", "stars"},
		{"stars", "-subject_type", "written_at"},
	} {
		t.Run(strings.Join(sort, ","), func(t *testing.T) {
			t.Parallel()
			s := &seen{shop: open(t), r: rand.New(rand.NewPCG(uint64(n), 1)), touched: map[string]bool{}, next: 2000}
			s.spare = strings.Contains(strings.Join(sort, ","), "body")
			k, spec, conn := known{name: "reviews", parts: []string{"id"}}, s.spec(t, "reviews"), s.db.Conn(t)
			before := k.ids(t, conn, order{spec, merchants[0], sort})
			l := listing{token: merchants[0].token, resource: "reviews", sort: sort, limit: 3}
			var got []string
			for _, r := range s.walk(t, l, 400, func(p page) { s.disturb(t, before, p) }) {
				got = append(got, string(r["id"]))
			}
			gone := func(id string) bool { return s.touched[id] || !slices.Contains(before, id) }
			want, stayed := slices.DeleteFunc(slices.Clone(before), gone), slices.DeleteFunc(got, gone)
			if len(want) < 5 || len(s.touched) < 5 {
				t.Fatalf("%d rows stayed and %d were touched: the walk proves little", len(want), len(s.touched))
			}
			if diff := cmp.Diff(want, stayed); diff != "" {
				t.Errorf("rows that stayed (-want +got):\n%s", diff)
			}
		})
	}
}
