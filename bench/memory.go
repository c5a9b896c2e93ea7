package bench

import (
	"context"
	"runtime"

	"github.com/tenantry/tenantry/executors"
)

// memory counts what a list allocates, one call after the other.
func (b *bench) memory(ctx context.Context, r *report) error {
	page25, err := b.allocated(ctx, page(pageRows))
	if err != nil {
		return err
	}
	page100, err := b.allocated(ctx, page(4*pageRows))
	if err != nil {
		return err
	}
	r.atMost("list-allocations", page25.objects, 80)
	r.atMost("list-100-rows-more-allocations", page100.objects-page25.objects, 10)
	r.figure("list-allocated", page25.bytes, "B/call")
	r.figure("list-100-rows-allocated", page100.bytes, "B/call")
	return nil
}

// allocation is that of one call.
type allocation struct{ objects, bytes float64 }

// allocated is the mean over many calls, of the whole process.
func (b *bench) allocated(ctx context.Context, req executors.ListRequest) (a allocation, err error) {
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
		if err := list(ctx, b.exec, b.small[i%len(b.small)], req); err != nil {
			return a, err
		}
	}
	runtime.ReadMemStats(&after)
	a.objects = float64(after.Mallocs-before.Mallocs) / float64(calls)
	a.bytes = float64(after.TotalAlloc-before.TotalAlloc) / float64(calls)
	return a, nil
}
