package postgres

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

// Describe reads tables, columns and types from the catalogue, as far as the role may select them. It
// refuses a database whose encoding is not UTF8, since no answer from one is certain to be text.
func (db *DB) Describe(ctx context.Context, names []executors.TableName) (map[executors.TableName]*executors.Table, error) {
	conn, err := db.pool.Acquire(ctx)
	if err != nil {
		return nil, catalogue(ctx, err)
	}
	defer conn.Release()
	var encoding string
	if err := conn.QueryRow(ctx, `SELECT pg_catalog.current_setting('server_encoding')`).Scan(&encoding); err != nil {
		return nil, catalogue(ctx, err)
	}
	if encoding != "UTF8" {
		return nil, fmt.Errorf("postgres: the database's encoding is %s, and only UTF8 is served", encoding)
	}
	rows, err := attributes(ctx, conn.Conn(), names)
	if err != nil {
		return nil, catalogue(ctx, err)
	}
	types, err := loadTypes(ctx, conn.Conn(), rows)
	if err != nil {
		return nil, catalogue(ctx, err)
	}
	tables := map[executors.TableName]*executors.Table{}
	for _, r := range rows {
		name := executors.TableName{Schema: r.WantSchema, Name: r.WantName}
		t := tables[name]
		if t == nil {
			t = &executors.Table{Name: name, Quoted: quoteIdent(r.Schema) + "." + quoteIdent(r.Table), Key: r.Key, View: r.View}
			for _, columns := range r.Unique {
				t.Unique = append(t.Unique, strings.Split(columns, "\n"))
			}
			tables[name] = t
			db.settings.addSchemas([]string{r.Schema})
		}
		t.Columns = append(t.Columns, types.column(r))
	}
	db.settings.addSchemas(types.schemas())
	if err := addRest(ctx, conn.Conn(), tables); err != nil {
		return nil, catalogue(ctx, err)
	}
	if err := addIndexes(ctx, conn.Conn(), tables); err != nil {
		return nil, catalogue(ctx, err)
	}
	if err := db.probe(ctx, conn.Conn(), tables); err != nil {
		return nil, err
	}
	return tables, db.tracked(ctx, conn.Conn())
}

// restRow is what a table has beside the columns that the role may select.
type restRow struct {
	Table      string
	Unreadable []string
	Inherited  bool
}

const restSQL = `
SELECT w.name,
  ARRAY(SELECT a.attname::text FROM pg_catalog.pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    AND NOT pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT') ORDER BY a.attnum),
  c.relkind = 'r' AND EXISTS (SELECT FROM pg_catalog.pg_inherits h WHERE h.inhparent = c.oid)
FROM pg_catalog.unnest($1::text[]) AS w(name)
JOIN pg_catalog.pg_class c ON c.oid = pg_catalog.to_regclass(w.name)`

func addRest(ctx context.Context, conn *pgx.Conn, tables map[executors.TableName]*executors.Table) error {
	byName := map[string][]*executors.Table{}
	for _, t := range tables {
		byName[t.Quoted] = append(byName[t.Quoted], t)
	}
	rows, err := collect[restRow](ctx, conn, restSQL, slices.Collect(maps.Keys(byName)))
	for _, r := range rows {
		for _, t := range byName[r.Table] {
			t.Unreadable, t.Loose = r.Unreadable, r.Inherited
		}
	}
	return err
}

// attributeRow is one column of one wanted table.
type attributeRow struct {
	WantSchema, WantName string
	Schema, Table        string
	Key                  []string
	View                 bool
	Unique               []string // column names of one index, joined by a newline
	Column               string
	Type                 uint32
	Modifier             int32
	NotNull              bool
	Deterministic        bool
}

// attributesSQL looks for the keys of each table once, before its columns multiply it.
const attributesSQL = `
WITH wanted AS MATERIALIZED (
  SELECT w.schema, w.name, c.oid, n.nspname::text AS nspname, c.relname::text AS relname,
    (SELECT pg_catalog.array_agg(k.attname::text ORDER BY o.ord)
       FROM pg_catalog.pg_index i
       CROSS JOIN LATERAL pg_catalog.unnest(i.indkey) WITH ORDINALITY AS o(attnum, ord)
       JOIN pg_catalog.pg_attribute k ON k.attrelid = i.indrelid AND k.attnum = o.attnum AND o.ord <= i.indnkeyatts
      WHERE i.indrelid = c.oid AND i.indisprimary) AS key,
    c.relkind IN ('v', 'm', 'f') AS view,
    (SELECT pg_catalog.array_agg(u.columns) FROM (
      SELECT pg_catalog.string_agg(k.attname::text, E'\n') AS columns
        FROM pg_catalog.pg_index i
        CROSS JOIN LATERAL pg_catalog.unnest(i.indkey) WITH ORDINALITY AS o(attnum, ord)
        JOIN pg_catalog.pg_attribute k ON k.attrelid = i.indrelid AND k.attnum = o.attnum
       WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
         AND o.ord <= i.indnkeyatts
       GROUP BY i.indexrelid) u) AS apart
  FROM ROWS FROM (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[])) AS w(schema, name)
  JOIN pg_catalog.pg_class c ON c.oid = pg_catalog.to_regclass(
    CASE WHEN w.schema = '' THEN '' ELSE pg_catalog.quote_ident(w.schema) || '.' END || pg_catalog.quote_ident(w.name))
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f'))
SELECT w.schema, w.name, w.nspname, w.relname, w.key, w.view, w.apart,
  a.attname::text, a.atttypid, a.atttypmod, a.attnotnull, COALESCE(l.collisdeterministic, true)
FROM wanted w
JOIN pg_catalog.pg_attribute a ON a.attrelid = w.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_catalog.pg_collation l ON l.oid = a.attcollation
WHERE pg_catalog.has_column_privilege(w.oid, a.attnum, 'SELECT')
ORDER BY w.schema, w.name, a.attnum`

