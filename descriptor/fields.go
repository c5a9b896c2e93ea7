package descriptor

import (
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
)

// readFields reads the public members. An empty value is the column of the same name.
func (d *draft) readFields() {
	p := d.need("fields", "the public names in output order; an empty one is the column of that name")
	for _, e := range p.entries() {
		goodName(e)
		f := resource.Field{Name: e.key, Column: e.key}
		if !e.scalar(nullTag) {
			o := e.object("column", "requires", "description")
			if column, ok := o.get("column").filled(); ok {
				f.Column = column
			}
			f.Requires, f.Description = o.get("requires").str(), o.get("description").str()
		}
		d.fields = append(d.fields, f)
	}
	if p.empty() {
		p.fail("is empty: a resource shows at least one field")
	}
	d.spec.Serializer = serializer.Fields(d.fields...)
}

// column resolves a name that is a field's or a column's: when it is both, it is the field.
func (d *draft) column(name string) string {
	for _, f := range d.fields {
		if f.Name == name {
			return f.Column
		}
	}
	return name
}

func (d *draft) fieldNames() []string {
	names := make([]string, len(d.fields))
	for i, f := range d.fields {
		names[i] = f.Name
	}
	return names
}

// readFilterable reads a list of names, or a mapping of filter keys to names.
func (d *draft) readFilterable() {
	p := d.get("filterable")
	if !p.present() {
		return
	}
	d.spec.Filterable = resource.Columns{}
	switch {
	case p.is(yaml.MappingNode):
		for _, e := range p.entries() {
			if name, ok := e.filled(); ok && goodName(e) {
				d.spec.Filterable[e.key] = d.column(name)
			}
		}
	case p.want("a list of names, or a mapping of filter keys to names", p.is(yaml.SequenceNode)):
		for _, item := range p.distinct() {
			name := item.node.Value
			if err := resource.CheckName(name); err != nil {
				item.fail("%s cannot be a public name: write a mapping of a filter key to it", item.shown())
				continue
			}
			d.spec.Filterable[name] = d.column(name)
		}
	}
}

// readCompanions reads which key must stand beside another.
func (d *draft) readCompanions() {
	keys := slices.Sorted(maps.Keys(d.spec.Filterable))
	for _, e := range d.get("companions").entries() {
		other, ok := e.filled()
		switch {
		case !slices.Contains(keys, e.key):
			e.r.fail(e.keyLine, e.path, "%s is not in filterable: %s", name(e.key), nearest(e.key, keys))
		case !ok:
		case other == e.key:
			e.fail("a key cannot be its own companion")
		case !slices.Contains(keys, other):
			e.fail("%s is not in filterable: %s", e.shown(), nearest(other, keys))
		default:
			if d.spec.Companions == nil {
				d.spec.Companions = map[string]string{}
			}
			d.spec.Companions[e.key] = other
		}
	}
}

// readSortable reads the fields that rows may be ordered by.
func (d *draft) readSortable() {
	for _, item := range d.fieldList("sortable") {
		d.spec.Sortable = append(d.spec.Sortable, item.node.Value)
	}
}

// fieldList reads a list of fields.
func (d *draft) fieldList(key string) []place {
	var out []place
	fields := d.fieldNames()
	for _, item := range d.get(key).distinct() {
		if field := item.node.Value; !slices.Contains(fields, field) {
			item.fail("%s is not a field: %s", item.shown(), nearest(field, fields))
			continue
		}
		out = append(out, item)
	}
	return out
}

// readAggregates reads the fields that rows may be grouped by, and those whose values may be measured.
func (d *draft) readAggregates() {
	for _, item := range d.fieldList("groupable") {
		name := item.node.Value
		if err := resource.CheckGroupable(name); err != nil {
			item.fail("%v", err) // it names a field of this file, no secret
			continue
		}
		d.spec.Groupable = append(d.spec.Groupable, name)
	}
	for _, item := range d.fieldList("measures") {
		d.spec.Measures = append(d.spec.Measures, item.node.Value)
	}
}
