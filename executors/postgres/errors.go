package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

// errBusy is the answer to a call that found no free connection in time.
var errBusy = resource.Errorf(resource.Unavailable, "", "the server is busy: send the same call again in a moment")

// errSlow is the answer to a call that ran out of its time.
var errSlow = resource.Errorf(resource.Timeout, "", "the database did not finish in time: narrow the filter, or sort by an indexed field")

// classify turns an error of the driver into an agent's error. The driver's text stays in its cause.
// SQLSTATE classes are those of the PostgreSQL manual, appendix A.
func classify(ctx context.Context, err error) error {
	if own, ok := errors.AsType[*resource.Error](err); ok {
		return own
	}
	cause := context.Cause(ctx)
	if errors.Is(cause, errSlow) {
		return errSlow.Caused(err)
	}
	if cause != nil {
		return stopped(cause)
	}
	pg, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		return resource.Errorf(resource.Unavailable, "", "the database cannot be reached: send the same call again later").Caused(err)
	}
	switch {
	case pg.Code == "57014", pg.Code == "25P04":
		return errSlow.Caused(err)
	case pg.Code == "55P03":
		return resource.Errorf(resource.Timeout, "", "the rows are locked by a change to the database: send the same call again in a moment").Caused(err)
	case strings.HasPrefix(pg.Code, "08"), strings.HasPrefix(pg.Code, "53"), strings.HasPrefix(pg.Code, "57P"):
		return resource.Errorf(resource.Unavailable, "", "the database is not available: send the same call again later").Caused(err)
	case drift(pg.Code):
		return resource.Internal(fmt.Errorf("%w: %w", executors.ErrDrift, err))
	default:
		return resource.Internal(err)
	}
}

// drift reports whether a statement that has been tried at the start can fail so only because the database
// has changed: an object is not there, of another type or not ours to read, a plan no longer fits, a label
// of an enum is gone, or what the catalogue names is gone in the middle.
func drift(code string) bool {
	return strings.HasPrefix(code, "42") || code == "0A000" || code == "22P02" || code == "XX000"
}

// stopped is the error of a call whose context ended.
func stopped(cause error) error {
	return resource.Errorf(resource.Timeout, "", "the call was stopped before the database finished").Caused(cause)
}

// stale reports whether a prepared statement no longer fits the database: its result changed, or it is
// not there, as behind a pooler that swaps servers.
func stale(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (pg.Code == "0A000" || pg.Code == "26000")
}

// catalogue is the error of a start: for a developer, so that it says everything. That the database is not
// there can be told by the code of the *resource.Error in its chain.
func catalogue(ctx context.Context, err error) error {
	if own, ok := errors.AsType[*resource.Error](classify(ctx, err)); ok && own.Code != resource.CodeInternal {
		return fmt.Errorf("postgres: %w: %w", own, err)
	}
	return fmt.Errorf("postgres: reading the catalogue: %w", err)
}
