package sqlite

import (
	"context"
	"database/sql/driver"

	"github.com/tenantry/tenantry/executors"
)

// indexesSQL lists the columns of a table's indexes that cover every row. An expression has no column.
const indexesSQL = `
SELECT i.name, COALESCE(c.name, '')
FROM pragma_index_list(?1, 'main') AS i JOIN pragma_index_info(i.name, 'main') AS c
WHERE NOT i.partial
ORDER BY i.seq, c.seqno`

// Indexes reads the indexes that cover every row from the catalogue.
func (db *DB) Indexes(ctx context.Context, tables []*executors.Table) (map[string][][]string, error) {
	out := map[string][][]string{}
	err := db.with(ctx, func(s *session) error {
		for _, t := range tables {
			last := ""
			args := []driver.NamedValue{{Ordinal: 1, Value: t.Name.Name}}
			err := s.query(ctx, reading{indexesSQL, args, func(v []driver.Value) bool {
				list := out[t.Quoted]
				if index := text(v[0]); index != last {
					last, list = index, append(list, nil)
				}
				n := len(list) - 1
				list[n] = append(list[n], text(v[1]))
				out[t.Quoted] = list
				return true
			}})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, catalogue(ctx, err)
	}
	return out, nil
}

var _ executors.Indexer = (*DB)(nil)
