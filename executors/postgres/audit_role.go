package postgres

import (
	"strings"

	"github.com/tenantry/tenantry/executors"
)

// roleFacts is what the audit looks at that does not belong to one table.
type roleFacts struct {
	Name                   string
	Super, Bypass, Inherit bool
	Version                int
	Create, Temp           bool
	Schemas                []string // in which it may create
	Inherited              []string // the roles whose rights are its own
	System                 []string // of the server's own roles, those that read or write everything
	Member                 bool     // of any role
	Writable               []string // tables that it may write
	Definers               []string // functions with their owners' rights that it may call
}

// systemSchema tells the schemas of the server and of sessions, as n.
const systemSchema = `(n.nspname = 'information_schema' OR n.nspname ~ '^pg_')`

// roleSQL looks at the role in force, and for what no policy binds at the one that logged in too. The few
// names in a list are enough to say what is wrong.
const roleSQL = `
SELECT r.rolname::text,
  (SELECT pg_catalog.bool_or(u.rolsuper) FROM pg_catalog.pg_roles u WHERE u.rolname IN (current_user, session_user)),
  (SELECT pg_catalog.bool_or(u.rolbypassrls) FROM pg_catalog.pg_roles u WHERE u.rolname IN (current_user, session_user)),
  r.rolinherit, pg_catalog.current_setting('server_version_num')::int,
  pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE'),
  pg_catalog.has_database_privilege(pg_catalog.current_database(), 'TEMP'),
  ARRAY(SELECT n.nspname::text FROM pg_catalog.pg_namespace n
    WHERE n.nspname !~ '^pg_(temp|toast)' AND pg_catalog.has_schema_privilege(n.oid, 'CREATE') ORDER BY 1 LIMIT 5),
  ARRAY(SELECT m.rolname::text FROM pg_catalog.pg_roles m
    WHERE m.oid <> r.oid AND m.rolname !~ '^pg_' AND m.rolname <> 'tenantry_reader' AND pg_catalog.pg_has_role(m.oid, 'USAGE') ORDER BY 1 LIMIT 5),
  ARRAY(SELECT m.rolname::text FROM pg_catalog.pg_roles m
    WHERE (m.rolname ~ '^pg_read_' OR m.rolname ~ '^pg_write_' OR m.rolname = 'pg_execute_server_program')
      AND pg_catalog.pg_has_role(m.oid, 'MEMBER') ORDER BY 1),
  EXISTS (SELECT FROM pg_catalog.pg_auth_members m WHERE m.member = r.oid),
  ARRAY(SELECT pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(c.relname)
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT ` + systemSchema + ` AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
      AND ` + writes + ` ORDER BY 1 LIMIT 1000),
  ARRAY(SELECT p.oid::pg_catalog.regprocedure::text FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
    WHERE p.prosecdef AND NOT ` + systemSchema + ` AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
      AND pg_catalog.has_function_privilege(p.oid, 'EXECUTE') ORDER BY 1 LIMIT 20)
FROM pg_catalog.pg_roles r WHERE r.rolname = current_user`

// writes tells the tables that the role may write in any way, as c.
const writes = `(pg_catalog.has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE') OR pg_catalog.has_any_column_privilege(c.oid, 'INSERT, UPDATE'))`

func (a *audit) ofRole() {
	r := a.role
	if why := leakyVersion(r.Version); why != "" {
		a.say(executors.Refuse, "", "the server's row policies are known to leak: %s", why)
	}
	if r.Super || r.Bypass {
		a.say(executors.Refuse, "", "role %q ignores row policies: connect as a role that is no superuser and has no BYPASSRLS", r.Name)
	}
	if r.Super {
		return // it may do everything: what follows would say so in many ways
	}
	a.ofMemberships()
	list := func(severity executors.Severity, names []string, what string) {
		if len(names) > 0 {
			a.say(severity, "", what, r.Name, strings.Join(names, ", "))
		}
	}
	list(executors.Refuse, r.Schemas, "role %q can create objects in schema %s: REVOKE CREATE from it, or from PUBLIC")
	list(executors.Warn, r.Definers, "role %q can call functions that run with their owners' rights, which no policy need bind: %s; REVOKE EXECUTE from PUBLIC where it is not meant")
	if r.Create {
		a.say(executors.Refuse, "", "role %q can create schemas in the database: REVOKE CREATE ON DATABASE", r.Name)
	}
	if r.Temp {
		a.say(executors.Warn, "", "role %q can create temporary tables: REVOKE TEMPORARY ON DATABASE … FROM PUBLIC", r.Name)
	}
}

// ofMemberships looks at whose rights the role has. That of the framework's readers is what it is meant to have.
func (a *audit) ofMemberships() {
	r := a.role
	for _, name := range r.System {
		a.say(executors.Refuse, "", "role %q is a member of %q, which reads or writes past every grant: REVOKE it", r.Name, name)
	}
	switch {
	case len(r.Inherited) > 0:
		a.say(executors.Refuse, "", "role %q has every right of %s: grant it what it reads by itself or through tenantry_reader alone, and ALTER ROLE … NOINHERIT", r.Name, strings.Join(r.Inherited, ", "))
	case r.Inherit && !r.Member:
		a.say(executors.Warn, "", "role %q would have every right of a role that it is made a member of: ALTER ROLE … NOINHERIT", r.Name)
	}
}
