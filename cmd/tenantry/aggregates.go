package main

import (
	"encoding/json"
	"strings"
)

// aggregates is what resource_schema says of the tool aggregate.
type aggregates struct {
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

func (a *aggregates) print(p *page) {
	if a == nil {
		return
	}
	if len(a.GroupBy) > 0 {
		p.line("", "Group by")
	}
	for _, g := range a.GroupBy {
		p.row("  "+g.Field, strings.Join(g.Units, " "))
	}
	p.line("", "Measures")
	p.row("  count", "the number of rows")
	for _, m := range a.Measures {
		p.row("  "+m.Field, strings.Join(m.Functions, " "))
	}
	p.line("", "Grouping", "  "+a.Grammar, "  aggregate "+string(a.Example))
}
