package sqlite

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
)

// Dialect is SQLite's SQL. The zero Dialect is ready to use.
type Dialect struct{}

// Quote quotes an identifier.
func (Dialect) Quote(ident string) string { return quoteIdent(ident) }

func quoteIdent(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// Placeholder is ?n.
func (Dialect) Placeholder(n int) string { return "?" + strconv.Itoa(n) }

// Cast gives a placeholder the type of a value without a column, such as a tenant. For a column it turns
// what a row showed back into what is stored, so that a cursor leads on from any value.
func (Dialect) Cast(c filtering.Column) string {
	switch {
	case c.Expr == "":
		return operand(c.Type, "?")
	case textKind(c.Type):
		return "?"
	default:
		return "tenantry_value(?)"
	}
}

// textKind reports whether a column keeps every number as text.
func textKind(t resource.Type) bool {
	switch t.Kind {
	case resource.Text, resource.VarChar, resource.CIText, resource.Char:
		return true
	default:
		return false
	}
}

// Shown selects a long value no further than it could be shown. Text is cut by its bytes: SQLite's
// functions take a NUL for the end of a text.
func (Dialect) Shown(c executors.Column, expr string, limit int) string {
	if c.Type.Kind == resource.Printed {
		expr = printed(expr)
	}
	bytes := "substr(CAST(" + expr + " AS BLOB), 1, " + strconv.Itoa(limit+1) + ")"
	return "CASE WHEN octet_length(" + expr + ") <= " + strconv.Itoa(limit) + " THEN " + expr +
		" WHEN typeof(" + expr + ") = 'blob' THEN " + bytes + " ELSE CAST(" + bytes + " AS TEXT) END"
}

// printed is a value of a type that SQLite does not know, as the text that it prints.
func printed(expr string) string { return "CAST(" + expr + " AS TEXT)" }

// Collect concatenates the rows as PostgreSQL prints an array of arrays of texts.
func (Dialect) Collect(cols []filtering.Column) (before, after string) {
	parts, names := make([]string, len(cols)), make([]string, len(cols))
	for i, c := range cols {
		names[i] = "p" + strconv.Itoa(i)
		parts[i] = "tenantry_part(" + c.Expr + ") AS " + names[i]
	}
	row := "'{' || " + strings.Join(names, " || ',' || ") + " || '}'"
	return "(SELECT '{' || coalesce(group_concat(" + row + ", ','), '') || '}' FROM (SELECT " + strings.Join(parts, ", ") + " ", "))"
}

// Lateral reports that SQLite has no LATERAL.
func (Dialect) Lateral() bool { return false }

// Writer writes what is stored. A value that is not of its column's type is text: a boolean beyond 0 and
// 1, an integer that no double holds, a date in another form.
func (Dialect) Writer(c executors.Column) serializer.Writer {
	write := serializer.CheckedTextWriter(c.Type)
	text := serializer.TextWriter(resource.Plain(resource.Text))
	switch c.Type.Kind {
	case resource.Boolean:
		return choose(func(raw []byte) bool { return string(raw) == "0" || string(raw) == "1" }, write, text)
	case resource.Double:
		return choose(fitsDouble, write, text)
	case resource.Timestamp, resource.TimestampTZ:
		return text // the stored form is the shown one
	default:
		return write
	}
}

func choose(fits func(raw []byte) bool, write, otherwise serializer.Writer) serializer.Writer {
	return func(dst, raw []byte) []byte {
		if fits(raw) {
			return write(dst, raw)
		}
		return otherwise(dst, raw)
	}
}

// maxExact is the largest integer up to which a double holds every one.
const maxExact = 1 << 53

func fitsDouble(raw []byte) bool {
	if len(raw) < len("1000000000000000") || bytes.ContainsAny(raw, ".eE") {
		return true
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	return err == nil && n >= -maxExact && n <= maxExact
}

// IsTrue reads a value as SQLite does in a condition: true is every number but 0.
func (Dialect) IsTrue(raw []byte) bool {
	f, ok := parseFloat(string(raw))
	return ok && f != 0
}

// Nothing is one constant: SQLite has no rows without a column.
func (Dialect) Nothing() string { return "1" }

// Digest is the MD5 of a text.
func (Dialect) Digest(expr string) string { return "tenantry_md5(" + expr + ")" }

// Size is the length of a text in bytes. A blob in a text column is larger than any: its order among the
// texts cannot be told from what it shows, so that no cursor may carry it.
func (Dialect) Size(expr string) string {
	return "CASE typeof(" + expr + ") WHEN 'blob' THEN 2147483647 ELSE octet_length(" + expr + ") END"
}
