package bench

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/scope"
)

// recorder keeps the last call that an executor sent.
type recorder struct {
	executors.DB
	last *executors.Call
}

// Run passes the call on.
func (r *recorder) Run(ctx context.Context, call *executors.Call) error {
	r.last = call
	return r.DB.Run(ctx, call)
}

// query is the statement of a recorded call, to be sent again without the executor.
type query struct {
	sql  string
	args []any
}

// query returns the one statement of the last call.
func (r *recorder) query() (query, error) {
	if r.last == nil || len(r.last.Statements) != 1 {
		return query{}, errors.New("bench: the recorded call has not one statement")
	}
	s := r.last.Statements[0]
	return query{s.SQL, s.Args}, nil
}

// drain sends the query for a tenant and throws its rows away: the work that no way to answer the call can avoid.
func (q query) drain(ctx context.Context, pool *pgxpool.Pool, p *auth.Principal) error {
	args := make([]any, len(q.args))
	for i, a := range q.args {
		args[i] = a
		if scope.IsTenant(a) {
			args[i] = p.Tenant().Key()
		}
	}
	rows, err := pool.Query(ctx, q.sql, args...)
	if err != nil {
		return err
	}
	return discard(rows)
}

func discard(rows pgx.Rows) error {
	defer rows.Close()
	n := 0
	for rows.Next() {
		n += len(rows.RawValues())
	}
	if n == 0 && rows.Err() == nil {
		return errors.New("bench: a page is empty")
	}
	return rows.Err()
}
