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
	principal *auth.Principal
	selection selection
	arguments []byte // well-formed JSON, or nil
}

// reply is the answer of a tool: its JSON, or the JSON of its error.
type reply struct {
	body     []byte
	isError  bool
	mistakes resource.Errors // those of the error; never empty beside isError
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
		mistakes := s.failure(ctx, err, &e)
		out = reply{body: failureJSON(mistakes), isError: true, mistakes: mistakes}
	} else {
		out.body = answer.JSON
		e.Outcome, e.Rows, e.Truncated, e.Database = OutcomeOK, answer.Rows, answer.Truncated, answer.Database
	}
	e.Caller, e.Bytes, e.Duration = callerOf(c.principal), len(out.body), time.Since(start)
	return out, e
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
	if c.principal == nil || expired(c.principal) {
		return nil, resource.Errorf(resource.Unauthenticated, "", "the call carries no valid token: authenticate again")
	}
	p, err := activate(c.principal, c.selection, s.reader.TenantKind(), c.tool.tenant)
	if err != nil {
		return nil, err
	}
	c.principal = p
	a := decode(c.tool, c.arguments)
	answer, err := c.tool.run(ctx, s.reader, p, a)
	e.Resource = shownResource(a.resource, err)
	return answer, err
}
