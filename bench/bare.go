package bench

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/scope"
)

// bare is the executor's database without the settings: what it sends is the statement alone. It is here to tell
// what the settings cost, and of no other use: without them nothing keeps a statement to its tenant's row
// policies, to reading, or to its time.
type bare struct {
	executors.DB
	pool *pgxpool.Pool
}

// Run sends the one statement of a call, prepared once on each connection, in a batch of its own.
func (b *bare) Run(ctx context.Context, call *executors.Call) error {
	if len(call.Statements) != 1 {
		return errors.New("bench: a call without settings has one statement")
	}
	ctx, cancel := context.WithTimeout(ctx, call.StatementTimeout+time.Second)
	defer cancel()
	conn, err := b.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	s, pg := call.Statements[0], conn.Conn().PgConn()
	d, err := prepared(ctx, pg, s.SQL)
	if err != nil {
		return err
	}
	batch := &pgconn.Batch{}
	batch.ExecStatement(d, parameters(call, s), nil, codes(s.Binary))
	results := pg.ExecBatch(ctx, batch)
	for results.NextResult() {
		if err := read(results.ResultReader(), s); err != nil {
			return errors.Join(err, results.Close())
		}
	}
	return results.Close()
}

func prepared(ctx context.Context, pg *pgconn.PgConn, sql string) (*pgconn.StatementDescription, error) {
	if d, ok := pg.CustomData()[sql].(*pgconn.StatementDescription); ok {
		return d, nil
	}
	d, err := pg.Prepare(ctx, "bare_"+strconv.Itoa(len(pg.CustomData())), sql, nil)
	if err != nil {
		return nil, err
	}
	pg.CustomData()[sql] = d
	return d, nil
}

func parameters(call *executors.Call, s *executors.Statement) [][]byte {
	out := make([][]byte, len(s.Args))
	for i, a := range s.Args {
		switch a := a.(type) {
		case string:
			out[i] = []byte(a)
		default:
			if scope.IsTenant(a) {
				out[i] = []byte(call.Tenant.Key())
			}
		}
	}
	return out
}

func codes(binary []bool) []int16 {
	out := make([]int16, len(binary))
	for i, b := range binary {
		if b {
			out[i] = 1
		}
	}
	return out
}

// read hands out the rows until no more are wanted.
func read(r *pgconn.ResultReader, s *executors.Statement) error {
	wanted := true
	for r.NextRow() {
		if !wanted {
			continue
		}
		err := s.Row(r.Values())
		if err != nil && !errors.Is(err, executors.ErrStop) {
			_, closing := r.Close()
			return errors.Join(err, closing)
		}
		wanted = err == nil
	}
	_, err := r.Close()
	return err
}
