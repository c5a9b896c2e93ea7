package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/postgres"
	"github.com/tenantry/tenantry/tenant"
)

// tap keeps what is sent over a connection.
type tap struct {
	net.Conn
	sent *bytes.Buffer
}

// Write sends and keeps.
func (t tap) Write(p []byte) (int, error) {
	t.sent.Write(p)
	return t.Conn.Write(p)
}

// pipeline is everything that a call sends, settings and transaction included, to be sent again without the
// executor. The tenant's place in it is known by a key that nothing else of a call looks like.
type pipeline []bound

// bound is one statement with its arguments as text; nil is NULL.
type bound struct {
	sql  string
	args [][]byte
}

const placeholderTenant = -8070450532247928832

// overheard runs a call for a tenant without rows, twice, and returns what the second one sent.
func (b *bench) overheard(ctx context.Context, req executors.ListRequest) (p pipeline, err error) {
	err = b.briefly(ctx, func() error {
		p, err = b.listen(ctx, req)
		return err
	})
	return p, err
}

func (b *bench) listen(ctx context.Context, req executors.ListRequest) (pipeline, error) {
	nobody, err := caller(placeholderTenant)
	if err != nil {
		return nil, err
	}
	sent := &bytes.Buffer{}
	db, err := b.tapped(ctx, sent)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	exec, err := serving(ctx, db, related()...)
	if err != nil {
		return nil, err
	}
	mark := 0
	for range 2 {
		mark = sent.Len()
		if err := list(ctx, exec, nobody, req); err != nil {
			return nil, err
		}
	}
	p, err := understood(sent.Bytes(), mark)
	if err == nil && len(p) == 0 {
		err = errors.New("bench: nothing was overheard")
	}
	return p, err
}

// tapped opens one connection and keeps what is sent once it is open.
func (b *bench) tapped(ctx context.Context, sent *bytes.Buffer) (*postgres.DB, error) {
	cfg, err := b.config()
	if err != nil {
		return nil, err
	}
	cfg.MinConns, cfg.MaxConns = 1, 1
	cfg.ConnConfig.AfterNetConnect = func(_ context.Context, _ *pgconn.Config, conn net.Conn) (net.Conn, error) {
		return tap{conn, sent}, nil
	}
	db, err := postgres.Open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if err := db.Ping(ctx); err != nil {
		db.Close()
		return nil, err
	}
	sent.Reset()
	return db, nil
}

// understood reads what was sent: texts from the beginning, and from a mark on what was executed.
func understood(sent []byte, mark int) (pipeline, error) {
	texts := map[string]string{}
	if _, err := messages(sent[:mark], texts); err != nil {
		return nil, err
	}
	return messages(sent[mark:], texts)
}

func messages(sent []byte, texts map[string]string) (pipeline, error) {
	var out pipeline
	reader := pgproto3.NewBackend(bytes.NewReader(sent), io.Discard)
	for {
		message, err := reader.Receive()
		if errors.Is(err, io.ErrUnexpectedEOF) { // where a client would hang up
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("bench: what was sent cannot be read: %w", err)
		}
		switch m := message.(type) {
		case *pgproto3.Parse:
			texts[m.Name] = m.Query
		case *pgproto3.Bind:
			s := bound{sql: texts[m.PreparedStatement]}
			for _, p := range m.Parameters {
				s.args = append(s.args, bytes.Clone(p))
			}
			out = append(out, s)
		}
	}
}

// drain sends the pipeline for a tenant and throws all rows away.
func (p pipeline) drain(ctx context.Context, pool *pgxpool.Pool, of *auth.Principal) error {
	batch := &pgx.Batch{}
	for _, s := range p {
		batch.Queue(s.sql, s.arguments(of.Tenant())...)
	}
	results := pool.SendBatch(ctx, batch)
	total := 0
	for range p {
		n, err := exhaust(results)
		if err != nil {
			return errors.Join(err, results.Close())
		}
		total += n
	}
	if total < pageRows {
		return errors.Join(errors.New("bench: a page has hardly a row"), results.Close())
	}
	return results.Close()
}

func exhaust(results pgx.BatchResults) (n int, err error) {
	rows, err := results.Query()
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for ; rows.Next(); n++ {
		rows.RawValues()
	}
	return n, rows.Err()
}

var placeholderKey = fmt.Append(nil, placeholderTenant)

func (s bound) arguments(of tenant.ID) []any {
	out := make([]any, len(s.args))
	for i, a := range s.args {
		switch {
		case a == nil:
		case bytes.Equal(a, placeholderKey):
			out[i] = of.Key()
		default:
			out[i] = string(a)
		}
	}
	return out
}
