package executors

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
)

// plan is a checked call: nothing in it is looked at again, and making it cost no statement.
type plan struct {
	bd           *bound
	v            *view
	sel          serializer.Selection
	filter       filtering.Filter
	ids          [][]string // for each key column, the values; nil without ids
	updatedSince string
	terms        []term
	limit        int
	offset       int
	count        CountMode
	digest       [sha256.Size]byte // what the listing is, for its cursors
	after        *position         // where the page begins; nil at the beginning
	get          bool
	key          []string // get: the key's values
	includes     []*include
	reserve      int // bytes to leave in the answer for what is around embedded rows
	d            Dialect
	agg          *aggregation // aggregate: what is asked of the rows

	room [512]byte // for what is put together on the way and soon forgotten
}

// planList checks a call of list. All its mistakes are in the error.
func (x *Executor) planList(p *auth.Principal, req ListRequest) (*plan, error) {
	errs := req.Mistakes
	bd, v, err := x.lookup(p, req.Resource)
	if err != nil {
		return nil, unlessMissing(errs, req.Resource, err).Err()
	}
	pl := &plan{bd: bd, v: v, d: x.dialect}
	errs = errs.Add(pl.parseRows(req))
	errs = errs.Add(pl.parsePage(req)).Add(pl.inService(x))
	if errs = errs.Add(pl.parseInclude(x, p, req.Include)); len(errs) > 0 {
		return nil, errs
	}
	pl.digest = pl.listing()
	if req.Cursor != "" {
		if pl.after, err = x.openCursor(pl, p, req); err != nil {
			return nil, err
		}
	}
	return pl, nil
}

// unlessMissing adds the lookup's error, unless the decoder has already said that the resource is missing.
func unlessMissing(errs resource.Errors, name string, err error) resource.Errors {
	if name == "" && mention(errs, "/resource") {
		return errs
	}
	return errs.Add(err)
}

func mention(errs resource.Errors, path string) bool {
	return slices.ContainsFunc(errs, func(e *resource.Error) bool { return e.Path == path })
}

// parseRows types what decides which rows there are, in which order.
func (pl *plan) parseRows(req ListRequest) error {
	var errs resource.Errors
	var err error
	if len(req.Filter) > 0 {
		pl.filter, err = filtering.Parse(req.Filter, pl.v.keys)
		errs = errs.Add(err)
	}
	if len(req.IDs) > 0 {
		pl.ids, err = parseIDs(req.IDs, pl.bd.key)
		errs = errs.Add(err)
	}
	if req.UpdatedSince != "" {
		errs = errs.Add(pl.parseUpdatedSince(req.UpdatedSince))
	}
	pl.terms, err = parseSort(req.Sort, pl.bd, pl.v)
	return errs.Add(err).Err()
}

func (pl *plan) parseUpdatedSince(s string) error {
	const path = "/updated_since"
	if !pl.v.updated {
		return resource.Errorf(resource.InvalidArgument, path,
			"%s does not record when rows change: leave updated_since away", resource.Echo(pl.bd.res.Name()))
	}
	at, bad := filtering.Instant(s, path)
	if bad != nil {
		return bad
	}
	if c, _ := pl.bd.table.Column(pl.bd.res.UpdatedAt()); c.Type.Kind == resource.Timestamp {
		at = at[:len(at)-len("Z")]
	}
	pl.updatedSince = at
	return nil
}

// parsePage types what decides how much of the rows is shown.
func (pl *plan) parsePage(req ListRequest) error {
	var errs resource.Errors
	var err error
	pl.sel, err = serializer.Select(pl.v.members, req.Fields)
	errs = errs.Add(err)
	pl.limit = pl.bd.limits.Default
	pl.count = req.Count
	if req.Limit != nil {
		pl.limit = min(*req.Limit, pl.bd.limits.Max)
	}
	switch req.Count {
	case "", CountNone, CountExact, CountCapped:
	default:
		e := resource.Errorf(resource.InvalidArgument, "/count", `count %s: send "none", "exact" or "capped"`, resource.Echo(string(req.Count)))
		e.Allowed = []string{string(CountNone), string(CountExact), string(CountCapped)}
		errs = append(errs, e)
	}
	errs = errs.Add(pl.checkLimit())
	pl.offset = req.Offset
	return errs.Add(checkOffset(req)).Err()
}

func (pl *plan) counts() bool { return pl.count == CountExact || pl.count == CountCapped }

func (pl *plan) checkLimit() error {
	switch {
	case pl.limit < 0:
		return resource.Errorf(resource.InvalidArgument, "/limit",
			"limit is negative: send a number from 1 to %d, or leave it away for %d", pl.bd.limits.Max, pl.bd.limits.Default)
	case pl.limit == 0 && !pl.counts():
		e := resource.Errorf(resource.InvalidArgument, "/limit",
			`limit 0 asks for the count alone: send "count":"exact" or "capped" with it, or a limit from 1 to %d`, pl.bd.limits.Max)
		e.Example = pl.bd.limits.Default
		return e
	default:
		return nil
	}
}

