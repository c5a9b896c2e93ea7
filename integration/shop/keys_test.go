package shop_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every row's key, as a client makes it of the fields shown, gets that row, and lists it among ids; of another
// merchant it gets that one's own row of the key, or none.
func TestEveryKey(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, k := range knowns {
		if k.name == "tags" {
			continue // its key is shown by no field
		}
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			rows := map[merchant]map[string]string{}
			for _, m := range merchants {
				rows[m] = map[string]string{}
				for _, r := range s.walk(t, listing{token: m.token, resource: k.name, limit: 100}, 1000, func(page) {}) {
					rows[m][k.id(t, r)] = encoded(t, r)
				}
			}
			for _, m := range merchants {
				ids := slices.Sorted(maps.Keys(rows[m]))
				s.listed(t, k, m, ids, rows[m])
				for _, id := range ids {
					s.got(t, k, id, rows)
				}
			}
		})
	}
}

// got checks what every merchant gets by a key.
func (s *shop) got(t *testing.T, k known, id string, rows map[merchant]map[string]string) {
	t.Helper()
	for _, m := range merchants {
		a := s.call(t, m.token, "get", map[string]any{"resource": k.name, "id": id})
		want := rows[m][id]
		switch {
		case want == "" && a.code(t) == "not_found":
		case want == "" || a.isError || encoded(t, a.row(t)) != want:
			t.Errorf("merchant %d: get %q: want %q, got %s", m.id, id, want, a.body)
		}
	}
}

// listed checks that ids list their rows and no others.
func (s *shop) listed(t *testing.T, k known, m merchant, ids []string, rows map[string]string) {
	t.Helper()
	got := map[string]string{}
	for some := range slices.Chunk(ids, 60) {
		p := s.call(t, m.token, "list", map[string]any{"resource": k.name, "ids": some, "limit": 100, "count": "exact"}).page(t)
		if len(p.Rows) != len(some) || *p.Meta.TotalCount != len(some) {
			t.Errorf("merchant %d: %d ids list %d rows", m.id, len(some), len(p.Rows))
		}
		for _, r := range p.Rows {
			got[k.id(t, r)] = encoded(t, r)
		}
	}
	if diff := cmp.Diff(rows, got); diff != "" {
		t.Errorf("merchant %d, by ids (-want +got):\n%s", m.id, diff)
	}
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
	if seen != 10 {
		t.Errorf("%d links were followed", seen)
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
