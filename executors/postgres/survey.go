package postgres

import (
	"context"

	"github.com/tenantry/tenantry/executors"
)

// surveyed is one table that the role may read some column of.
type surveyed struct {
	Schema, Name string
	Bare         bool
	Comment      string
}

// surveySQL leaves out what belongs to the server, to an extension, to another session or to the framework.
const surveySQL = `
SELECT n.nspname::text, c.relname::text, pg_catalog.pg_table_is_visible(c.oid),
  COALESCE(pg_catalog.obj_description(c.oid, 'pg_class'), '')
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence <> 't'
  AND n.nspname !~ '^pg_' AND n.nspname NOT IN ('information_schema', 'tenantry') AND c.relname <> 'tenantry_migrations'
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
    WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = c.oid AND d.deptype = 'e')
  AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_any_column_privilege(c.oid, 'SELECT')
ORDER BY 3 DESC, 1, 2`

// inventory is what the catalogue lists in one look.
type inventory struct {
	tables     []surveyed
	notes      []note
	references []reference
}

// Survey reads every table that the role may read, with foreign keys and comments, in the order of the
// names: first those that the search path finds.
func (db *DB) Survey(ctx context.Context) (*executors.Survey, error) {
	inv, err := db.inventory(ctx)
	if err != nil {
		return nil, catalogue(ctx, err)
	}
	names := make([]executors.TableName, len(inv.tables))
	for i, t := range inv.tables {
		names[i] = executors.TableName{Schema: t.Schema, Name: t.Name}
	}
	described, err := db.Describe(ctx, names)
	if err != nil {
		return nil, err
	}
	comments, keys := inv.comments(), inv.foreignKeys()
	s := &executors.Survey{}
	for i, name := range names {
		if t, ok := described[name]; ok {
			s.Tables = append(s.Tables, executors.SurveyedTable{
				Table: t, Bare: inv.tables[i].Bare, Comment: inv.tables[i].Comment, Comments: comments[name], ForeignKeys: keys[name],
			})
		}
	}
	return s, nil
}

func (db *DB) inventory(ctx context.Context) (inv inventory, err error) {
	conn, err := db.pool.Acquire(ctx)
	if err != nil {
		return inv, err
	}
	defer conn.Release()
	if inv.tables, err = collect[surveyed](ctx, conn.Conn(), surveySQL); err != nil {
		return inv, err
	}
	if inv.notes, err = collect[note](ctx, conn.Conn(), notesSQL); err != nil {
		return inv, err
	}
	inv.references, err = collect[reference](ctx, conn.Conn(), referencesSQL)
	return inv, err
}

func (inv inventory) comments() map[executors.TableName]map[string]string {
	out := map[executors.TableName]map[string]string{}
	for _, n := range inv.notes {
		name := executors.TableName{Schema: n.Schema, Name: n.Table}
		if out[name] == nil {
			out[name] = map[string]string{}
		}
		out[name][n.Column] = n.Text
	}
	return out
}

func (inv inventory) foreignKeys() map[executors.TableName][]executors.ForeignKey {
	out := map[executors.TableName][]executors.ForeignKey{}
	for _, r := range inv.references {
		name := executors.TableName{Schema: r.Schema, Name: r.Table}
		target := executors.TableName{Schema: r.TheirSchema, Name: r.TheirTable}
		out[name] = append(out[name], executors.ForeignKey{Columns: r.Columns, Target: target, TargetColumns: r.TheirColumns})
	}
	return out
}

// note is the comment of a column.
type note struct{ Schema, Table, Column, Text string }

const notesSQL = `
SELECT n.nspname::text, c.relname::text, a.attname::text, d.description
FROM pg_catalog.pg_description d
JOIN pg_catalog.pg_class c ON c.oid = d.objoid AND c.relkind IN ('r', 'p')
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.objsubid AND a.attnum > 0
WHERE d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'`

// reference is one foreign key.
type reference struct {
	Schema, Table           string
	Columns                 []string
	TheirSchema, TheirTable string
	TheirColumns            []string
}

const referencesSQL = `
SELECT n.nspname::text, c.relname::text,
  (SELECT pg_catalog.array_agg(a.attname::text ORDER BY k.ord) FROM pg_catalog.unnest(f.conkey) WITH ORDINALITY AS k(num, ord)
     JOIN pg_catalog.pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = k.num),
  m.nspname::text, t.relname::text,
  (SELECT pg_catalog.array_agg(a.attname::text ORDER BY k.ord) FROM pg_catalog.unnest(f.confkey) WITH ORDINALITY AS k(num, ord)
     JOIN pg_catalog.pg_attribute a ON a.attrelid = f.confrelid AND a.attnum = k.num)
FROM pg_catalog.pg_constraint f
JOIN pg_catalog.pg_class c ON c.oid = f.conrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_class t ON t.oid = f.confrelid JOIN pg_catalog.pg_namespace m ON m.oid = t.relnamespace
WHERE f.contype = 'f' AND f.conparentid = 0
ORDER BY n.nspname, c.relname, f.conkey, m.nspname, t.relname, f.conname`
