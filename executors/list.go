package executors

import (
	"context"
	"strconv"
	"time"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/resource"
)

// List answers one page of a resource's rows in the principal's active tenant. Its error is a
// *resource.Error or a resource.Errors with every mistake of the call; no statement has run for those.
func (x *Executor) List(ctx context.Context, p *auth.Principal, req ListRequest) (*Answer, error) {
	return x.afresh(ctx, func() (*Answer, error) { return x.list(ctx, p, req) })
}

func (x *Executor) list(ctx context.Context, p *auth.Principal, req ListRequest) (*Answer, error) {
	if err := needTenant(p); err != nil {
		return nil, req.Mistakes.Add(err)
	}
	pl, err := x.planList(p, req)
	if err != nil {
		return nil, err
	}
	page, err := x.newPage(pl)
	if err != nil {
		return nil, resource.Internal(err)
	}
	defer page.release()
	if err := page.run(ctx, p); err != nil {
		return nil, err
	}
	return page.answer(p, req.Client), nil
}

// needTenant refuses a call without exactly one active tenant, before anything is planned.
func needTenant(p *auth.Principal) error {
	switch {
	case p == nil:
		return resource.Errorf(resource.Unauthenticated, "", "the call carries no identity: send a bearer token")
	case !p.Tenant().Valid():
		return resource.Errorf(resource.Forbidden, "",
			"the token is good for several tenants: name one of %s in the Tenantry-Tenant header or in _meta", p.GrantedKeys())
	default:
		return nil
	}
}

// page is one list call on its way: its statements and what they brought.
type page struct {
	rows
	count    counted
	counting *Statement
	gone     bool // the row of the cursor is not what it was
}

func (x *Executor) newPage(pl *plan) (*page, error) {
	c, err := x.compiled(pl, shapePage, func() (*compiled, error) { return x.builder(pl).page() })
	if err != nil {
		return nil, err
	}
	pg := &page{}
	pg.start(x, pl, c)
	if pl.after != nil && pl.after.count.mode == pl.count {
		pg.count = pl.after.count // one count serves a whole listing
	}
	return pg, nil
}

// run reads the page, and with it the count and the row of the cursor where they are needed.
func (pg *page) run(ctx context.Context, p *auth.Principal) error {
	x, pl := pg.x, pg.pl
	pg.tenant = p.Tenant().Key()
	call := &Call{Tenant: p.Tenant(), StatementTimeout: x.opts.StatementTimeout, LockTimeout: x.opts.LockTimeout}
	if pl.after.long() {
		check, err := pg.anchor()
		if err != nil {
			return resource.Internal(err)
		}
		call.Statements = append(call.Statements, check)
	}
	call.Statements = append(call.Statements, &Statement{
		SQL: pg.c.sql, Args: pl.args(pg.c), Binary: pg.c.binary, OIDs: pg.c.oids, Row: pg.row,
	})
	more, err := pg.including()
	if err != nil {
		return resource.Internal(err)
	}
	call.Statements = append(call.Statements, more...)
	if pl.counts() && pg.count.mode == "" {
		if err := pg.addCount(call); err != nil {
			return resource.Internal(err)
		}
	}
	call.Snapshot = len(call.Statements) > 1
	began := time.Now()
	err = x.db.Run(ctx, call)
	pg.spent = time.Since(began)
	if err == nil && pg.gone {
		return errCursor
	}
	if err != nil {
		return pg.failed(ctx, err)
	}
	pg.embed()
	return nil
}

// anchor is the statement that looks for the cursor's row. The page behind it sees the same snapshot.
func (pg *page) anchor() (*Statement, error) {
	c, err := pg.x.compiled(pg.pl, shapeAnchor, pg.x.builder(pg.pl).unchanged)
	if err != nil {
		return nil, err
	}
	pg.gone = true
	return &Statement{SQL: c.sql, Args: pg.pl.args(c), Row: func([][]byte) error {
		pg.gone = false
		return nil
	}}, nil
}

func (pg *page) addCount(call *Call) error {
	b := pg.x.builder(pg.pl)
	kind := shapeCount
	if pg.pl.count == CountCapped {
		kind = shapeCapped
	}
	c, err := pg.x.compiled(pg.pl, kind, func() (*compiled, error) { return b.countAll(kind == shapeCapped) })
	if err != nil {
		return err
	}
	pg.counting = &Statement{SQL: c.sql, Args: pg.pl.args(c), Timeout: pg.x.opts.CountTimeout, Row: pg.counted}
	call.Statements = append(call.Statements, pg.counting)
	return nil
}

func (pg *page) counted(values [][]byte) error {
	n, err := strconv.ParseInt(string(values[0]), 10, 64)
	if err != nil {
		return resource.Internal(err)
	}
	pg.count = counted{mode: pg.pl.count, total: n}
	if pg.pl.count == CountCapped && n > maxCount {
		pg.count.total, pg.count.atMost = maxCount, true
	}
	return nil
}

// answer closes the page's JSON.
func (pg *page) answer(p *auth.Principal, client string) *Answer {
	buf := append(pg.buf, `],"meta":{"limit":`...)
	buf = strconv.AppendInt(buf, int64(pg.pl.limit), 10)
	buf = append(buf, `,"returned":`...)
	buf = strconv.AppendInt(buf, int64(pg.n), 10)
	buf = append(buf, `,"has_more":`...)
	buf = strconv.AppendBool(buf, pg.more)
	if pg.more {
		buf = append(buf, `,"next_cursor":"`...)
		buf = pg.x.appendCursor(buf, pg.pl, p, client, pg.next())
		buf = append(buf, '"')
	}
	if pg.pl.counts() {
		buf = pg.appendCount(buf)
	}
	if pg.truncated {
		buf = append(buf, `,"truncated":true`...)
	}
	if len(pg.cut) > 0 {
		buf = appendNames(append(buf, `,"cut_fields":`...), pg.cut)
	}
	pg.buf = append(buf, "}}"...)
	return pg.done()
}

func (pg *page) appendCount(buf []byte) []byte {
	switch {
	case pg.count.mode == "":
		return append(buf, `,"total_count":null,"count_status":"timed_out"`...)
	case pg.count.atMost:
		buf = strconv.AppendInt(append(buf, `,"total_count":`...), pg.count.total, 10)
		return append(buf, `,"count_status":"at_least"`...)
	default:
		buf = strconv.AppendInt(append(buf, `,"total_count":`...), pg.count.total, 10)
		return append(buf, `,"count_status":"exact"`...)
	}
}

// next is the position behind the last row shown; behind none, it is where this page began.
func (pg *page) next() position {
	pos := position{count: pg.count}
	if pos.count.mode == "" && pg.pl.after != nil {
		pos.count = pg.pl.after.count
	}
	switch {
	case pg.n > 0:
		pos.values = pg.lastValues()
	case pg.pl.after != nil:
		pos.values = pg.pl.after.values
	}
	return pos
}
