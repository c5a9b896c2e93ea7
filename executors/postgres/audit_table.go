package postgres

import (
	"regexp"
	"slices"
	"strings"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/scope"
)

// tableFacts is what the audit looks at for one table, or for one below a view: what a view reads is held
// against the view.
type tableFacts struct {
	Table     string // as asked for
	Object    string // the table itself or what it reads
	Kind      string
	Partition bool
	Enabled   bool
	Forced    bool
	Owned     bool
	Readable  bool // every column
	Writable  bool
	Invoker   bool
	Policies  []string // those that let rows be read; permissive ones
}

// ours tells the policies that apply to the role: those of PUBLIC, which is 0, and of roles it is in. What
// an application may do as a role of its own is not ours to judge.
const ours = `EXISTS (SELECT 1 FROM pg_catalog.unnest(p.polroles) AS member(oid)
  WHERE CASE WHEN member.oid = 0 THEN true ELSE pg_catalog.pg_has_role(member.oid, 'MEMBER') END)`

const factsSQL = `
WITH RECURSIVE reached(name, oid) AS (
  SELECT w.name, pg_catalog.to_regclass(w.name)::pg_catalog.oid FROM pg_catalog.unnest($1::text[]) AS w(name)
  UNION
  SELECT r.name, d.refobjid FROM reached r
  JOIN pg_catalog.pg_class v ON v.oid = r.oid AND v.relkind = 'v'
  JOIN pg_catalog.pg_rewrite w ON w.ev_class = v.oid AND w.ev_type = '1'
  JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass AND d.objid = w.oid
    AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refobjid <> v.oid)
SELECT r.name, pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(c.relname),
  c.relkind::text, c.relispartition, c.relrowsecurity, c.relforcerowsecurity,
  pg_catalog.pg_has_role(c.relowner, 'MEMBER'), pg_catalog.has_table_privilege(c.oid, 'SELECT'), ` + writes + `,
  EXISTS (SELECT FROM pg_catalog.pg_options_to_table(c.reloptions) o
    WHERE o.option_name = 'security_invoker' AND o.option_value::boolean),
  ARRAY(SELECT COALESCE(pg_catalog.pg_get_expr(p.polqual, p.polrelid), 'true') FROM pg_catalog.pg_policy p
    WHERE p.polrelid = c.oid AND p.polpermissive AND p.polcmd IN ('r', '*') AND ` + ours + ` ORDER BY p.polname)
FROM reached r JOIN pg_catalog.pg_class c ON c.oid = r.oid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND (c.relkind IN ('r', 'p') OR NOT ` + systemSchema + `)
ORDER BY r.name, 2`

func (a *audit) ofTable(f tableFacts) {
	t := a.tables[f.Table]
	say := func(severity executors.Severity, format string, args ...any) {
		if below := plainName(f.Object); below != plainName(f.Table) {
			format, args = "it reads %s: "+format, append([]any{below}, args...)
		}
		a.say(severity, f.Table, format, args...)
	}
	if !a.role.Super {
		a.ofRights(f, say)
	}
	if t.Global || strings.HasPrefix(f.Object, "pg_catalog.") {
		return
	}
	switch {
	case f.Kind == "v" && !f.Invoker:
		say(executors.Refuse, "the view reads its tables with its owner's rights: ALTER VIEW … SET (security_invoker = true)")
	case f.Kind == "v":
	case f.Kind == "m", f.Kind == "f":
		say(executors.Refuse, "row policies do not reach a materialized view or a foreign table")
	default:
		f.policies(t, say)
	}
	if f.Partition {
		say(executors.Refuse, "a partition read directly ignores the policies of its table: register the partitioned table")
	}
}

// ofRights looks at what the role may do with a table beside reading it.
func (a *audit) ofRights(f tableFacts, say func(executors.Severity, string, ...any)) {
	if f.Owned {
		say(executors.Refuse, "role %q owns the table or is a member of its owner, and could take its policies away: connect as another", a.role.Name)
	}
	if f.Writable {
		a.written = append(a.written, f.Object)
		say(executors.Refuse, "role %q can write: grant it SELECT alone", a.role.Name)
	}
	if f.Readable && !f.Owned && !slices.Contains(a.readable, f.Object) {
		a.readable = append(a.readable, f.Object)
	}
}

// wide is one line for what the role may write beside the tables, and one for all tables of which no column is
// kept back.
func (a *audit) wide() {
	others := slices.DeleteFunc(a.role.Writable, func(name string) bool { return slices.Contains(a.written, name) })
	if shown := others[:min(len(others), 5)]; len(shown) > 0 && !a.role.Super {
		a.say(executors.Refuse, "", "role %q can write %s: grant it SELECT alone", a.role.Name, strings.Join(shown, ", "))
	}
	if len(a.readable) > 0 {
		a.say(executors.Warn, "", "role %q can read every column of %s, also of those to come: grant it the columns that are shown, GRANT SELECT (…) ON …",
			a.role.Name, plainName(strings.Join(a.readable, ", ")))
	}
}