func checkOffset(req ListRequest) error {
	const path = "/offset"
	switch {
	case req.Offset < 0:
		return resource.Errorf(resource.InvalidArgument, path, "offset is negative: send a number from 0 to %d", maxOffset)
	case req.Offset > maxOffset:
		e := resource.Errorf(resource.InvalidArgument, path,
			"offset goes to %d: to walk further, pass meta.next_cursor of each page as cursor", maxOffset)
		e.Example = maxOffset
		return e
	case req.Offset > 0 && req.Cursor != "":
		return resource.Errorf(resource.InvalidArgument, path, "offset and cursor exclude each other: send the cursor alone")
	case req.Offset > 0 && req.Limit != nil && *req.Limit == 0:
		return resource.Errorf(resource.InvalidArgument, path, "limit 0 asks for the count alone: leave offset away")
	default:
		return nil
	}
}

// inService refuses to list the keys of rows that cannot be trusted.
func (pl *plan) inService(x *Executor) error {
	for _, i := range pl.sel.Links {
		if l := pl.v.links[i]; l.listed() {
			if err := l.service(x, l.Name, "/fields"); err != nil {
				return err
			}
		}
	}
	return nil
}

// planGet checks a call of get.
func (x *Executor) planGet(p *auth.Principal, req GetRequest) (*plan, error) {
	errs := req.Mistakes
	bd, v, err := x.lookup(p, req.Resource)
	if err != nil {
		return nil, unlessMissing(errs, req.Resource, err).Err()
	}
	pl := &plan{bd: bd, v: v, d: x.dialect, get: true, limit: 1}
	pl.key, err = parseGetID(errs, req.ID, bd.key)
	errs = errs.Add(err)
	pl.sel, err = serializer.Select(v.members, req.Fields)
	errs = errs.Add(err).Add(pl.inService(x))
	if errs = errs.Add(pl.parseInclude(x, p, req.Include)); len(errs) > 0 {
		return nil, errs
	}
	return pl, nil
}

// listing is a digest of which rows are listed in which order: a cursor of one listing opens no other.
func (pl *plan) listing() [sha256.Size]byte {
	buf := pl.filter.AppendDigest(pl.room[:0])
	buf = append(buf, 0)
	buf = appendLists(buf, pl.ids)
	buf = appendString(buf, pl.updatedSince)
	for _, t := range pl.terms {
		buf = appendString(buf, t.col.Name)
		buf = append(buf, direction(t.desc))
	}
	return sha256.Sum256(buf)
}

func direction(desc bool) byte {
	if desc {
		return '-'
	}
	return '+'
}

func appendLists(dst []byte, lists [][]string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(lists)))
	for _, l := range lists {
		dst = binary.AppendUvarint(dst, uint64(len(l)))
		for _, s := range l {
			dst = appendString(dst, s)
		}
	}
	return dst
}

func appendString(dst []byte, s string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}

// appendShape writes what the SQL text of the plan depends on, and nothing of its values.
func (pl *plan) appendShape(dst []byte, kind byte) []byte {
	dst = append(dst, kind)
	dst = binary.AppendUvarint(dst, uint64(pl.bd.index))
	dst = pl.filter.AppendShape(dst)
	dst = append(dst, 0, flag(pl.ids != nil), flag(pl.updatedSince != ""))
	switch kind {
	case shapeCount, shapeCapped:
		return dst
	case shapeGroups:
		return pl.agg.appendShape(dst)
	}
	if kind != shapeInclude {
		dst = pl.appendSelection(dst)
	}
	dst = append(dst, flag(pl.get), flag(pl.offset > 0), flag(pl.after != nil))
	for _, t := range pl.terms {
		dst = appendString(dst, t.col.Name)
		dst = append(dst, direction(t.desc))
	}
	if pl.after != nil {
		for _, val := range pl.after.values {
			dst = append(dst, byte(val.form))
		}
	}
	return dst
}

// appendSelection names the selected members by their place in the whole resource, so that callers with
// different views of it do not share a statement that shows one more.
func (pl *plan) appendSelection(dst []byte) []byte {
	for _, i := range pl.sel.Fields {
		dst = appendString(dst, pl.v.fields[i].Name)
	}
	dst = append(dst, 0)
	for _, i := range pl.sel.Links {
		dst = appendString(dst, pl.v.links[i].Name)
	}
	return append(dst, 0)
}

func flag(b bool) byte {
	if b {
		return '1'
	}
	return '0'
}
