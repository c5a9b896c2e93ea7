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
	spec, conn := s.spec(t, k.name), s.db.Conn(t)
	for _, m := range merchants {
		shown := map[string]string{}
		for n, sort := range sorts(spec.Sortable) {
			want := k.ids(t, conn, order{spec, m, sort})
			l := listing{token: m.token, resource: k.name, sort: sort, limit: 7 - n%3}
			if m.id == 33 {
				l.limit = 2
			}
			k.alike(t, s.walked(t, k, l, want), shown)
			l.limit = 0
			k.alike(t, s.walked(t, k, l, want), shown)
		}
	}
}

// walked compares one walk with the keys that it must show, in order.
func (s *shop) walked(t *testing.T, k known, l listing, want []string) []row {
	t.Helper()
	got := []string{}
	rows := s.walk(t, l, len(want), func(page) {})
	for _, r := range rows {
		got = append(got, k.id(t, r))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%+v (-want +got):\n%s", l, diff)
	}
	return rows
}

// alike compares rows with what other walks have shown of them.
func (k known) alike(t *testing.T, rows []row, shown map[string]string) {
	t.Helper()
	for _, r := range rows {
		id, text := k.id(t, r), encoded(t, r)
		if before, ok := shown[id]; ok && before != text {
			t.Errorf("the row %s is shown in two ways:\n%s\n%s", id, before, text)
		}
		shown[id] = text
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
