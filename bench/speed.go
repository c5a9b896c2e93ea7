package bench

import (
	"context"
	"math/rand/v2"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
)

// pageRows is the size of the page that the bars are about.
const pageRows = 25

// speed measures CPU and throughput of a list against draining its rows, and shows what HTTP adds.
func (b *bench) speed(ctx context.Context, r *report) error {
	q, err := b.recorded(ctx, page(pageRows))
	if err != nil {
		return err
	}
	w, err := b.web(ctx)
	if err != nil {
		return err
	}
	defer w.close()
	s, err := b.measure(ctx, r, []way{
		{"raw", func(ctx context.Context, r *rand.Rand) error { return q.drain(ctx, b.raw, b.anyone(r)) }},
		{"list", func(ctx context.Context, r *rand.Rand) error { return list(ctx, b.exec, b.anyone(r), page(pageRows)) }},
		{"bare", func(ctx context.Context, r *rand.Rand) error { return list(ctx, b.bare, b.anyone(r), page(pageRows)) }},
		{"http", w.call},
	})
	if err != nil {
		return err
	}
	r.atMost("list-cpu", ratio(s["list"], s["raw"], cpu), 1.4)
	r.atLeast("list-throughput", ratio(s["list"], s["raw"], throughput), 0.70)
	r.atMost("list-without-settings-cpu", ratio(s["bare"], s["raw"], cpu), 1.3)
	r.atLeast("list-without-settings-throughput", ratio(s["bare"], s["raw"], throughput), 0.75)
	r.figure("http-cpu", ratio(s["http"], s["list"], cpu), "of list, with the client's")
	r.figure("http-throughput", ratio(s["http"], s["list"], throughput), "of list")
	return nil
}

// depth measures a deep page and a counted one against the first page of the large tenant.
func (b *bench) depth(ctx context.Context, r *report) error {
	deep, capped := page(pageRows), page(pageRows)
	var err error
	if deep.Cursor, err = b.cursorAt(ctx, b.data.large/10*9); err != nil {
		return err
	}
	capped.Count = executors.CountCapped
	s, err := b.measure(ctx, r, []way{
		{"first", func(ctx context.Context, _ *rand.Rand) error { return list(ctx, b.exec, b.large, page(pageRows)) }},
		{"deep", func(ctx context.Context, _ *rand.Rand) error { return list(ctx, b.exec, b.large, deep) }},
		{"capped", func(ctx context.Context, _ *rand.Rand) error { return list(ctx, b.exec, b.large, capped) }},
	})
	if err != nil {
		return err
	}
	r.atMost("keyset-depth-cpu", ratio(s["deep"], s["first"], cpu), 1.5)
	r.atMost("capped-count-cpu", ratio(s["capped"], s["first"], cpu), 5)
	return nil
}

// measure runs ways in turns and shows what each of them took.
func (b *bench) measure(ctx context.Context, r *report, ways []way) (map[string][]sample, error) {
	s, err := b.meter.rounds(ctx, b.opts.Rounds, ways)
	if err != nil {
		return nil, err
	}
	for _, w := range ways {
		r.figure(w.name+"-calls", median(each(s[w.name], throughput)), "calls/s")
		r.figure(w.name+"-app-cpu", median(each(s[w.name], appCPU)), "µs/call")
		r.figure(w.name+"-server-cpu", median(each(s[w.name], serverCPU)), "µs/call")
	}
	return s, nil
}

func appCPU(s sample) float64    { return float64(s.app.Microseconds()) / float64(s.calls) }
func serverCPU(s sample) float64 { return float64(s.server.Microseconds()) / float64(s.calls) }

// recorded is the statement that an executor sends for a request.
func (b *bench) recorded(ctx context.Context, req executors.ListRequest) (query, error) {
	rec := &recorder{DB: b.db}
	exec, err := serving(ctx, rec, widgets)
	if err != nil {
		return query{}, err
	}
	if err := list(ctx, exec, b.large, req); err != nil {
		return query{}, err
	}
	return rec.query()
}

// anyone is the caller of a random small tenant.
func (b *bench) anyone(r *rand.Rand) *auth.Principal { return b.small[r.IntN(len(b.small))] }

func list(ctx context.Context, x *executors.Executor, p *auth.Principal, req executors.ListRequest) error {
	_, err := x.List(ctx, p, req)
	return err
}
