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
	"log/slog"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/tenant"
)

// Executor answers calls. It is immutable after New and safe for concurrent use.
type Executor struct {
	db      DB
	dialect Dialect
	reg     *registry.Registry
	opts    Options
	kind    tenant.Kind
	byName  map[string]*bound
	shapes  *lru.Cache[string, *compiled]
	seal    *sealer
	buffers sync.Pool
	now     func() time.Time

	findings []error
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
	seal, err := newSealer(o.CursorKeys)
	if err != nil {
		return nil, err
	}
	bounds, kind, err := bind(ctx, db, reg, o)
	if err != nil {
		return nil, err
	}
	findings, err := audit(ctx, db, bounds, o)
	if err != nil {
		return nil, err
	}
	x := &Executor{
		findings: findings, db: db, dialect: db.Dialect(), reg: reg, opts: o, kind: kind, seal: seal,
		byName: make(map[string]*bound, len(bounds)), now: time.Now,
	}
	if x.shapes, err = lru.New[string, *compiled](maxShapes); err != nil {
		return nil, err
	}
	x.buffers.New = func() any { b := make([]byte, 0, 16<<10); return &b }
	for _, bd := range bounds {
		x.byName[bd.res.Name()] = bd
		for _, reason := range bd.scope.Shared {
			x.findings = append(x.findings, fmt.Errorf("resource %s: rows with the flag are shared with every tenant: %s", bd.res.Name(), reason))
		}
	}
	if err := x.prove(ctx, bounds); err != nil {
		return nil, err
	}
	return x, nil
}

// audit looks at row policies and the role. Without RequireRLS what it finds is a warning.
func audit(ctx context.Context, db DB, bounds []*bound, o Options) ([]error, error) {
	var tables []*Table
	for _, bd := range bounds {
		tables = append(tables, bd.table)
	}
	findings := db.Audit(ctx, tables)
	if o.RequireRLS {
		return nil, errors.Join(findings...)
	}
	if len(findings) > 0 {
		o.Logger.LogAttrs(ctx, slog.LevelWarn, "row policies are not a second wall behind the scopes",
			slog.Int("findings", len(findings)), slog.String("first", findings[0].Error()))
	}
	return findings, nil
}

// Findings returns what an operator should look at: what the start found wanting about row policies and the
// role, and which resources share rows. None of it stopped the start.
func (x *Executor) Findings() []error { return x.findings }

// TenantKind returns the kind of tenant key that all resources share.
func (x *Executor) TenantKind() tenant.Kind { return x.kind }

// Ping asks the database for a sign of life.
func (x *Executor) Ping(ctx context.Context) error { return x.db.Ping(ctx) }

// lookup returns the bound resource and the caller's view of it, or the error that hidden and unknown
// resources share.
func (x *Executor) lookup(p *auth.Principal, name string) (*bound, *view, error) {
	res, err := x.reg.Lookup(p, name)
	if err != nil {
		return nil, nil, err
	}
	bd, ok := x.byName[res.Name()]
	if !ok {
		return nil, nil, resource.Internal(errors.New("executors: a registered resource is not bound"))
	}
	if bd.blocked.Load() {
		return nil, nil, resource.Errorf(resource.Unavailable, "/resource", "%s is out of service; its operator knows why", name)
	}
	return bd, x.view(bd, p), nil
}
