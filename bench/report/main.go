// Command report measures the framework against the database work it cannot avoid, and prints one line for each bar.
//
//	go run ./bench/report -strict
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/tenantry/tenantry/bench"
)

func main() {
	var o bench.Options
	flag.BoolVar(&o.Quick, "quick", false, "a smoke run on little data; its figures mean nothing")
	flag.IntVar(&o.Rounds, "rounds", 0, "rounds of measurement (default 25)")
	flag.IntVar(&o.Workers, "workers", 0, "calls at a time (default 8)")
	flag.DurationVar(&o.Slice, "slice", 0, "how long one way runs in one round (default 250ms)")
	flag.Uint64Var(&o.Seed, "seed", 0, "seed of everything that is random (default 1)")
	flag.StringVar(&o.Database, "database", "", "measure a database that an earlier run has kept")
	flag.BoolVar(&o.Keep, "keep", false, "leave the database behind")
	strict := flag.Bool("strict", false, "exit with 1 when a bar is short")
	flag.Parse()
	os.Exit(run(&o, *strict))
}

func run(o *bench.Options, strict bool) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	short, err := bench.Run(ctx, os.Stdout, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	if strict && short > 0 {
		return 1
	}
	return 0
}
