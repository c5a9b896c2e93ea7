// Command tenantry serves the tables of a database to agents, from a YAML file that declares them.
//
//	tenantry demo
//	tenantry serve --config tenantry.yaml
//
// It is the library behind a file: package descriptor says what the file may hold. Its exit status is 64
// for bad usage, 78 for a bad file, 69 when the database cannot be reached, each with a line on stderr
// that says what to do.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, end := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		end()
		<-signals
		os.Exit(statusFailed) // whoever sends a second one does not want to wait
	}()
	os.Exit(run(ctx, os.Args[1:], &terminal{env: os.LookupEnv, in: os.Stdin, out: os.Stdout, err: os.Stderr}))
}
