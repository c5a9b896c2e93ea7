package executors

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/tenant"
)

// state is the registry as it was joined to the database at one time. It is immutable but for its caches; a
// call uses one state from its beginning to its end.
type state struct {
	kind     tenant.Kind
	byName   map[string]*bound // without the resources that do not fit
	shapes   *lru.Cache[string, *compiled]
	findings []error

	tables  [sha256.Size]byte // a digest of what the database says of them
	tenants []string          // the names of the columns that hold a tenant somewhere
	joined  map[string]bool   // the relations whose join table is read inside a tenant column, once and for all

	mistakes []error          // all of them
	misfits  map[string]error // by resource
}

// join binds, audits and proves every resource. Its error is about the database as a whole; what is wrong
// with resources is in the state.
func (x *Executor) join(ctx context.Context) (*state, error) {
	st := &state{byName: map[string]*bound{}, misfits: map[string]error{}, joined: map[string]bool{}}
	var err error
	if st.shapes, err = lru.New[string, *compiled](maxShapes); err != nil {
		return nil, err
	}
	if before := x.state.Load(); before != nil {
		st.kind = before.kind
		maps.Copy(st.joined, before.joined)
	}
	bounds, err := x.bind(ctx, st)
	if err != nil {
		return nil, err
	}
	if len(st.mistakes) == 0 || x.state.Load() != nil { // a start tells what is declared wrongly, first
		if err := x.audit(ctx, st, bounds); err != nil {
			return nil, err
		}
		x.prove(ctx, st, bounds)
		for _, err := range st.mistakes {
			if gone(err) {
				return nil, err
			}
		}
	}
	for _, bd := range bounds {
		if st.misfits[bd.res.Name()] == nil {
			st.byName[bd.res.Name()] = bd
		}
		if reason, ok := bd.res.Global(); ok {
			st.findings = append(st.findings, fmt.Errorf("resource %s: global: every tenant reads every row: %s", bd.res.Name(), reason))
		}
		for _, reason := range bd.scope.Shared {
			st.findings = append(st.findings, fmt.Errorf("resource %s: rows with the flag are shared with every tenant: %s", bd.res.Name(), reason))
		}
	}
	return st, nil
}

// gone reports whether the database could not be asked: that says nothing of the resources.
func gone(err error) bool {
	e, ok := errors.AsType[*resource.Error](err)
	return ok && (e.Code == resource.Unavailable || e.Code == resource.Timeout)
}

// misfit notes a mistake of a resource.
func (st *state) misfit(name string, err error) {
	st.mistakes = append(st.mistakes, err)
	st.misfits[name] = errors.Join(st.misfits[name], err)
}

// ErrDrift is in the chain of an error of DB.Run when a statement no longer fits the database: a table, a
// column, a type or a privilege has changed since the resource was bound.
var ErrDrift = errors.New("executors: the database has changed since the resources were bound")

// Rebind joins the resources to the database as it is now. Calls on their way finish as they began. A
// resource that no longer fits the database is out of service until it does again, and the others are
// served. The error lists the mistakes of those resources; it is a *resource.Error with the code unavailable
// when the database could not be asked, and then everything stays as it was.
func (x *Executor) Rebind(ctx context.Context) error {
	if !x.hold(ctx) {
		return context.Cause(ctx)
	}
	defer x.let()
	return x.rebind(ctx)
}

func (x *Executor) rebind(ctx context.Context) error {
	x.tried = time.Now()
	before := x.state.Load()
	st, err := x.join(ctx)
	if err != nil {
		return err
	}
	if st.same(before) {
		return errors.Join(st.mistakes...) // what is kept of the statements stays
	}
	x.state.Store(st)
	x.tell(ctx, before, st)
	x.warn(ctx, st.news(before))
	return errors.Join(st.mistakes...)
}

// news are the findings that another state has not.
func (st *state) news(before *state) []error {
	return slices.DeleteFunc(slices.Clone(st.findings), func(f error) bool {
		return slices.ContainsFunc(before.findings, func(old error) bool { return old.Error() == f.Error() })
	})
}

