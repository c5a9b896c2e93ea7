// Package filtering is the filter argument of list: its grammar, the operators of every type, and the
// way from JSON over typed conditions to SQL.
//
//	keys := filtering.NewKeys([]filtering.Key{{
//		Name:   "total",
//		Column: filtering.Column{Name: "total", Expr: `t."total"`, Type: resource.Plain(resource.Numeric)},
//	}})
//	filter, err := filtering.Parse([]byte(`{"total": {"op": "gteq", "value": "19.90"}}`), keys)
//	if err != nil {
//		return err // resource.Errors: every mistake, where it is and what to send instead
//	}
//	text, args, err := filter.SQL(dialect).ToSql() // (t."total" >= ?), 19.90
//
// Values take their column's type here, so that the database is never the first to find a bad one.
package filtering

import "github.com/Masterminds/squirrel"

// Filter is a checked filter: every key exists, every operator belongs to its key's type, every value
// is one the column can hold. The zero Filter is empty and matches every row. A Filter is immutable
// and safe for concurrent use.
//
// Its members follow the names of the keys, so that two filters that differ only in the order of their
// keys are the same.
type Filter struct {
	root node // nil: empty
}

// Empty reports whether the filter has no condition.
func (f Filter) Empty() bool { return f.root == nil }

// SQL returns the condition as squirrel takes it, in parentheses, with ? for every value and ?? for an
// operator's own question mark. The text depends on the shape alone. An empty filter is (1=1).
func (f Filter) SQL(d Dialect) squirrel.Sqlizer {
	if f.Empty() {
		return squirrel.Expr("(1=1)")
	}
	return f.root.sql(d)
}

// AppendArgs appends what the placeholders of SQL are bound to, in their order.
func (f Filter) AppendArgs(dst []any, d Dialect) []any {
	if f.Empty() {
		return dst
	}
	return f.root.args(dst, d)
}

// AppendShape appends what the text of SQL depends on: keys, operators and structure, never a value or
// the length of a set. Equal shapes over the same Keys give equal text. The shape is delimited: what
// is appended after it cannot be taken for a part of it.
func (f Filter) AppendShape(dst []byte) []byte {
	if f.Empty() {
		return append(dst, '0')
	}
	return f.root.encode(dst, false)
}

// AppendDigest appends the whole filter with its values: two filters append the same bytes exactly when
// they are the same. It is what a cursor is bound to, and delimited like a shape.
func (f Filter) AppendDigest(dst []byte) []byte {
	if f.Empty() {
		return append(dst, '0')
	}
	return f.root.encode(dst, true)
}
