package bench

import (
	"context"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"
)

// conns knows the connections of a pool that is not ours to look into.
type conns struct {
	mu   sync.Mutex
	open []*pgx.Conn
}

// add is a pool's AfterConnect.
func (c *conns) add(_ context.Context, conn *pgx.Conn) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open = append(c.open, conn)
	return nil
}

// prepared returns how many prepared statements the connection with the most has. The pool must be idle.
func (c *conns) prepared(ctx context.Context) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open = slices.DeleteFunc(c.open, (*pgx.Conn).IsClosed)
	most := 0
	for _, conn := range c.open {
		var n int
		if err := conn.QueryRow(ctx, "SELECT count(*) FROM pg_prepared_statements").Scan(&n); err != nil {
			return 0, err
		}
		most = max(most, n)
	}
	return most, nil
}
