package mcpserver

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/schema/elicit"
	"github.com/tenantry/tenantry/tenant"
)

// A question is a form for the person behind the client.
type question struct {
	name    string // by which the answer is known in its call
	tenants string // whom the call is for by then; empty while that is the question
	ended   func() bool
	message string // what the person reads
	schema  []byte // of the form

	// check takes in a result, an object of "action" and "content", or reports what is wrong with it. It holds for
	// results of every way.
	check func(result []byte) error
}

// digest is the same for the same question alone: an answer counts for what was asked, by the words and the
// form in which it was asked, and for the tenants that it was asked about.
func (q *question) digest() [sha256.Size]byte {
	var b []byte
	for _, part := range []string{q.name, q.tenants, q.message, string(q.schema)} {
		b = append(binary.AppendUvarint(b, uint64(len(part))), part...)
	}
	return sha256.Sum256(b)
}

// params are what elicitation/create takes.
func (q *question) params(revision string) []byte {
	dst := []byte{'{'}
	if revision > elicit.FirstRevision { // which knows no modes
		dst = append(dst, `"mode":"form",`...)
	}
	dst = appendText(append(dst, `"message":`...), q.message)
	return append(append(append(dst, `,"requestedSchema":`...), q.schema...), '}')
}

// asking is the error of a call that ends with a question. It becomes a result of its own kind.
type asking struct {
	question *question
	state    string // for the client to send back
}

func (a *asking) Error() string {
	return "mcpserver: the call waits for the answer to " + a.question.name + ": return this error from the handler"
}

// append appends the members of the result that asks.
func (a *asking) append(dst []byte, revision string) []byte {
	dst = appendText(append(dst, `"inputRequests":{`...), a.question.name)
	dst = append(dst, `:{"method":"`+methodElicit+`","params":`...)
	dst = append(append(dst, a.question.params(revision)...), `}},"requestState":`...)
	return append(appendText(dst, a.state), `,"resultType":"input_required"`...)
}

const methodElicit = "elicitation/create"

// unasked is for calls whose client cannot show a form.
func unasked() error {
	return resource.Errorf(resource.Forbidden, "",
		"this call asks the person behind the client, and this client cannot be asked: use one that declares the elicitation capability, over HTTP with protocol revision 2026-07-28")
}

// ask puts a question to the person and has its check take in the result. The error is an *asking where the
// call has to end for that.
func (t *talk) ask(ctx context.Context, q *question) error {
	if known := t.known(q); known != nil {
		return q.check(known)
	}
	switch t.way {
	case byResult:
		return t.resume(q)
	case bySession:
		waiting, cancel := context.WithTimeout(ctx, stateLife)
		defer cancel()
		result, err := t.client.lines.request(waiting, methodElicit, q.params(t.client.revision), q.ended)
		switch {
		case errors.Is(err, errClientGone):
			return fmt.Errorf("%w: %w", context.Canceled, err)
		case err != nil && waiting.Err() != nil && ctx.Err() == nil:
			return resource.Errorf(resource.Forbidden, "", "this call asks the person behind the client, and nobody answered within ten minutes: call again when somebody can")
		case errors.Is(err, errClientRefused):
			return resource.Errorf(resource.Forbidden, "", "this call asks the person behind the client, and the client refused to show the form or to send its answer: try again, or use another client")
		case err != nil:
			return err
		}
		return t.settle(q, result)
	default:
		return unasked()
	}
}

// resume takes the answer that came with the repeated call, or ends the call with the question.
func (t *talk) resume(q *question) error {
	if result := t.answered(q); result != nil {
		return t.settle(q, result)
	}
	if t.pending.Name == q.name && !t.isSettled(t.pending.Question) {
		t.server.opts.Logger.Warn("a question is put in other words than before, so that its answer does not count: a handler that always changes them asks for ever",
			slog.String("question", q.name))
	}
	asks, err := t.asking(q)
	if err != nil {
		return err
	}
	return asks
}

// asking ends the call with a question, and all that was answered before.
func (t *talk) asking(q *question) (*asking, error) {
	state, err := t.sealed(q)
	if err != nil {
		return nil, err
	}
	return &asking{question: q, state: state}, nil
}

// answers reports whether the answer to q is there already.
func (t *talk) answers(q *question) bool { return t.known(q) != nil || t.answered(q) != nil }

// settle keeps a result that fits its question. A tenant that was chosen before counts no more, nor what was
// answered after that.
func (t *talk) settle(q *question, result []byte) error {
	if err := q.check(result); err != nil {
		return err
	}
	digest := q.digest()
	t.answer = true
	if i := slices.IndexFunc(t.settled, func(s settled) bool { return s.Name == metaTenant }); i >= 0 && q.name == metaTenant {
		t.settled = t.settled[:i]
	}
	t.settled = append(t.settled, settled{Name: q.name, Question: digest[:], Result: result})
	return nil
}

func (t *talk) isSettled(question []byte) bool {
	return slices.ContainsFunc(t.settled, func(s settled) bool { return bytes.Equal(s.Question, question) })
}

// tenantsOf are the active tenant as a text, or all that are granted where none is active.
func tenantsOf(p *auth.Principal) string {
	all := p.Granted()
	if t := p.Tenant(); t != (tenant.ID{}) {
		all = []tenant.ID{t}
	}
	var b []byte
	for _, t := range all {
		b = append(strconv.AppendQuote(append(b, t.Kind()...), t.Key()), ' ')
	}
	return string(b)
}
