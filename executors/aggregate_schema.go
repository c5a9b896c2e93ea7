package executors

import (
	"slices"

	"github.com/tenantry/tenantry/resource"
)

// aggregateGrammar is the one place where an agent reads how to group and measure.
const aggregateGrammar = `group_by takes up to three of these fields; a date or timestamp as field:unit, such as placed_at:month, whose groups are the first days of the periods in UTC (weeks begin on Monday); a timestamp needs its unit. ` +
	`measures takes count, the number of rows, and function:field, such as sum:total; null values are left out, and so is a group without rows. ` +
	`sort takes names of the call's group_by and measures, - before one for descending. filter is that of list.`

type schemaAggregates struct {
	GroupBy  []schemaGroup   `json:"group_by"`
	Measures []schemaMeasure `json:"measures"`
	Grammar  string          `json:"grammar"`
	Example  map[string]any  `json:"example"`
}

type schemaGroup struct {
	Field string          `json:"field"`
	Units []resource.Unit `json:"units,omitempty"`
}

type schemaMeasure struct {
	Field     string              `json:"field"`
	Functions []resource.Function `json:"functions"`
}

// aggregatesDoc is what the caller may aggregate; nil when that is no more than counting.
func aggregatesDoc(bd *bound, a *aggregates) *schemaAggregates {
	if len(a.groups)+len(a.measures) == 0 {
		return nil
	}
	doc := &schemaAggregates{
		GroupBy: []schemaGroup{}, Measures: []schemaMeasure{}, Grammar: aggregateGrammar, Example: aggregateExample(bd, a),
	}
	for _, g := range a.groups {
		doc.GroupBy = append(doc.GroupBy, schemaGroup{g.name, g.col.Type.Units()})
	}
	for _, m := range a.measures {
		doc.Measures = append(doc.Measures, schemaMeasure{m.name, m.col.Type.Functions()})
	}
	return doc
}

// aggregateExample is arguments of aggregate that succeed on this resource for this caller.
func aggregateExample(bd *bound, a *aggregates) map[string]any {
	measures := []string{resource.Count}
	if len(a.measures) > 0 {
		measures = append(measures, a.measureNames[1])
	}
	out := map[string]any{"resource": bd.res.Name(), "measures": measures}
	if len(a.groups) > 0 {
		names := a.groups[0].groups()
		at := max(slices.Index(names, a.groups[0].name+separator+string(resource.Month)), 0)
		out["group_by"], out["sort"], out["limit"] = names[at:at+1], []string{"-" + resource.Count}, 5
	}
	return out
}
