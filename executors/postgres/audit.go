package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/tenantry/tenantry/executors"
)

// Audit says what keeps row policies from being a second wall behind the scopes: a role that they do not
// bind or that may do more than read, a server whose policies are known to leak, a table without forced
// policies for the tenant, an object that ignores them.
func (db *DB) Audit(ctx context.Context, tables []executors.Audited) ([]executors.Finding, error) {
	found, err := db.findings(ctx, tables)
	if err != nil {
		return nil, catalogue(ctx, err)
	}
	return found, nil
}

func (db *DB) findings(ctx context.Context, tables []executors.Audited) ([]executors.Finding, error) {
	conn, err := db.pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Release()
	role, err := collectOne[roleFacts](ctx, conn.Conn(), roleSQL)
	if err != nil {
		return nil, err
	}
	a := &audit{role: role, tables: map[string]executors.Audited{}}
	a.ofRole()
	var names []string
	for _, t := range tables {
		names, a.tables[t.Quoted] = append(names, t.Quoted), t
	}
	facts, err := collect[tableFacts](ctx, conn.Conn(), factsSQL, names)
	if err != nil {
		return nil, err
	}
	for _, f := range facts {
		a.ofTable(f)
	}
	for _, t := range tables {
		a.ofTenantColumn(t)
	}
	keys, err := collect[keyFacts](ctx, conn.Conn(), foreignKeysSQL, names)
	for _, k := range keys {
		a.ofForeignKey(k)
	}
	a.wide()
	return a.found, err
}

// audit collects what is found.
type audit struct {
	role     roleFacts
	tables   map[string]executors.Audited
	found    []executors.Finding
	readable []string // the tables of which every column is granted
	written  []string // the tables that can be written, as told
}

func (a *audit) say(severity executors.Severity, table, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if table != "" {
		text = plainName(table) + ": " + text
	}
	a.found = append(a.found, executors.Finding{Table: table, Severity: severity, Text: text})
}

func plainName(quoted string) string { return strings.ReplaceAll(quoted, `"`, "") }

func collect[T any](ctx context.Context, conn *pgx.Conn, sql string, args ...any) ([]T, error) {
	rows, err := conn.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[T])
}

func collectOne[T any](ctx context.Context, conn *pgx.Conn, sql string) (T, error) {
	rows, err := conn.Query(ctx, sql)
	if err != nil {
		var none T
		return none, err
	}
	return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[T])
}
