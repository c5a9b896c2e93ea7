package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

// errStatementMode is what is wrong with a pooler that has another server for every statement.
var errStatementMode = errors.New("postgres: a pooler in statement mode stands before the server, and no tenant can be set for a transaction there: set its pool_mode to transaction")

// probe looks, inside a transaction such as a call has, whether a setting stays for the next statement, and
// whether the operators that are found there are those by which the types are ordered.
func (db *DB) probe(ctx context.Context, conn *pgx.Conn, tables map[executors.TableName]*executors.Table) error {
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{AccessMode: pgx.ReadOnly})
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok && pg.Code == "08P01" {
		return fmt.Errorf("%w (%w)", errStatementMode, err)
	}
	if err != nil {
		return catalogue(ctx, err)
	}
	defer func() { _ = tx.Rollback(ctx) }()
	const probed = "probe"
	var path, tenant string
	err = tx.QueryRow(ctx, `SELECT pg_catalog.set_config('search_path', $1, true), pg_catalog.set_config('`+TenantSetting+`', $2, true)`,
		db.searchPath(), probed).Scan(&path, &tenant)
	if err != nil {
		return catalogue(ctx, err)
	}
	if err := tx.QueryRow(ctx, `SELECT COALESCE(pg_catalog.current_setting('`+TenantSetting+`', true), '')`).Scan(&tenant); err != nil {
		return catalogue(ctx, err)
	}
	if tenant != probed {
		return errStatementMode
	}
	odd, err := collect[oddType](ctx, tx.Conn(), operatorsSQL, compared(tables))
	if err != nil {
		return catalogue(ctx, err)
	}
	for _, t := range tables {
		for i, c := range t.Columns {
			t.Columns[i].Odd = slices.ContainsFunc(odd, func(o oddType) bool { return o.OID == c.OID })
		}
	}
	return nil
}

type oddType struct{ OID uint32 }

// operatorsSQL lists the types of which some comparison, found by the search path, is not that of the type's
// default B-tree operator class. A type without a class of its own is compared as another; then nothing
// outside the system catalogue may stand in for it.
const operatorsSQL = `
SELECT DISTINCT p.oid
FROM pg_catalog.unnest($1::oid[]) AS w(oid) JOIN pg_catalog.pg_type p ON p.oid = w.oid
CROSS JOIN (VALUES ('<', 1), ('<=', 2), ('=', 3), ('>=', 4), ('>', 5)) AS s(name, strategy)
CROSS JOIN LATERAL (SELECT pg_catalog.to_regoperator(
  s.name || '(' || pg_catalog.format_type(p.oid, NULL) || ',' || pg_catalog.format_type(p.oid, NULL) || ')')::pg_catalog.oid AS oid) AS found
LEFT JOIN LATERAL (SELECT a.amopopr AS oid
  FROM pg_catalog.pg_opclass o JOIN pg_catalog.pg_am m ON m.oid = o.opcmethod AND m.amname = 'btree'
  JOIN pg_catalog.pg_amop a ON a.amopfamily = o.opcfamily AND a.amopstrategy = s.strategy
    AND a.amoplefttype = o.opcintype AND a.amoprighttype = o.opcintype
  WHERE o.opcdefault AND o.opcintype = p.oid) AS own ON true
LEFT JOIN pg_catalog.pg_operator f ON f.oid = found.oid
WHERE CASE WHEN own.oid IS NOT NULL THEN own.oid IS DISTINCT FROM found.oid
  ELSE f.oprnamespace <> 'pg_catalog'::pg_catalog.regnamespace END`

// compared are the types that are compared as themselves.
func compared(tables map[executors.TableName]*executors.Table) (oids []uint32) {
	for _, t := range tables {
		for _, c := range t.Columns {
			if c.Type.Operators() != nil && c.Type.Kind != resource.Printed && !slices.Contains(oids, c.OID) {
				oids = append(oids, c.OID)
			}
		}
	}
	return oids
}
