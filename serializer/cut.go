package serializer

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/tenantry/tenantry/resource"
)

// AppendCut appends one row in at most budget bytes, by cutting its longest values: text at a character,
// anything else to null. As few values are cut as can be, and texts that are cut share the room that is
// left. Links are cut to null only when that is not enough. It names what was cut, fields in their order,
// then links. Where even null everywhere is over the budget, everything is null.
//
// A raw value longer than budget is always cut, so a statement that cuts values must not cut them
// below budget bytes. On an error, from a computed member, the returned slice is dst as it was.
func (e *Encoder) AppendCut(dst []byte, row [][]byte, computed []any, budget int) (out []byte, cut []string, err error) {
	parts, err := e.parts(row, computed, budget)
	if err != nil {
		return dst, nil, err
	}
	over := e.frame() - budget
	for i := range parts {
		over += parts[i].size
	}
	if over > 0 {
		shrink(parts, over)
	}
	return e.appendParts(dst, parts), names(parts), nil
}

// part is one value of a row whose pieces may be cut.
type part struct {
	name  string
	key   []byte
	value []byte // as JSON; nil when it is too long to be worth writing
	text  []byte // what may be cut at a character; nil for a value that is whole or null
	size  int    // of value in full, or a lower bound that is over the budget
	link  bool
	cut   bool
}

const null = "null"

// least is the size of a part that is cut as far as possible.
func (p *part) least() int {
	if p.text != nil {
		return len(`""`)
	}
	return len(null)
}

func (e *Encoder) parts(row [][]byte, computed []any, budget int) ([]part, error) {
	parts := make([]part, 0, len(e.members)+len(e.links))
	for i := range e.members {
		m := &e.members[i]
		p := part{name: m.Name, key: m.key}
		if m.Column >= 0 {
			p.setColumn(m, row[m.Column], budget)
			parts = append(parts, p)
			continue
		}
		var err error
		if p.value, computed, err = m.appendComputed(nil, computed); err != nil {
			return nil, err
		}
		p.size = len(p.value)
		parts = append(parts, p)
	}
	for i := range e.links {
		l := &e.links[i]
		value := l.append(nil, row)
		parts = append(parts, part{name: l.Name, key: l.key, value: value, size: len(value), link: true})
	}
	return parts, nil
}

func (p *part) setColumn(m *member, raw []byte, budget int) {
	if cuttable(m.Type.Kind) {
		p.text = raw
	}
	if m.Type.Kind == resource.Char {
		p.text = bytes.TrimRight(p.text, " ")
	}
	if len(raw) > budget {
		p.size = len(raw)
		return
	}
	p.value = appendValue(nil, raw, m.Write)
	p.size = len(p.value)
}

// cuttable reports whether the beginning of a value is of use without its end.
func cuttable(k resource.Kind) bool {
	switch k {
	case resource.Text, resource.VarChar, resource.CIText, resource.Char, resource.XML, resource.Printed:
		return true
	case resource.SmallInt, resource.Integer, resource.BigInt, resource.Numeric, resource.Real, resource.Double,
		resource.Boolean, resource.UUID, resource.Enum, resource.Date, resource.Timestamp,
		resource.TimestampTZ, resource.Bytea, resource.JSON, resource.JSONB, resource.Array:
		return false
	default:
		return false
	}
}

// frame returns the size of a row without its values.
func (e *Encoder) frame() int {
	size := len(e.linksKey) + len(e.close)
	for i := range e.members {
		size += len(e.members[i].key)
	}
	for i := range e.links {
		size += len(e.links[i].key)
	}
	return size
}

// shrink cuts the longest parts until the row is no more over, then gives the texts among them the
// room that is left.
func shrink(parts []part, over int) {
	var texts []*part
	for _, p := range longestFirst(parts) {
		if over <= 0 {
			break
		}
		if p.size <= p.least() {
			continue
		}
		over -= p.size - p.least()
		p.cut, p.value = true, []byte(null)
		if p.text != nil {
			texts = append(texts, p)
		}
	}
	if over > 0 {
		clearAll(parts)
		return
	}
	share(texts, -over)
}

// longestFirst orders the members by size and puts the links behind them.
func longestFirst(parts []part) []*part {
	order := make([]*part, len(parts))
	for i := range parts {
		order[i] = &parts[i]
	}
	slices.SortStableFunc(order, func(a, b *part) int {
		if a.link != b.link {
			if a.link {
				return 1
			}
			return -1
		}
		return cmp.Compare(b.size, a.size)
	})
	return order
}

// share divides spare bytes among texts, which come longest first: the shortest is served first, so that
// what it does not need goes to the longer ones.
func share(texts []*part, spare int) {
	for i, p := range slices.Backward(texts) {
		limit := len(`""`) + spare/(i+1)
		n := fitting(p.text, limit)
		p.value, p.cut = appendString(nil, p.text[:n]), n < len(p.text)
		spare -= len(p.value) - len(`""`)
	}
}

// fitting returns how many bytes of text fit in a JSON string of at most limit bytes, whole characters
// only.
func fitting(text []byte, limit int) int {
	n := 0
	for room := limit - len(`""`); n < len(text); {
		size, width := charWidth(text[n:])
		if room -= width; room < 0 {
			break
		}
		n += size
	}
	return n
}

func clearAll(parts []part) {
	for i := range parts {
		p := &parts[i]
		p.cut = p.cut || string(p.value) != null
		p.value = []byte(null)
	}
}

func names(parts []part) []string {
	var out []string
	for i := range parts {
		if parts[i].cut {
			out = append(out, parts[i].name)
		}
	}
	return out
}

func (e *Encoder) appendParts(dst []byte, parts []part) []byte {
	for i := range parts {
		if i == len(e.members) {
			dst = append(dst, e.linksKey...)
		}
		dst = append(dst, parts[i].key...)
		dst = append(dst, parts[i].value...)
	}
	if len(e.links) == 0 {
		dst = append(dst, e.linksKey...)
	}
	return append(dst, e.close...)
}
