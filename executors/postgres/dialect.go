package postgres

import (
	"strconv"
	"strings"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
)

// Dialect is PostgreSQL's SQL. The zero Dialect is ready to use.
type Dialect struct{}

// Quote quotes an identifier.
func (Dialect) Quote(ident string) string { return quoteIdent(ident) }

// Placeholder is $n.
func (Dialect) Placeholder(n int) string { return "$" + strconv.Itoa(n) }

// Cast gives a placeholder the column's type without its modifier: a modifier would cut or round the
// value before it is compared.
func (Dialect) Cast(c filtering.Column) string { return "?::" + native(c) }

// native is the type name for casts. Printed types are compared as text.
func native(c filtering.Column) string {
	if c.Type.Kind == resource.Printed {
		return "pg_catalog.text"
	}
	if c.Native != "" {
		return c.Native
	}
	if name, ok := builtin[c.Type.Kind]; ok {
		return "pg_catalog." + name
	}
	return "pg_catalog.text"
}

// builtin are the types of a kind without a column, as custom filters declare them.
var builtin = map[resource.Kind]string{
	resource.SmallInt: "int2", resource.Integer: "int4", resource.BigInt: "int8", resource.Numeric: "numeric",
	resource.Real: "float4", resource.Double: "float8", resource.Boolean: "bool", resource.Text: "text",
	resource.VarChar: "varchar", resource.Char: "bpchar", resource.UUID: "uuid", resource.Date: "date",
	resource.Timestamp: "timestamp", resource.TimestampTZ: "timestamptz", resource.JSONB: "jsonb",
}

// Operator writes one condition.
func (d Dialect) Operator(c filtering.Column, op resource.Operator) string {
	e := c.Expr
	if textual(c.Type) {
		e = printed(c)
	}
	switch op {
	case resource.Eq:
		if documents(c.Type) {
			return "pg_catalog.to_jsonb(" + e + ") = ?::pg_catalog.jsonb"
		}
		if c.Type.Kind == resource.Array {
			e = "(" + e + ")[:]" // a slice begins at 1 in every dimension, as what a caller sends does
		}
		return e + " = " + cast(c)
	case resource.Gt:
		return e + " > " + cast(c)
	case resource.Gteq:
		return e + " >= " + cast(c)
	case resource.Lt:
		return e + " < " + cast(c)
	case resource.Lteq:
		return e + " <= " + cast(c)
	case resource.In:
		return e + " = ANY(" + cast(c) + "[])"
	case resource.Matches, resource.StartsWith, resource.EndsWith:
		return c.Expr + "::pg_catalog.text ILIKE ?::pg_catalog.text"
	case resource.Contains:
		return e + " @> " + cast(c)
	case resource.Overlaps:
		return e + " && " + cast(c)
	case resource.HasKey:
		return e + " ?? ?::pg_catalog.text"
	case filtering.OnDays:
		if c.Type.Kind == resource.TimestampTZ {
			e = "(" + e + " AT TIME ZONE 'UTC')"
		}
		return e + "::pg_catalog.date = ANY(?::pg_catalog.date[])"
	default:
		return "NULL = ?" // not a positive operator: holds for no row
	}
}

// textual reports whether values are compared as the text that they print, for printed types and arrays
// of them.
func textual(t resource.Type) bool {
	return t.Kind == resource.Printed || t.Elem != nil && t.Elem.Kind == resource.Printed
}

// documents reports whether values are arrays of documents. Those are compared as one document, as rows show
// them: a list inside may be a dimension or an element.
func documents(t resource.Type) bool { return t.Elem != nil && t.Elem.Kind == resource.JSONB }

// printed is the text that a value of a textual type prints. For inet that is not its cast to text, which
// adds the netmask of a single host (https://www.postgresql.org/docs/current/functions-net.html).
func printed(c filtering.Column) string {
	const inet = "inet"
	switch {
	case c.Type.Name == inet:
		return "pg_catalog.textin(pg_catalog.inet_out(" + c.Expr + "))"
	case c.Type.Elem != nil && c.Type.Elem.Name == inet:
		return "pg_catalog.textin(pg_catalog.array_out(" + c.Expr + "))::pg_catalog.text[]"
	default:
		return c.Expr + "::pg_catalog.text" + brackets(c.Type)
	}
}

