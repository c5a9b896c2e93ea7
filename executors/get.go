package executors

import (
	"context"
	"encoding/json"
	"time"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/resource"
)

// Get answers one row by its key. A row of another tenant, a deleted one and one that never was are the
// same not_found error. Errors are as for List.
func (x *Executor) Get(ctx context.Context, p *auth.Principal, req GetRequest) (*Answer, error) {
	return x.afresh(ctx, func() (*Answer, error) { return x.get(ctx, p, req) })
}

func (x *Executor) get(ctx context.Context, p *auth.Principal, req GetRequest) (*Answer, error) {
	if err := needTenant(p); err != nil {
		return nil, req.Mistakes.Add(err)
	}
	pl, err := x.planGet(p, req)
	if err != nil {
		return nil, err
	}
	c, err := x.compiled(pl, shapeGet, x.builder(pl).one)
	if err != nil {
		return nil, resource.Internal(err)
	}
	var r rows
	r.start(x, pl, c)
	defer r.release()
	r.tenant = p.Tenant().Key()
	more, err := r.including()
	if err != nil {
		return nil, resource.Internal(err)
	}
	one := &Statement{SQL: c.sql, Args: pl.args(c), Binary: c.binary, OIDs: c.oids, Row: r.row}
	began := time.Now()
	err = x.db.Run(ctx, &Call{
		Tenant: p.Tenant(), StatementTimeout: x.opts.StatementTimeout, LockTimeout: x.opts.LockTimeout,
		Statements: append([]*Statement{one}, more...), Snapshot: len(more) > 0,
	})
	r.spent = time.Since(began)
	if err := r.failed(ctx, err); err != nil {
		return nil, err
	}
	if r.n == 0 {
		return nil, notFound(pl, req)
	}
	r.embed()
	if len(r.cut) > 0 {
		r.buf = appendNames(append(r.buf, `,"cut_fields":`...), r.cut)
	}
	r.buf = append(r.buf, '}')
	return r.done(), nil
}

// notFound names nothing but the caller's own input, so that it is the same for every row that is not
// the caller's.
func notFound(pl *plan, req GetRequest) error {
	id := string(req.ID)
	if text := ""; json.Unmarshal(req.ID, &text) == nil {
		id = text
	}
	return resource.Errorf(resource.NotFound, "/id",
		"%s has no row with the id %s: send an id that a listing of it shows", pl.bd.res.Name(), resource.Echo(id))
}
