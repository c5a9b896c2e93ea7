package descriptor

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tenantry/tenantry/resource"
)

// Mistake is one thing wrong with a file. It never holds a secret or the value of a variable.
type Mistake struct {
	File    string // the name given to Load or Parse
	Line    int    // counted from 1; 0 when the file as a whole is meant
	Path    string // the place by its keys, such as resources.orders.scope; empty for the file itself
	Message string // what is wrong and what to write instead
}

// Error returns "file:line: path: message".
func (m *Mistake) Error() string {
	var b strings.Builder
	b.WriteString(m.File)
	if m.Line > 0 {
		fmt.Fprintf(&b, ":%d", m.Line)
	}
	b.WriteString(": ")
	if m.Path != "" {
		b.WriteString(m.Path + ": ")
	}
	b.WriteString(m.Message)
	return b.String()
}

// fail adds a mistake. The parser counts the end of a text as one line more than its last.
func (r *reader) fail(line int, path, format string, args ...any) {
	if r.last > 0 {
		line = min(line, r.last)
	}
	r.mistakes = append(r.mistakes, &Mistake{File: r.name, Line: line, Path: path, Message: fmt.Sprintf(format, args...)})
}

// err joins the mistakes in the order of the file.
func (r *reader) err() error {
	slices.SortStableFunc(r.mistakes, func(a, b *Mistake) int { return cmp.Compare(a.Line, b.Line) })
	errs := make([]error, len(r.mistakes))
	for i, m := range r.mistakes {
		errs[i] = m
	}
	return errors.Join(errs...)
}

// nearest ends a message about an unknown name: the names close to it, or all when they are few.
func nearest(name string, names []string) string {
	const few = 24
	if near := resource.Nearest(name, names); len(near) > 0 {
		return "did you mean " + strings.Join(near, " or ") + "?"
	}
	switch {
	case len(names) == 0:
		return "there is none to name"
	case len(names) > few:
		return fmt.Sprintf("it is none of the %d there are", len(names))
	default:
		return "write one of " + strings.Join(names, ", ")
	}
}
