package postgres

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

// grace is what a call may take beyond the budgets of its statements before its connection is given up.
const grace = 2 * time.Second

// Run sends the call as one pipeline: settings, statements and what closes them, with one
// synchronisation at the end. Without a snapshot that is one implicit transaction. What the settings say
// is gone with it, whatever happened.
func (db *DB) Run(ctx context.Context, call *executors.Call) error {
	if _, err := call.TenantKey(); err != nil {
		return resource.Internal(err)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, budget(call), errSlow)
	defer cancel()
	t := &trip{db: db, call: call}
	err := t.run(ctx)
	for errors.Is(err, errOdd) { // each time, something more is set
		err = t.run(ctx)
	}
	if err != nil && !t.delivered && t.again(ctx, err) {
		err = t.run(ctx)
	}
	switch {
	case err == nil, errors.Is(err, errAbandoned):
		return nil
	case t.host != nil:
		return t.host
	default:
		return classify(ctx, err)
	}
}

// budget is the time of a call, which does not grow with its statements: that of two of them, and of what has a
// time of its own.
func budget(call *executors.Call) time.Duration {
	d := grace + acquireTimeout + time.Duration(min(len(call.Statements), 2))*call.StatementTimeout
	for _, s := range call.Statements {
		d += s.Timeout
	}
	return d
}

// trip is one call on its way through one connection.
type trip struct {
	db        *DB
	call      *executors.Call
	conn      *pgxpool.Conn
	ses       *session
	path      string // the search path of the call
	set       string // the statement of the settings
	odd       oddities
	delivered bool  // a row has been handed out: the call cannot be repeated
	late      bool  // the last statement ran out of its own time, which the results report once more when closed
	host      error // what a Row function returned
}

// again reports whether the call may be sent once more: the connection was dead, the server is going
// away, or the statement no longer fits the database.
func (t *trip) again(ctx context.Context, err error) bool {
	if ctx.Err() != nil || t.host != nil || errors.Is(err, errBusy) {
		return false
	}
	if own, ok := errors.AsType[*resource.Error](err); ok {
		return own.Code == resource.Unavailable
	}
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return !ok || stale(err) || pg.Code[:2] == "08" || pg.Code[:3] == "57P"
}

func (t *trip) run(ctx context.Context) error {
	if err := t.acquire(ctx); err != nil {
		return err
	}
	defer t.conn.Release()
	batch, err := t.batch(ctx)
	if err == nil {
		err = t.read(ctx, t.conn.Conn().PgConn().ExecBatch(ctx, batch))
	}
	if stale(err) {
		t.ses.forget()
	}
	t.settle(ctx, err)
	t.ses.unsets()
	return err
}

func (t *trip) acquire(ctx context.Context) error {
	wait, cancel := context.WithTimeout(ctx, acquireTimeout)
	defer cancel()
	conn, err := t.db.pool.Acquire(wait)
	if err != nil {
		if wait.Err() != nil && ctx.Err() == nil {
			return errBusy
		}
		return err
	}
	t.conn, t.ses = conn, sessionOf(conn.Conn().PgConn(), t.db.named)
	return nil
}

// settle leaves the connection without a transaction, or closed.
func (t *trip) settle(ctx context.Context, err error) {
	pg := t.conn.Conn().PgConn()
	if pg.IsClosed() || pg.TxStatus() == 'I' {
		return
	}
	if err == nil || t.host == nil || !errors.Is(t.host, executors.ErrForeign) {
		if rollback := pg.Exec(ctx, "ROLLBACK").Close(); rollback == nil {
			return
		}
	}
	t.close()
}

// close gives the connection up: the pool replaces it.
func (t *trip) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = t.conn.Conn().Close(ctx)
}

const (
	begin  = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
	commit = "COMMIT"
)

// batch queues the whole call.
func (t *trip) batch(ctx context.Context) (*pgconn.Batch, error) {
	t.path = t.db.searchPath()
	t.ses.sets(t.call, t.path)
	b := &pgconn.Batch{}
	if t.call.Snapshot {
		if err := t.queue(ctx, b, begin, nil); err != nil {
			return nil, err
		}
	}
	t.set, t.odd = t.db.settings.now()
	if err := t.queue(ctx, b, t.set, &t.ses.setting); err != nil {
		return nil, err
	}
	for _, s := range t.call.Statements {
		if s.Timeout > 0 {
			if err := t.queue(ctx, b, timeoutSQL, &executors.Statement{Args: []any{millis(s.Timeout)}}); err != nil {
				return nil, err
			}
		}
		if err := t.queue(ctx, b, s.SQL, s); err != nil {
			return nil, err
		}
	}
	if t.call.Snapshot {
		return b, t.queue(ctx, b, commit, nil)
	}
	return b, nil
}

