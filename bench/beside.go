package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// beside is what stands next to the widgets: each table by the statements that make it.
func (db *database) beside() map[string][]string {
	return map[string][]string{
		"parts":     {fmt.Sprintf(partsSQL, owners, db.tenants), "VACUUM (FREEZE, ANALYZE) parts"},
		manyName(0): {fmt.Sprintf(manySQL, crowd)},
	}
}

// complete makes what the database has not: a kept one may be older.
func (db *database) complete(ctx context.Context) error {
	began := time.Now()
	for table, statements := range db.beside() {
		found, err := db.has(ctx, table)
		if err == nil && !found {
			err = run(ctx, db.url, statements...)
		}
		if err != nil {
			return err
		}
	}
	db.loading += time.Since(began)
	return nil
}

func (db *database) has(ctx context.Context, table string) (found bool, err error) {
	conn, err := pgx.Connect(ctx, db.url)
	if err != nil {
		return false, err
	}
	defer func() { _ = conn.Close(ctx) }() // it has only read
	err = conn.QueryRow(ctx, "SELECT to_regclass($1) IS NOT NULL", table).Scan(&found)
	return found, err
}