// same reports whether a state answers every call as another would.
func (st *state) same(other *state) bool {
	if st.tables != other.tables || len(st.misfits) != len(other.misfits) || len(st.findings) != len(other.findings) {
		return false
	}
	for name, err := range st.misfits {
		if before := other.misfits[name]; before == nil || before.Error() != err.Error() {
			return false
		}
	}
	for i, err := range st.findings {
		if other.findings[i].Error() != err.Error() {
			return false
		}
	}
	return true
}

// tell logs which resources went out of service and which came back.
func (x *Executor) tell(ctx context.Context, before, after *state) {
	for _, res := range x.reg.All() {
		name := res.Name()
		switch err := after.misfits[name]; {
		case err != nil && before.misfits[name] == nil:
			x.opts.Logger.LogAttrs(ctx, slog.LevelError, "a resource no longer fits the database and is out of service",
				slog.String("event", "drift"), slog.String("resource", name), slog.String("cause", err.Error()))
		case err == nil && before.misfits[name] != nil:
			x.opts.Logger.LogAttrs(ctx, slog.LevelInfo, "a resource fits the database again",
				slog.String("event", "drift_over"), slog.String("resource", name))
		}
	}
}

// Watch rebinds again and again, at the given interval, until the context ends: what calls do not stumble
// over, such as a new label of an enum or a row policy that is gone, is found by it. It logs what it finds.
func (x *Executor) Watch(ctx context.Context, every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := x.Rebind(ctx); err != nil && ctx.Err() == nil {
			x.opts.Logger.LogAttrs(ctx, slog.LevelWarn, "the resources could not all be bound", slog.String("cause", err.Error()))
		}
	}
}

const (
	rebindPause    = time.Second // between two rebindings that calls ask for
	rebindPauseMax = time.Minute // where they have found nothing new
	rebindBudget   = 30 * time.Second
)

// afresh answers a call, and once more when the database had changed under it.
func (x *Executor) afresh(ctx context.Context, answer func() (*Answer, error)) (*Answer, error) {
	used := x.state.Load()
	out, err := answer()
	if !errors.Is(err, ErrDrift) || !x.renewed(ctx, used) {
		return out, err
	}
	return answer()
}

// renewed reports whether the resources are bound otherwise than in the state used, after trying to.
func (x *Executor) renewed(ctx context.Context, used *state) bool {
	if !x.hold(ctx) {
		return false
	}
	defer x.let()
	if x.state.Load() == used && time.Since(x.tried) > x.pause {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rebindBudget) // it serves others too
		defer cancel()
		if err := x.rebind(ctx); err != nil && x.state.Load() == used {
			x.opts.Logger.LogAttrs(ctx, slog.LevelWarn, "the resources could not be bound again", slog.String("cause", err.Error()))
		}
		x.pause = x.patience(used)
	}
	return x.state.Load() != used
}

// patience is how long calls do not ask for the next rebinding. One that has found nothing new makes the pause
// longer: an error that looks like a change and is none would have everything bound again and again. What is
// out of service is looked at every second.
func (x *Executor) patience(used *state) time.Duration {
	if now := x.state.Load(); now != used || len(now.misfits) > 0 {
		return rebindPause
	}
	return min(2*max(x.pause, rebindPause), rebindPauseMax)
}

// hold waits for its turn to bind, as long as the caller does.
func (x *Executor) hold(ctx context.Context) bool {
	select {
	case x.binding <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (x *Executor) let() { <-x.binding }

// broken reports whether the relation leads to or through a resource that does not fit the database.
func (r *relation) broken(st *state) bool {
	misfit := func(bd *bound) bool { return st.misfits[bd.res.Name()] != nil }
	return r.target != nil && misfit(r.target) || r.join != nil && misfit(r.join.bd)
}

// service is nil, or the error of a relation to rows that answer nothing, or over a join table that is such a
// resource itself.
func (r *relation) service(x *Executor, name, path string) *resource.Error {
	blocked := func(bd *bound) bool { return x.blocked[bd.res.Name()].Load() }
	if r.broken(r.target.st) || blocked(r.target) || r.join != nil && blocked(r.join.bd) {
		return outOfService(name, path)
	}
	return nil
}
