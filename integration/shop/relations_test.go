package shop_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/resource"
)

// related is what a row shows of a relation: its link, by name or list, and what is embedded.
type related struct {
	ids      []any
	one      any
	embedded []json.RawMessage
	more     bool
}

func relatedIn(t *testing.T, rel resource.Relation, links, included map[string]json.RawMessage) (out related) {
	t.Helper()
	if !rel.ToMany() {
		decode(t, links[rel.Name], &out.one)
		if raw := included[rel.Name]; string(raw) != "null" {
			out.embedded = append(out.embedded, raw)
		}
		return out
	}
	var cut struct {
		IDs       []any
		Truncated bool
	}
	if json.Unmarshal(links[rel.Name], &out.ids) != nil {
		decode(t, links[rel.Name], &cut)
		out.ids = cut.IDs
	}
	var many struct {
		Rows    []json.RawMessage
		HasMore bool `json:"has_more"`
	}
	decode(t, included[rel.Name], &many)
	out.embedded, out.more = many.Rows, many.HasMore
	return out
}

// Every relation of every resource says the same in each of its forms: its ids are those of rows that get
// answers, what is embedded are those very rows, and a filter through it finds the rows that have any.
func TestEveryRelationAgreesWithItself(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, spec := range s.specs {
		var names []string
		for _, rel := range spec.Relations {
			if rel.Kind != resource.KindPolymorphic {
				names = append(names, rel.Name)
			}
		}
		if len(names) == 0 || spec.Internal {
			continue
		}
		t.Run(spec.Name, func(t *testing.T) {
			t.Parallel()
			for _, rel := range spec.Relations {
				if rel.Kind == resource.KindPolymorphic {
					continue
				}
				any := 0
				for _, m := range merchants {
					any += s.agree(t, m, spec.Name, rel)
				}
				if any == 0 {
					t.Errorf("%s of %s leads nowhere", rel.Name, spec.Name)
				}
			}
		})
	}
}

// agree returns how many rows have related ones.
func (s *shop) agree(t *testing.T, m merchant, name string, rel resource.Relation) int {
	t.Helper()
	var having []row
	field, values := s.filled(t, m, rel.Target), []any{}
	arguments := map[string]any{"resource": name, "fields": []string{rel.Name}, "include": []string{rel.Name}, "limit": 40}
	p := s.call(t, m.token, "list", arguments).page(t)
	for i, row := range p.Rows {
		var links, included map[string]json.RawMessage
		decode(t, row["links"], &links)
		decode(t, row["included"], &included)
		got := relatedIn(t, rel, links, included)
		want := len(got.ids)
		if !rel.ToMany() && got.one != nil {
			if a := s.call(t, m.token, "get", map[string]any{"resource": rel.Target, "id": got.one}); !a.isError {
				want = 1
				if !sameRow(t, a.row(t), got.embedded) {
					t.Errorf("merchant %d: %s of %s: row %d embeds %s, and get answers %s", m.id, rel.Name, name, i, got.embedded, a.body)
				}
			}
		}
		if want > 0 {
			having = append(having, row)
		}
		for _, raw := range got.embedded {
			values = append(values, parsed(t, raw).(map[string]any)[field])
		}
		if n := len(got.embedded); n != min(want, 20) || got.more != (want > 20) {
			t.Errorf("merchant %d: %s of %s: row %d has %d related rows and embeds %d, more: %v", m.id, rel.Name, name, i, want, n, got.more)
		}
		for j, id := range got.ids[:min(3, len(got.ids))] {
			if a := s.call(t, m.token, "get", map[string]any{"resource": rel.Target, "id": id}); a.isError || !sameRow(t, a.row(t), got.embedded[j:]) {
				t.Errorf("merchant %d: %s of %s: row %d shows the id %v, and get answers %s", m.id, rel.Name, name, i, id, a.body)
			}
		}
	}
	if len(values) == 0 {
		return len(having)
	}
	arguments["filter"] = map[string]any{rel.Name + "." + field: map[string]any{"op": "in", "value": values}}
	found := s.call(t, m.token, "list", arguments).page(t).Rows
	if len(found) > len(having) { // the page goes on behind the first one
		found = found[:len(having)]
	}
	if len(found) == 0 {
		t.Errorf("merchant %d: %d rows of %s have a %s, and a filter through it finds none", m.id, len(having), name, rel.Name)
	}
	if diff := cmp.Diff(having[:len(found)], found); diff != "" {
		t.Errorf("merchant %d: rows of %s with a %s (-want +found by a filter through it):\n%s", m.id, name, rel.Name, diff)
	}
	return len(having)
}

// filled is a field of the resource that every row has a value of, and that a list of values is compared with.
func (s *shop) filled(t *testing.T, m merchant, name string) string {
	t.Helper()
	var d described
	decode(t, s.call(t, m.token, "resource_schema", map[string]any{"resource": name}).body, &d)
	for _, a := range d.Attributes {
		if a.Filterable && (!a.Nullable || slices.Contains(d.Key.Fields, a.Name)) && slices.Contains(a.Operators, "in") {
			return a.Name
		}
	}
	t.Fatalf("no field of %s is always there", name)
	return ""
}

// sameRow compares what get answers with the first of the embedded rows.
func sameRow(t *testing.T, row row, embedded []json.RawMessage) bool {
	t.Helper()
	return len(embedded) > 0 && encoded(t, parsed(t, embedded[0])) == encoded(t, parsed(t, json.RawMessage(encoded(t, row))))
}
