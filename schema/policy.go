package schema

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/tenantry/tenantry/schema/internal/words"
)

// predicateTime is how long one predicate may take.
const predicateTime = 250 * time.Millisecond

// Predicate says whether a caller may pass a gate. An error, a panic and more than 250 ms deny.
type Predicate[C comparable] func(ctx context.Context, caller C, arg string) (bool, error)

// Policy is all predicates of a server. Predicates are registered, then the policy is sealed against every
// plan: from then on it is immutable, safe for concurrent use, and nothing unknown can be asked. C is what
// stands for a caller; its zero value is nobody, whom everything is denied.
type Policy[C comparable] struct {
	predicates map[string]Predicate[C]
	batch      func(ctx context.Context, caller C, gs []Gate) ([]bool, error)
	sealed     bool
}

// NewPolicy returns a policy without predicates.
func NewPolicy[C comparable]() *Policy[C] {
	return &Policy[C]{predicates: map[string]Predicate[C]{}}
}

// Register adds a predicate. A name twice, a name of another form than [a-z][a-z0-9_]*, a nil function and a
// sealed policy are errors.
func (p *Policy[C]) Register(name string, f Predicate[C]) error {
	switch {
	case p.sealed:
		return fmt.Errorf("schema: the predicate %s comes after the policy was sealed: register it before", name)
	case !predicateName.MatchString(name):
		return fmt.Errorf("schema: the predicate %q needs a name of lower case letters, digits and _", name)
	case f == nil:
		return fmt.Errorf("schema: the predicate %s has no function", name)
	case p.predicates[name] != nil:
		return fmt.Errorf("schema: the predicate %s is registered twice", name)
	}
	p.predicates[name] = f
	return nil
}

// Batch has f answer all gates of a request together, in their order, in place of the predicates: one query
// for all of them, say. An error, a panic, another number of answers and more than 250 ms deny all. The
// names must be registered all the same.
func (p *Policy[C]) Batch(f func(ctx context.Context, caller C, gs []Gate) ([]bool, error)) error {
	if p.sealed {
		return errors.New("schema: the batch comes after the policy was sealed: set it before")
	}
	p.batch = f
	return nil
}

// Seal checks that each gate of the plans has a predicate, and ends registration. The error lists every one
// that has none.
func (p *Policy[C]) Seal(plans ...*Plan) error {
	if p.sealed {
		return errors.New("schema: the policy is sealed already")
	}
	names := slices.Sorted(maps.Keys(p.predicates))
	var errs []error
	for _, plan := range plans {
		for _, g := range plan.Gates() {
			if p.predicates[g.Pred] == nil {
				errs = append(errs, fmt.Errorf("schema: %s: there is no predicate %s: register it%s", plan.gateAt(g), g.Pred, words.Hint(g.Pred, names)))
			}
		}
	}
	p.sealed = len(errs) == 0
	return errors.Join(errs...)
}

// Decide asks each of the gates once. Whatever goes wrong denies.
func (p *Policy[C]) Decide(ctx context.Context, caller C, gs []Gate) Decision {
	return p.Extend(ctx, caller, Decision{}, gs)
}

// Extend is Decide for the same request once more: it asks those of the gates that d has no answer for.
func (p *Policy[C]) Extend(ctx context.Context, caller C, d Decision, gs []Gate) Decision {
	out := Decision{allowed: make(map[Gate]bool, len(d.allowed)+len(gs)), failures: slices.Clone(d.failures)}
	maps.Copy(out.allowed, d.allowed)
	var open []Gate
	for _, g := range gs {
		if !out.asked(g) {
			out.allowed[g] = false
			open = append(open, g)
		}
	}
	var nobody C
	switch {
	case len(open) == 0:
		return out
	case !p.sealed:
		return out.fail(open, errors.New("the policy is not sealed"))
	case caller == nobody:
		return out.fail(open, errors.New("there is no caller"))
	case p.batch != nil:
		return p.decideTogether(ctx, caller, out, open)
	}
	return p.decideEach(ctx, caller, out, open)
}

func (d Decision) fail(gs []Gate, err error) Decision {
	for _, g := range gs {
		d.failures = append(d.failures, GateFailure{Gate: g, Err: err})
	}
	return d
}

func (p *Policy[C]) decideTogether(ctx context.Context, caller C, d Decision, gs []Gate) Decision {
	answers, err := begin(ctx, func(ctx context.Context) ([]bool, error) { return p.batch(ctx, caller, slices.Clone(gs)) })()
	if err == nil && len(answers) != len(gs) {
		err = fmt.Errorf("the batch answered %d of %d gates", len(answers), len(gs))
	}
	if err != nil {
		return d.fail(gs, err)
	}
	for i, g := range gs {
		d.allowed[g] = answers[i]
	}
	return d
}

// decideEach asks the predicates side by side, so that slow ones cost their time once.
func (p *Policy[C]) decideEach(ctx context.Context, caller C, d Decision, gs []Gate) Decision {
	waits := make([]func() (bool, error), len(gs))
	for i, g := range gs {
		waits[i] = begin(ctx, func(ctx context.Context) (bool, error) {
			f := p.predicates[g.Pred]
			if f == nil {
				return false, errors.New("there is no such predicate")
			}
			return f(ctx, caller, g.Arg)
		})
	}
	for i, wait := range waits {
		ok, err := wait()
		if d.allowed[gs[i]] = ok && err == nil; err != nil {
			d = d.fail(gs[i:i+1], err)
		}
	}
	return d
}

// begin runs a host's function for as long as a predicate may take, counted from when it begins and not from
// when it is asked for: a busy machine denies nothing. One that does not heed its context goes on behind our
// back, and what it answers then is heard by nobody.
func begin[T any](ctx context.Context, f func(context.Context) (T, error)) (wait func() (T, error)) {
	type answer struct {
		value T
		err   error
	}
	begun, done := make(chan context.Context, 1), make(chan answer, 1)
	go func() {
		a := answer{err: errors.New("it ended its goroutine")}
		own, cancel := context.WithTimeout(ctx, predicateTime)
		defer cancel()
		defer func() {
			if v := recover(); v != nil {
				a = answer{err: fmt.Errorf("panic: %v", v)}
			} else if a.err == nil {
				a.err = own.Err()
			}
			done <- a
		}()
		begun <- own
		a.value, a.err = f(own)
	}()
	return func() (none T, err error) {
		own := <-begun
		select {
		case a := <-done:
			return a.value, a.err
		case <-own.Done():
		}
		select {
		case a := <-done: // it may have answered just in time, and its context has ended since
			return a.value, a.err
		default:
			return none, own.Err()
		}
	}
}
