package executors

import (
	"encoding/binary"
	"slices"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/internal/seal"
	"github.com/tenantry/tenantry/resource"
)

// position is the place in a listing behind which a page begins, and what the listing already knows.
type position struct {
	values []posValue // one for each term; none at the beginning of the listing
	count  counted
}

// posValue is the value of one sort term of the last row shown.
type posValue struct {
	form posForm
	text string // the value, or the digest of a long one
}

type posForm byte

const (
	formNull   posForm = 'n'
	formValue  posForm = 'v'
	formDigest posForm = 'h' // read back by key inside the scope
)

// counted is a finished count. The zero counted is none.
type counted struct {
	mode   CountMode
	total  int64
	atMost bool // the count stopped at its cap
}

var errCursor = resource.Errorf(resource.InvalidCursor, "/cursor",
	"the cursor is not valid for this request: start again without cursor, and keep filter, ids, updated_since and sort the same on every page")

// appendCursor appends the cursor that leads behind pos.
func (x *Executor) appendCursor(dst []byte, pl *plan, p *auth.Principal, client string, pos position) []byte {
	plain := binary.AppendVarint(make([]byte, 0, 128), x.now().Add(cursorLife).Unix())
	plain = appendString(plain, string(pos.count.mode))
	plain = binary.AppendVarint(plain, pos.count.total)
	plain = append(plain, flag(pos.count.atMost))
	for _, v := range pos.values {
		plain = append(plain, byte(v.form))
		plain = appendString(plain, v.text)
	}
	return x.seal.Append(dst, plain, additional(pl, p, client))
}

// additional binds a cursor to everything it may be used with. It is in the plan's room.
func additional(pl *plan, p *auth.Principal, client string) []byte {
	buf := appendString(pl.room[:seal.HeadRoom], "list")
	buf = appendString(buf, pl.bd.res.Name())
	buf = append(buf, pl.bd.version[:]...)
	buf = appendString(buf, string(p.Tenant().Kind()))
	buf = appendString(buf, p.Tenant().Key())
	buf = appendString(buf, p.Issuer())
	buf = appendString(buf, p.Subject())
	buf = appendString(buf, p.Client())
	buf = appendString(buf, client)
	return append(buf, pl.digest[:]...)
}

// openCursor returns the position a cursor leads behind. Every failure is one and the same error.
func (x *Executor) openCursor(pl *plan, p *auth.Principal, req ListRequest) (*position, error) {
	plain, err := x.seal.Open(req.Cursor, additional(pl, p, req.Client))
	if err != nil {
		return nil, errCursor
	}
	r := reader{rest: plain}
	expires := r.varint()
	pos := &position{count: counted{mode: CountMode(r.str())}}
	pos.count.total = r.varint()
	pos.count.atMost = r.byte() == '1'
	for len(r.rest) > 0 && !r.bad {
		pos.values = append(pos.values, posValue{form: posForm(r.byte()), text: r.str()})
	}
	if r.bad || x.now().Unix() >= expires || (len(pos.values) != 0 && len(pos.values) != len(pl.terms)) {
		return nil, errCursor
	}
	return pos, nil
}

// long reports whether the position has values that must be read back.
func (p *position) long() bool {
	return p != nil && slices.ContainsFunc(p.values, func(v posValue) bool { return v.form == formDigest })
}

// reader takes a sealed plaintext apart. We wrote it, but an older build may have.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) varint() int64 {
	v, n := binary.Varint(r.rest)
	if !r.take(n) {
		return 0
	}
	return v
}

func (r *reader) take(n int) bool {
	if n <= 0 || n > len(r.rest) {
		r.bad, r.rest = true, nil
		return false
	}
	r.rest = r.rest[n:]
	return true
}

func (r *reader) byte() byte {
	if len(r.rest) == 0 {
		r.bad = true
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

func (r *reader) str() string {
	n, w := binary.Uvarint(r.rest)
	if !r.take(w) || n > uint64(len(r.rest)) {
		r.bad, r.rest = true, nil
		return ""
	}
	s := string(r.rest[:n])
	r.rest = r.rest[n:]
	return s
}
