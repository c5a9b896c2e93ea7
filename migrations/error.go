package migrations

import (
	"fmt"
	"strings"
)

// DirtyError says that a file failed part of the way, now or in an earlier run, and that nothing is applied
// until somebody has looked. Its text names the version, the file and the steps.
//
// PostgreSQL runs a file as one transaction, so a file that failed has usually left nothing behind but the
// mark. The exceptions are files that commit in between and files with a CONCURRENTLY.
type DirtyError struct {
	// Set is the name of the set and Table its version table.
	Set, Table string

	// Version is the number of the file that failed, and File its name; File is empty when this build
	// does not have it.
	Version uint
	File    string

	// Previous is the version before it; zero when it was the first.
	Previous uint

	// Cause is the database's own error when the file failed in this run, else nil.
	Cause error
}

// Error is a text for whoever runs the migrations. It contains what the database said.
func (e *DirtyError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "migrations: the %s set stopped at version %d (%s)", e.Set, e.Version, e.file())
	if e.Cause != nil {
		fmt.Fprintf(&b, ": %v", e.Cause)
	} else {
		b.WriteString(", which failed in an earlier run")
	}
	fmt.Fprintf(&b, "\nNothing more is applied until this is settled by hand:"+
		"\n  1. See what %s has left in the database, and undo it; a file without COMMIT or CONCURRENTLY has left nothing."+
		"\n  2. Correct the cause."+
		"\n  3. Take the mark away: %s"+
		"\n  4. Run the migrations again.", e.file(), e.unmark())
	return b.String()
}

// Unwrap returns Cause.
func (e *DirtyError) Unwrap() error { return e.Cause }

func (e *DirtyError) file() string {
	if e.File == "" {
		return "a file this build does not have"
	}
	return e.File
}

func (e *DirtyError) unmark() string {
	if e.Previous == 0 {
		return fmt.Sprintf("DELETE FROM %s;", e.Table)
	}
	return fmt.Sprintf("UPDATE %s SET version = %d, dirty = false;", e.Table, e.Previous)
}

// dirty describes the mark at a version of the set.
func (s Set) dirty(version uint, cause error) error {
	e := &DirtyError{Set: s.Name, Table: s.Table, Version: version, File: s.file(version), Cause: cause}
	for n := range s.files() {
		if n < version {
			e.Previous = max(e.Previous, n)
		}
	}
	return e
}
