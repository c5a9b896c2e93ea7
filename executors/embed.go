package executors

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
)

// inclusion is an included relation on its way: the related rows that came, as JSON, by the places of the
// rows they belong to.
type inclusion struct {
	reading
	of *include

	pooled *[]byte
	buf    []byte

	rows []embedded
	full int // the place of the row from which on related rows are missing: they could not be shown anyway
	next int // the first of rows that is not written yet
}

// embedded is one related row.
type embedded struct {
	parent int // the place of the row it belongs to, counted from 0
	end    int // in the buffer
	over   bool
	long   bool // it has a value that is longer than a page, and is not in the buffer

	// Of the first row's alone: the row with its longest values cut, and their names, when it is large.
	short []byte
	names []string
}

// nowhere is the place at which an inclusion misses nothing.
const nowhere = 1 << 30

// including makes the statements of the included relations.
func (r *rows) including() ([]*Statement, error) {
	if r.pl.limit == 0 {
		return nil, nil
	}
	var out []*Statement
	for _, in := range r.pl.includes {
		c, err := r.x.compiledInclude(r.pl, in)
		if err != nil {
			return nil, err
		}
		inc := &inclusion{reading: reading{x: r.x, bd: in.target, c: c, tenant: r.tenant}, of: in, pooled: r.x.buffer(), full: nowhere}
		inc.buf = (*inc.pooled)[:0]
		r.included = append(r.included, inc)
		out = append(out, &Statement{SQL: c.sql, Args: r.pl.args(c), Binary: c.binary, OIDs: c.oids, Row: inc.row})
	}
	return out, nil
}

// row takes one related row. It never wants to stop: other statements wait behind this one.
func (inc *inclusion) row(values [][]byte) (err error) {
	if len(inc.c.computed.names) > 0 {
		defer inc.guard(&err)
	}
	if !inc.owned(values) {
		return ErrForeign
	}
	place, err := strconv.Atoi(string(values[0]))
	if err != nil {
		return resource.Internal(err)
	}
	parent, n := place-1, len(inc.rows)
	switch {
	case n >= inc.of.most() && inc.rows[n-inc.of.most()].parent == parent, inc.full < nowhere && inc.rows[n-1].parent == parent:
		inc.rows[n-1].over = true
		return nil
	case inc.full < nowhere:
		return nil
	default:
		return inc.append(values, parent)
	}
}

// share is the part of a page that an embedded row may take when it has to be cut.
const share = 4

func (inc *inclusion) append(values [][]byte, parent int) error {
	computed, over, err := inc.compute(values)
	if err != nil {
		return err
	}
	out, err := inc.c.enc.Append(inc.buf, values, computed, inc.x.opts.PageBytes)
	if err != nil && !errors.Is(err, serializer.ErrOver) {
		return resource.Internal(err)
	}
	e, room := embedded{parent: parent}, inc.x.opts.PageBytes/share
	size := len(out) - len(inc.buf)
	if e.long = err != nil || len(over) > 0 || size > inc.x.opts.PageBytes; !e.long {
		inc.buf = out
	}
	if parent == 0 && (e.long || size > room) {
		if e.short, e.names, err = inc.c.enc.AppendCut(nil, values, computed, room); err != nil {
			return resource.Internal(err)
		}
		e.names = append(e.names, over...)
		for i := range e.names {
			e.names[i] = inc.of.cutName(e.names[i])
		}
	}
	e.end = len(inc.buf)
	inc.rows = append(inc.rows, e)
	if len(inc.buf) > inc.x.opts.PageBytes || e.long && parent > 0 {
		inc.full = parent
	}
	return nil
}

// json is the JSON of an embedded row.
func (inc *inclusion) json(i int) []byte {
	from := 0
	if i > 0 {
		from = inc.rows[i-1].end
	}
	return inc.buf[from:inc.rows[i].end]
}

