package serializer

import (
	"errors"
	"fmt"

	"github.com/tenantry/tenantry/resource"
)

// ErrOver is returned by [Encoder.Append] for a row with a value over the limit. The row is not broken:
// [Encoder.AppendCut] shows it without that value.
var ErrOver = errors.New("serializer: a value of the row is longer than the limit")

// Member is one field of the encoded rows.
type Member struct {
	Name   string
	Column int           // index into the row's raw values; -1 for a computed member
	Write  Writer        // of the column; nil for a computed member
	Type   resource.Type // of the column
}

// Link is one relation of the encoded rows, made of their own key columns; it is null when one of them
// is NULL. One column is written by its writer. Several are one string, a composite key's text: the
// parts joined by ":", each with "%", ":" and "/" percent-encoded.
type Link struct {
	Name    string
	Columns []int // indexes into the row's raw values
	Writers []Writer

	// Polymorphic: the columns are the type and the id, shown as {"type":"Order","id":5}.
	Polymorphic bool

	// Listed: the one column is a [KeyList] of related rows, shown as the list of their keys: at most a
	// hundred, else {"ids":[…],"truncated":true}. The writers take the key's parts as text.
	Listed bool

	// One: the list has at most one row, whose key is shown by itself.
	One bool

	// Skip is how many parts of each listed row stand before its key.
	Skip int
}

// Encoder appends rows as JSON objects. It is immutable and safe for concurrent use; Append allocates
// nothing but room in dst and what computed members need.
type Encoder struct {
	members  []member
	links    []link
	linksKey []byte
	close    []byte
}

type member struct {
	Member
	key []byte // what stands before the value, such as ,"id":
}

type link struct {
	Link
	key []byte
}

// NewEncoder returns an encoder of rows with the members in their order, then, if hasLinks, the member
// links with the links in theirs.
func NewEncoder(members []Member, links []Link, hasLinks bool) *Encoder {
	e := &Encoder{close: []byte("}")}
	for i, m := range members {
		e.members = append(e.members, member{m, openKey(i == 0, m.Name)})
	}
	if !hasLinks {
		if len(members) == 0 {
			e.close = []byte("{}")
		}
		return e
	}
	e.linksKey, e.close = openKey(len(members) == 0, "links"), []byte("}}")
	if len(links) == 0 {
		e.close = []byte("{}}")
	}
	for i, l := range links {
		e.links = append(e.links, link{l, openKey(i == 0, l.Name)})
	}
	return e
}

func openKey(first bool, name string) []byte {
	key := []byte{','}
	if first {
		key[0] = '{'
	}
	return append(appendString(key, []byte(name)), ':')
}

// Append appends one row. A nil raw value is NULL. Computed holds the values of the computed members in
// their order; see [resource.Serializer]. If a column's raw value is longer than maxValue bytes, the
// error is [ErrOver]: the statement may have cut it there. A maxValue of 0 means no limit. On an error
// the returned slice is dst as it was.
func (e *Encoder) Append(dst []byte, row [][]byte, computed []any, maxValue int) ([]byte, error) {
	from := len(dst)
	for i := range e.members {
		m := &e.members[i]
		dst = append(dst, m.key...)
		switch {
		case m.Column < 0:
			var err error
			if dst, computed, err = m.appendComputed(dst, computed); err != nil {
				return dst[:from], err
			}
		case maxValue > 0 && len(row[m.Column]) > maxValue:
			return dst[:from], ErrOver
		default:
			dst = appendValue(dst, row[m.Column], m.Write)
		}
	}
	dst = append(dst, e.linksKey...)
	for i := range e.links {
		dst = append(dst, e.links[i].key...)
		dst = e.links[i].append(dst, row)
	}
	return append(dst, e.close...), nil
}

func appendValue(dst, raw []byte, write Writer) []byte {
	if raw == nil {
		return append(dst, "null"...)
	}
	return write(dst, raw)
}

// appendComputed appends the first of the computed values and returns the others.
func (m *member) appendComputed(dst []byte, computed []any) (out []byte, rest []any, err error) {
	if len(computed) == 0 {
		return dst, nil, fmt.Errorf("serializer: Compute returned no value for member %q", m.Name)
	}
	out, err = appendAny(dst, computed[0])
	if err != nil {
		return dst, nil, fmt.Errorf("serializer: computed member %q: %w", m.Name, err)
	}
	return out, computed[1:], nil
}

func (l *link) append(dst []byte, row [][]byte) []byte {
	if l.Listed {
		return l.appendIDs(dst, row[l.Columns[0]])
	}
	for _, c := range l.Columns {
		if row[c] == nil {
			return append(dst, "null"...)
		}
	}
	switch {
	case l.Polymorphic:
		dst = append(dst, `{"type":`...)
		dst = l.Writers[0](dst, row[l.Columns[0]])
		dst = append(dst, `,"id":`...)
		dst = l.Writers[1](dst, row[l.Columns[1]])
		return append(dst, '}')
	case len(l.Columns) == 1:
		return l.Writers[0](dst, row[l.Columns[0]])
	default:
		return l.appendComposite(dst, row)
	}
}

// appendComposite writes several columns as one key.
func (l *link) appendComposite(dst []byte, row [][]byte) []byte {
	dst = append(dst, '"')
	for i, c := range l.Columns {
		dst = appendKeyPart(dst, i, l.Writers[i], row[c])
	}
	return append(dst, '"')
}

// appendKeyPart percent-encodes the i-th part of a composite key as its writer writes it, without the
// quotes of a string. JSON's own escapes have none of the three characters, so they stay intact.
func appendKeyPart(dst []byte, i int, write Writer, raw []byte) []byte {
	if i > 0 {
		dst = append(dst, ':')
	}
	from := len(dst)
	dst = write(dst, raw)
	mid := len(dst)
	part := dst[from:mid]
	if part[0] == '"' {
		part = part[1 : len(part)-1]
	}
	for _, b := range part {
		dst = appendPercent(dst, b)
	}
	return settle(dst, from, mid)
}

func appendPercent(dst []byte, b byte) []byte {
	switch b {
	case '%':
		return append(dst, "%25"...)
	case ':':
		return append(dst, "%3A"...)
	case '/':
		return append(dst, "%2F"...)
	default:
		return append(dst, b)
	}
}