func millis(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

var noStatement = &executors.Statement{}

func (t *trip) queue(ctx context.Context, b *pgconn.Batch, sql string, s *executors.Statement) error {
	if s == nil {
		s = noStatement
	}
	values, err := t.ses.params.encode(s.Args, t.call.Tenant.Key())
	if err != nil {
		return resource.Internal(err)
	}
	if !t.prepares(s) {
		b.ExecParams(sql, values, nil, nil, formats(s.Binary))
		return nil
	}
	p, err := t.ses.prepare(ctx, t.conn.Conn().PgConn(), sql, s)
	if err != nil {
		return err
	}
	b.ExecStatement(p.description, values, nil, p.formats)
	return nil
}

// prepares reports whether the statement is prepared by name before it is sent.
func (t *trip) prepares(s *executors.Statement) bool {
	return t.ses.named && !s.Once && len(s.SQL) <= maxKeptText/16
}

// read takes the results in the order in which the batch was queued.
func (t *trip) read(ctx context.Context, results *pgconn.MultiResultReader) (err error) {
	defer func() {
		if closing := results.Close(); err == nil && !t.late {
			err = closing
		}
	}()
	if t.call.Snapshot {
		if err := one(results, nil); err != nil {
			return err
		}
	}
	if err := one(results, t.echo); err != nil {
		return err
	}
	for _, s := range t.call.Statements {
		if err := t.statement(ctx, results, s); err != nil {
			return err
		}
	}
	return nil
}

var oneBinary = []bool{true}

// errOdd ends an attempt before any of its rows was looked at: something differs that was not set.
var errOdd = errors.New("postgres: a setting differs that hardly ever does")

// echo compares what the settings are with what they were told to be.
func (t *trip) echo(values [][]byte) error {
	c := t.call
	if len(values) != 1 || len(values[0]) < arrayHeader {
		return t.unset()
	}
	odd, ok := settled(values[0][arrayHeader:],
		c.Tenant.Key(), "on", t.ses.times[0].shown, t.ses.times[1].shown, t.path, "UTC", idleInTransaction)
	switch {
	case !ok, odd&t.odd != 0: // what was set is not as it was set
		return t.unset()
	case odd != 0:
		t.db.settings.learn(odd)
		t.ses.prepared.Remove(t.set) // it will not be sent again
		return errOdd
	default:
		return nil
	}
}

func (t *trip) unset() error {
	t.close()
	return resource.Internal(errors.New("postgres: the settings of the transaction are not what was set"))
}

// one reads a result of at most one row.
func one(results *pgconn.MultiResultReader, row func([][]byte) error) error {
	if !results.NextResult() {
		return results.Close()
	}
	r := results.ResultReader()
	for r.NextRow() {
		if row == nil {
			continue
		}
		if err := row(r.Values()); err != nil {
			return err
		}
	}
	_, err := r.Close()
	return err
}

func (t *trip) statement(ctx context.Context, results *pgconn.MultiResultReader, s *executors.Statement) error {
	err := t.timed(results, s)
	if s.Timeout == 0 || err == nil || ctx.Err() != nil {
		return err
	}
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok && pg.Code == "57014" {
		s.TimedOut, t.late = true, true // the transaction is rolled back behind it
		return nil
	}
	return err
}

func (t *trip) timed(results *pgconn.MultiResultReader, s *executors.Statement) error {
	if s.Timeout > 0 {
		err := one(results, func(values [][]byte) error {
			if len(values) != 1 || string(values[0]) != shown(s.Timeout) {
				return t.unset()
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if !results.NextResult() {
		return results.Close()
	}
	r := results.ResultReader()
	if !t.prepares(s) { // a prepared statement was looked at when it was prepared
		if err := fits(r.FieldDescriptions(), s); err != nil {
			return err
		}
	}
	for r.NextRow() {
		t.delivered = true
		if err := s.Row(r.Values()); err != nil {
			return t.ended(r, err, t.drain(s))
		}
	}
	_, err := r.Close()
	return err
}

// maxDrain is how many bytes of unwanted rows are read before giving the connection up is cheaper, and
// maxDrainToCount before the count that waits behind them is given up with it.
const (
	maxDrain        = 512 << 10
	maxDrainToCount = 64 << 20
)

// drain is how many bytes of the rest of a statement's rows are read.
func (t *trip) drain(s *executors.Statement) int {
	if s == t.call.Statements[len(t.call.Statements)-1] {
		return maxDrain
	}
	return maxDrainToCount
}

// ended handles what a Row function returned. Rows that nobody wants are read and dropped while they are
// few; a foreign row costs the connection.
func (t *trip) ended(r *pgconn.ResultReader, err error, limit int) error {
	wanted := errors.Is(err, executors.ErrStop)
	if !wanted {
		t.host, limit = err, maxDrain
	}
	drained := 0
	for drained <= limit && !errors.Is(err, executors.ErrForeign) && r.NextRow() {
		for _, v := range r.Values() {
			drained += len(v)
		}
	}
	if drained > limit || errors.Is(err, executors.ErrForeign) {
		t.close()
		if wanted {
			return errAbandoned
		}
		return err
	}
	_, closing := r.Close()
	if wanted {
		return closing
	}
	return errors.Join(err, closing)
}

// errAbandoned ends a call whose answer is complete although its connection is gone.
var errAbandoned = errors.New("postgres: the rest of the rows was not read")
