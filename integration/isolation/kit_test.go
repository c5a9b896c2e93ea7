package isolation_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/integration/testdb"
	"github.com/tenantry/tenantry/isolationtest"
	"github.com/tenantry/tenantry/tenant"
)

// runKit runs what a host runs, on a world of two tenants.
func runKit(t *testing.T, c tier, seed uint64, rep *report) {
	w := newWorld(tenant.KindInt, 2, seed)
	db := seeded(t, w)
	found := &report{}
	var kinds []string // all of them
	if c.name == "quick" {
		kinds = []string{"companies", "staff", "customers", "orders", "ledger", "templates"}
	}
	s := open(t, w, pool(t, db.ReaderURL, nil), found, kinds...)
	side := func(n int) isolationtest.Tenant {
		return isolationtest.Tenant{Token: s.bearer(n, full), Fewer: []string{s.bearer(n, low)}}
	}
	done, err := isolationtest.Check(t.Context(), isolationtest.App{
		Handler: s.handler(t), Registry: s.reg, One: side(1), Two: side(2), Changes: changes(t, c, w, db),
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	found.http.Add(int64(done.Calls))
	found.pairs.Add(int64(done.Pairs))
	for _, l := range done.Leaks {
		found.leak("kit: %v", l)
	}
	found.tell(t)
	rep.add(found)
}

// changes add, alter and remove rows of a tenant.
func changes(t *testing.T, c tier, w *world, db *testdb.DB) []isolationtest.Seeder {
	run := func(sql string) isolationtest.Seeder {
		return func(_ context.Context, m isolationtest.Mark) error {
			db.Exec(t, fmt.Sprintf(sql, w.quote(w.id(m.Number()).Key()), m.Int(500), m.Text("late")))
			return nil
		}
	}
	steps := []string{
		`INSERT INTO w_companies VALUES (%[2]d, %[1]s, '%[3]s', 5); INSERT INTO w_customers SELECT %[2]d, %[1]s, %[2]d, NULL, '%[3]s', 3, true, now(), NULL, '%[3]s', false;
			INSERT INTO w_orders (id, tenant_id, customer_id, state, qty, note) VALUES (%[2]d, %[1]s, %[2]d, 'paid', 2, '%[3]s');
			INSERT INTO w_lines VALUES (%[2]d, %[2]d, '%[3]s', 'no number', 1); INSERT INTO w_ledger VALUES (%[1]s, 500, '%[3]s', 1);
			INSERT INTO w_labels VALUES (%[2]d, %[1]s, '%[3]s'); INSERT INTO w_order_labels SELECT %[1]s, id, %[2]d FROM w_orders;
			INSERT INTO w_order_gifts SELECT id, %[2]d FROM w_orders; INSERT INTO w_events VALUES (%[2]d, %[1]s, 'alpha', 100, now());
			INSERT INTO w_messages VALUES (%[2]d, %[1]s, 'plain', '%[3]s'); INSERT INTO w_vaults VALUES (%[2]d, %[1]s, '%[3]s', 9);`,
		`UPDATE w_customers SET name = '%[3]s' || id, score = coalesce(score, 0) + 1, company_id = %[2]d WHERE tenant_id = %[1]s;
			UPDATE w_orders SET qty = 7, note = '%[3]s', customer_id = %[2]d WHERE tenant_id = %[1]s; UPDATE w_ledger SET amount = 99 WHERE tenant_id = %[1]s;
			UPDATE w_events SET kind = 'other', weight = 9 WHERE tenant_id = %[1]s;`,
		`DELETE FROM w_lines WHERE order_id IN (SELECT id FROM w_orders WHERE tenant_id = %[1]s); DELETE FROM w_orders WHERE tenant_id = %[1]s AND id <> %[2]d;
			DELETE FROM w_customers WHERE tenant_id = %[1]s AND id <> %[2]d; DELETE FROM w_companies WHERE tenant_id = %[1]s; DELETE FROM w_events WHERE tenant_id = %[1]s;`,
	}
	if c.name == "quick" { // all at once
		return []isolationtest.Seeder{run(strings.Join(steps, "\n"))}
	}
	var out []isolationtest.Seeder
	for _, sql := range steps {
		out = append(out, run(sql))
	}
	return out
}
