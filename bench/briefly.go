package bench

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"
)

// briefly runs what opens connections and closes them again, and waits for the end of their processes: one that
// ended while something else is measured would take its CPU with it.
func (b *bench) briefly(ctx context.Context, use func() error) error {
	before, err := backends(b.data.name)
	if err != nil {
		return err
	}
	if err := use(); err != nil {
		return err
	}
	limit := time.Now().Add(10 * time.Second)
	for time.Now().Before(limit) && ctx.Err() == nil {
		now, err := backends(b.data.name)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(now, func(pid int) bool { return !slices.Contains(before, pid) }) {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return cmp.Or(ctx.Err(), errors.New("connections that were closed still have their processes after 10 s"))
}