func attributes(ctx context.Context, conn *pgx.Conn, names []executors.TableName) ([]attributeRow, error) {
	var schemas, tables []string
	seen := map[executors.TableName]bool{}
	for _, n := range names {
		if !seen[n] {
			seen[n] = true
			schemas, tables = append(schemas, n.Schema), append(tables, n.Name)
		}
	}
	return collect[attributeRow](ctx, conn, attributesSQL, schemas, tables)
}

// typeRow is one type that some column reaches: its own, an element's or a domain's base.
type typeRow struct {
	OID      uint32
	Schema   string
	Name     string
	Kind     string // pg_type.typtype
	Category string
	Elem     uint32
	Comma    bool // the elements of an array of it are divided by commas
	Base     uint32
	Modifier int32
	Labels   []string
	Printed  string
}

const typesSQL = `
WITH RECURSIVE reached(oid) AS (
  SELECT pg_catalog.unnest($1::oid[])
  UNION
  SELECT next.oid FROM reached r JOIN pg_catalog.pg_type p ON p.oid = r.oid
  CROSS JOIN LATERAL (VALUES (p.typbasetype), (p.typelem)) AS next(oid)
  WHERE next.oid <> 0)
SELECT p.oid, n.nspname::text, p.typname::text, p.typtype::text, p.typcategory::text, p.typelem, p.typdelim = ',', p.typbasetype,
  p.typtypmod,
  (SELECT pg_catalog.array_agg(e.enumlabel::text ORDER BY e.enumsortorder) FROM pg_catalog.pg_enum e WHERE e.enumtypid = p.oid),
  pg_catalog.format_type(p.oid, NULL)
FROM reached r JOIN pg_catalog.pg_type p ON p.oid = r.oid JOIN pg_catalog.pg_namespace n ON n.oid = p.typnamespace`

type typeSet map[uint32]typeRow

func loadTypes(ctx context.Context, conn *pgx.Conn, columns []attributeRow) (typeSet, error) {
	var oids []uint32
	for _, c := range columns {
		if !slices.Contains(oids, c.Type) {
			oids = append(oids, c.Type)
		}
	}
	all, err := collect[typeRow](ctx, conn, typesSQL, oids)
	set := typeSet{}
	for _, t := range all {
		set[t.OID] = t
	}
	return set, err
}

// schemas are those of the types outside the system catalogue: their operators must be found by name.
func (s typeSet) schemas() []string {
	var out []string
	for _, t := range s {
		if t.Schema != "pg_catalog" && !slices.Contains(out, t.Schema) {
			out = append(out, t.Schema)
		}
	}
	slices.Sort(out)
	return out
}

func (s typeSet) column(r attributeRow) executors.Column {
	base, modifier := s.base(r.Type, r.Modifier)
	t := s.typeOf(base)
	t.NoMatch = !r.Deterministic
	c := executors.Column{Name: r.Column, Type: t, OID: base.OID, Nullable: !r.NotNull}
	c.Native, c.Recast = s.native(base)
	c.Recast = c.Recast && !textual(t) || t.Kind == resource.Enum && base.OID != r.Type
	c.MaxBytes = maxBytes(t, modifier)
	c.Long = long(t, c.MaxBytes)
	_, c.Binary = binaryKinds[t.Kind]
	return c
}

// base follows a domain to the type it is over. Its NOT NULL is no promise: an outer join or an empty
// sub-select makes a null of a domain that has none (PostgreSQL manual, CREATE DOMAIN).
func (s typeSet) base(oid uint32, modifier int32) (typeRow, int32) {
	t := s[oid]
	for t.Kind == "d" {
		if modifier < 0 {
			modifier = t.Modifier
		}
		t = s[t.Base]
	}
	return t, modifier
}

// native is the type for casts, and whether it is another than the column's own. An array of a domain is
// compared as one of the base type: a value that the domain forbids is then found nowhere, where a cast to
// the domain would fail.
func (s typeSet) native(t typeRow) (name string, other bool) {
	if elem, ok := s.element(t); ok && elem.OID != t.Elem {
		name, _ = s.native(elem)
		return name + "[]", true
	}
	return quoteIdent(t.Schema) + "." + quoteIdent(t.Name), false
}

