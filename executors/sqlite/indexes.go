package sqlite

import (
	"context"
	"database/sql/driver"
	"slices"
	"strings"

	"github.com/tenantry/tenantry/executors"
)

// indexesSQL lists the columns of the indexes that hold every row; an expression has no name.
const indexesSQL = `
SELECT i.name, c.name
FROM pragma_index_list(?1, 'main') AS i JOIN pragma_index_xinfo(i.name, 'main') AS c
WHERE c.key AND NOT i.partial
ORDER BY i.origin <> 'pk', i.name, c.seqno`

// indexes tells the tables their indexes, each up to its first expression. A key without an index of its
// own is what the table itself is ordered by.
func (s *session) indexes(ctx context.Context, tables map[string]*executors.Table) error {
	for name, t := range tables {
		last, open := "", false
		args := []driver.NamedValue{{Ordinal: 1, Value: name}}
		err := s.query(ctx, reading{indexesSQL, args, func(v []driver.Value) bool {
			if index := text(v[0]); index != last {
				last, open = index, true
				t.Indexes = append(t.Indexes, nil)
			}
			if open = open && v[1] != nil; open {
				n := len(t.Indexes) - 1
				t.Indexes[n] = append(t.Indexes[n], text(v[1]))
			}
			return true
		}})
		if err != nil {
			return err
		}
		t.Indexes = slices.DeleteFunc(t.Indexes, func(columns []string) bool { return len(columns) == 0 })
		keyed := func(columns []string) bool { return slices.Equal(columns, t.Key) }
		if len(t.Key) > 0 && !slices.ContainsFunc(t.Indexes, keyed) {
			t.Indexes = slices.Insert(t.Indexes, 0, t.Key)
		}
	}
	return nil
}

// CreateIndex names the index, which SQLite does not do by itself.
func (d Dialect) CreateIndex(t *executors.Table, columns []string) string {
	quoted := make([]string, len(columns))
	for i, c := range columns {
		quoted[i] = d.Quote(c)
	}
	name := t.Name.Name + "_" + strings.Join(columns, "_")
	return "CREATE INDEX " + d.Quote(name) + " ON " + d.Quote(t.Name.Name) + " (" + strings.Join(quoted, ", ") + ")"
}
