package mcpserver

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"log/slog"
	"time"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/resource"
)

// Event describes one call for logs, metrics and audits: never a value, an argument or a token.
type Event struct {
	// Tool is the name without the prefix, or "resources/read" where a URI is read, or "tools/list" where a
	// predicate failed over a list; "_other" for a name that is no tool; empty when the call was refused
	// before it named one.
	Tool string

	// Resource is the name of a resource that the caller may read; "_other" for any other name; empty
	// for none. So both are safe as labels of a metric.
	Resource string

	// Caller is a digest of issuer, subject, client and tenant, the same for every call of the same
	// caller. Empty for a caller that was not verified.
	Caller string

	Outcome   Outcome
	Code      resource.Code // of the first mistake; empty when there was none, and for a fault of the protocol
	Reference string        // what the log has the cause under; empty when there is none

	// GateFailures is how many predicates failed over the call, by an error, a crash or too much time. Each
	// denied: the caller cannot tell, and may be missing what it should see.
	GateFailures int

	Rows      int
	Bytes     int // of the answer's JSON, counted once
	Truncated bool

	Duration time.Duration // in this server
	Database time.Duration // of it, in the database
}

// Outcome says how a call ended.
type Outcome string

// The outcomes.
const (
	OutcomeOK          Outcome = "ok"
	OutcomeAsked       Outcome = "asked"       // the person behind the client is asked first; the call comes again
	OutcomeInvalid     Outcome = "invalid"     // a mistake in the arguments or in the protocol
	OutcomeNotFound    Outcome = "not_found"   // no such row
	OutcomeRefused     Outcome = "refused"     // no valid token, a foreign tenant, origin or host
	OutcomeLimited     Outcome = "limited"     // too much at once
	OutcomeTimeout     Outcome = "timeout"     // the database ran out of time
	OutcomeUnavailable Outcome = "unavailable" // the database or the token authority is away
	OutcomeError       Outcome = "error"       // our fault
	OutcomeCanceled    Outcome = "canceled"    // the caller went away
)

const other = "_other"

func outcomeOf(code resource.Code) Outcome {
	switch code {
	case resource.NotFound:
		return OutcomeNotFound
	case resource.Unauthenticated, resource.Forbidden:
		return OutcomeRefused
	case resource.LimitExceeded, resource.RateLimited:
		return OutcomeLimited
	case resource.Timeout:
		return OutcomeTimeout
	case resource.Unavailable:
		return OutcomeUnavailable
	case resource.CodeInternal:
		return OutcomeError
	default:
		return OutcomeInvalid
	}
}

// shownResource is the name for Event.Resource: a name that only the caller uses is no label.
func shownResource(name string, err error) string {
	if name == "" || err == nil {
		return name
	}
	var all resource.Errors
	for _, e := range all.Add(err) {
		if e.Code == resource.UnknownResource {
			return other
		}
	}
	return name
}

// callerOf returns a digest that is never empty and the same for no two callers: every part is written
// behind its length.
func callerOf(p *auth.Principal) string {
	if p == nil {
		return ""
	}
	h := sha256.New()
	parts := []string{p.Issuer(), p.Subject(), p.Client(), string(p.Tenant().Kind()), p.Tenant().Key()}
	for _, part := range parts {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(part)))
		_, _ = h.Write(n[:]) // a hash takes everything
		_, _ = h.Write([]byte(part))
	}
	var sum [sha256.Size]byte
	var text [43]byte
	return string(base64.RawURLEncoding.AppendEncode(text[:0], h.Sum(sum[:0])))
}

// logEvents is the default of Options.Events.
func logEvents(log *slog.Logger) func(context.Context, Event) {
	return func(ctx context.Context, e Event) {
		log.LogAttrs(ctx, slog.LevelInfo, "call",
			slog.String("tool", e.Tool), slog.String("resource", e.Resource), slog.String("caller", e.Caller),
			slog.String("outcome", string(e.Outcome)), slog.String("code", string(e.Code)), slog.String("reference", e.Reference),
			slog.Int("rows", e.Rows), slog.Int("bytes", e.Bytes), slog.Bool("truncated", e.Truncated), slog.Int("gate_failures", e.GateFailures),
			slog.Duration("duration", e.Duration), slog.Duration("database", e.Database))
	}
}
