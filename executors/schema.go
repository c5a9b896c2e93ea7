package executors

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/schema"
)

// Resources answers which resources the principal may read, in order of registration.
func (x *Executor) Resources(p *auth.Principal) *Answer {
	type entry struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		Note        string `json:"note,omitempty"`
		Filterable  bool   `json:"filterable"`
	}
	out := struct {
		Resources []entry `json:"resources"`
	}{Resources: []entry{}}
	for _, res := range x.reg.Visible(p) {
		_, v, err := x.lookup(p, res.Name())
		if err != nil {
			continue // out of service
		}
		out.Resources = append(out.Resources, entry{res.Name(), res.Description(), res.Note(), len(v.keys.Names()) > 0})
	}
	return &Answer{JSON: marshal(out), Rows: len(out.Resources)}
}

// Schema answers what the principal may see of a resource. Mistakes are those that the decoder of the
// arguments found.
func (x *Executor) Schema(ctx context.Context, p *auth.Principal, name string, mistakes resource.Errors) (*Answer, error) {
	return x.afresh(ctx, func() (*Answer, error) {
		_, v, err := x.lookup(p, name)
		told := mistakes
		if err != nil {
			told = unlessMissing(told, name, err)
		}
		if err := told.Err(); err != nil {
			return nil, err
		}
		return &Answer{JSON: slices.Clone(v.schema), Rows: 1}, nil
	})
}

type schemaDoc struct {
	Name          string               `json:"name"`
	Description   string               `json:"description"`
	Note          string               `json:"note,omitempty"`
	Key           schemaKey            `json:"key"`
	Attributes    []schemaAttribute    `json:"attributes"`
	Relationships []schemaRelationship `json:"relationships"`
	Filters       []schemaFilter       `json:"filters"`
	Sortable      []string             `json:"sortable"`
	Limits        schemaLimits         `json:"limits"`
	Grammar       string               `json:"grammar"`
	Examples      []map[string]any     `json:"examples"`
	Aggregates    *schemaAggregates    `json:"aggregates,omitempty"`
}

type schemaKey struct {
	Fields []string `json:"fields"`
	Type   string   `json:"type"`
}

type schemaAttribute struct {
	Name        string              `json:"name"`
	Type        string              `json:"type"`
	Format      string              `json:"format,omitempty"`
	Nullable    bool                `json:"nullable"`
	Description string              `json:"description,omitempty"`
	Enum        []string            `json:"enum,omitempty"`
	Filterable  bool                `json:"filterable"`
	Sortable    bool                `json:"sortable"`
	Operators   []resource.Operator `json:"operators"`
}

type schemaRelationship struct {
	Name        string   `json:"name"`
	Kind        string   `json:"kind"`
	Target      string   `json:"target,omitempty"`
	Polymorphic bool     `json:"polymorphic"`
	FilterKeys  []string `json:"filter_keys"`
	Includable  bool     `json:"includable"`
}

type schemaFilter struct {
	Key         string              `json:"key"`
	Type        string              `json:"type"`
	Operators   []resource.Operator `json:"operators"`
	Description string              `json:"description,omitempty"`
	Requires    string              `json:"requires,omitempty"`
}

type schemaLimits struct {
	DefaultLimit    int `json:"default_limit"`
	MaxLimit        int `json:"max_limit"`
	MaxOffset       int `json:"max_offset"`
	MaxIDs          int `json:"max_ids"`
	MaxFilterValues int `json:"max_filter_values"`
	MaxBytes        int `json:"max_bytes"`
}

func (x *Executor) schema(bd *bound, v *view) []byte {
	doc := schemaDoc{
		Name: bd.res.Name(), Description: bd.res.Description(), Note: bd.res.Note(), Key: keyDoc(bd, v),
		Attributes: []schemaAttribute{}, Relationships: []schemaRelationship{}, Filters: []schemaFilter{},
		Sortable: append([]string{}, v.sortable...), Grammar: grammar, Examples: examples(bd, v),
		Aggregates: aggregatesDoc(bd, &v.aggregates),
		Limits:     schemaLimits{bd.limits.Default, bd.limits.Max, maxOffset, maxIDs, filtering.MaxValues, x.opts.PageBytes},
	}
	for _, c := range v.rows.Described() {
		doc.Attributes = append(doc.Attributes, attribute(bd, v, c))
	}
	for _, l := range v.links {
		doc.Relationships = append(doc.Relationships, relationship(v, l))
	}
	for _, k := range v.keys.All() {
		doc.Filters = append(doc.Filters, schemaFilter{
			k.Name, k.Column.Type.Name, k.Operators(), k.Description, k.Companion,
		})
	}
	return marshal(doc)
}

func attribute(bd *bound, v *view, c schema.Column) schemaAttribute {
	a := schemaAttribute{
		Name: c.Name, Type: c.Type, Nullable: c.Nullable, Description: c.Description, Enum: c.Enum,
		Sortable: slices.Contains(v.sortable, c.Name), Operators: []resource.Operator{},
	}
	if c.Array {
		a.Type += "[]"
	}
	if column, ok := bd.table.Column(c.Column); ok {
		a.Format = format(column.Type)
	}
	// A key of the same name over another column would answer another question than the field asks.
	if k, ok := v.keys.Find(c.Name); ok && k.Custom == nil && k.Column.Name == c.Column {
		a.Filterable, a.Operators = true, k.Operators()
	}
	return a
}

func keyDoc(bd *bound, v *view) schemaKey {
	doc := schemaKey{Fields: []string{}}
	for _, c := range bd.key {
		for _, f := range v.fields {
			if f.Column == c.Name {
				doc.Fields = append(doc.Fields, f.Name)
				break
			}
		}
	}
	doc.Type = bd.key[0].Type.Name
	if len(bd.key) > 1 {
		doc.Type = "composite"
	}
	if len(doc.Fields) != len(bd.key) {
		doc.Fields = []string{}
	}
	return doc
}

func relationship(v *view, l link) schemaRelationship {
	r := schemaRelationship{
		Name: l.Name, Kind: "to_one", Polymorphic: l.target == nil, FilterKeys: relationKeys(v, l), Includable: l.target != nil,
	}
	if !l.toOne() {
		r.Kind = "to_many"
	}
	if l.target != nil && !l.target.res.Internal() {
		r.Target = l.Target
	}
	return r
}

// relationKeys are the filter keys over the very columns of a link, and those of the related rows.
func relationKeys(v *view, l link) []string {
	out := []string{}
	for _, k := range v.keys.All() {
		if k.Custom == nil && slices.ContainsFunc(l.columns, func(c Column) bool { return c.Name == k.Column.Name }) {
			out = append(out, k.Name)
		}
	}
	if r, ok := v.keys.Relation(l.Name); ok {
		for _, name := range r.Keys.Names() {
			out = append(out, l.Name+"."+name)
		}
	}
	slices.Sort(out)
	return out
}

// marshal is encoding/json without its HTML escapes: an agent reads the text as it is. Nothing in our
// own documents can fail to marshal.
func marshal(v any) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte{'\n'})
}
