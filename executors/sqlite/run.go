package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"strconv"
	"time"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

// Run runs the statements of a call on one connection. One statement is a read transaction by itself;
// several stand in one, which sees what the first of them saw.
func (db *DB) Run(ctx context.Context, call *executors.Call) error {
	if _, err := call.TenantKey(); err != nil {
		return resource.Internal(err)
	}
	if len(call.Statements) > 2 && call.StatementTimeout > 0 { // a call's time does not grow with its statements
		whole := 2 * call.StatementTimeout
		for _, s := range call.Statements {
			whole += s.Timeout
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, whole, errSlow)
		defer cancel()
	}
	t := &trip{call: call}
	err := db.with(ctx, func(s *session) error { return t.run(ctx, s) })
	switch {
	case t.host != nil:
		return t.host
	case err != nil:
		return classify(ctx, err)
	default:
		return nil
	}
}

// trip is one call on its way through one connection.
type trip struct {
	call *executors.Call
	host error // what a Row function returned
}

func (t *trip) run(ctx context.Context, s *session) (err error) {
	if err := s.waitFor(ctx, t.call.LockTimeout); err != nil {
		return err
	}
	if t.call.Snapshot || len(t.call.Statements) > 1 {
		if err := s.command(ctx, "BEGIN"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.rollback(ctx)) }()
	}
	for _, st := range t.call.Statements {
		if err := t.statement(ctx, s, st); err != nil {
			return err
		}
	}
	return nil
}

func (t *trip) statement(ctx context.Context, s *session, st *executors.Statement) error {
	args, err := s.bind(st.Args, t.call.Tenant.Key())
	if err != nil {
		return err
	}
	limited, cancel := budget(ctx, t.call, st)
	defer cancel()
	err = s.whole(limited, reading{st.SQL, args, func(values []driver.Value) bool {
		t.host = st.Row(s.raw.set(values))
		return t.host == nil
	}})
	switch {
	case t.host != nil:
		return errors.Join(t.ended(), err)
	case err == nil:
		return nil
	case st.Timeout > 0 && limited.Err() != nil && ctx.Err() == nil:
		st.TimedOut = true
		return nil
	default:
		return err
	}
}

// budget is the time of one statement: its own, or the call's.
func budget(ctx context.Context, call *executors.Call, st *executors.Statement) (context.Context, context.CancelFunc) {
	limit := call.StatementTimeout
	if st.Timeout > 0 {
		limit = st.Timeout
	}
	if limit <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, limit)
}

// ended handles what a Row function returned. A foreign row costs the connection.
func (t *trip) ended() error {
	switch {
	case errors.Is(t.host, executors.ErrStop):
		t.host = nil
		return nil
	case errors.Is(t.host, executors.ErrForeign):
		return driver.ErrBadConn
	default:
		return t.host
	}
}

// waitFor makes the connection wait so long for a writer to let go of the database.
func (s *session) waitFor(ctx context.Context, d time.Duration) error {
	if d <= 0 || d == s.lockTimeout {
		return nil
	}
	if err := s.command(ctx, "PRAGMA busy_timeout = "+strconv.FormatInt(d.Milliseconds(), 10)); err != nil {
		return err
	}
	s.lockTimeout = d
	return nil
}

func (s *session) command(ctx context.Context, sql string) error {
	return s.query(ctx, reading{sql: sql, row: func([]driver.Value) bool { return true }})
}

// rollback ends the transaction, even that of a call that was stopped. A connection that cannot do so is
// closed.
func (s *session) rollback(ctx context.Context) error {
	if err := s.command(context.WithoutCancel(ctx), "ROLLBACK"); err != nil {
		return errors.Join(err, driver.ErrBadConn)
	}
	return nil
}
