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
	cut  []string
	full bool // more rows could not be shown anyway
	next int  // the first of rows that is not written yet
}

// embedded is one related row.
type embedded struct {
	parent int // counted from 0
	end    int // in the buffer
	over   bool
}

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
		inc := &inclusion{reading: reading{x: r.x, bd: in.target, c: c, tenant: r.tenant}, of: in, pooled: r.x.buffer()}
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
	if inc.full {
		return nil
	}
	parent := place - 1
	if n := len(inc.rows); n >= inc.of.most() && inc.rows[n-inc.of.most()].parent == parent {
		inc.rows[n-1].over = true
		return nil
	}
	if err := inc.append(values); err != nil {
		return err
	}
	inc.rows = append(inc.rows, embedded{parent: parent, end: len(inc.buf)})
	inc.full = len(inc.buf) > inc.x.opts.PageBytes
	return nil
}

// share is the part of a page that one embedded row may take before its longest values are cut.
const share = 4

func (inc *inclusion) append(values [][]byte) error {
	computed, over, err := inc.compute(values)
	if err != nil {
		return err
	}
	room := inc.x.opts.PageBytes / share
	out, err := inc.c.enc.Append(inc.buf, values, computed, inc.x.opts.PageBytes)
	switch {
	case err == nil && len(over) == 0 && len(out)-len(inc.buf) <= room:
		inc.buf = out
		return nil
	case err != nil && !errors.Is(err, serializer.ErrOver):
		return resource.Internal(err)
	}
	var cut []string
	if inc.buf, cut, err = inc.c.enc.AppendCut(inc.buf, values, computed, room); err != nil {
		return resource.Internal(err)
	}
	for _, name := range append(cut, over...) {
		if name = inc.of.cutName(name); !slices.Contains(inc.cut, name) {
			inc.cut = append(inc.cut, name)
		}
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

// appendAll writes the member of the row at a place, with all its related rows.
func (inc *inclusion) appendAll(dst []byte, parent int) []byte {
	dst, _ = inc.appendWithin(dst, parent, len(inc.buf)+len(inc.rows))
	return dst
}

// appendWithin writes the member with as many related rows as take at most room bytes.
func (inc *inclusion) appendWithin(dst []byte, parent, room int) (out []byte, rest int) {
	dst = append(appendName(dst, inc.of.Name), ':')
	if inc.of.toOne() {
		return inc.appendOne(dst, parent, room)
	}
	dst = append(dst, `{"rows":[`...)
	more := false
	for n := 0; inc.next < len(inc.rows) && inc.rows[inc.next].parent == parent; inc.next++ {
		row := inc.json(inc.next)
		if more = more || len(row)+1 > room; more {
			continue
		}
		if n > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, row...)
		room -= len(row) + 1
		more = inc.rows[inc.next].over
		n++
	}
	dst = strconv.AppendBool(append(dst, `],"has_more":`...), more)
	return append(dst, '}'), room
}

func (inc *inclusion) appendOne(dst []byte, parent, room int) (out []byte, rest int) {
	if inc.next == len(inc.rows) || inc.rows[inc.next].parent != parent {
		return append(dst, "null"...), room
	}
	row := inc.json(inc.next)
	inc.next++
	if len(row) > room {
		inc.cut = append(inc.cut, inc.of.Name)
		return append(dst, "null"...), room
	}
	return append(dst, row...), room - len(row)
}

// embed puts the related rows into the rows they belong to. Rows for which there is no room any more are left
// for the next page, and the first row shows as many as there is room for.
func (r *rows) embed() {
	if len(r.included) == 0 {
		return
	}
	size := len(r.buf)
	for _, inc := range r.included {
		size += len(inc.buf) + r.n*inc.of.frame
	}
	pooled := r.x.buffer()
	out := slices.Grow((*pooled)[:0], size)
	from := len(r.c.opening)
	out = append(out, r.buf[:from]...)
	for i, row := range r.shown {
		one := r.buf[from:row.end]
		next := r.appendEmbedded(out, one, i)
		switch {
		case len(next) <= row.budget+r.pl.reserve-r.naming():
			out = next
		case i == 0:
			out = r.appendSqueezed(out, one, row.budget)
		default:
			r.back(i)
		}
		if r.n == i {
			break
		}
		from = row.end
	}
	r.x.giveBack(r.pooled, r.buf)
	r.pooled, r.buf = pooled, out
	for _, inc := range r.included {
		r.cut = append(r.cut, inc.cut...)
	}
}

// naming is what the names of cut members take.
func (r *rows) naming() int {
	n := 0
	for _, inc := range r.included {
		for _, name := range inc.cut {
			n += len(appendName(nil, name)) + 1
		}
	}
	return n
}

// openEmbedded writes a row up to where its related rows stand.
func openEmbedded(dst, row []byte) []byte {
	dst = append(dst, row[:len(row)-1]...)
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(dst, `"included":{`...)
}

func (r *rows) appendEmbedded(dst, row []byte, place int) []byte {
	dst = openEmbedded(dst, row)
	for i, inc := range r.included {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = inc.appendAll(dst, place)
	}
	return append(dst, "}}"...)
}

// appendSqueezed writes the first row with what fits of its related rows. The budget leaves room for the
// members without rows.
func (r *rows) appendSqueezed(dst, row []byte, budget int) []byte {
	room := budget - len(dst) - len(row)
	dst = openEmbedded(dst, row)
	for i, inc := range r.included {
		if inc.next = 0; i > 0 {
			dst = append(dst, ',')
		}
		dst, room = inc.appendWithin(dst, 0, room)
	}
	return append(dst, "}}"...)
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
