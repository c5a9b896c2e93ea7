package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"golang.org/x/sync/errgroup"

	"github.com/tenantry/tenantry/executors"
)

// statements makes random calls and counts the prepared statements they leave on a connection.
func (b *bench) statements(ctx context.Context, r *report) error {
	calls := 10_000
	if b.opts.Quick {
		calls = 3_000
	}
	g, each := errgroup.WithContext(ctx)
	for i := range b.opts.Workers {
		random := rand.New(rand.NewPCG(b.opts.Seed, uint64(i)))
		g.Go(func() error { return b.wander(each, random, calls/b.opts.Workers) })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	most, err := b.conns.prepared(ctx)
	if err != nil {
		return err
	}
	r.atMost("prepared-statements", float64(most), 256)
	r.note("after %d random calls, on the connection with the most", calls)
	return nil
}

// wander makes random calls as one caller, and follows the cursor of some.
func (b *bench) wander(ctx context.Context, r *rand.Rand, calls int) error {
	p := b.anyone(r)
	var req executors.ListRequest
	for range calls {
		if req.Cursor == "" || r.IntN(3) == 0 {
			req = anyRequest(r)
		}
		answer, err := b.exec.List(ctx, p, req)
		if err != nil {
			return fmt.Errorf("bench: a random call with the filter %s failed: %w", req.Filter, err)
		}
		if req.Cursor, err = nextCursor(answer.JSON); err != nil {
			return err
		}
	}
	return nil
}

// anyRequest is a random call.
func anyRequest(r *rand.Rand) executors.ListRequest {
	limit := 1 + r.IntN(50)
	req := executors.ListRequest{
		Resource: "widgets", Limit: &limit, Fields: some(r, columns), Filter: filter(r),
		Count: []executors.CountMode{executors.CountNone, executors.CountCapped, executors.CountExact}[r.IntN(3)],
	}
	for _, name := range some(r, widgets.Sortable) {
		if r.IntN(2) == 0 {
			name = "-" + name
		}
		req.Sort = append(req.Sort, name)
	}
	if r.IntN(4) == 0 {
		req.UpdatedSince = "2026-01-02"
	}
	return req
}

// some is a random choice in random order, often empty.
func some(r *rand.Rand, names []string) []string {
	n := r.IntN(len(names) + 1)
	if r.IntN(2) == 0 {
		n = 0
	}
	var out []string
	for _, i := range r.Perm(len(names))[:n] {
		out = append(out, names[i])
	}
	return out
}

// conditions are what a random filter is made of. Sets have random lengths, which no statement may depend on.
var conditions = []func(r *rand.Rand) (key string, value any){
	func(r *rand.Rand) (string, any) { return "status", pick(r, "draft", "active", "paused") },
	func(r *rand.Rand) (string, any) { return "status", many(r, "draft", "active", "paused", "retired") },
	func(r *rand.Rand) (string, any) { return "id", many(r, 1, 2, 3, 4, 5, 6, 7, 8) },
	func(r *rand.Rand) (string, any) {
		return "price", op(pick(r, "gt", "gteq", "lt", "lteq"), r.IntN(1000))
	},
	func(r *rand.Rand) (string, any) { return "active", r.IntN(2) == 0 },
	func(r *rand.Rand) (string, any) {
		return "name", op(pick(r, "matches", "does_not_match", "starts_with"), "widget")
	},
	func(r *rand.Rand) (string, any) {
		return "tags", op(pick(r, "contains", "overlaps"), many(r, "red", "size-1", "size-2"))
	},
	func(r *rand.Rand) (string, any) { return "settings", op("has_key", pick(r, "color", "width")) },
	func(r *rand.Rand) (string, any) {
		return "created_at", op(pick(r, "gt", "lteq"), pick(r, "2020-01-03", "2020-01-03T04:05:06Z"))
	},
	func(*rand.Rand) (string, any) { return "updated_at", nil },
}

func pick(r *rand.Rand, from ...string) string { return from[r.IntN(len(from))] }

func many[T any](r *rand.Rand, from ...T) []T { return from[:1+r.IntN(len(from))] }

func op(name string, value any) map[string]any { return map[string]any{"op": name, "value": value} }

// filter is a random filter object, nil in some cases.
func filter(r *rand.Rand) json.RawMessage {
	f := map[string]any{}
	for range r.IntN(4) {
		key, value := conditions[r.IntN(len(conditions))](r)
		switch r.IntN(6) {
		case 0:
			f["not"] = map[string]any{key: value}
		case 1:
			f["any"] = []any{map[string]any{key: value}, map[string]any{"active": true}}
		default:
			f[key] = value
		}
	}
	if len(f) == 0 {
		return nil
	}
	text, err := json.Marshal(f)
	if err != nil {
		panic(err) // it is made of texts, numbers and booleans
	}
	return text
}
