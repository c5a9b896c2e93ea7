package resource

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Code is one of the closed set of error codes an agent sees.
type Code string

// The codes.
const (
	// UnknownResource: no such resource for this caller, whether hidden or absent.
	UnknownResource Code = "unknown_resource"
	// UnknownArgument: the tool has no argument of that name.
	UnknownArgument Code = "unknown_argument"
	// UnknownField: a name in fields, include or sort that cannot be used there.
	UnknownField Code = "unknown_field"
	// UnknownFilter: a filter key that does not exist for this caller.
	UnknownFilter Code = "unknown_filter"
	// InvalidArgument: an argument of the wrong type or out of its bounds.
	InvalidArgument Code = "invalid_argument"
	// InvalidFilter: a filter of the wrong form, operator or value.
	InvalidFilter Code = "invalid_filter"
	// InvalidCursor: a cursor that is not valid for this request, for whatever reason.
	InvalidCursor Code = "invalid_cursor"
	// NotFound: no row with that key in the caller's tenant.
	NotFound Code = "not_found"
	// Unauthenticated: the call carries no valid identity.
	Unauthenticated Code = "unauthenticated"
	// Forbidden: the caller may not do this, or must name one of its tenants.
	Forbidden Code = "forbidden"
	// LimitExceeded: more values, conditions or bytes than one call may send.
	LimitExceeded Code = "limit_exceeded"
	// RateLimited: too many calls; later ones will be served.
	RateLimited Code = "rate_limited"
	// Timeout: the database did not finish in its time; a narrower call may.
	Timeout Code = "timeout"
	// Unavailable: the database cannot be reached or is busy; the same call may succeed later.
	Unavailable Code = "unavailable"
	// CodeInternal: our fault. The message is fixed and ends in a correlation id.
	CodeInternal Code = "internal"
)

// Known reports whether a code is one of the closed set.
func (c Code) Known() bool {
	switch c {
	case UnknownResource, UnknownArgument, UnknownField, UnknownFilter, InvalidArgument, InvalidFilter, InvalidCursor, NotFound,
		Unauthenticated, Forbidden, LimitExceeded, RateLimited, Timeout, Unavailable, CodeInternal:
		return true
	default:
		return false
	}
}

// Error is a mistake as an agent sees it: what was wrong and what to send instead, in one line. Its
// cause is for the log alone and never part of the message.
type Error struct {
	Code        Code     `json:"code"`
	Message     string   `json:"message"`
	Path        string   `json:"path,omitempty"` // a JSON Pointer (RFC 6901) into the arguments
	Allowed     []string `json:"allowed,omitempty"`
	Suggestions []string `json:"suggestions,omitempty"`
	Example     any      `json:"example,omitempty"`

	cause error
}

// Errorf returns an Error with a formatted message. The message must name nothing but the caller's
// own input, shortened by Echo, and what the caller may see.
func Errorf(code Code, path, format string, args ...any) *Error {
	return &Error{Code: code, Path: path, Message: fmt.Sprintf(format, args...)}
}

// Internal hides cause behind the fixed message of an internal error. The correlation id is added
// where the error is logged.
func Internal(cause error) *Error {
	return &Error{Code: CodeInternal, Message: "internal error", cause: cause}
}

// Caused returns a copy of e that carries cause for the log.
func (e *Error) Caused(cause error) *Error {
	c := *e
	c.cause = cause
	return &c
}

// Error returns the public message behind its code. It never contains the cause.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Unwrap returns the private cause, or nil.
func (e *Error) Unwrap() error { return e.cause }

// Errors is every mistake of one call, in the order found. An Errors that is returned as an error
// is never empty.
type Errors []*Error

// Error joins the messages for a developer's eyes.
func (es Errors) Error() string {
	parts := make([]string, len(es))
	for i, e := range es {
		parts[i] = e.Error()
	}
	return strings.Join(parts, "; ")
}

// Unwrap returns the mistakes for errors.Is and errors.As.
func (es Errors) Unwrap() []error {
	out := make([]error, len(es))
	for i, e := range es {
		out[i] = e
	}
	return out
}

// Add appends err, taking an Errors apart. A nil err adds nothing; an error of another type is
// internal.
func (es Errors) Add(err error) Errors {
	if err == nil {
		return es
	}
	if many, ok := errors.AsType[Errors](err); ok {
		return append(es, many...)
	}
	if one, ok := errors.AsType[*Error](err); ok {
		return append(es, one)
	}
	return append(es, Internal(err))
}

// Err returns es as an error, or nil when there is no mistake.
func (es Errors) Err() error {
	if len(es) == 0 {
		return nil
	}
	return es
}

const maxEcho = 40

// Echo quotes the caller's own input for a message: at most 40 characters of it, control characters
// escaped.
func Echo(s string) string {
	if utf8.RuneCountInString(s) > maxEcho {
		s = Clip(s)
	}
	return strconv.Quote(s)
}

// Pointer appends one reference token to a JSON Pointer, escaped as RFC 6901 says.
func Pointer(path string, tokens ...string) string {
	var b strings.Builder
	b.WriteString(path)
	for _, t := range tokens {
		b.WriteByte('/')
		b.WriteString(pointerEscaper.Replace(Clip(t)))
	}
	return b.String()
}

var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

// Clip shortens a name that a caller made up to 40 characters, for the places that echo it. The result
// is valid UTF-8.
func Clip(s string) string {
	if utf8.RuneCountInString(s) <= maxEcho {
		return strings.ToValidUTF8(s, "\uFFFD")
	}
	return string([]rune(s[:min(len(s), utf8.UTFMax*maxEcho)])[:maxEcho]) + "…"
}
