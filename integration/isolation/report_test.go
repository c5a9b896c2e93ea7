package isolation_test

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
)

// report is what a run has done and found.
type report struct {
	calls, http, pairs atomic.Int64

	told  atomic.Bool // a start has said that a wall is missing
	early bool        // one finding is enough

	mu    sync.Mutex
	leaks []string // rows and values of another tenant, and bytes that depend on them
	wrong []string // answers that are not what the model says
}

const maxKept = 20

func keep(list *[]string, format string, args ...any) {
	if len(*list) < maxKept {
		*list = append(*list, fmt.Sprintf(format, args...))
	}
}

// settled reports whether there is nothing more to find out.
func (r *report) settled() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.early && len(r.leaks)+len(r.wrong) > 0
}

func (r *report) leak(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	keep(&r.leaks, format, args...)
}

func (r *report) bad(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	keep(&r.wrong, format, args...)
}

// add takes over what another report has.
func (r *report) add(of *report) {
	r.calls.Add(of.calls.Load())
	r.http.Add(of.http.Load())
	r.pairs.Add(of.pairs.Load())
	r.mu.Lock()
	defer r.mu.Unlock()
	r.leaks, r.wrong = append(r.leaks, of.leaks...), append(r.wrong, of.wrong...)
}

// rows is how many of the leaks showed something of another tenant, or ran outside of the caller's. The others
// are bytes that had to be equal.
func (r *report) rows() (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range r.leaks {
		if strings.HasPrefix(l, "O1") || strings.HasPrefix(l, "O5") || strings.Contains(l, "a value of the other tenant") {
			n++
		}
	}
	return n
}

// Write takes what is logged as an error.
func (r *report) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte("NOT FOR SERVING")) {
		r.told.Store(true)
	}
	return len(line), nil
}
