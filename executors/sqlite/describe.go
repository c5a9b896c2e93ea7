package sqlite

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tenantry/tenantry/executors"
)

// mainSchema is the only schema there is: nothing is ever attached.
const mainSchema = "main"

// Describe reads tables and views from the catalogue. It refuses a database whose encoding is not UTF-8,
// in which lengths and order would mean something else.
func (db *DB) Describe(ctx context.Context, names []executors.TableName) (map[executors.TableName]*executors.Table, error) {
	described := map[string]*executors.Table{}
	err := db.with(ctx, func(s *session) error {
		if err := s.utf8(ctx); err != nil {
			return err
		}
		if err := s.columns(ctx, names, described); err != nil {
			return err
		}
		if err := s.uniques(ctx, described); err != nil {
			return err
		}
		return s.indexes(ctx, described)
	})
	if err != nil {
		return nil, catalogue(ctx, err)
	}
	tables := map[executors.TableName]*executors.Table{}
	for _, n := range names {
		if t, ok := described[n.Name]; ok && (n.Schema == "" || n.Schema == mainSchema) {
			named := *t
			named.Name = n
			tables[n] = &named
		}
	}
	return tables, nil
}

func (s *session) utf8(ctx context.Context) error {
	encoding := ""
	err := s.query(ctx, reading{sql: "SELECT encoding FROM pragma_encoding", row: func(v []driver.Value) bool {
		encoding = text(v[0])
		return true
	}})
	if err == nil && encoding != "UTF-8" {
		return fmt.Errorf("the database's encoding is %s, and only UTF-8 is served", encoding)
	}
	return err
}

// columnsSQL lists the columns of tables and views, and whether each can be NULL. SQLite's functions for
// the catalogue ignore case in names; names are taken as they are, so that the table's comes from
// sqlite_schema. A column that is the rowid is never NULL: it is the key of a table whose key needs no
// index (https://www.sqlite.org/rowidtable.html). Hidden columns of virtual tables are left out.
const columnsSQL = `
SELECT s.name, c.name, c.type, c.pk, s.type = 'view',
  c."notnull" = 0 AND (c.pk = 0 OR EXISTS (SELECT 1 FROM pragma_index_list(s.name, 'main') AS i WHERE i.origin = 'pk'))
FROM json_each(?1) AS w
JOIN main.sqlite_schema AS s ON s.name = w.value AND s.type IN ('table', 'view')
JOIN pragma_table_xinfo(s.name, 'main') AS c
WHERE c.hidden <> 1
ORDER BY s.name, c.cid`

func (s *session) columns(ctx context.Context, names []executors.TableName, into map[string]*executors.Table) error {
	list := []string{}
	for _, n := range names {
		if !slices.Contains(list, n.Name) {
			list = append(list, n.Name)
		}
	}
	wanted, err := json.Marshal(list)
	if err != nil {
		return err
	}
	args := []driver.NamedValue{{Ordinal: 1, Value: string(wanted)}}
	return s.query(ctx, reading{columnsSQL, args, func(v []driver.Value) bool {
		table := text(v[0])
		t := into[table]
		if t == nil {
			t = &executors.Table{Quoted: quoteIdent(mainSchema) + "." + quoteIdent(table), View: number(v[4]) != 0}
			into[table] = t
		}
		t.Columns = append(t.Columns, column(text(v[1]), text(v[2]), number(v[5]) != 0))
		addKey(t, text(v[1]), number(v[3]))
		return true
	}})
}

// uniqueSQL lists the columns of a table's unique indexes that hold for every row; an expression has no
// column.
const uniqueSQL = `
SELECT i.name, c.name
FROM pragma_index_list(?1, 'main') AS i JOIN pragma_index_info(i.name, 'main') AS c
WHERE i."unique" AND NOT i.partial
ORDER BY i.seq, c.seqno`

func (s *session) uniques(ctx context.Context, tables map[string]*executors.Table) error {
	for name, t := range tables {
		last := ""
		args := []driver.NamedValue{{Ordinal: 1, Value: name}}
		err := s.query(ctx, reading{uniqueSQL, args, func(v []driver.Value) bool {
			if index := text(v[0]); index != last || t.Unique == nil {
				last = index
				t.Unique = append(t.Unique, nil)
			}
			n := len(t.Unique) - 1
			t.Unique[n] = append(t.Unique[n], text(v[1]))
			return true
		}})
		if err != nil {
			return err
		}
	}
	return nil
}

// addKey puts a column in its place in the key, counted from 1; 0 is none.
func addKey(t *executors.Table, name string, place int64) {
	for int64(len(t.Key)) < place {
		t.Key = append(t.Key, "")
	}
	if place > 0 {
		t.Key[place-1] = name
	}
}

func column(name, declared string, nullable bool) executors.Column {
	t := typeOf(declared)
	return executors.Column{Name: name, Type: t, Native: declared, Nullable: nullable, Long: long(t)}
}

func text(v driver.Value) string {
	s, _ := v.(string)
	return s
}

func number(v driver.Value) int64 {
	n, _ := v.(int64)
	return n
}
