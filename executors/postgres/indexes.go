package postgres

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/tenantry/tenantry/executors"
)

// indexRow is one column of one index. Column is nil where an expression stands, or where the order of the
// index is not that of the column: another collation, or an operator class of the host's choice.
type indexRow struct {
	Table  string
	Index  uint32
	Column *string
}

// indexesSQL lists the B-trees that hold every row. The vectors of pg_index count from 0.
const indexesSQL = `
SELECT w.name, i.indexrelid,
  CASE WHEN p.opcdefault AND i.indcollation[s.n] = k.attcollation THEN k.attname::text END
FROM pg_catalog.unnest($1::text[]) AS w(name)
JOIN pg_catalog.pg_index i ON i.indrelid = pg_catalog.to_regclass(w.name)
JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
JOIN pg_catalog.pg_am m ON m.oid = x.relam AND m.amname = 'btree'
CROSS JOIN LATERAL pg_catalog.generate_series(0, i.indnkeyatts - 1) AS s(n)
LEFT JOIN pg_catalog.pg_attribute k ON k.attrelid = i.indrelid AND k.attnum = i.indkey[s.n]
LEFT JOIN pg_catalog.pg_opclass p ON p.oid = i.indclass[s.n]
WHERE i.indisvalid AND i.indisready AND i.indpred IS NULL
ORDER BY w.name, i.indisprimary DESC, x.relname, i.indexrelid, s.n`

// addIndexes tells the tables their indexes, each up to the first column that is not plain.
func addIndexes(ctx context.Context, conn *pgx.Conn, tables map[executors.TableName]*executors.Table) error {
	columns := map[string][][]string{}
	for _, t := range tables {
		columns[t.Quoted] = nil
	}
	all, err := collect[indexRow](ctx, conn, indexesSQL, slices.Sorted(maps.Keys(columns)))
	if err != nil {
		return err
	}
	for i := 0; i < len(all); {
		first, plain := all[i], []string{}
		open := true
		for ; i < len(all) && all[i].Table == first.Table && all[i].Index == first.Index; i++ {
			if open = open && all[i].Column != nil; open {
				plain = append(plain, *all[i].Column)
			}
		}
		if len(plain) > 0 {
			columns[first.Table] = append(columns[first.Table], plain)
		}
	}
	for _, t := range tables {
		t.Indexes = columns[t.Quoted]
	}
	return nil
}
