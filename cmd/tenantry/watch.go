package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// rebindEvery is how often a server looks for changes of the database that no call stumbles over.
const rebindEvery = time.Minute

// watch begins to bind the resources again on the clock and on SIGHUP, until ctx ends.
func (a *app) watch(ctx context.Context) {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGHUP)
	go a.exec.Watch(ctx, rebindEvery)
	go func() {
		defer signal.Stop(asked)
		for {
			select {
			case <-ctx.Done():
				return
			case <-asked:
				a.rebind(ctx)
			}
		}
	}()
}

func (a *app) rebind(ctx context.Context) {
	if err := a.exec.Rebind(ctx); err != nil {
		if ctx.Err() != nil {
			return // the server ends
		}
		a.log.Warn("the resources could not all be bound", slog.String("cause", err.Error()))
		return
	}
	a.log.Info("the resources are bound to the database as it is now")
}
