// Package lex reads one JSON document exactly: every number stays the text it was, and what two readers could
// understand differently is refused.
//
//	doc, err := lex.Parse(raw, lex.Limits{Bytes: 1 << 20, Depth: 32, Values: 10_000})
//	for key, value := range doc.Members(0) { … }
//
// It belongs to package schema and knows nothing of schemas.
package lex

import (
	"bytes"
	"encoding/json"
	"iter"
	"strings"
)

// Kind is the JSON type of a value.
type Kind uint8

// The kinds.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// Limits bound what Parse takes. All of them must be positive.
type Limits struct {
	Bytes  int // of the document
	Depth  int // of nesting: [] is 1 deep
	Values int // keys are not counted
}

// MaxNumber bounds the text of one number, so that arithmetic on it stays cheap.
const MaxNumber = 1000

// Doc is a document that is well-formed. Values are named by their index; 0 is the whole document. It
// aliases the bytes that it was read from.
type Doc struct {
	raw    []byte
	values []value
}

type value struct {
	kind       Kind
	start, end int32 // in raw; the quotes of a string included
	next       int32 // the index behind everything that belongs to this value
	count      int32 // of members or elements
}

// Kind returns the JSON type of value i.
func (d *Doc) Kind(i int) Kind { return d.values[i].kind }

// Len returns how many members an object or elements an array has.
func (d *Doc) Len(i int) int { return int(d.values[i].count) }

// Raw returns the text of value i.
func (d *Doc) Raw(i int) []byte { return d.raw[d.values[i].start:d.values[i].end] }

// Text returns what the string i says.
func (d *Doc) Text(i int) string { return text(d.Raw(i)) }

// True reports whether the boolean i is true.
func (d *Doc) True(i int) bool { return d.raw[d.values[i].start] == 't' }

// Members yields the keys and the values of the object i in order.
func (d *Doc) Members(i int) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for key, value := range d.Keys(i) {
			if !yield(d.Text(key), value) {
				return
			}
		}
	}
}

// Keys is Members with the keys as values of the document, which costs no memory.
func (d *Doc) Keys(i int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		at := i + 1
		for range d.values[i].count {
			if !yield(at, at+1) {
				return
			}
			at = int(d.values[at+1].next)
		}
	}
}

// Bytes is Text as bytes, which alias the document where they can.
func (d *Doc) Bytes(i int) []byte {
	quoted := d.Raw(i)
	if bytes.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1]
	}
	return []byte(text(quoted))
}

// Elements yields the positions and the values of the array i.
func (d *Doc) Elements(i int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		at := i + 1
		for n := range int(d.values[i].count) {
			if !yield(n, at) {
				return
			}
			at = int(d.values[at].next)
		}
	}
}

// Member returns the value of a key of the object i. Letter case matters.
func (d *Doc) Member(i int, key string) (value int, ok bool) {
	for k, v := range d.Keys(i) {
		if string(d.Bytes(k)) == key {
			return v, true
		}
	}
	return 0, false
}

// text decodes a JSON string that Parse has taken.
func text(quoted []byte) string {
	inner := quoted[1 : len(quoted)-1]
	var s string
	if strings.IndexByte(string(inner), '\\') < 0 {
		return string(inner)
	}
	_ = json.Unmarshal(quoted, &s) // Parse has seen that it is one
	return s
}

// Values returns how many values and keys the document has.
func (d *Doc) Values() int { return len(d.values) }

// Release lets go of the bytes and keeps the memory for the next Parse.
func (d *Doc) Release() { d.raw, d.values = nil, d.values[:0] }