// element is the type, without domains, of the elements of an array that can be taken apart: of the types that
// divide them otherwise than by commas (PostgreSQL manual, CREATE TYPE), only box is known.
func (s typeSet) element(t typeRow) (elem typeRow, ok bool) {
	if t.Category != "A" || t.Elem == 0 || t.Name[0] != '_' {
		return typeRow{}, false
	}
	elem, _ = s.base(t.Elem, -1)
	return elem, elem.Comma || elem.Schema == "pg_catalog" && elem.Name == "box"
}

func (s typeSet) typeOf(t typeRow) resource.Type {
	if t.Kind == "e" {
		return resource.Type{Kind: resource.Enum, Name: string(resource.Enum), Labels: t.Labels}
	}
	if elem, ok := s.element(t); ok {
		if _, nested := s.element(elem); nested { // a domain over arrays: lists of lists of any length are no array
			return resource.ArrayOf(resource.Type{Kind: resource.Printed, Name: s.typeOf(elem).Name})
		}
		return resource.ArrayOf(s.typeOf(elem))
	}
	if t.Name == "citext" {
		return resource.Plain(resource.CIText)
	}
	if k, ok := kinds[t.Name]; ok && t.Schema == "pg_catalog" {
		return resource.Plain(k)
	}
	return resource.Type{Kind: resource.Printed, Name: printedName(t)}
}

// printedName is the word of the contract for a type that is shown as text: the database's own, but where
// that is longer than need be, or would tell of the host's schema.
func printedName(t typeRow) string {
	switch {
	case t.Kind == "c":
		return "composite"
	case t.Schema != "pg_catalog" && t.Kind == "r":
		return "range"
	case t.Schema != "pg_catalog" && t.Kind == "m":
		return "multirange"
	case t.Schema != "pg_catalog" && t.Category == "A" && t.Elem != 0:
		return strings.TrimPrefix(t.Name, "_") + "[]"
	case t.Schema != "pg_catalog":
		return t.Name
	case t.Schema == "pg_catalog" && (t.Name == "time" || t.Name == "timetz" || t.Name == "bit" || t.Name == "varbit"):
		return strings.TrimPrefix(t.Name, "var")
	default:
		return t.Printed
	}
}

// kinds are the types of the system catalogue that have rules of their own; every other type is shown
// and compared as the text it prints.
var kinds = map[string]resource.Kind{
	"int2": resource.SmallInt, "int4": resource.Integer, "int8": resource.BigInt, "numeric": resource.Numeric,
	"float4": resource.Real, "float8": resource.Double, "bool": resource.Boolean, "text": resource.Text,
	"varchar": resource.VarChar, "bpchar": resource.Char, "uuid": resource.UUID, "date": resource.Date,
	"timestamp": resource.Timestamp, "timestamptz": resource.TimestampTZ, "bytea": resource.Bytea,
	"xml": resource.XML, "json": resource.JSON, "jsonb": resource.JSONB,
}

// binaryKinds are read in the binary format: it is cheaper for both sides and as exact.
var binaryKinds = map[resource.Kind]struct{}{
	resource.SmallInt: {}, resource.Integer: {}, resource.BigInt: {}, resource.Numeric: {}, resource.Real: {},
	resource.Double: {}, resource.Boolean: {}, resource.UUID: {}, resource.Date: {}, resource.Timestamp: {},
	resource.TimestampTZ: {},
}

// maxBytes bounds the text of a varchar(n) or char(n), where a character has at most four bytes, and of a
// numeric(p,s). The modifier counts four bytes of its own; that of a numeric has the precision above 11 bits
// of a scale with a sign.
func maxBytes(t resource.Type, modifier int32) int {
	const header, widest, marks = 4, 4, len("-0.")
	n := int(modifier) - header
	switch {
	case n <= 0:
		return 0
	case t.Kind == resource.VarChar, t.Kind == resource.Char:
		return n * widest
	case t.Kind == resource.Numeric:
		precision, scale := n>>16, (n&0x7ff^0x400)-0x400
		return precision + max(scale, -scale) + marks
	default:
		return 0
	}
}

// long reports whether values can exceed what one page shows.
func long(t resource.Type, limit int) bool {
	const small = 4 << 10
	switch t.Kind {
	case resource.Text, resource.VarChar, resource.CIText, resource.Char:
		return limit == 0 || limit > small
	case resource.Bytea, resource.XML, resource.JSON, resource.JSONB, resource.Array:
		return true
	case resource.Printed:
		return !shortPrinted[t.Name]
	default:
		return false
	}
}

// shortPrinted are printed types whose text is always short.
var shortPrinted = map[string]bool{
	"interval": true, "time": true, "timetz": true, "inet": true, "cidr": true,
	"macaddr": true, "macaddr8": true, "money": true, "oid": true, "point": true, "line": true, "lseg": true,
	"box": true, "circle": true, "int4range": true, "int8range": true, "daterange": true, "tsrange": true,
	"tstzrange": true, "name": true, `"char"`: true, "pg_lsn": true, "xid": true, "tid": true,
}
