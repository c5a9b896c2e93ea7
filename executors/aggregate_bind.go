package executors

import (
	"github.com/tenantry/tenantry/resource"
)

// aggregates checks that the types of the fields which aggregate may use allow it.
func (b *binder) aggregates(bd *bound) {
	for _, name := range bd.res.Groupable() {
		if c, ok := fieldColumn(bd, name); ok && !c.Type.Sortable() {
			b.fail(bd, "Groupable", "%q is of type %s, by whose values rows cannot be grouped", name, c.Type.Name)
		}
	}
	for _, name := range bd.res.Measures() {
		if c, ok := fieldColumn(bd, name); ok && c.Type.Functions() == nil {
			b.fail(bd, "Measures", "%q is of type %s, which nothing can be measured of", name, c.Type.Name)
		}
	}
}

func fieldColumn(bd *bound, name string) (Column, bool) {
	f, _ := bd.res.Field(name)
	return bd.table.Column(f.Column)
}

// proveAggregates asks for every measure and every way of grouping at once.
func (x *Executor) proveAggregates(bd *bound) *proof {
	agg := &aggregation{measures: []groupMeasure{{name: resource.Count}}}
	for _, name := range bd.res.Groupable() {
		c, _ := fieldColumn(bd, name)
		agg.keys = append(agg.keys, groupKey{name, c, ""})
		for _, unit := range c.Type.Units() {
			agg.keys = append(agg.keys, groupKey{name, c, unit})
		}
	}
	for _, name := range bd.res.Measures() {
		c, _ := fieldColumn(bd, name)
		for _, fn := range c.Type.Functions() {
			agg.measures = append(agg.measures, groupMeasure{name, fn, c})
		}
	}
	for i := range agg.members() {
		agg.order = append(agg.order, groupOrder{member: i})
	}
	pl := &plan{bd: bd, v: &view{}, d: x.dialect, limit: -1, agg: agg}
	c, err := pl.proven(x.builder(pl).groups)
	return pl.proof(c, err)
}
