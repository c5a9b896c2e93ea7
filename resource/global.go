package resource

import "strings"

// Global declares shared reference data, such as countries or currencies: a table whose rows belong to no
// tenant, and that every tenant reads. It is not a scope but takes the place of one, and is registered by a
// call of its own: registry.NewWithGlobals. The Spec has no Scope, and the table no tenant column.
type Global struct {
	// Reason says why every tenant may read every row. Required: it stands in the audit of the start.
	Reason string

	Spec
}

// NewGlobal is New for shared reference data.
func NewGlobal(g Global, defaultRequires string) (*Resource, error) {
	r, c := prepare(g.Spec, defaultRequires)
	if g.Scope.Valid() {
		c.fail("Scope", "shared reference data has no scope: register the resource as any other, or leave the scope out")
	}
	if r.global = strings.TrimSpace(g.Reason); r.global == "" {
		c.fail("Reason", "a reason is required: it says why every tenant may read every row")
	}
	return c.finish(r)
}

// Global returns why every tenant may read every row, and whether that is so. Only NewGlobal makes such a
// resource.
func (r *Resource) Global() (reason string, ok bool) { return r.global, r.global != "" }
