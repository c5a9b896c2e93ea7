package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"sync"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/schema"
	"github.com/tenantry/tenantry/schema/elicit"
)

// Answer is what the person behind the client did with a form.
type Answer[T any] struct {
	Action elicit.Action
	Value  T // what was sent, checked; the zero T unless the form was accepted
}

// Accepted reports whether the person sent the form.
func (a Answer[T]) Accepted() bool { return a.Action == elicit.Accept }

// Ask puts a form to the person behind the client and returns the answer, checked against T whatever the
// client has checked. T is a flat struct as package elicit describes it.
//
// Clients of some revisions can only be asked at the end of a call, which they then repeat with the answer.
// Ask returns an error for that, which the handler must return; its next run gets the answer from the same
// Ask. So a handler asks before it changes anything, and comes to the same questions by the same arguments:
// an answer counts for its name, its message and its form together, and what has changed is asked again.
// All of it ends ten minutes after the last question. Until then a client may send the same answer again:
// what it confirms must be done once, whatever the host recognises it by.
//
// Where the client cannot be asked the error is a *resource.Error of the code forbidden; see Call.CanAsk. An
// answer that does not fit the form is an error too. Both may be returned as they are. A call asks one
// question at a time.
func Ask[T any](ctx context.Context, c *Call, name, message string) (Answer[T], error) {
	var out Answer[T]
	form, err := formOf[T]()
	if err != nil {
		return out, err
	}
	if !questionName.MatchString(name) {
		return out, fmt.Errorf("mcpserver: the question %q must be named by letters, digits, _ and -, at most 64", name)
	}
	if c.CanAsk() {
		q := &question{name: name, message: message, tenants: tenantsOf(c.principal), ended: c.over}
		q.check = func(result []byte) (err error) {
			out.Value, out.Action, err = form.Answer(ctx, result)
			return answerMistakes(name, err)
		}
		if q.schema, err = form.Schema(c.call.client.revision); err != nil {
			return out, resource.Errorf(resource.Forbidden, "",
				"this call asks the person behind the client for what its revision of the protocol has no form for: use a client of a newer one").Caused(err)
		}
		err = c.ask(ctx, q)
		return out, err
	}
	return out, unasked()
}

var questionName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// CanAsk reports whether the client shows forms, so that Ask reaches a person. A form with a choice of several
// needs revision 2025-11-25 of the protocol beside that.
func (c *Call) CanAsk() bool { return !c.over() && c.call.client.way() != unreachable }

// ask has the check of q fill in the answer.
func (c *Call) ask(ctx context.Context, q *question) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.alive, cancel)()
	select {
	case c.asking <- struct{}{}:
		defer func() { <-c.asking }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if c.over() {
		return errors.New("mcpserver: the call is over: ask before the handler returns")
	}
	t, err := c.server.talk(&c.call)
	if err != nil {
		return err
	}
	first := c.asked() // the call ends with that one, and comes again
	if first != nil && !t.answers(q) {
		return first
	}
	err = t.ask(ctx, q)
	if err == nil && expired(c.principal) {
		err = errUnauthenticated // while the person was asked
	}
	if err == nil && first != nil {
		var kept *asking
		if kept, err = t.asking(first.question); err == nil { // with this answer too
			c.asksFor(kept)
		}
	}
	if asks, ok := errors.AsType[*asking](err); ok {
		c.asksFor(asks)
	}
	return err
}

// answerMistakes are what is wrong with an answer, as mistakes of the call. Its values stay unsaid.
func answerMistakes(name string, err error) error {
	found, ok := errors.AsType[schema.Errors](err)
	if !ok {
		return err
	}
	out := make(resource.Errors, len(found))
	for i, f := range found {
		out[i] = resource.Errorf(resource.InvalidArgument, "", "the answer to %s does not fit its form: %s", name, f.Error())
	}
	return out
}

// forms are built once for each type.
var forms sync.Map // of reflect.Type to a form or an error

func formOf[T any]() (*elicit.Form[T], error) {
	t := reflect.TypeFor[T]()
	known, ok := forms.Load(t)
	if !ok {
		var built any
		form, err := elicit.New[T]()
		if built = form; err != nil {
			built = err
		}
		known, _ = forms.LoadOrStore(t, built)
	}
	switch known := known.(type) {
	case *elicit.Form[T]:
		return known, nil
	case error:
		return nil, known
	default:
		return nil, fmt.Errorf("mcpserver: there is no form of %s", t)
	}
}

// FormDef declares a form in a ToolSpec. See FormOf.
type FormDef struct{ build func() error }

// FormOf declares that a handler asks with the form T, so that mistakes in it are reported by New and not by
// the first call.
func FormOf[T any]() FormDef {
	return FormDef{func() error { _, err := formOf[T](); return err }}
}
