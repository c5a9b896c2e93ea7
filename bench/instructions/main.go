// Command instructions counts what the witness costs: a listing over recorded rows, without a network, with the
// witness and without one, under callgrind. Counts are the same on a busy machine, where times are not.
//
//	go run ./bench/instructions -strict
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

// bound is how much the witness of a column scope may cost of a listing without it.
const bound = 1.03

func main() {
	scope := flag.String("scope", "", "make calls over rows of this scope: "+names()+"; empty: count them all")
	calls := flag.Int("calls", 1000, "how many calls are counted")
	strict := flag.Bool("strict", false, "exit with 1 when the bar is short")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, *scope, *calls)
	if errors.Is(err, errShort) && !*strict {
		err = nil
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

var errShort = errors.New("the bar is short")

func run(ctx context.Context, scope string, calls int) error {
	if scope != "" {
		return repeat(ctx, scope, calls)
	}
	counts := map[string]float64{}
	for _, s := range scopes {
		n, err := perCall(ctx, s.name, calls)
		if err != nil {
			return err
		}
		counts[s.name] = n
		fmt.Printf("figure list-of-a-%s-scope-instructions %.0f instructions/call\n", s.name, n)
	}
	return verdict(counts)
}

// verdict prints the bar.
func verdict(counts map[string]float64) error {
	fmt.Printf("figure via-witness-instructions %.4g of list without a witness\n", counts["via"]/counts["global"])
	value, word, err := counts["column"]/counts["global"], "ok", error(nil)
	if value > bound {
		word, err = "short", errShort
	}
	fmt.Printf("bar witness-instructions %.4g <=%g %s\n", value, bound, word)
	return err
}
