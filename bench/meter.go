package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
)

// way is one way to spend a call. The random numbers are the worker's own.
type way struct {
	name string
	call func(ctx context.Context, r *rand.Rand) error
}

// sample is what one way did in one round.
type sample struct {
	calls       int
	wall        time.Duration
	app, server time.Duration // CPU
}

// CPU of one call, and calls in a second.
func cpu(s sample) float64        { return float64(s.app+s.server) / float64(s.calls) }
func throughput(s sample) float64 { return float64(s.calls) / s.wall.Seconds() }

// meter runs ways in turns.
type meter struct {
	database string
	workers  int
	slice    time.Duration
	random   *rand.Rand
}

func newMeter(db *database, o Options) *meter {
	return &meter{database: db.name, workers: o.Workers, slice: o.Slice, random: rand.New(rand.NewPCG(o.Seed, 0))}
}

// rounds returns the samples of each way, one for each round. In a round every way has its turn, in random order.
// A round that is not kept comes first: statements are prepared, plans settle, and pages are read.
func (m *meter) rounds(ctx context.Context, n int, ways []way) (map[string][]sample, error) {
	out := map[string][]sample{}
	for i := range n + 1 {
		for _, k := range m.random.Perm(len(ways)) {
			s, err := m.turn(ctx, ways[k])
			if err != nil {
				return nil, fmt.Errorf("bench: %s: %w", ways[k].name, err)
			}
			if i > 0 {
				out[ways[k].name] = append(out[ways[k].name], s)
			}
		}
	}
	return out, nil
}

// turn runs a way in a closed loop of all workers for one slice.
func (m *meter) turn(ctx context.Context, w way) (s sample, err error) {
	before, err := usage(m.database)
	if err != nil {
		return s, err
	}
	mine, err := own()
	if err != nil {
		return s, err
	}
	began := time.Now()
	if s.calls, err = m.loop(ctx, w, began.Add(m.slice)); err != nil {
		return s, err
	}
	s.wall = time.Since(began)
	after, err := own()
	if err != nil {
		return s, err
	}
	s.app = after - mine
	s.server, err = before.since(m.database)
	return s, err
}

func (m *meter) loop(ctx context.Context, w way, until time.Time) (int, error) {
	g, ctx := errgroup.WithContext(ctx)
	calls := make([]int, m.workers)
	for i := range m.workers {
		r := rand.New(rand.NewPCG(m.random.Uint64(), uint64(i)))
		g.Go(func() error {
			ctx, cancel := context.WithCancel(ctx) // a worker's own, as a request's is
			defer cancel()
			for n := 1; ; n++ {
				if err := w.call(ctx, r); err != nil {
					return err
				}
				if !time.Now().Before(until) {
					calls[i] = n
					return nil
				}
			}
		})
	}
	err := g.Wait()
	total := 0
	for _, n := range calls {
		total += n
	}
	return total, err
}

// used is the CPU of each of the server's processes.
type used map[int]time.Duration

func usage(database string) (used, error) {
	pids, err := backends(database)
	if err != nil {
		return nil, err
	}
	out := used{}
	for _, pid := range pids {
		if out[pid], err = spent(pid); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// since is what the processes have used since. One that has begun in between counts whole, one that has ended
// cannot be told.
func (u used) since(database string) (time.Duration, error) {
	now, err := usage(database)
	if err != nil {
		return 0, err
	}
	var sum time.Duration
	for pid, d := range now {
		sum += d - u[pid]
	}
	for pid := range u {
		if _, ok := now[pid]; !ok {
			return 0, fmt.Errorf("bench: the server's process %d has ended in the middle of a measurement", pid)
		}
	}
	return sum, nil
}

// ratio is the median over the rounds of how one way stands to another in the same round.
func ratio(of, to []sample, value func(sample) float64) float64 {
	ratios := make([]float64, len(of))
	for i := range of {
		ratios[i] = value(of[i]) / value(to[i])
	}
	return median(ratios)
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// each is the value of each sample.
func each(samples []sample, value func(sample) float64) []float64 {
	out := make([]float64, len(samples))
	for i, s := range samples {
		out[i] = value(s)
	}
	return out
}