func brackets(t resource.Type) string {
	if t.Kind == resource.Array {
		return "[]"
	}
	return ""
}

func cast(c filtering.Column) string {
	if textual(c.Type) {
		return "?::pg_catalog.text" + brackets(c.Type)
	}
	return "?::" + native(c)
}

// Operand is what the placeholder of Operator takes.
func (Dialect) Operand(_ filtering.Column, op resource.Operator, v any) any {
	s, ok := v.(string)
	if !ok {
		return v
	}
	switch op {
	case resource.Matches:
		return "%" + likeEscaper.Replace(s) + "%"
	case resource.StartsWith:
		return likeEscaper.Replace(s) + "%"
	case resource.EndsWith:
		return "%" + likeEscaper.Replace(s)
	default:
		return s
	}
}

// likeEscaper takes the meaning from the pattern characters; backslash is LIKE's default escape.
var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// KeySet compares a row of columns with rows of values, one array for each column.
func (d Dialect) KeySet(cols []filtering.Column) string {
	left, right := make([]string, len(cols)), make([]string, len(cols))
	for i, c := range cols {
		left[i], right[i] = c.Expr, "pg_catalog.unnest("+cast(c)+"[])"
	}
	return "(" + strings.Join(left, ", ") + ") IN (SELECT * FROM ROWS FROM (" + strings.Join(right, ", ") + "))"
}

// densest is how many bytes of a value one stored byte can stand for: lz4's limit.
const densest = 256

// Shown selects a long value no further than it could be shown. A length is read without reading the
// value where the type allows it; else a stored size that is small enough saves measuring the text.
func (Dialect) Shown(c executors.Column, expr string, limit int) string {
	text := expr + "::pg_catalog.text"
	cut := strconv.Itoa(limit)
	more := strconv.Itoa(limit + 1)
	switch c.Type.Kind {
	case resource.Text, resource.VarChar, resource.CIText, resource.Char, resource.XML:
		return "CASE WHEN pg_catalog.octet_length(" + text + ") > " + cut + " THEN pg_catalog.left(" + text + ", " + more + ") ELSE " + text + " END"
	case resource.Bytea:
		return "CASE WHEN pg_catalog.octet_length(" + expr + ") > " + cut + " THEN pg_catalog.substr(" + expr + ", 1, " + more + ") ELSE " + expr + " END"
	default:
		small := strconv.Itoa(max(limit/densest, 1))
		return "CASE WHEN pg_catalog.pg_column_size(" + expr + ") <= " + small + " THEN " + text +
			" WHEN pg_catalog.octet_length(" + text + ") > " + cut + " THEN pg_catalog.left(" + text + ", " + more + ") ELSE " + text + " END"
	}
}

// Collect makes an array of arrays of texts.
func (Dialect) Collect(cols []filtering.Column) (before, after string) {
	parts := make([]string, len(cols))
	for i, c := range cols {
		parts[i] = printed(c)
		if c.Type.Kind == resource.Boolean { // its cast to text is another form
			parts[i] = "pg_catalog.textin(pg_catalog.boolout(" + c.Expr + "))"
		}
	}
	return "ARRAY(SELECT ARRAY[" + strings.Join(parts, ", ") + "] ", ")"
}

// Lateral reports that a join may be LATERAL.
func (Dialect) Lateral() bool { return true }

// Writer writes what PostgreSQL prints.
func (Dialect) Writer(c executors.Column) serializer.Writer { return serializer.TextWriter(c.Type) }

// IsTrue reads a printed boolean.
func (Dialect) IsTrue(raw []byte) bool { return string(raw) == "t" }

// Nothing is no column at all: even a constant is put together again for every row.
func (Dialect) Nothing() string { return "" }

// Digest is the MD5 of a text.
func (Dialect) Digest(expr string) string { return "pg_catalog.md5(" + expr + "::pg_catalog.text)" }

// Size is the length of a text in bytes.
func (Dialect) Size(expr string) string {
	return "pg_catalog.octet_length(" + expr + "::pg_catalog.text)"
}

// CreateIndex leaves the index's name to the server.
func (Dialect) CreateIndex(t *executors.Table, columns []string) string {
	return "CREATE INDEX ON " + t.Quoted + " (" + quoteList(columns) + ")"
}

func quoteList(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = quoteIdent(n)
	}
	return strings.Join(quoted, ", ")
}
