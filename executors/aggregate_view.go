package executors

import (
	"slices"
	"strings"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/resource"
)

// aggregates is what one caller may group a resource's rows by and measure in the groups.
type aggregates struct {
	groups   []aggregateField
	measures []aggregateField

	groupNames   []string // as group_by takes them, in declared order
	measureNames []string // as measures takes them, count first
}

// aggregateField is a field that the host opted in.
type aggregateField struct {
	name string
	col  Column
}

// separator stands between a field and its unit, and between a function and its field. No unit or function
// has one, and no groupable field.
const separator = ":"

func visibleAggregates(bd *bound, p *auth.Principal) aggregates {
	a := aggregates{
		groups:       visibleMembers(bd, p, bd.res.Groupable()),
		measures:     visibleMembers(bd, p, bd.res.Measures()),
		measureNames: []string{resource.Count},
	}
	for _, g := range a.groups {
		a.groupNames = append(a.groupNames, g.groups()...)
	}
	for _, m := range a.measures {
		for _, fn := range m.col.Type.Functions() {
			a.measureNames = append(a.measureNames, string(fn)+separator+m.name)
		}
	}
	return a
}

func visibleMembers(bd *bound, p *auth.Principal, names []string) []aggregateField {
	var out []aggregateField
	for _, name := range names {
		f, _ := bd.res.Field(name)
		if c, ok := bd.table.Column(f.Column); ok && visibleField(bd.res, f, p) {
			out = append(out, aggregateField{name, c})
		}
	}
	return out
}

// groups are the names by which group_by takes the field. An instant by itself would make nearly every row a
// group of its own.
func (f aggregateField) groups() []string {
	var out []string
	if units := f.col.Type.Units(); units == nil || f.col.Type.Kind == resource.Date {
		out = append(out, f.name)
	}
	return append(out, f.periods()...)
}

// periods are the names by which group_by takes the field's units.
func (f aggregateField) periods() []string {
	var out []string
	for _, u := range f.col.Type.Units() {
		out = append(out, f.name+separator+string(u))
	}
	return out
}

// group finds what group_by calls by the name.
func (a *aggregates) group(name string) (aggregateField, resource.Unit, bool) {
	if !slices.Contains(a.groupNames, name) {
		return aggregateField{}, "", false
	}
	field, unit, _ := strings.Cut(name, separator)
	f, ok := findMember(a.groups, field)
	return f, resource.Unit(unit), ok
}

// measure finds what measures calls by the name. The function is empty for a count of rows.
func (a *aggregates) measure(name string) (resource.Function, aggregateField, bool) {
	if !slices.Contains(a.measureNames, name) {
		return "", aggregateField{}, false
	}
	if name == resource.Count {
		return "", aggregateField{}, true
	}
	fn, field, _ := strings.Cut(name, separator)
	f, ok := findMember(a.measures, field)
	return resource.Function(fn), f, ok
}

func findMember(fields []aggregateField, name string) (aggregateField, bool) {
	i := slices.IndexFunc(fields, func(f aggregateField) bool { return f.name == name })
	if i < 0 {
		return aggregateField{}, false
	}
	return fields[i], true
}
