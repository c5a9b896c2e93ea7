package migrations

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Version returns the last version of the set that was begun, and whether it was left unfinished. Zero
// says that none was. It only reads: it creates no table and needs no more than to read the version table.
func Version(ctx context.Context, databaseURL string, set Set) (version uint, dirty bool, err error) {
	conn, err := connect(ctx, databaseURL)
	if err != nil {
		return 0, false, err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()

	var table *string // qualified and quoted
	err = conn.QueryRow(ctx, "SELECT pg_catalog.to_regclass(pg_catalog.format('%I.%I', pg_catalog.current_schema(), $1::text))::text", set.Table).Scan(&table)
	if err != nil {
		return 0, false, fmt.Errorf("migrations: looking for %s: %w", set.Table, err)
	}
	if table == nil {
		return 0, false, nil
	}
	err = conn.QueryRow(ctx, "SELECT version, dirty FROM "+*table+" LIMIT 1").Scan(&version, &dirty)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("migrations: reading %s: %w", set.Table, err)
	}
	return version, dirty, nil
}
