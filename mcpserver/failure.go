package mcpserver

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"

	"github.com/tenantry/tenantry/resource"
)

// internalMessage stands before the reference of every internal error.
const internalMessage = "internal error: try again, or tell the operator this reference: "

// failure turns an error into the mistakes that an agent reads, so many at most, and tells the event about
// it. Only what is made for agents reaches them; any other error is internal, and its cause goes to the log.
func (s *Server) failure(ctx context.Context, err error, e *Event, most int) resource.Errors {
	if canceled(ctx, err) {
		e.Code, e.Outcome = resource.Unavailable, OutcomeCanceled
		return resource.Errors{errCanceled}
	}
	mistakes := public(err, most)
	first := mistakes[0]
	e.Code, e.Outcome = first.Code, outcomeOf(first.Code)
	if first.Code == resource.CodeInternal || first.Unwrap() != nil {
		if e.Reference == "" {
			e.Reference = newReference()
		}
		s.logCause(ctx, first, e)
		mistakes[0] = referenced(first, e.Reference)
	}
	return mistakes
}

var errCanceled = resource.Errorf(resource.Unavailable, "", "the call was cancelled before it finished: send it again")

// referenced is the error as it is shown, with the reference where the reader may need it.
func referenced(e *resource.Error, reference string) *resource.Error {
	shown := *e
	switch e.Code {
	case resource.CodeInternal:
		return resource.Errorf(resource.CodeInternal, "", "%s", internalMessage+reference)
	case resource.Unavailable:
		shown.Message += " (reference " + reference + ")"
	default:
	}
	return &shown
}

// public returns the mistakes as an agent may see them, at least one and at most so many. An internal error
// hides the others: nothing said beside it can be trusted.
func public(err error, most int) resource.Errors {
	var out resource.Errors
	if one, ok := err.(*resource.Error); ok {
		out = append(out, one) // whatever its cause is, it is not for agents
	} else if out = out.Add(err); len(out) == 0 {
		out = append(out, resource.Internal(errors.New("an empty list of mistakes")))
	}
	for _, e := range out {
		switch {
		case !e.Code.Known(): // of a host: clients know the codes of the contract
			return resource.Errors{resource.Internal(fmt.Errorf("the error %s has a code that is none: %w", e.Code, e))}
		case e.Code != resource.CodeInternal:
		case errors.Is(e, context.DeadlineExceeded):
			return resource.Errors{resource.Errorf(resource.Timeout, "", "the call did not finish in its time: send a narrower one").Caused(err)}
		default:
			return resource.Errors{e}
		}
	}
	return out[:min(len(out), most)]
}

// canceled reports whether the caller went away, which is nobody's fault.
func canceled(ctx context.Context, err error) bool {
	return errors.Is(ctx.Err(), context.Canceled) || errors.Is(err, context.Canceled)
}

func newReference() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// logCause writes what an agent must not see, under the reference it was given. The text of a database
// error may quote values of a row, so that it is for the debug level only.
func (s *Server) logCause(ctx context.Context, e *resource.Error, ev *Event) {
	cause := e.Unwrap()
	attrs := []slog.Attr{
		slog.String("reference", ev.Reference), slog.String("tool", ev.Tool), slog.String("resource", ev.Resource),
		slog.String("code", string(e.Code)), slog.String("type", fmt.Sprintf("%T", cause)),
	}
	level := slog.LevelError
	if e.Code != resource.CodeInternal {
		level = slog.LevelWarn
	}
	var state interface{ SQLState() string }
	if errors.As(cause, &state) {
		attrs = append(attrs, slog.String("sqlstate", state.SQLState()))
		s.opts.Logger.LogAttrs(ctx, slog.LevelDebug, "cause of a failed call", slog.String("reference", ev.Reference), slog.String("cause", cause.Error()))
	} else if cause != nil {
		attrs = append(attrs, slog.String("cause", cause.Error()))
	}
	s.opts.Logger.LogAttrs(ctx, level, "a call failed", attrs...)
}

// failureJSON writes {"error":…} and, beside several mistakes, "errors" with all of them.
func failureJSON(mistakes resource.Errors) []byte {
	body := struct {
		Error  *resource.Error `json:"error"`
		Errors resource.Errors `json:"errors,omitempty"`
	}{Error: mistakes[0]}
	if len(mistakes) > 1 {
		body.Errors = mistakes
	}
	if out := encode(body); out != nil {
		return out
	}
	return []byte(`{"error":{"code":"internal","message":"internal error"}}`)
}
