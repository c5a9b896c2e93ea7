package isolation_test

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/scope"
)

// watch is a database that looks at what runs on it: that every statement is inside a read-only transaction
// which knows the right tenant, and that every table of it is read inside that tenant.
type watch struct {
	executors.DB
	postgres bool
	found    func(format string, args ...any)
	checked  atomic.Int64

	fallen atomic.Bool // takes the scopes away
}

type expectedTenant struct{}

// expecting says whose call it is. The executor takes no tenant from a context; this one only compares.
func expecting(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, expectedTenant{}, key)
}

// nobodies are the tenants for whom statements are only tried.
var nobodies = []string{"-32768", "tenantry:nobody", "00000000-0000-0000-0000-000000000001"}

const probeSQL = `SELECT current_setting('tenantry.tenant_id', true), current_setting('transaction_read_only'), current_setting('statement_timeout')`

// Run puts a statement before those of the call that says what the transaction is like.
func (w *watch) Run(ctx context.Context, call *executors.Call) error {
	key, told := ctx.Value(expectedTenant{}).(string)
	if !told || slices.Contains(nobodies, call.Tenant.Key()) {
		return w.DB.Run(ctx, call) // the start, or a binding that a failed statement has asked for
	}
	w.checked.Add(1)
	if call.Tenant.Key() != key {
		w.found("O5: a call of one tenant runs as another")
	}
	for _, s := range call.Statements {
		if table := unrooted(s); table != "" {
			w.found("O5: %s is read outside of the tenant: %s", table, s.SQL)
		}
		if w.fallen.Load() {
			s.SQL = rooted.ReplaceAllString(s.SQL, "($1 IS NOT NULL)")
		}
	}
	if !w.postgres {
		return w.DB.Run(ctx, call)
	}
	probe := &executors.Statement{SQL: probeSQL, Row: func(values [][]byte) error {
		if string(values[0]) != key || string(values[1]) != "on" || string(values[2]) == "0" {
			w.found("O5: the transaction has read-only %q, timeout %q and the tenant %t", values[1], values[2], string(values[0]) == key)
		}
		return nil
	}}
	copied := *call
	copied.Statements = append([]*executors.Statement{probe}, call.Statements...)
	return w.DB.Run(ctx, &copied)
}

var (
	rooted = regexp.MustCompile(`\(t\."(?:tenant_id|from_id)" = (\$\d+::[\w.]+|CAST\(\?\d+ AS \w+\))\)`)
	source = regexp.MustCompile(`FROM ("[^"]+"(?:\."[^"]+")?) AS t\b`)
)

// unrooted is a table that the statement reads without a condition on the tenant, or "". The witnesses read
// parents under names of their own, and the join table of gifts has no tenant: both its ends do.
func unrooted(s *executors.Statement) string {
	for _, at := range source.FindAllStringSubmatchIndex(s.SQL, -1) {
		table := s.SQL[at[2]:at[3]]
		if strings.Contains(table, "w_order_gifts") {
			continue
		}
		where, ok := strings.CutPrefix(s.SQL[at[1]:], " WHERE ")
		if !ok || !namesTenant(inside(where), s.Args) {
			return table
		}
	}
	return ""
}

// inside is the text up to the parenthesis that closes what surrounds it.
func inside(text string) string {
	depth := 0
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return text[:i]
			}
		}
	}
	return text
}

var placeholder = regexp.MustCompile(`= (?:CAST\()?[$?](\d+)`)

func namesTenant(text string, args []any) bool {
	for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
		n, err := strconv.Atoi(m[1])
		if err == nil && n <= len(args) && scope.IsTenant(args[n-1]) {
			return true
		}
	}
	return false
}
