// Package registry is the catalogue of resources: what exists, in which order, and who may see it.
//
//	reg, err := registry.New(nil, orders, customers, orderLines)
//
// A registry holds no global state and never queries.
package registry

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/resource"
)

// Options change what New does. Nil means the zero Options.
type Options struct {
	// Requires is the permission scope of every resource that names none. Empty: such a resource is
	// readable by any authenticated caller of the tenant.
	Requires string
}

// Registry is an immutable catalogue of checked resources, safe for concurrent use.
type Registry struct {
	resources []*resource.Resource
	byName    map[string]*resource.Resource
}

// New checks every spec and returns the catalogue in the order given, or every mistake of every spec
// joined, each naming resource and member. The database is not needed for it.
func New(opts *Options, specs ...resource.Spec) (*Registry, error) {
	return NewWithGlobals(opts, nil, specs...)
}

// NewWithGlobals is New with shared reference data, which stands behind the specs in order of registration.
// What has no scope can be registered here alone, and what has one cannot be made global.
func NewWithGlobals(opts *Options, globals []resource.Global, specs ...resource.Spec) (*Registry, error) {
	if opts == nil {
		opts = &Options{}
	}
	b := &builder{r: &Registry{byName: map[string]*resource.Resource{}}, declared: map[string]bool{}}
	for _, s := range specs {
		b.add(s, func() (*resource.Resource, error) { return resource.New(s, opts.Requires) })
	}
	for _, g := range globals {
		b.add(g.Spec, func() (*resource.Resource, error) { return resource.NewGlobal(g, opts.Requires) })
	}
	for _, s := range b.specs {
		b.errs = append(b.errs, checkTargets(s, b.declared)...)
	}
	if len(b.specs) == 0 {
		b.errs = append(b.errs, errors.New("registry: no resource is registered"))
	}
	if err := errors.Join(b.errs...); err != nil {
		return nil, err
	}
	return b.r, nil
}

// builder is a registry on its way.
type builder struct {
	r        *Registry
	specs    []resource.Spec
	declared map[string]bool
	errs     []error
}

func (b *builder) add(s resource.Spec, check func() (*resource.Resource, error)) {
	if s.Name != "" && b.declared[s.Name] {
		b.errs = append(b.errs, fmt.Errorf("resource %s: Name: a resource of this name is already registered", s.Name))
	}
	b.declared[s.Name], b.specs = true, append(b.specs, s)
	res, err := check()
	if err != nil {
		b.errs = append(b.errs, err)
		return
	}
	b.r.resources = append(b.r.resources, res)
	b.r.byName[s.Name] = res
}

// MustNew is New for package variables: it panics on a mistake.
func MustNew(opts *Options, specs ...resource.Spec) *Registry {
	r, err := New(opts, specs...)
	if err != nil {
		panic(err)
	}
	return r
}

func checkTargets(s resource.Spec, declared map[string]bool) (errs []error) {
	for _, rel := range s.Relations {
		if rel.Target != "" && !declared[rel.Target] {
			errs = append(errs, fmt.Errorf("resource %s: relation %q: the target %q is not registered", s.Name, rel.Name, rel.Target))
		}
	}
	return errs
}

// All returns every resource in order of registration, internal ones included. It is for building, not
// for answering: what a caller may see is Visible's to say. The caller owns the slice.
func (r *Registry) All() []*resource.Resource { return slices.Clone(r.resources) }

// Find returns the resource of that name, internal or not, for building.
func (r *Registry) Find(name string) (*resource.Resource, bool) {
	res, ok := r.byName[name]
	return res, ok
}

// Visible returns the resources the principal may read, in order of registration.
func (r *Registry) Visible(p *auth.Principal) []*resource.Resource {
	var out []*resource.Resource
	for _, res := range r.resources {
		if CanRead(p, res) {
			out = append(out, res)
		}
	}
	return out
}

// CanRead reports whether the principal may reach the resource by name.
func CanRead(p *auth.Principal, res *resource.Resource) bool {
	return !res.Internal() && auth.Decide(p, res.Requires()) == auth.Allow
}

// Lookup returns the resource of that name, or the unknown_resource error: the same one whether the
// resource is absent, internal or hidden from the principal, with suggestions only from what it sees.
func (r *Registry) Lookup(p *auth.Principal, name string) (*resource.Resource, error) {
	if res, ok := r.byName[name]; ok && CanRead(p, res) {
		return res, nil
	}
	var names []string
	for _, res := range r.Visible(p) {
		names = append(names, res.Name())
	}
	err := resource.Errorf(resource.UnknownResource, "/resource",
		"there is no resource %s: send a name from the list of resources", resource.Echo(name))
	err.Suggestions = resource.Nearest(name, names)
	const short = 10
	if len(names) <= short {
		err.Allowed = names
	}
	return nil, err
}
