package executors

import (
	"fmt"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/schema"
)

// rowPlan declares the fields of a resource's rows: the one place from which resource_schema tells them and by
// which answers are checked. Each field has a gate of its own, which visibleField decides. The names are those of
// a registry, which has checked them, so that nothing can be wrong with the plan.
func rowPlan(bd *bound) *schema.Plan {
	var cols []schema.Column
	for _, f := range bd.res.Fields() {
		cols = append(cols, rowColumn(bd, f))
	}
	p, err := schema.FromColumns(bd.res.Name(), cols, schema.Output)
	if err != nil {
		panic(err)
	}
	return p
}

func fieldGate(f resource.Field) schema.Gate { return schema.Gate{Pred: "field", Arg: f.Name} }

// rowColumn declares one field. What a computed member gives is the host's to say.
func rowColumn(bd *bound, f resource.Field) schema.Column {
	out := schema.Column{
		Name: f.Name, Column: f.Column, Description: f.Description, Type: string(f.Type), Nullable: true,
		Gates: []schema.Gate{fieldGate(f)},
	}
	c, ok := bd.table.Column(f.Column)
	if !ok {
		return out
	}
	t := c.Type
	out.Nullable = c.Nullable
	if t.Elem != nil {
		out.Array, t = true, *t.Elem
	}
	out.Type, out.Enum = t.Name, t.Labels
	switch t.Kind {
	case resource.JSON, resource.JSONB, resource.Bytea:
		out.Cuttable = true // text is cut at a character, these to null
	default:
		out.Cuttable = out.Array
	}
	return out
}

// rowView is the view of a resource's rows for a principal.
func rowView(bd *bound, p *auth.Principal) *schema.View {
	var allowed []schema.Gate
	for _, f := range bd.res.Fields() {
		if visibleField(bd.res, f, p) {
			allowed = append(allowed, fieldGate(f))
		}
	}
	v, _ := bd.rows().View(schema.AllowGates(allowed...)) // an output always has a view, if one without fields
	return v
}

// RowSchema returns the schema of the fields of a resource's rows as the principal sees them, links and what
// is included left aside: for tests that hold answers against it. It is not advertised. Rows whose columns
// have values of another type than declared, as SQLite allows, do not keep it.
func (x *Executor) RowSchema(p *auth.Principal, name string) (*schema.View, error) {
	_, v, err := x.lookup(p, name)
	if err != nil {
		return nil, fmt.Errorf("executors: %w", err)
	}
	return v.rows, nil
}
