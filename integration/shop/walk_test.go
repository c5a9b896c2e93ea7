package shop_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every resource, walked by every field it sorts by in both directions and by mixtures of them, in pages of
// two sizes, as each merchant: each row of the merchant once, in the order of plain SQL, and shown alike.
func TestEveryWalk(t *testing.T) {
	t.Parallel()
	s := open(t)
	var names []string
	for _, spec := range s.specs {
		names = append(names, spec.Name)
	}
	for _, k := range knowns {
		names = slices.DeleteFunc(names, func(n string) bool { return n == k.name })
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			s.walks(t, k)
		})
	}
	if len(names) > 0 {
		t.Errorf("resources that no walk is written for: %v", names)
	}
}

func (s *shop) walks(t *testing.T, k known) {
	t.Helper()
	spec := s.spec(t, k.name)
	conn := s.db.Conn(t)
	for _, m := range merchants {
		shown := map[string]string{}
		for n, sort := range sorts(spec.Sortable) {
			want := k.ids(t, conn, spec, m, sort)
			limits := []int{0, 7 - n%3}
			if m.id == 33 {
				limits = []int{2}
			}
			for _, limit := range limits {
				rows := s.walk(t, listing{token: m.token, resource: k.name, sort: sort, limit: limit}, len(want), func(page) {})
				got := []string{}
				for _, r := range rows {
					id := k.id(t, r)
					got = append(got, id)
					if text := encoded(t, r); shown[id] == "" {
						shown[id] = text
					} else if shown[id] != text {
						t.Errorf("merchant %d, by %v: the row %s is shown in two ways:\n%s\n%s", m.id, sort, id, shown[id], text)
					}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("merchant %d, by %v, limit %d (-want +got):\n%s", m.id, sort, limit, diff)
				}
			}
		}
	}
}

// sorts are no sort, each field in both directions, and some mixtures of two and three of them.
func sorts(fields []string) [][]string {
	out := [][]string{nil}
	for _, f := range fields {
		out = append(out, []string{f}, []string{"-" + f})
	}
	r := rand.New(rand.NewPCG(uint64(len(fields)), 5))
	for n := 2; n <= min(3, len(fields)); n++ {
		for range 2 {
			var mixed []string
			for _, i := range r.Perm(len(fields))[:n] {
				mixed = append(mixed, strings.Repeat("-", r.IntN(2))+fields[i])
			}
			out = append(out, mixed)
		}
	}
	return out
}
