package executors

import (
	"context"
	"errors"
	"log/slog"
	"slices"

	"github.com/tenantry/tenantry/scope"
)

// Audited is a table whose walls behind the scope are looked at.
type Audited struct {
	*Table

	// Tenant is the column that the scope compares; empty when there is no single one.
	Tenant string

	// Global says that its rows belong to no tenant: it needs no row policies.
	Global bool
}

// Severity says what a finding means where row policies are required. Where they are not, every finding is a
// warning.
type Severity byte

// The severities.
const (
	Warn   Severity = iota // it is told, and everything is served
	Refuse                 // what it is about is not served
)

// Finding is one thing that an audit found wanting.
type Finding struct {
	// Table is the Quoted of the table that it is about; empty for the role and the server, and so for
	// every table.
	Table    string
	Severity Severity
	Text     string
}

// Error returns the text.
func (f Finding) Error() string { return f.Text }

// audit looks at row policies and the role. Without RequireRLS what it finds is a warning; with it, what is
// not one takes the resources out that read the table, or all of them.
func (x *Executor) audit(ctx context.Context, st *state, bounds []*bound) error {
	tables, readers := audited(bounds)
	found, err := x.db.Audit(ctx, tables)
	if err != nil {
		return err
	}
	for _, f := range found {
		if f.Severity == Warn || !x.opts.RequireRLS {
			st.findings = append(st.findings, f)
			continue
		}
		st.mistakes = append(st.mistakes, f)
		for _, bd := range bounds {
			if name := bd.res.Name(); f.Table == "" || slices.Contains(readers[f.Table], name) {
				st.misfits[name] = errors.Join(st.misfits[name], f)
			}
		}
	}
	return nil
}

// audited lists each table that is read once, and by which resources.
func audited(bounds []*bound) (tables []Audited, readers map[string][]string) {
	readers = map[string][]string{}
	add := func(reader, of *bound) {
		if readers[of.table.Quoted] == nil {
			tables = append(tables, Audited{Table: of.table, Tenant: of.tenantColumn, Global: of.global()})
		}
		readers[of.table.Quoted] = append(readers[of.table.Quoted], reader.res.Name())
	}
	for _, bd := range bounds {
		add(bd, bd)
	}
	for _, bd := range bounds {
		for _, parent := range bd.parents(bounds) { // whose policies are those of its rows
			add(bd, parent)
		}
		for _, r := range bd.relations {
			if r.join != nil {
				add(bd, r.join.bd)
			}
		}
	}
	return tables, readers
}

// parents are the resources through which the scope of a resource goes.
func (bd *bound) parents(all []*bound) (out []*bound) {
	for _, other := range all {
		if slices.ContainsFunc(bd.scope.Uses, func(u scope.Use) bool { return u.Resource == other.res.Name() }) {
			out = append(out, other)
		}
	}
	return out
}

// maxLogged bounds the lines that a start logs of what the audit found.
const maxLogged = 20

// warn logs what was found, a line for each.
func (x *Executor) warn(ctx context.Context, findings []error) {
	for i, f := range findings {
		if i == maxLogged {
			x.opts.Logger.LogAttrs(ctx, slog.LevelWarn, "the audit found more than is logged",
				slog.String("event", "audit"), slog.Int("more", len(findings)-maxLogged))
			return
		}
		x.opts.Logger.LogAttrs(ctx, slog.LevelWarn, "the audit found something",
			slog.String("event", "audit"), slog.String("finding", f.Error()))
	}
}
