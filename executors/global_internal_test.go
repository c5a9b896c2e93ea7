package executors

import (
	"strings"
	"testing"
)

// quoting is as much of a dialect as a source needs.
type quoting struct{ Dialect }

func (quoting) Quote(ident string) string { return `"` + ident + `"` }

// A resource that lost its scope on the way, whatever the mistake, reads nothing and passes no row. Only what
// was registered as global is free of a tenant.
func TestAMissingScopeIsNoFreedom(t *testing.T) {
	t.Parallel()
	table := &Table{Quoted: `"public"."things"`}
	for _, tc := range []struct {
		free  freedom
		where string
		shown bool
	}{{tenantBound, "WHERE 1=0", false}, {belongsToNobody, "", true}, {onlyJoins, "", false}} {
		bd := &bound{table: table, free: tc.free}
		sql, _, err := source(quoting{}, bd, []string{"id"}, true).ToSql()
		if err != nil || !strings.HasSuffix(sql, strings.TrimSpace(`FROM "public"."things" AS t `+tc.where)) {
			t.Errorf("%d: %s, %v", tc.free, sql, err)
		}
		if cond, _ := owned(quoting{}, bd, "t"); (cond == "1=1") != (tc.free != tenantBound) {
			t.Errorf("%d: a row is one's own when %s", tc.free, cond)
		}
		r := &reading{bd: bd, c: &compiled{}, tenant: "1"}
		if got := r.owned(nil); got != tc.shown {
			t.Errorf("%d: a row without a witness is shown: %v", tc.free, got)
		}
	}
}
