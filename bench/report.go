package bench

import (
	"fmt"
	"io"
)

// report writes the lines and counts the bars that are short.
type report struct {
	out   io.Writer
	short int
	err   error
}

func (r *report) line(format string, args ...any) {
	if _, err := fmt.Fprintf(r.out, format+"\n", args...); err != nil && r.err == nil {
		r.err = err
	}
}

// note is a line for people.
func (r *report) note(format string, args ...any) { r.line("# "+format, args...) }

// figure is a measured value without a bound.
func (r *report) figure(name string, value float64, unit string) {
	r.line("figure %s %.4g %s", name, value, unit)
}

// atMost is a bar that a value must not exceed.
func (r *report) atMost(name string, value, bound float64) {
	r.bar(name, value, "<=", bound, value <= bound)
}

// atLeast is a bar that a value must reach.
func (r *report) atLeast(name string, value, bound float64) {
	r.bar(name, value, ">=", bound, value >= bound)
}

func (r *report) bar(name string, value float64, relation string, bound float64, met bool) {
	verdict := "ok"
	if !met {
		verdict = "short"
		r.short++
	}
	r.line("bar %s %.4g %s%g %s", name, value, relation, bound, verdict)
}
