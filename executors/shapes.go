package executors

import (
	"strconv"

	"github.com/tenantry/tenantry/scope"
)

// The statements that a plan can need.
const (
	shapePage   byte = 'p'
	shapeGet    byte = 'g'
	shapeCount  byte = 'c'
	shapeCapped byte = 'k'
	shapeAnchor byte = 'a'
	shapeGroups byte = 's'

	shapeInclude byte = 'i'
)

// compiled returns the statement of a plan's shape, building it when the shape is new: it is the same for every
// tenant and holds no value of any. A warm shape costs a look-up in a map.
func (x *Executor) compiled(pl *plan, kind byte, build func() (*compiled, error)) (*compiled, error) {
	return pl.kept(string(pl.appendShape(pl.room[:0], kind)), build)
}

// compiledInclude is compiled for the statement of an included relation.
func (x *Executor) compiledInclude(pl *plan, in *include) (*compiled, error) {
	key := appendString(pl.appendShape(nil, shapeInclude), in.Name)
	return pl.kept(string(in.rows.appendSelection(key)), func() (*compiled, error) { return x.builder(pl).included(in) })
}

func (x *Executor) builder(pl *plan) *builder {
	return &builder{d: x.dialect, bd: pl.bd, p: pl, kind: pl.bd.st.kind, opts: x.opts}
}

func (pl *plan) kept(key string, build func() (*compiled, error)) (*compiled, error) {
	if c, ok := pl.bd.st.shapes.Get(key); ok {
		return c, nil
	}
	c, err := build()
	if err != nil {
		return nil, err
	}
	pl.bd.st.shapes.Add(key, c)
	return c, nil
}

// args fills a statement's placeholders with the values of this call. The tenant is the runner's to
// bind: the slot stays what it is.
func (pl *plan) args(c *compiled) []any {
	out := make([]any, len(c.slots))
	var filter []any
	if !pl.filter.Empty() {
		filter = pl.filter.AppendArgs(make([]any, 0, 8), pl.d)
	}
	for i, slot := range c.slots {
		switch s := slot.(type) {
		case argFilter:
			out[i] = filter[s.i]
		case argAfter:
			out[i] = pl.after.values[s.term].text
		case argDigest:
			out[i] = pl.after.values[s.term].text
		case argAnchor:
			out[i] = pl.anchorValue(s.key)
		case argIDs:
			out[i] = pl.ids[s.key]
		case argKey:
			out[i] = pl.key[s.key]
		case argUpdated:
			out[i] = pl.updatedSince
		case argLimit:
			out[i] = strconv.Itoa(pl.limit + 1)
		case argRows:
			out[i] = strconv.Itoa(max(pl.limit, 0))
		case argOffset:
			out[i] = strconv.Itoa(pl.offset)
		case argConst:
			out[i] = s.v
		default:
			out[i] = scope.TenantArg()
		}
	}
	return out
}

// anchorValue is the cursor's value of a key column: the key is always among the terms.
func (pl *plan) anchorValue(key int) string {
	for i, t := range pl.terms {
		if t.col.Name == pl.bd.key[key].Name {
			return pl.after.values[i].text
		}
	}
	return ""
}
