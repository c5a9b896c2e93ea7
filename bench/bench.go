// Package bench measures what the framework costs beside the database work it cannot avoid.
//
//	short, err := bench.Run(ctx, os.Stdout, nil)
//
// Every bar is a count, or a ratio between two ways to spend a call, measured in turns on the same machine, since a
// ratio survives a busy machine and a time does not; the time of a start is the one exception. CPU is that of this
// process and of the server's processes together.
// The command is go run ./bench/report.
package bench

import (
	"context"
	"errors"
	"io"
	"time"
)

// Options change what Run does. Nil means the zero Options; zero members take the defaults named here.
type Options struct {
	// Quick asks for a smoke run on little data, whose figures mean nothing.
	Quick bool

	Rounds  int           // rounds of measurement; 25
	Slice   time.Duration // how long one way runs in one round; 250 ms
	Workers int           // calls at a time; 8
	Seed    uint64        // of everything that is random; 1

	// Database names a database that an earlier run has kept, to be measured again. Empty: one is made.
	Database string

	// Keep leaves the database behind.
	Keep bool
}

func (o *Options) withDefaults() Options {
	var out Options
	if o != nil {
		out = *o
	}
	rounds, slice := 25, 250*time.Millisecond
	if out.Quick {
		rounds, slice = 3, 20*time.Millisecond
	}
	setDefault(&out.Rounds, rounds)
	setDefault(&out.Slice, slice)
	setDefault(&out.Workers, 8)
	setDefault(&out.Seed, 1)
	return out
}

func setDefault[T int | uint64 | time.Duration](v *T, d T) {
	if *v <= 0 {
		*v = d
	}
}

// Run loads a database, measures and writes one line for each bar to out:
//
//	bar NAME VALUE BOUND ok|short
//
// Lines that begin with figure have no bound, and those that begin with # are for people. Run returns how many
// bars are short. It needs Linux and a server whose processes run on this machine; the server is found as the
// tests find theirs.
func Run(ctx context.Context, out io.Writer, opts *Options) (short int, err error) {
	o := opts.withDefaults()
	data, err := open(ctx, o)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, data.close()) }()
	b, err := newBench(ctx, data, o)
	if err != nil {
		return 0, err
	}
	defer b.close()
	r := &report{out: out}
	if err := b.head(ctx, r); err != nil {
		return 0, err
	}
	for _, part := range []func(context.Context, *report) error{
		b.speed, b.depth, b.memory, b.shapes, b.full, b.include, b.startup, b.statements, b.walls, b.schemas,
	} {
		if err := part(ctx, r); err != nil {
			return 0, err
		}
	}
	return r.short, r.err
}
