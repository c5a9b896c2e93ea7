package serializer

import (
	"bytes"
	"slices"
)

// KeyList reads a list of rows of texts from PostgreSQL's text form of a two-dimensional text array,
// {{1,7},{1,8}}: what a statement collects of related rows. The zero KeyList is empty.
//
//	list := serializer.NewKeyList(raw)
//	for list.Next() {
//		parts := list.Parts()
//	}
type KeyList struct {
	rest []byte
	n    int // parts in room
	room [4][]byte
	more [][]byte // all parts of a row for which there is no room
}

// NewKeyList returns a reader of raw; nil is the empty list. It does not keep more of raw than it has read.
func NewKeyList(raw []byte) KeyList {
	return KeyList{rest: bytes.TrimPrefix(raw, []byte("{"))}
}

// Next goes to the next row. It ends at the first byte that is not of the form.
func (l *KeyList) Next() bool {
	a := array{rest: l.rest, delimiter: ','}
	a.take(',')
	if !a.take('{') {
		return false
	}
	l.n, l.more = 0, l.more[:0]
	for {
		part, ok := a.part()
		if !ok {
			return false
		}
		l.add(part)
		if a.take('}') {
			l.rest = a.rest
			return true
		}
		if !a.take(',') {
			return false
		}
	}
}

// add keeps no pointer to the list in it, so that it can live on its user's stack.
func (l *KeyList) add(part []byte) {
	switch {
	case len(l.more) > 0:
		l.more = append(l.more, part)
	case l.n < len(l.room):
		l.room[l.n] = part
		l.n++
	default:
		l.more = append(append(l.more, l.room[:]...), part)
	}
}

// Parts returns the texts of the row; nil is a null. They are valid until Next is called again.
func (l *KeyList) Parts() [][]byte {
	if len(l.more) > 0 {
		return l.more
	}
	return l.room[:l.n]
}

// part reads one element as text.
func (a *array) part() (text []byte, ok bool) {
	if !a.take('"') {
		text = a.takeBare()
		if string(text) == "NULL" {
			return nil, true
		}
		return text, len(text) > 0
	}
	if end := bytes.IndexAny(a.rest, `"\`); end >= 0 && a.rest[end] == '"' {
		text, a.rest = a.rest[:end:end], a.rest[end+1:]
		return text, true
	}
	plain := array{elem: appendRaw, rest: a.rest}
	text, ok = plain.appendQuoted(nil)
	a.rest = plain.rest
	return text, ok
}

func appendRaw(dst, raw []byte) []byte { return append(dst, raw...) }

// MaxIDs is how many ids of a to-many relation a row shows.
const MaxIDs = 100

// appendIDs appends the keys of a list: a to-many relation as their list, ascending as they came, and a
// to-one relation as one key or null.
func (l *link) appendIDs(dst, raw []byte) []byte {
	list := NewKeyList(raw)
	if l.One {
		if !list.Next() {
			return append(dst, null...)
		}
		return l.appendKey(dst, list.Parts()[l.Skip:])
	}
	from := len(dst)
	dst = append(dst, '[')
	for n := 0; list.Next(); n++ {
		if n == MaxIDs {
			return slices.Insert(append(dst, `],"truncated":true}`...), from, []byte(`{"ids":`)...)
		}
		if n > 0 {
			dst = append(dst, ',')
		}
		dst = l.appendKey(dst, list.Parts()[l.Skip:])
	}
	return append(dst, ']')
}

// appendKey appends one key of a related row.
func (l *link) appendKey(dst []byte, parts [][]byte) []byte {
	if len(parts) != len(l.Writers) || slices.ContainsFunc(parts, func(p []byte) bool { return p == nil }) {
		return append(dst, null...)
	}
	if len(parts) == 1 {
		return l.Writers[0](dst, parts[0])
	}
	dst = append(dst, '"')
	for i, part := range parts {
		dst = appendKeyPart(dst, i, l.Writers[i], part)
	}
	return append(dst, '"')
}
