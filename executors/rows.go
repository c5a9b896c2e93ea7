package executors

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
)

// rows turns the raw rows of one statement into JSON: witness, limit, bytes, in that order, for every row.
type rows struct {
	reading
	pl *plan

	pooled    *[]byte
	buf       []byte
	n         int
	more      bool
	truncated bool
	cut       []string
	spent     time.Duration

	last   []byte // the raw sort values of the last row shown, back to back
	lastAt []int  // where each ends; negative for NULL

	roomLast [64]byte // what last and lastAt begin with: most cursors are small
	roomAt   [4]int

	included []*inclusion
	shown    []shownRow // with included relations
	shownBy  []byte     // what last was for each of them, back to back
	shownAt  []int      // what lastAt was
	full     bool       // the page takes no more rows, and other statements wait behind it

	short      []byte // the first row with its longest values cut, when it is large and rows are embedded in it
	shortNames []string
}

func (r *rows) start(x *Executor, pl *plan, c *compiled) {
	r.x, r.bd, r.pl, r.c, r.pooled = x, pl.bd, pl, c, x.buffer()
	r.buf = append((*r.pooled)[:0], c.opening...)
	r.last, r.lastAt = r.roomLast[:0], r.roomAt[:0]
}

// opening is how every answer of a shape begins.
func opening(pl *plan) []byte {
	buf := appendName([]byte(`{"resource":`), pl.bd.res.Name())
	if pl.get {
		return append(buf, `,"row":`...)
	}
	return append(buf, `,"rows":[`...)
}

// maxPooled keeps one enormous answer from staying in memory for good.
const maxPooled = 256 << 10

func (r *rows) release() {
	r.x.giveBack(r.pooled, r.buf)
	for _, inc := range r.included {
		r.x.giveBack(inc.pooled, inc.buf)
	}
}

// buffer is an empty buffer to be given back.
func (x *Executor) buffer() *[]byte {
	pooled, _ := x.buffers.Get().(*[]byte)
	return pooled
}

// giveBack keeps a buffer, as far as it has grown, for another call.
func (x *Executor) giveBack(pooled *[]byte, grown []byte) {
	if cap(grown) <= maxPooled {
		*pooled = grown[:0]
		x.buffers.Put(pooled)
	}
}

// done is the answer with bytes of its own.
func (r *rows) done() *Answer {
	out := make([]byte, len(r.buf))
	copy(out, r.buf)
	return &Answer{JSON: out, Rows: r.n, More: r.more, Truncated: r.truncated || len(r.cut) > 0, Database: r.spent}
}

// row takes one row of the statement.
func (r *rows) row(values [][]byte) (err error) {
	if len(r.c.computed.names) > 0 {
		defer r.guard(&err)
	}
	if !r.owned(values) {
		return ErrForeign
	}
	if r.full {
		return nil
	}
	if r.n == r.pl.limit {
		r.more = true
		return r.stop()
	}
	computed, over, err := r.compute(values)
	if err != nil {
		return err
	}
	mark := len(r.buf)
	if r.n > 0 {
		r.buf = append(r.buf, ',')
	}
	budget := r.x.opts.PageBytes - r.tail(values) - r.pl.reserve
	out, err := r.c.enc.Append(r.buf, values, computed, r.x.opts.PageBytes)
	switch {
	case err == nil && len(over) == 0 && len(out) <= budget:
		r.buf = out
	case err != nil && !errors.Is(err, serializer.ErrOver):
		return resource.Internal(err)
	case r.n > 0:
		r.buf, r.more, r.truncated = r.buf[:mark], true, true
		return r.stop()
	default:
		r.buf, r.cut, err = r.c.enc.AppendCut(r.buf, values, computed, budget-mark-r.c.naming)
		r.cut = append(r.cut, over...)
		if err != nil {
			return resource.Internal(err)
		}
	}
	r.n++
	r.keep(values)
	if len(r.pl.includes) == 0 {
		return nil
	}
	r.show(budget)
	if half := r.x.opts.PageBytes / 2; r.n == 1 && len(r.buf)-mark > half { // what is embedded may be worth more
		if r.short, r.shortNames, err = r.c.enc.AppendCut(nil, values, computed, half); err != nil {
			return resource.Internal(err)
		}
		r.shortNames = append(r.shortNames, over...)
	}
	return nil
}

// stop wants no more rows, unless statements wait behind this one whose rows are part of the answer: then
// the rest is read and dropped.
func (r *rows) stop() error {
	if r.full = len(r.included) > 0; r.full {
		return nil
	}
	return ErrStop
}

// keep notes the row's place in the listing, as the driver gave it: only the last row's is ever written.
func (r *rows) keep(values [][]byte) {
	r.last, r.lastAt = r.last[:0], r.lastAt[:0]
	for _, t := range r.c.terms {
		v := values[t.index]
		if v == nil {
			r.lastAt = append(r.lastAt, -1)
			continue
		}
		r.last = append(r.last, v...)
		r.lastAt = append(r.lastAt, len(r.last))
	}
}

// unquoted is the text inside a JSON value of a binary kind: none of them needs an escape.
func unquoted(b []byte) []byte {
	if len(b) >= 2 && b[0] == '"' {
		return b[1 : len(b)-1]
	}
	return b
}

func (r *rows) lastValues() []posValue {
	out := make([]posValue, len(r.c.terms))
	scratch := make([]byte, 0, 64)
	from := 0
	for i, t := range r.c.terms {
		to := r.lastAt[i]
		if to < 0 {
			out[i] = posValue{form: formNull}
			continue
		}
		v := r.last[from:to]
		if t.write != nil {
			v = unquoted(t.write(scratch, v))
		}
		out[i] = positionOf(string(v), t.marked)
		from = to
	}
	return out
}

// positionOf is the value of a term as a cursor carries it.
func positionOf(text string, marked bool) posValue {
	if marked {
		return posValue{form: posForm(text[0]), text: text[1:]}
	}
	return posValue{form: formValue, text: text}
}

// appendName appends a text as encoding/json writes it; most names need no escape.
func appendName(buf []byte, s string) []byte {
	if plainName(s) {
		return append(append(append(buf, '"'), s...), '"')
	}
	quoted, err := json.Marshal(s)
	if err != nil {
		return append(buf, `""`...)
	}
	return append(buf, quoted...)
}

func plainName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && c != '.' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}

func appendNames(buf []byte, names []string) []byte {
	buf = append(buf, '[')
	for i, n := range names {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = appendName(buf, n)
	}
	return append(buf, ']')
}
