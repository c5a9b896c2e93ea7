package descriptor

import (
	"slices"
	"strings"

	"github.com/tenantry/tenantry/resource"
)

// draft is a resource while it is read: what the file says, with the places that later checks name.
type draft struct {
	object
	spec    resource.Spec
	fields  []resource.Field
	targets []place // each the name of another resource
	global  bool
	reason  string // of a global one
}

// resources reads all resources, in the order of the file, those without a scope apart.
func resources(p place) (specs []resource.Spec, globals []resource.Global) {
	var drafts []*draft
	for _, e := range p.entries() {
		drafts = append(drafts, readResource(e))
	}
	if p.empty() {
		p.fail("is empty: a file serves at least one resource")
	}
	var names []string
	for _, d := range drafts {
		names = append(names, d.spec.Name)
	}
	for _, d := range drafts {
		d.checkTargets(names)
		d.checkWhole()
		if d.global {
			globals = append(globals, resource.Global{Reason: d.reason, Spec: d.spec})
		} else {
			specs = append(specs, d.spec)
		}
	}
	return specs, globals
}

// resourceKeys are the keys of a resource; global stands in place of scope.
var resourceKeys = []string{
	"table", "key", "narrow", "internal", "scope", "global", "description", "note", "requires", "fields",
	"filterable", "sortable", "groupable", "measures", "updated_at", "companions", "relations", "limits",
}

func readResource(e entry) *draft {
	d := &draft{object: e.object(resourceKeys...)}
	goodName(e)
	d.spec = resource.Spec{
		Name:        e.key,
		Description: d.get("description").str(),
		Note:        d.get("note").str(),
		Key:         d.get("key").names(),
		Narrow:      conditions(d.get("narrow")),
		Requires:    d.get("requires").str(),
	}
	d.spec.Table = table(d.need("table", "the table or view, orders or sales.orders"))
	d.spec.UpdatedAt, _ = d.get("updated_at").filled()
	d.spec.Internal, _ = d.get("internal").boolean()
	d.readScope()
	d.readFields()
	d.readFilterable()
	d.readCompanions()
	d.readSortable()
	d.readAggregates()
	d.readRelations()
	d.spec.Limits.Default, d.spec.Limits.Max = rows(d.get("limits").object("default", "max"))
	return d
}

func table(p place) string {
	s, ok := p.filled()
	schema, name := resource.SplitTable(s)
	if ok && (name == "" || strings.Contains(s, ".") && schema == "") {
		p.fail("%s is not a table: write orders or sales.orders", p.shown())
	}
	return s
}

// goodName reports a key that cannot be a public name.
func goodName(e entry) bool {
	err := resource.CheckName(e.key)
	if err != nil {
		e.r.fail(e.keyLine, e.path, "%v", err)
	}
	return err == nil
}

// checkTargets reports the names of resources that the file does not have.
func (d *draft) checkTargets(names []string) {
	for _, t := range d.targets {
		if !slices.Contains(names, t.node.Value) {
			t.fail("%s is not a resource of this file: %s", t.shown(), nearest(t.node.Value, names))
		}
	}
}

// checkWhole applies what the registry would refuse, so that the specs of a file are good. The checks
// above say it with a better line; this is for what they do not know.
func (d *draft) checkWhole() {
	for _, m := range d.r.mistakes {
		if m.Path == d.path || strings.HasPrefix(m.Path, d.path+".") {
			return
		}
	}
	_, err := resource.New(d.spec, "")
	if d.global {
		_, err = resource.NewGlobal(resource.Global{Reason: d.reason, Spec: d.spec}, "")
	}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range many.Unwrap() {
			d.fail("%v", one)
		}
	}
}
