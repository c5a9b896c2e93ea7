package shop_test

import (
	"fmt"
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

// Every row's key, as a client makes it of the fields shown, gets that row: one by one and as ids of a list.
func TestEveryKey(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, k := range knowns {
		if k.name == "tags" {
			continue // its key is shown by no field
		}
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			for _, m := range merchants {
				s.keys(t, k, m)
			}
		})
	}
}

func (s *shop) keys(t *testing.T, k known, m merchant) {
	t.Helper()
	rows := s.walk(t, listing{token: m.token, resource: k.name, limit: 100}, 1000, func(page) {})
	ids, want := []any{}, map[string]string{}
	for _, r := range rows {
		id := k.id(t, r)
		ids, want[id] = append(ids, id), encoded(t, r)
		got := s.call(t, m.token, "get", map[string]any{"resource": k.name, "id": id})
		if got.isError || encoded(t, got.row(t)) != want[id] {
			t.Errorf("merchant %d: get %q: want %s, got %s", m.id, id, want[id], got.body)
		}
		for _, other := range merchants {
			if a := s.call(t, other.token, "get", map[string]any{"resource": k.name, "id": id}); other != m && !a.isError && !s.shared(k, m, other, id) {
				t.Errorf("merchant %d gets %q of %d: %s", other.id, id, m.id, a.body)
			}
		}
	}
	for ids := range slices.Chunk(ids, 60) {
		p := s.call(t, m.token, "list", map[string]any{"resource": k.name, "ids": ids, "limit": 100, "count": "exact"}).page(t)
		if len(p.Rows) != len(ids) || *p.Meta.TotalCount != len(ids) {
			t.Errorf("merchant %d: %d ids list %d rows", m.id, len(ids), len(p.Rows))
		}
		for _, r := range p.Rows {
			if text := encoded(t, r); want[k.id(t, r)] != text {
				t.Errorf("merchant %d: an id lists %s", m.id, text)
			}
		}
	}
}

// shared reports whether two merchants may have a row of one key each.
func (s *shop) shared(k known, _, _ merchant, _ string) bool {
	return slices.Contains([]string{"categories", "price_lists", "warehouses", "employees", "events", "rates", "invoices", "reminders"}, k.name)
}

// A key that no field shows: links lead to the row, and nothing else does.
func TestTheKeyBehindLinks(t *testing.T) {
	t.Parallel()
	s := open(t)
	m := merchants[0]
	seen := 0
	for _, r := range s.walk(t, listing{token: m.token, resource: "product_tags", limit: 100}, 1000, func(page) {}) {
		links := map[string]string{}
		decode(t, r["links"], &links)
		got := s.call(t, m.token, "get", map[string]any{"resource": "tags", "id": links["tag"]}).row(t)
		var label string
		if err := s.db.Conn(t).QueryRow(t.Context(), "SELECT label FROM shop.tags WHERE id = $1", links["tag"]).Scan(&label); err != nil {
			t.Fatal(err)
		}
		if plainText(t, got["label"]) != label || got["id"] != nil {
			t.Errorf("the link %s leads to %v, not to %s", links["tag"], got, label)
		}
		if seen++; seen == 10 {
			break
		}
	}
	var schema struct {
		Key struct {
			Fields []string `json:"fields"`
			Type   string   `json:"type"`
		} `json:"key"`
	}
	decode(t, s.call(t, m.token, "resource_schema", map[string]any{"resource": "tags"}).body, &schema)
	if fmt.Sprint(schema) != "{{[] uuid}}" {
		t.Errorf("the schema shows the key as %v", schema)
	}
}
