package bench

import (
	"context"
	"strconv"
	"sync/atomic"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/resource"
)

// counting is a dialect that counts what only the building of a statement asks it. Squirrel has no part in a call
// that asks nothing.
type counting struct {
	executors.Dialect
	asked *atomic.Int64
}

// Quote counts a name.
func (c counting) Quote(ident string) string {
	c.asked.Add(1)
	return c.Dialect.Quote(ident)
}

// Placeholder counts an argument's place.
func (c counting) Placeholder(n int) string {
	c.asked.Add(1)
	return c.Dialect.Placeholder(n)
}

// Cast counts a cast.
func (c counting) Cast(col filtering.Column) string {
	c.asked.Add(1)
	return c.Dialect.Cast(col)
}

// Operator counts a condition.
func (c counting) Operator(col filtering.Column, op resource.Operator) string {
	c.asked.Add(1)
	return c.Dialect.Operator(col, op)
}

// speaking is a database with another dialect.
type speaking struct {
	executors.DB
	dialect executors.Dialect
}

// Dialect returns the dialect.
func (s speaking) Dialect() executors.Dialect { return s.dialect }

// shapes counts how often the parts of a statement are asked for by calls whose shapes are known.
func (b *bench) shapes(ctx context.Context, r *report) error {
	asked := &atomic.Int64{}
	exec, err := serving(ctx, speaking{b.db, counting{b.db.Dialect(), asked}}, widgets)
	if err != nil {
		return err
	}
	cold, err := b.walk(ctx, exec)
	if err != nil {
		return err
	}
	before := asked.Load()
	warm, err := b.walk(ctx, exec)
	if err != nil {
		return err
	}
	r.atMost("warm-shape-squirrel-calls", float64(asked.Load()-before), 0)
	r.figure("cold-shape-squirrel-calls", float64(before)/float64(cold), "parts/call")
	r.note("counted over %d warm calls of list and get", warm)
	return nil
}

// walk makes one call of each of several shapes and returns how many it made.
func (b *bench) walk(ctx context.Context, x *executors.Executor) (int, error) {
	p, calls := b.small[0], 0
	for _, req := range b.requests() {
		answer, err := x.List(ctx, p, req)
		if err != nil {
			return calls, err
		}
		if req.Cursor, err = nextCursor(answer.JSON); err != nil {
			return calls, err
		}
		if _, err := x.List(ctx, p, req); err != nil {
			return calls, err
		}
		calls += 2
	}
	first := strconv.AppendInt(nil, int64(b.data.tenants), 10) // the smallest id of the first tenant
	_, err := x.Get(ctx, p, executors.GetRequest{Resource: "widgets", ID: first})
	return calls + 1, err
}

func (b *bench) requests() []executors.ListRequest {
	filtered, counted := page(pageRows), page(pageRows)
	filtered.Filter = []byte(`{"status":["active","paused"],"price":{"op":"gt","value":"1.50"},"any":[{"name":{"op":"matches","value":"widget"}},{"tags":{"op":"contains","value":["red"]}}]}`)
	filtered.Fields = []string{"id", "name", "price"}
	counted.Count = executors.CountCapped
	counted.Filter = []byte(`{"active":true,"created_at":{"op":"gteq","value":"2020-01-01"}}`)
	return []executors.ListRequest{page(pageRows), filtered, counted}
}
