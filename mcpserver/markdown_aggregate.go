package mcpserver

import (
	"encoding/json"
	"strings"
)

// describedAggregates is what the caller may group and measure; absent when that is no more than counting.
type describedAggregates struct {
	GroupBy []struct {
		Field string
		Units []string
	} `json:"group_by"`
	Measures []struct {
		Field     string
		Functions []string
	}
	Grammar string
	Example json.RawMessage
}

func (p *page) aggregates(a *describedAggregates, prefix string) {
	if a == nil {
		return
	}
	p.line("\n## Grouping\n\n%s", flat(a.Grammar))
	p.line("\n| field | group by | measures |\n|---|---|---|")
	fields, groups, measures := a.cells()
	for _, f := range fields {
		p.row(code(f), groups[f], measures[f])
	}
	p.line("\n```\n%s %s\n```", withNames("{{aggregate}}", prefix), compact(a.Example))
}

// cells are the fields in the order of the answer, the form in which group_by takes each, and its functions.
func (a *describedAggregates) cells() (fields []string, groups, measures map[string]string) {
	groups, measures = map[string]string{}, map[string]string{}
	for _, g := range a.GroupBy {
		fields, groups[g.Field] = append(fields, g.Field), "yes"
		if len(g.Units) > 0 {
			groups[g.Field] = "by " + strings.Join(g.Units, " ")
		}
	}
	for _, m := range a.Measures {
		if _, known := groups[m.Field]; !known {
			fields = append(fields, m.Field)
		}
		measures[m.Field] = strings.Join(m.Functions, " ")
	}
	return fields, groups, measures
}
