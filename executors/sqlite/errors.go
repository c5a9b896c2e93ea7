package sqlite

import (
	"context"
	"errors"
	"fmt"

	modernc "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

// errBusy is the answer to a call that found no free connection in time.
var errBusy = resource.Errorf(resource.Unavailable, "", "the server is busy: send the same call again in a moment")

// errSlow is the answer to a statement that ran out of its time.
var errSlow = resource.Errorf(resource.Timeout, "",
	"the database did not finish in time: narrow the filter, or sort by an indexed field")

// classify turns an error of the driver into an agent's error. The driver's text stays in its cause.
func classify(ctx context.Context, err error) error {
	if own, ok := errors.AsType[*resource.Error](err); ok {
		return own
	}
	cause := context.Cause(ctx)
	if errors.Is(cause, errSlow) {
		return errSlow.Caused(err)
	}
	if cause != nil {
		return resource.Errorf(resource.Timeout, "", "the call was stopped before the database finished").Caused(cause)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return errSlow.Caused(err)
	}
	// The low byte of an extended result code is its primary one (https://www.sqlite.org/rescode.html).
	failed, ok := errors.AsType[*modernc.Error](err)
	if !ok {
		return resource.Internal(err)
	}
	switch failed.Code() & 0xff {
	case lib.SQLITE_INTERRUPT:
		return errSlow.Caused(err)
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED, lib.SQLITE_PROTOCOL:
		return resource.Errorf(resource.Unavailable, "",
			"the database is locked by a change to it: send the same call again in a moment").Caused(err)
	case lib.SQLITE_CANTOPEN, lib.SQLITE_IOERR, lib.SQLITE_NOTADB, lib.SQLITE_NOMEM, lib.SQLITE_FULL,
		lib.SQLITE_READONLY: // a crashed writer's journal, which only a writer can roll back
		return resource.Errorf(resource.Unavailable, "", "the database cannot be reached: send the same call again later").Caused(err)
	case lib.SQLITE_ERROR, lib.SQLITE_SCHEMA: // a statement that was tried at the start names what is not there
		return resource.Internal(fmt.Errorf("%w: %w", executors.ErrDrift, err))
	default:
		return resource.Internal(err)
	}
}

// catalogue is the error of a start: for a developer, so that it may say everything, but for a database
// that is not there, which a caller of New can tell by its code.
func catalogue(ctx context.Context, err error) error {
	if own, ok := errors.AsType[*resource.Error](classify(ctx, err)); ok && own.Code != resource.CodeInternal {
		return own
	}
	return fmt.Errorf("sqlite: reading the catalogue: %w", err)
}

// because is the private cause of an error, for a developer's eyes.
func because(err error) string {
	if cause := errors.Unwrap(err); cause != nil {
		return " (" + cause.Error() + ")"
	}
	return ""
}
