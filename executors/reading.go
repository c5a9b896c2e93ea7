package executors

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
)

// reading is one statement of a call, whose rows are checked and shown.
type reading struct {
	x      *Executor
	bd     *bound
	c      *compiled
	tenant string // the caller's

	foreign *bound // the resource of a row that was not the caller's
}

// owned is the witness: the row belongs to the caller's tenant, or is flagged as shared, and so does every
// related row whose key it brings. It does not trust the statement's own conditions. Rows of a resource that
// was registered as global belong to nobody, and have no witness.
func (r *reading) owned(values [][]byte) bool {
	if !r.bd.global() && !r.witnessed(r.c.flags, values[r.c.witness:]) {
		r.foreign = r.bd
		return false
	}
	for _, at := range r.c.lists {
		list := serializer.NewKeyList(values[at.index]) // outside: a variable of the loop would be a new one each time
		for list.Next() {
			if !at.target.global() && (len(list.Parts()) < len(at.flags) || !r.witnessed(at.flags, list.Parts())) {
				r.foreign = at.target
				return false
			}
		}
	}
	return true
}

// witnessed compares the witnesses of a row, of which one must hold: without any, none does.
func (r *reading) witnessed(flags []bool, witnesses [][]byte) bool {
	if !witnessWall {
		return true
	}
	for i, flag := range flags {
		v := witnesses[i]
		switch {
		case v == nil:
		case flag && r.x.dialect.IsTrue(v), !flag && string(v) == r.tenant:
			return true
		}
	}
	return false
}

// failed turns what stopped a call into its error. A resource that brought a row of another tenant is out of
// service.
func (r *reading) failed(ctx context.Context, err error) error {
	if r.foreign == nil || !errors.Is(err, ErrForeign) {
		return err
	}
	r.x.blocked[r.foreign.res.Name()].Store(true)
	r.x.opts.Logger.LogAttrs(ctx, slog.LevelError, "isolation blocked: a row of another tenant came back; the resource answers nothing until the process is restarted",
		slog.String("event", "isolation_blocked"), slog.String("resource", r.foreign.res.Name()))
	return resource.Internal(err)
}

// compute asks the host's serializer for the computed members. One that would read a value too long to
// leave the database is shown as null and named as cut.
func (r *reading) compute(values [][]byte) (out []any, over []string, err error) {
	c := &r.c.computed
	if len(c.names) == 0 {
		return nil, nil, nil
	}
	for i, col := range c.columns {
		if col.Long && len(values[c.cells[i]]) > r.x.opts.PageBytes {
			return make([]any, len(c.names)), c.names, nil
		}
	}
	out, err = r.bd.res.Serializer().Compute(hostRow{r, values}, c.names)
	switch {
	case err != nil:
		return nil, nil, resource.Internal(fmt.Errorf("the serializer of %s: %w", r.bd.res.Name(), err))
	case len(out) != len(c.names):
		return nil, nil, resource.Internal(fmt.Errorf("the serializer of %s returned %d values for %d members", r.bd.res.Name(), len(out), len(c.names)))
	}
	return out, nil, nil
}

// guard turns a panic of the host's code, in Compute or in how its values marshal, into an error of the call.
func (r *reading) guard(err *error) {
	if p := recover(); p != nil {
		*err = resource.Internal(fmt.Errorf("the serializer of %s panicked: %v", r.bd.res.Name(), p))
	}
}

// hostRow lets a serializer read the columns its members declared.
type hostRow struct {
	r      *reading
	values [][]byte
}

func (h hostRow) Scan(column string, dest any) error {
	c := &h.r.c.computed
	for i, col := range c.columns {
		if col.Name == column {
			return h.r.x.db.Scan(col, h.values[c.cells[i]], h.r.c.binary[c.cells[i]], dest)
		}
	}
	return fmt.Errorf("the column %q is not one that the selected members declared to read", column)
}
