package elicit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/tenantry/tenantry/schema"
)

// Form asks for a T. It is immutable and safe for concurrent use.
type Form[T any] struct {
	sheet *sheet // without patterns, which the view matches
	view  *schema.View
	wires []wire // the newest revision first
}

// wire is a schema as revisions from one on have it, or why they cannot.
type wire struct {
	since revision
	raw   json.RawMessage
	err   error
}

// New returns the form of a flat struct. The error lists every mistake, each naming Type.Field: first those
// that package schema finds in the tags, and once there are none, what a form has no words for.
//
// A string type with the method EnumValues() []E is a choice of one, and a slice of it a choice of several,
// each of them once. Its method EnumTitles() map[E]string, which has a title for every value, says what the
// person reads. A *string and the like is what the person may leave away. A struct without fields asks for
// consent alone.
//
// The options are those of schema.For; what a Format adds is of no use in a form.
func New[T any](opts ...schema.Option) (*Form[T], error) {
	t := reflect.TypeFor[T]()
	view, asked, err := derive(t, opts)
	if err != nil {
		return nil, err
	}
	f := &Form[T]{view: view}
	for _, since := range []revision{exactForms, choiceForms, firstForms} {
		raw, err := asked.wire(since)
		f.wires = append(f.wires, wire{since, raw, err})
		if err != nil {
			continue
		}
		read, errs := read(raw, Server)
		if len(errs) > 0 {
			return nil, refused(t, errs)
		}
		if since == exactForms {
			f.sheet = read.withoutPatterns()
		}
	}
	return f, nil
}

// MustNew is New for package variables: it panics on a mistake.
func MustNew[T any](opts ...schema.Option) *Form[T] {
	f, err := New[T](opts...)
	if err != nil {
		panic(err)
	}
	return f
}

// Schema returns the requestedSchema for a revision of the protocol, such as "2025-11-25". The result is the
// caller's own, and the same bytes each time.
//
// Before 2025-06-18 there are no forms. That revision has titles in enumNames, defaults of booleans alone and
// no choice of several, which is an error. Until 2026-07-28 bounds of numbers are whole: they are sent as the
// next wider ones, and Answer holds to the exact ones always. A revision that is newer than all of these has
// the forms of the newest.
func (f *Form[T]) Schema(revision string) (json.RawMessage, error) {
	if _, err := time.Parse(time.DateOnly, revision); err != nil {
		return nil, fmt.Errorf("elicit: %q is no revision of the protocol: write it as 2025-11-25", revision)
	}
	for _, w := range f.wires {
		if revision >= string(w.since) {
			return slices.Clone(w.raw), w.err
		}
	}
	return nil, fmt.Errorf("elicit: revision %s has no forms: they began with %s", revision, firstForms)
}

// Answer checks the result of an elicitation as CheckResult does, and decodes what the person sent. Numbers
// keep every digit. The action is empty if there is an error, and the T is zero unless it is Accept.
//
// What the form shows is checked first; once that is good, patterns follow with all that T says and a form
// has no words for, its method Validate included.
func (f *Form[T]) Answer(ctx context.Context, result json.RawMessage) (T, Action, error) {
	var answer, zero T
	a, sent, err := f.sheet.answer(result)
	if err != nil || a.Action != Accept {
		return zero, a.Action, err
	}
	if err := f.view.Decode(ctx, sent, &answer, nil); err != nil {
		return zero, "", err
	}
	return answer, Accept, nil
}

// withoutPatterns returns the sheet without what the view of a Form matches, so that one answer is matched
// but once.
func (s *sheet) withoutPatterns() *sheet {
	for _, p := range s.properties {
		p.pattern = nil
	}
	return s
}

// refused tells what a form cannot send in terms of the struct.
func refused(t reflect.Type, errs schema.Errors) error {
	places := placesOf(t)
	mistakes := make([]error, len(errs))
	for i, e := range errs {
		mistakes[i] = fmt.Errorf("elicit: %s: %s", places.at(e.Path), e.Msg)
	}
	return errors.Join(mistakes...)
}
