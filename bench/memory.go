package bench

import (
	"context"
	"runtime"

	"github.com/tenantry/tenantry/auth"
)

// memory counts what calls allocate, one after the other.
func (b *bench) memory(ctx context.Context, r *report) error {
	q, err := b.recorded(ctx, page(pageRows))
	if err != nil {
		return err
	}
	raw, err := b.allocated(ctx, func(ctx context.Context, p *auth.Principal) error { return q.drain(ctx, b.raw, p) })
	if err != nil {
		return err
	}
	page25, err := b.allocated(ctx, b.lister(pageRows))
	if err != nil {
		return err
	}
	page100, err := b.allocated(ctx, b.lister(4*pageRows))
	if err != nil {
		return err
	}
	r.atMost("list-allocations", page25.objects, 80)
	r.atMost("list-100-rows-more-allocations", page100.objects-page25.objects, 10)
	r.figure("raw-allocations", raw.objects, "objects/call")
	r.figure("raw-allocated", raw.bytes, "B/call")
	r.figure("list-allocated", page25.bytes, "B/call")
	r.figure("list-100-rows-allocated", page100.bytes, "B/call")
	return nil
}

func (b *bench) lister(limit int) func(context.Context, *auth.Principal) error {
	req := page(limit)
	return func(ctx context.Context, p *auth.Principal) error { return list(ctx, b.exec, p, req) }
}

// allocation is that of one call.
type allocation struct{ objects, bytes float64 }

// allocated is the mean over many calls, of the whole process.
func (b *bench) allocated(ctx context.Context, call func(context.Context, *auth.Principal) error) (a allocation, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	const warm = 100
	calls := 2000
	if b.opts.Quick {
		calls = 200
	}
	var before, after runtime.MemStats
	for i := range warm + calls {
		if i == warm {
			runtime.ReadMemStats(&before)
		}
		if err := call(ctx, b.small[i%len(b.small)]); err != nil {
			return a, err
		}
	}
	runtime.ReadMemStats(&after)
	a.objects = float64(after.Mallocs-before.Mallocs) / float64(calls)
	a.bytes = float64(after.TotalAlloc-before.TotalAlloc) / float64(calls)
	return a, nil
}