// appendAll writes the member of the row at a place, with all its related rows. It is false when one of them is
// longer than a page.
func (inc *inclusion) appendAll(dst []byte, parent int) (out []byte, whole bool) {
	dst = append(appendName(dst, inc.of.Name), ':')
	from := inc.next
	for inc.next < len(inc.rows) && inc.rows[inc.next].parent == parent {
		if inc.rows[inc.next].long {
			return dst, false
		}
		inc.next++
	}
	if inc.of.toOne() {
		if inc.next == from {
			return append(dst, "null"...), true
		}
		return append(dst, inc.json(from)...), true
	}
	dst = append(dst, `{"rows":[`...)
	for i := from; i < inc.next; i++ {
		if i > from {
			dst = append(dst, ',')
		}
		dst = append(dst, inc.json(i)...)
	}
	more := inc.next > from && inc.rows[inc.next-1].over
	return append(strconv.AppendBool(append(dst, `],"has_more":`...), more), '}'), true
}

// embed puts the related rows into the rows they belong to. Rows for which there is no room any more are left
// for the next page, and a first row for which there is none shows what fits.
func (r *rows) embed() {
	if len(r.included) == 0 {
		return
	}
	size, end := len(r.buf), r.n
	for _, inc := range r.included {
		size += len(inc.buf) + r.n*inc.of.frame
		end = min(end, max(inc.full, 1))
	}
	pooled := r.x.buffer()
	out := slices.Grow((*pooled)[:0], size)
	from := len(r.c.opening)
	out = append(out, r.buf[:from]...)
	for i := 0; i < end; i++ {
		row := r.shown[i]
		next, whole := r.appendEmbedded(out, r.buf[from:row.end], i)
		switch {
		case whole && len(next) <= row.budget+r.pl.reserve-r.cutNames():
			out = next
		case i == 0:
			out, end = r.appendSqueezed(out, r.buf[from:row.end], row.budget-r.c.naming), 1
		default:
			end = i
		}
		from = row.end
	}
	if end < r.n {
		r.back(end)
	}
	r.x.giveBack(r.pooled, r.buf)
	r.pooled, r.buf = pooled, out
}

// cutNames is the room that the names of what was cut of the row itself take.
func (r *rows) cutNames() int {
	if len(r.cut) == 0 {
		return 0
	}
	return r.c.naming
}

// openEmbedded writes a row up to where its related rows stand.
func openEmbedded(dst, row []byte) []byte {
	dst = append(dst, row[:len(row)-1]...)
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(dst, `"included":{`...)
}

func (r *rows) appendEmbedded(dst, row []byte, place int) (out []byte, whole bool) {
	dst, whole = openEmbedded(dst, row), true
	for i, inc := range r.included {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, whole = inc.appendAll(dst, place); !whole {
			return dst, false
		}
	}
	return append(dst, "}}"...), true
}

// show notes a row that was written, and its place in the listing.
func (r *rows) show(budget int) {
	if r.shown == nil {
		n := r.pl.limit
		r.shown, r.shownAt = make([]shownRow, 0, n), make([]int, 0, n*len(r.lastAt))
		r.shownBy = make([]byte, 0, n*len(r.last))
	}
	r.shownBy, r.shownAt = append(r.shownBy, r.last...), append(r.shownAt, r.lastAt...)
	r.shown = append(r.shown, shownRow{len(r.buf), budget, len(r.shownBy), len(r.shownAt)})
}

// back ends the page before the row at a place.
func (r *rows) back(place int) {
	r.n, r.more, r.truncated = place, true, true
	var from shownRow
	if place > 1 {
		from = r.shown[place-2]
	}
	last := r.shown[place-1]
	r.last, r.lastAt = r.shownBy[from.by:last.by], r.shownAt[from.at:last.at]
}

// shownRow is a row of the page, kept until it is known whether there is room for its related rows.
type shownRow struct {
	end    int // in the buffer
	budget int // of the answer up to the row, without its related rows
	by, at int // ends in shownBy and shownAt
}

// failed is that of the page, or of the statement whose row was not the caller's.
func (r *rows) failed(ctx context.Context, err error) error {
	for _, inc := range r.included {
		if inc.foreign != nil {
			return inc.failed(ctx, err)
		}
	}
	return r.reading.failed(ctx, err)
}
