package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

// call is one call of a tool, whatever it came in by.
type call struct {
	tool      *tool
	named     string // the name that it was called by, if that is another one than its own
	principal *auth.Principal
	selection selection
	arguments []byte // well-formed JSON, or nil
	client    client

	talk *talk // once something is asked, or answered
}

// reply is the answer of a tool: its JSON, or the JSON of its error, or a question.
type reply struct {
	body     []byte
	isError  bool
	textOnly bool            // no structured content, which would have to fit an output schema
	mistakes resource.Errors // those of the error; never empty beside isError

	asks  *asking // the call ends with a question
	fault *fault  // there is no such tool for this caller
}

// run answers a call. It never fails: whatever happens becomes a reply, and an event.
func (s *Server) run(ctx context.Context, c *call) reply {
	out, e := s.attempt(ctx, c)
	s.opts.Events(ctx, e)
	return out
}

// attempt is run without telling of the event.
func (s *Server) attempt(ctx context.Context, c *call) (reply, Event) {
	start := time.Now()
	e := Event{Tool: c.tool.plain}
	answer, err := s.guarded(ctx, c, &e)
	out := reply{}
	if err != nil {
		out = s.explained(ctx, c, err, &e)
	} else {
		out.body = answer.JSON
		e.Outcome, e.Rows, e.Truncated, e.Database = OutcomeOK, answer.Rows, answer.Truncated, answer.Database
	}
	e.Caller, e.Bytes, e.Duration = callerOf(c.principal), len(out.body), time.Since(start)
	return out, e
}

// explained is unanswered for any error: one of the host's may crash when it is only looked at.
func (s *Server) explained(ctx context.Context, c *call, err error, e *Event) (out reply) {
	defer func() {
		if v := recover(); v != nil {
			out = s.unanswered(ctx, c, &crash{value: v, stack: debug.Stack()}, e)
		}
	}()
	return s.unanswered(ctx, c, err, e)
}

// unanswered is the reply to a call that has no answer.
func (s *Server) unanswered(ctx context.Context, c *call, err error, e *Event) reply {
	if asks, ok := errors.AsType[*asking](err); ok {
		e.Outcome = OutcomeAsked
		return reply{asks: asks}
	}
	if missing, ok := errors.AsType[*carriedFault](err); ok {
		e.Outcome = OutcomeInvalid
		return reply{fault: missing.fault}
	}
	most := maxMistakes
	if c.tool.hosted() {
		most = maxFieldMistakes
	}
	mistakes := s.failure(ctx, err, e, most)
	return reply{body: failureJSON(mistakes), isError: true, textOnly: c.tool.hosted(), mistakes: mistakes}
}

// guarded keeps a crash in one call from ending the process, and with it every tenant's calls.
func (s *Server) guarded(ctx context.Context, c *call, e *Event) (answer *executors.Answer, err error) {
	defer func() {
		if v := recover(); v != nil {
			answer, err = nil, &crash{value: v, stack: debug.Stack()}
		}
	}()
	answer, err = s.dispatch(ctx, c, e)
	if answer == nil && err == nil {
		err = errors.New("the reader gave no answer")
	}
	return answer, err
}

// crash is a recovered panic.
type crash struct {
	value any
	stack []byte
}

func (c *crash) Error() string { return fmt.Sprintf("panic: %v\n%s", c.value, c.stack) }

func (s *Server) dispatch(ctx context.Context, c *call, e *Event) (*executors.Answer, error) {
	if c.tool.hosted() {
		return s.dispatchHosted(ctx, c, e)
	}
	if c.principal == nil || expired(c.principal) {
		return nil, errUnauthenticated
	}
	p, err := s.activated(ctx, c)
	if err != nil {
		return nil, err
	}
	c.principal = p
	if c.client.answers() { // whatever it was sealed for, it has to be for this call
		if _, err := s.talk(c); err != nil {
			return nil, err
		}
	}
	a := decode(c.tool, c.arguments)
	answer, err := c.tool.run(ctx, s.reader, p, a)
	e.Resource = shownResource(a.resource, err)
	return answer, err
}
