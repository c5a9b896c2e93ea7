package executors

import "time"

// SetClock gives the executor a clock, so that no test waits for one.
func (x *Executor) SetClock(now func() time.Time) { x.now = now }
