package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/tenantry/tenantry/migrations"
)

// migrate applies the framework's own objects, or prints how far a database has them.
func migrate(ctx context.Context, t *terminal, f *flags) error {
	address := f.String("database", "", "postgres://USER@HOST/NAME, as the owner of the objects")
	if err := f.parse(t, 1, 1); err != nil {
		return err
	}
	switch {
	case f.rest[0] != "up" && f.rest[0] != "version":
		return f.bad("there is no migrate %q", f.rest[0])
	case !strings.HasPrefix(*address, "postgres://") && !strings.HasPrefix(*address, "postgresql://"):
		return f.bad("--database is a postgres:// URL")
	}
	if f.rest[0] == "up" {
		if err := migrations.Up(ctx, *address, migrations.Framework); err != nil {
			return migrateError(*address, err)
		}
	}
	at, dirty, err := migrations.Version(ctx, *address, migrations.Framework)
	if err != nil {
		return migrateError(*address, err)
	}
	state := ""
	if dirty {
		state = " (unfinished: tenantry migrate up says what to do)"
	}
	_, err = fmt.Fprintf(t.out, "version %d%s\n", at, state)
	return err
}

// migrateError tells a database that cannot be reached from one that has to be looked at. The text of a
// DirtyError is the steps to take.
func migrateError(address string, err error) error {
	text := withoutSecrets(err.Error(), address)
	if _, ok := errors.AsType[*migrations.DirtyError](err); ok {
		return &failure{statusFailed, steps(text)}
	}
	if network(err) {
		return failf(statusUnreachable, "the database cannot be reached: see that it runs and that --database names it (%s)", oneLine(text))
	}
	return failf(statusFailed, "%s", text)
}

// steps is an error whose lines are to stand below each other.
type steps string

func (s steps) Error() string { return string(s) }

// network reports whether the connection failed, rather than what was said over it.
func network(err error) bool {
	if _, ok := errors.AsType[*net.OpError](err); ok {
		return true
	}
	_, ok := errors.AsType[*net.DNSError](err)
	return ok || errors.Is(err, context.DeadlineExceeded)
}
