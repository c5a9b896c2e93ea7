// Package executors runs the reads: it joins the registered resources to a real database and answers
// list, get and aggregate from inside the caller's tenant.
//
//	db, err := postgres.Open(ctx, pool.Config())
//	exec, err := executors.New(ctx, db, reg, nil)
//	answer, err := exec.List(ctx, principal, executors.ListRequest{Resource: "orders"})
//
// The tenant comes with the principal of each call, never from a context. The package knows no
// protocol and no driver.
package executors

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/internal/seal"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/tenant"
)

// Executor answers calls. It is safe for concurrent use.
type Executor struct {
	db      DB
	dialect Dialect
	reg     *registry.Registry
	opts    Options
	seal    *seal.Ring
	buffers sync.Pool
	now     func() time.Time
	blocked map[string]*atomic.Bool // by resource, until the process is restarted

	state   atomic.Pointer[state]
	binding chan struct{} // one rebinding at a time
	tried   time.Time     // when the last one began
	pause   time.Duration // until calls may ask for the next
}

// New joins the registry to the database: it reads types, nullability, enum labels and keys, and checks
// that every member of every resource can do what it is declared for. The error lists every mistake,
// each naming resource and member. It is a *resource.Error with the code unavailable when the database
// could not be asked.
func New(ctx context.Context, db DB, reg *registry.Registry, opts *Options) (*Executor, error) {
	if db == nil || reg == nil {
		return nil, errors.New("executors: New needs a database and a registry")
	}
	o := opts.withDefaults()
	ring, err := seal.New("tenantry cursor", o.CursorKeys)
	if err != nil {
		return nil, fmt.Errorf("executors: cursor %w", err)
	}
	x := &Executor{
		db: db, dialect: db.Dialect(), reg: reg, opts: o, seal: ring, now: time.Now, binding: make(chan struct{}, 1), pause: rebindPause, blocked: map[string]*atomic.Bool{},
	}
	x.buffers.New = func() any { b := make([]byte, 0, 16<<10); return &b }
	for _, res := range reg.All() {
		x.blocked[res.Name()] = &atomic.Bool{}
	}
	st, err := x.join(ctx)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(st.mistakes...); err != nil {
		return nil, err
	}
	x.noWalls(ctx)
	x.warn(ctx, st.findings)
	x.state.Store(st)
	return x, nil
}

// Findings returns what an operator should look at: which resources share rows and, without
// Options.RequireRLS, what the last binding found wanting about row policies and the role. None of it keeps a
// resource from being served.
func (x *Executor) Findings() []error { return x.state.Load().findings }

// TenantKind returns the kind of tenant key that all resources share.
func (x *Executor) TenantKind() tenant.Kind { return x.state.Load().kind }

// Ping asks the database for a sign of life.
func (x *Executor) Ping(ctx context.Context) error { return x.db.Ping(ctx) }

// lookup returns the bound resource and the caller's view of it, or the error that hidden and unknown
// resources share.
func (x *Executor) lookup(p *auth.Principal, name string) (*bound, *view, error) {
	res, err := x.reg.Lookup(p, name)
	if err != nil {
		return nil, nil, err
	}
	bd, ok := x.state.Load().byName[res.Name()]
	switch {
	case x.blocked[res.Name()].Load():
		return nil, nil, outOfService(name, "/resource")
	case !ok:
		return nil, nil, resource.Errorf(resource.Unavailable, "/resource",
			"%s is out of service while the database changes: send the same call again later", resource.Echo(name)).Caused(ErrDrift)
	default:
		return bd, x.view(bd, p), nil
	}
}
