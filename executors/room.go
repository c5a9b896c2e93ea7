package executors

import (
	"encoding/binary"

	"github.com/tenantry/tenantry/resource"
)

// metaBytes is what an answer needs behind its rows, next to the values in the cursor and the names of cut
// fields.
const metaBytes = 384

// tail is the room to leave behind this row, for what says how to go on from it.
func (r *rows) tail(values [][]byte) int {
	n := metaBytes
	for _, t := range r.c.terms {
		n += (t.room(values[t.index]) + 4) * 4 / 3 // as base64, behind its form and its length
	}
	return n
}

// room is the length of the text that a cursor carries for a value, or more.
func (t termAt) room(raw []byte) int {
	const widest = 40 // a uuid has 36 characters, an instant fewer
	switch {
	case t.write == nil:
		return len(raw)
	case t.kind == resource.Numeric:
		return numericRoom(raw)
	default:
		return widest
	}
}

// numericRoom reads the header of a binary numeric: the number of its groups of four digits, the weight of
// the first, the sign, and the digits behind the point.
func numericRoom(raw []byte) int {
	const header, group = 8, 4
	if len(raw) < header {
		return 2 * header
	}
	weight := int(int16(binary.BigEndian.Uint16(raw[2:])))
	scale := int(binary.BigEndian.Uint16(raw[6:]))
	return max(weight+1, 1)*group + scale + len("-.")
}

// naming is the room that the names of all members take in cut_fields.
func naming(names []string) int {
	n := len(`,"cut_fields":[]`)
	for _, name := range names {
		n += len(appendName(nil, name)) + 1
	}
	return n
}
