package isolation_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// answerDoc is what is compared of an answer.
type answerDoc struct {
	Rows []map[string]json.RawMessage
	Row  map[string]json.RawMessage
	Meta struct {
		Limit, Returned int
		HasMore         bool    `json:"has_more"`
		TotalCount      *int    `json:"total_count"`
		NextCursor      *string `json:"next_cursor"`
	}
	Groups []map[string]json.RawMessage
}

// maxListed is how many keys a row shows of a to-many relation, and maxEmbedded how many rows.
const maxEmbedded = 20

// differs says how the answer of a modelled call is not what the model says, or "".
func (s *subject) differs(c *call, body []byte) string {
	var doc answerDoc
	if err := json.Unmarshal(body, &doc); err != nil {
		return err.Error()
	}
	m := reader{s.world, c.tenant}
	switch c.tool {
	case "get":
		return m.sameRows(c, []map[string]json.RawMessage{doc.Row}, m.listed(&call{resource: c.resource, ids: []string{c.id}}))
	case "aggregate":
		return m.sameGroups(c, doc)
	}
	all := m.listed(c)
	if c.count != "" && (doc.Meta.TotalCount == nil || *doc.Meta.TotalCount != len(all)) {
		return fmt.Sprintf("the count is not %d: %s", len(all), body)
	}
	limit := c.limit
	if limit < 0 {
		limit = 25
	}
	want := all[min(c.offset, len(all)):]
	if more := len(want) > limit; more != doc.Meta.HasMore {
		return fmt.Sprintf("has_more is %t", doc.Meta.HasMore)
	}
	return m.sameRows(c, doc.Rows, want[:min(limit, len(want))])
}

func (m reader) sameRows(c *call, got []map[string]json.RawMessage, want []row) string {
	e := m.kinds[c.resource]
	if len(got) != len(want) {
		return fmt.Sprintf("%d rows instead of %d", len(got), len(want))
	}
	for i := range got {
		if id, is := e.idIn(got[i]), e.idOf(want[i]); id != is {
			return fmt.Sprintf("row %d has the key %s instead of %s", i, id, is)
		}
		if wrong := m.sameLinks(c, got[i], want[i]); wrong != "" {
			return fmt.Sprintf("row %d: %s", i, wrong)
		}
	}
	return ""
}

// idIn is the key of a row of an answer.
func (e *entity) idIn(r map[string]json.RawMessage) string {
	parts := make([]string, len(e.key))
	for i, k := range e.key {
		parts[i] = strings.Trim(string(r[k]), `"`)
	}
	return strings.Join(parts, ":")
}

// sameLinks compares listed keys and embedded rows.
func (m reader) sameLinks(c *call, got map[string]json.RawMessage, r row) string {
	var links map[string]json.RawMessage
	_ = json.Unmarshal(got["links"], &links) // a row without any has none to compare
	for _, rel := range m.kinds[c.resource].spec.Relations {
		if slices.Contains(c.fields, rel.Name) && rel.ToMany() {
			want := []string{}
			for _, t := range m.related(c.resource, rel.Name, r) {
				want = append(want, fmt.Sprint(t["id"]))
			}
			if is := "[" + strings.Join(want, ",") + "]"; is != string(links[rel.Name]) {
				return fmt.Sprintf("links.%s is %s instead of %s", rel.Name, links[rel.Name], is)
			}
		}
	}
	var included map[string]json.RawMessage
	_ = json.Unmarshal(got["included"], &included) // a row without any has none to compare
	for _, name := range c.include {
		if wrong := m.sameEmbedded(c, name, included[name], r); wrong != "" {
			return wrong
		}
	}
	return ""
}

func (m reader) sameEmbedded(c *call, name string, got json.RawMessage, r row) string {
	want := m.related(c.resource, name, r)
	var ids []string
	if rel := m.relation(c.resource, name); rel.ToMany() {
		var many struct{ Rows []struct{ ID json.Number } }
		_ = json.Unmarshal(got, &many) // what is not read is missing below
		for _, one := range many.Rows {
			ids = append(ids, one.ID.String())
		}
	} else if string(got) != "null" {
		var one struct{ ID json.Number }
		_ = json.Unmarshal(got, &one) // what is not read is missing below
		ids = append(ids, one.ID.String())
		want = want[:min(1, len(want))]
	}
	if rel := m.relation(c.resource, name); !rel.ToMany() {
		want = want[:min(1, len(want))]
	}
	for i, t := range want[:min(maxEmbedded, len(want))] {
		if i >= len(ids) || ids[i] != fmt.Sprint(t["id"]) {
			return fmt.Sprintf("included.%s has the keys %v", name, ids)
		}
	}
	if len(ids) > len(want) {
		return fmt.Sprintf("included.%s has %d rows too many", name, len(ids)-len(want))
	}
	return ""
}

// sameGroups compares a count and a sum over all rows.
func (m reader) sameGroups(c *call, doc answerDoc) string {
	rows := m.listed(&call{resource: c.resource, filter: c.filter})
	count, sum, some := len(rows), int64(0), false
	for _, name := range c.measure {
		_, field, _ := strings.Cut(name, ":")
		for _, r := range rows {
			if n, ok := r[field].(int64); ok && field != "" {
				sum, some = sum+n, true
			}
		}
	}
	if len(doc.Groups) != 1 {
		return fmt.Sprintf("%d groups", len(doc.Groups))
	}
	for name, v := range doc.Groups[0] {
		is := fmt.Sprint(count)
		if name != "count" {
			if is = fmt.Sprint(sum); !some {
				is = "null"
			}
		}
		if strings.Trim(string(v), `"`) != is {
			return fmt.Sprintf("%s is %s instead of %s", name, v, is)
		}
	}
	return ""
}
