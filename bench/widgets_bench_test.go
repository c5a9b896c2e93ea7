package bench

// Internal: a profile needs the ways by themselves, without a report around them.

import (
	"context"
	"math/rand/v2"
	"testing"
)

// BenchmarkList is for profiles; what counts is the report.
func BenchmarkList(tb *testing.B) {
	o := (&Options{Quick: true}).withDefaults()
	data, err := open(tb.Context(), o)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() {
		if err := data.close(); err != nil {
			tb.Error(err)
		}
	}()
	b, err := newBench(tb.Context(), data, o)
	if err != nil {
		tb.Fatal(err)
	}
	defer b.close()
	q, err := b.recorded(tb.Context(), page(pageRows))
	if err != nil {
		tb.Fatal(err)
	}
	for _, w := range []way{
		{"raw", func(ctx context.Context, r *rand.Rand) error { return q.drain(ctx, b.raw, b.anyone(r)) }},
		{"list", func(ctx context.Context, r *rand.Rand) error { return list(ctx, b.exec, b.anyone(r), page(pageRows)) }},
	} {
		tb.Run(w.name, func(tb *testing.B) {
			r := rand.New(rand.NewPCG(1, 1))
			tb.ReportAllocs()
			for tb.Loop() {
				if err := w.call(tb.Context(), r); err != nil {
					tb.Fatal(err)
				}
			}
		})
	}
}
