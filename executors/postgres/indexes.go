package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/tenantry/tenantry/executors"
)

const indexesSQL = `
SELECT w.name, (SELECT pg_catalog.array_agg(COALESCE(k.attname::text, '') ORDER BY o.ord)
  FROM pg_catalog.unnest(i.indkey) WITH ORDINALITY AS o(attnum, ord)
  LEFT JOIN pg_catalog.pg_attribute k ON k.attrelid = i.indrelid AND k.attnum = o.attnum AND o.attnum > 0
  WHERE o.ord <= i.indnkeyatts)
FROM pg_catalog.unnest($1::text[]) AS w(name)
JOIN pg_catalog.pg_index i ON i.indrelid = pg_catalog.to_regclass(w.name)
WHERE i.indisvalid AND i.indpred IS NULL`

// Indexes reads the indexes that cover every row from the catalogue.
func (db *DB) Indexes(ctx context.Context, tables []*executors.Table) (map[string][][]string, error) {
	var names []string
	for _, t := range tables {
		names = append(names, t.Quoted)
	}
	rows, err := db.pool.Query(ctx, indexesSQL, names)
	if err != nil {
		return nil, catalogue(ctx, err)
	}
	out := map[string][][]string{}
	var table string
	var columns []string
	_, err = pgx.ForEachRow(rows, []any{&table, &columns}, func() error {
		out[table] = append(out[table], columns)
		columns = nil
		return nil
	})
	if err != nil {
		return nil, catalogue(ctx, err)
	}
	return out, nil
}

var _ executors.Indexer = (*DB)(nil)