func (f tableFacts) policies(t executors.Audited, say func(executors.Severity, string, ...any)) {
	switch {
	case !f.Enabled:
		if t.Tenant == "" {
			say(executors.Refuse, "row level security is off: a table without a tenant column of its own takes a policy that looks at its parent, as the page on operations shows")
			return
		}
		say(executors.Refuse, "row level security is off: CALL tenantry.protect(…) of the framework's migrations turns it on")
		return
	case !f.Forced:
		say(executors.Refuse, "row level security is not forced, and does not bind the table's owner: ALTER TABLE … FORCE ROW LEVEL SECURITY")
	}
	if len(f.Policies) == 0 {
		say(executors.Refuse, "row level security is on without a policy for SELECT, so that no row is ever seen")
	}
	for _, p := range f.Policies {
		switch {
		case scope.Constant(p) != nil:
			say(executors.Refuse, "a permissive policy is true for every row")
		case !readsTenant(p) && !(t.Tenant == "" && throughParent.MatchString(p)):
			say(executors.Warn, "a policy does not read the setting %s, and so shows rows whoever asks", TenantSetting)
		case !nullSafe(p):
			say(executors.Refuse, "a policy reads the setting %s in a form that fails or matches without a tenant: write nullif(current_setting('%[1]s', true), '') or tenantry.current_tenant()", TenantSetting)
		}
	}
}

// The text of policies is that of the server's own printer.
var (
	throughParent = regexp.MustCompile(`\bFROM\b`) // it looks into a table with policies of its own
	bareSetting   = regexp.MustCompile(`current_setting\('tenantry\.tenant_id'`)
	safeSetting   = regexp.MustCompile(`NULLIF\((pg_catalog\.)?current_setting\('tenantry\.tenant_id'::text, true\), ''::text\)`)
)

func readsTenant(policy string) bool {
	return strings.Contains(policy, "current_tenant()") || bareSetting.MatchString(policy)
}

// nullSafe reports whether a policy finds no row without a tenant. A transaction that set one leaves an empty
// text behind, and a session that never did has none.
func nullSafe(policy string) bool {
	return len(bareSetting.FindAllString(policy, -1)) == len(safeSetting.FindAllString(policy, -1))
}

// ofTenantColumn looks at the column that the scope compares.
func (a *audit) ofTenantColumn(t executors.Audited) {
	c, ok := t.Column(t.Tenant)
	if !ok {
		return // there is no single one, or the start says so
	}
	severity := executors.Refuse
	if t.View {
		severity = executors.Warn // no column of a view promises anything
	}
	if c.Nullable {
		a.say(severity, t.Quoted, "the tenant column %q can be null: rows without a tenant are nobody's; ALTER COLUMN … SET NOT NULL", c.Name)
	}
	first := func(index []string) bool { return index[0] == c.Name }
	if !t.View && !slices.ContainsFunc(t.Indexes, first) {
		a.say(executors.Warn, t.Quoted, "no index begins with the tenant column %q: every call reads every tenant's rows", c.Name)
	}
}

// keyFacts is a foreign key between two of the tables.
type keyFacts struct {
	Name, Table, Target    string
	Columns, TargetColumns []string
}

const foreignKeysSQL = `
SELECT f.conname::text, a.name, b.name,
  ARRAY(SELECT c.attname::text FROM pg_catalog.unnest(f.conkey) WITH ORDINALITY AS k(num, ord)
    JOIN pg_catalog.pg_attribute c ON c.attrelid = f.conrelid AND c.attnum = k.num ORDER BY k.ord),
  ARRAY(SELECT c.attname::text FROM pg_catalog.unnest(f.confkey) WITH ORDINALITY AS k(num, ord)
    JOIN pg_catalog.pg_attribute c ON c.attrelid = f.confrelid AND c.attnum = k.num ORDER BY k.ord)
FROM pg_catalog.pg_constraint f
JOIN pg_catalog.unnest($1::text[]) AS a(name) ON pg_catalog.to_regclass(a.name) = f.conrelid
JOIN pg_catalog.unnest($1::text[]) AS b(name) ON pg_catalog.to_regclass(b.name) = f.confrelid
WHERE f.contype = 'f' AND f.conparentid = 0
ORDER BY a.name, f.conname`

// ofForeignKey looks whether a row can point to one of another tenant.
func (a *audit) ofForeignKey(k keyFacts) {
	from, to := a.tables[k.Table].Tenant, a.tables[k.Target].Tenant
	if from == "" || to == "" {
		return
	}
	for i, c := range k.Columns {
		if c == from && k.TargetColumns[i] == to {
			return
		}
	}
	a.say(executors.Warn, k.Table, "the foreign key %q does not carry the tenant, so that a row can point to one of another tenant, which is then not shown: FOREIGN KEY (%s, …) REFERENCES … (%s, …)", k.Name, from, to)
}
