package bench

import (
	"context"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/postgres"
)

// few is how many resources there are where the many are not.
const few = 5

// startup measures what many resources cost: once, when they are joined to the database, and in each call.
func (b *bench) startup(ctx context.Context, r *report) error {
	if err := b.briefly(ctx, func() error { return b.starts(ctx, r) }); err != nil {
		return err
	}
	small, err := serving(ctx, b.db, append(manySpecs(few-1), widgets)...)
	if err != nil {
		return err
	}
	large, err := serving(ctx, b.db, append(manySpecs(crowd-1), widgets)...)
	if err != nil {
		return err
	}
	s, err := b.measure(ctx, r, []way{
		{"one-of-5", func(ctx context.Context, r *rand.Rand) error { return list(ctx, small, b.anyone(r), page(pageRows)) }},
		{"one-of-500", func(ctx context.Context, r *rand.Rand) error { return list(ctx, large, b.anyone(r), page(pageRows)) }},
		{"each-of-4", b.lookAround(small, few-1)},
		{"each-of-499", b.lookAround(large, crowd-1)},
	})
	if err != nil {
		return err
	}
	r.atMost("list-of-500-resources-cpu", ratio(s["one-of-500"], s["one-of-5"], cpu), 1.2)
	r.figure("each-of-499-resources-cpu", ratio(s["each-of-499"], s["each-of-4"], cpu), "of each-of-4: more shapes than are kept")
	return nil
}

// lookAround lists a random one of the first n empty tables.
func (b *bench) lookAround(x *executors.Executor, n int) func(context.Context, *rand.Rand) error {
	return func(ctx context.Context, r *rand.Rand) error {
		return list(ctx, x, b.anyone(r), executors.ListRequest{Resource: manyName(r.IntN(n))})
	}
}

// starts starts again and again.
func (b *bench) starts(ctx context.Context, r *report) error {
	var walls, cpus, heaps []float64
	for range min(b.opts.Rounds, 7) {
		s, err := b.start(ctx)
		if err != nil {
			return err
		}
		walls, cpus, heaps = append(walls, s.wall.Seconds()), append(cpus, s.cpu.Seconds()), append(heaps, s.heap)
	}
	r.atMost("start-of-500-resources-seconds", median(walls), 2)
	r.atMost("start-of-500-resources-mebibytes", median(heaps), 64)
	r.figure("start-of-500-resources-app-cpu", median(cpus), "s")
	return nil
}

// started is one start.
type started struct {
	wall, cpu time.Duration // cpu of this process
	heap      float64       // MiB that stay
}

// start declares many resources and joins them over connections of their own.
func (b *bench) start(ctx context.Context) (s started, err error) {
	cfg, err := b.config()
	if err != nil {
		return s, err
	}
	before := live()
	mine, err := own()
	if err != nil {
		return s, err
	}
	began := time.Now()
	db, err := postgres.Open(ctx, cfg)
	if err != nil {
		return s, err
	}
	defer db.Close()
	exec, err := serving(ctx, db, manySpecs(crowd)...)
	if err != nil {
		return s, err
	}
	s.wall = time.Since(began)
	after, err := own()
	s.cpu = after - mine
	s.heap = float64(live()-before) / (1 << 20)
	runtime.KeepAlive(exec)
	return s, err
}

// live is the heap without what nobody holds.
func live() int64 {
	var m runtime.MemStats
	for range 2 { // what a finalizer or a pool let go is freed by the next
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
