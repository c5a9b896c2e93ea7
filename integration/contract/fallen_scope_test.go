package contract_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/executors"
)

// fallen is a database whose statements have lost the condition that roots them in the tenant.
type fallen struct {
	executors.DB
	off bool // while the server starts
	hit int
}

var rooted = regexp.MustCompile(`\(t\."tenant_id" = (\$\d+::[\w.]+|CAST\(\?\d+ AS INTEGER\))\)`)

func (f *fallen) Run(ctx context.Context, call *executors.Call) error {
	if !f.off {
		for _, s := range call.Statements {
			f.hit += len(rooted.FindAllString(s.SQL, -1))
			s.SQL = rooted.ReplaceAllString(s.SQL, "($1 IS NOT NULL)")
		}
	}
	return f.DB.Run(ctx, call)
}

// With the scope gone and no row policy behind it, the witness still stands: no related row of another
// tenant is shown, followed or counted.
func TestRelatedRowsAreWitnessed(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.related(t)
		db.exec(t, cross+`DELETE FROM purchases WHERE tenant_id = 2; DELETE FROM clients WHERE id = 5;`)
		f := &fallen{off: true}
		with := settings{wrap: func(opened executors.DB) executors.DB { f.DB = opened; return f }}
		for _, tt := range []struct {
			arguments string
			leaks     bool // were it not for the witness of a row that is handed out
		}{
			{`{"resource":"purchases","fields":["id","items"]}`, true},
			{`{"resource":"purchases","fields":["id","labels"]}`, true},
			{`{"resource":"purchases","fields":["id"],"include":["customer"]}`, true},
			{`{"resource":"purchases","fields":["id"],"include":["items"]}`, true},
			{`{"resource":"purchases","fields":["id"],"include":["labels"]}`, true},
			{`{"resource":"purchases","fields":["id"],"filter":{"customer.email":"SECRET-OF-TWO"}}`, false},
			{`{"resource":"purchases","fields":["id"],"filter":{"items.sku":"SECRET-OF-TWO"},"count":"exact"}`, false},
			{`{"resource":"purchases","fields":["id"],"filter":{"labels.name":"SECRET-OF-TWO"}}`, false},
			{`{"resource":"purchases","fields":["id"],"filter":{"items.purchase.labels.name":"x"}}`, false},
		} {
			f.off, f.hit = true, 0
			s := db.serve(t, with, relatedSpecs()...)
			f.off = false
			a := s.call(t, keyOne, "list", tt.arguments)
			switch {
			case strings.Contains(tt.arguments, "items.purchase.labels"): // three relations
				if !a.isError {
					t.Errorf("%s: %s", tt.arguments, a.body)
				}
				continue
			case f.hit == 0:
				t.Errorf("%s: the scope was not taken away", tt.arguments)
			case tt.leaks && a.refused(t).Code != "internal":
				t.Errorf("%s: %s", tt.arguments, a.body)
			case tt.leaks:
				if !strings.Contains(s.logs.String(), "isolation_blocked") {
					t.Errorf("%s: no event", tt.arguments)
				}
				again := s.call(t, keyOne, "list", tt.arguments).refused(t)
				if again.Code != "unavailable" {
					t.Errorf("%s: the second answer is %+v", tt.arguments, again)
				}
			default:
				if ids := a.page(t).ids(); len(ids) > 0 {
					t.Errorf("%s: %v", tt.arguments, ids)
				}
			}
		}
	})
}
