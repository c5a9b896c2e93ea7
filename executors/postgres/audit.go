package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/tenantry/tenantry/executors"
)

// tableFacts is what the audit looks at for one table.
type tableFacts struct {
	Table          string
	Kind           string
	Partition      bool
	Enabled        bool
	Forced         bool
	Owned          bool
	Writable       bool
	SecurityInvoke bool
	Open           bool // a permissive policy that is true for every row
	Policies       int
}

const roleSQL = `SELECT r.rolsuper, r.rolbypassrls, current_user::text FROM pg_catalog.pg_roles r WHERE r.rolname = current_user`

// ours tells the policies that apply to the role: those of PUBLIC, which is 0, and of roles it is in. What
// an application may do as a role of its own is not ours to judge.
const ours = `EXISTS (SELECT 1 FROM pg_catalog.unnest(p.polroles) AS member(oid)
  WHERE CASE WHEN member.oid = 0 THEN true ELSE pg_catalog.pg_has_role(member.oid, 'MEMBER') END)`

const factsSQL = `
SELECT w.name, c.relkind::text, c.relispartition, c.relrowsecurity, c.relforcerowsecurity,
  pg_catalog.pg_has_role(c.relowner, 'USAGE'),
  pg_catalog.has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE'),
  COALESCE('security_invoker=true' = ANY(c.reloptions) OR 'security_invoker=on' = ANY(c.reloptions), false),
  (SELECT COALESCE(bool_or(p.polpermissive AND pg_catalog.pg_get_expr(p.polqual, p.polrelid) = 'true'), false)
     FROM pg_catalog.pg_policy p WHERE p.polrelid = c.oid AND p.polcmd IN ('r', '*') AND ` + ours + `),
  (SELECT count(*)::int FROM pg_catalog.pg_policy p WHERE p.polrelid = c.oid AND p.polcmd IN ('r', '*') AND ` + ours + `)
FROM pg_catalog.unnest($1::text[]) AS w(name)
JOIN pg_catalog.pg_class c ON c.oid = pg_catalog.to_regclass(w.name)`

// Audit says what keeps row policies from being a second wall behind the scopes: a role that they do not
// bind, a table without forced ones, an object that ignores them.
func (db *DB) Audit(ctx context.Context, tables []*executors.Table) []error {
	conn, err := db.pool.Acquire(ctx)
	if err != nil {
		return []error{catalogue(ctx, err)}
	}
	defer conn.Release()
	var super, bypass bool
	var role string
	if err := conn.QueryRow(ctx, roleSQL).Scan(&super, &bypass, &role); err != nil {
		return []error{catalogue(ctx, err)}
	}
	var out []error
	if super || bypass {
		out = append(out, fmt.Errorf("role %q ignores row policies: connect as a role that is no superuser and has no BYPASSRLS", role))
	}
	var names []string
	for _, t := range tables {
		names = append(names, t.Quoted)
	}
	rows, err := conn.Query(ctx, factsSQL, names)
	if err != nil {
		return append(out, catalogue(ctx, err))
	}
	facts, err := pgx.CollectRows(rows, pgx.RowToStructByPos[tableFacts])
	if err != nil {
		return append(out, catalogue(ctx, err))
	}
	seen := map[string]bool{}
	for _, f := range facts {
		if !seen[f.Table] {
			seen[f.Table] = true
			out = append(out, f.findings(role)...)
		}
	}
	return out
}

func (f tableFacts) findings(role string) []error {
	var out []error
	say := func(format string, args ...any) {
		out = append(out, fmt.Errorf("%s: "+format, append([]any{strings.ReplaceAll(f.Table, `"`, "")}, args...)...))
	}
	switch f.Kind {
	case "v":
		if !f.SecurityInvoke {
			say("the view reads its tables with its owner's rights: ALTER VIEW … SET (security_invoker = true)")
		}
	case "m", "f":
		say("row policies do not reach a materialized view or a foreign table")
	default:
		f.policies(say)
	}
	if f.Partition {
		say("a partition read directly ignores the policies of its table: register the partitioned table")
	}
	if f.Writable {
		say("role %q can write: grant it SELECT alone", role)
	}
	return out
}

func (f tableFacts) policies(say func(format string, args ...any)) {
	switch {
	case !f.Enabled:
		say("row level security is off: CALL tenantry.protect(…) of the framework's migrations turns it on")
	case !f.Forced && f.Owned:
		say("row level security is not forced and the role owns the table: ALTER TABLE … FORCE ROW LEVEL SECURITY")
	case f.Policies == 0:
		say("row level security is on without a policy for SELECT, so that no row is ever seen")
	}
	if f.Open {
		say("a permissive policy is true for every row")
	}
}
