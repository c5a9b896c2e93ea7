package contract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/Masterminds/squirrel"
	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// questionsOnTheWay are orders and what they lead to, with placeholders of the host at every hop.
func questionsOnTheWay() []resource.Spec {
	orders := questions()
	orders.Groupable = []string{"note"}
	orders.Relations = []resource.Relation{
		resource.BelongsTo("customer", "customers", "bill_to"), resource.HasMany("lines", "lines", "order_id"),
	}
	customers := resource.Spec{
		Name: "customers", Table: "customers", Narrow: resource.Conditions{"display_name": resource.Conditions{"op": "not_eq", "value": "gone?"}},
		Scope: scope.Func("tenant_id", func(b scope.Bound) (squirrel.Sqlizer, error) {
			return squirrel.Expr("t.display_name <> ? AND t.tenant_id = ?", "hidden?", b.Tenant()), nil
		}),
		Filterable: resource.Columns{"email": "email", "name": "display_name"}, Serializer: serializer.Columns("id", "email"),
	}
	lines := resource.Spec{
		Name: "lines", Table: "order_lines", Scope: scope.Via("orders", "order_id"),
		Filterable: resource.Columns{"article": "sku"}, Serializer: serializer.Columns("id"),
	}
	return []resource.Spec{orders, customers, lines}
}

// billed gives the ordered lines six customers for each tenant.
const billed = `UPDATE orders SET bill_to = CASE WHEN id % 12 = 0 THEN 12 ELSE id % 12 END;`

var billedCustomers = `INSERT INTO customers (id, tenant_id, email, display_name) ` + numbered("12",
	`SELECT i, 1 + i % 2, 'c' || (i % 4) || '?', CASE i WHEN 5 THEN 'gone?' WHEN 6 THEN 'gone?' WHEN 7 THEN 'hidden?' WHEN 8 THEN 'hidden?' ELSE 'n' || (i % 3) END FROM s`) + `;`

// billedByHand is what the call must find, written by hand.
const billedByHand = `SELECT o.id, o.tenant_id FROM orders o JOIN customers c ON c.id = o.bill_to AND c.tenant_id = o.tenant_id
WHERE o.qty < 9 AND o.note <> 'hidden?' AND (o.qty IN (0, 1, 2, 4, 5, 6, 7) OR o.qty IS NULL) AND o.note IN ('n0', 'n2')
AND c.display_name NOT IN ('gone?', 'x?') AND c.display_name <> 'hidden?' AND c.email IN ('c0?', 'c1?')
AND EXISTS (SELECT 1 FROM order_lines l WHERE l.order_id = o.id AND l.sku IN ('s3', 's5', 's?7'))
AND (o.qty = 7 OR EXISTS (SELECT 1 FROM order_lines l WHERE l.order_id = o.id AND l.sku IN ('s2', 's3', 's?7')))
AND NOT EXISTS (SELECT 1 FROM order_lines l WHERE l.order_id = o.id AND l.sku = 's0')`

// A filter through a relation, beside one of the host and those of columns, takes no argument of theirs, in the
// rows, in the count and in the groups.
func TestPlaceholdersThroughRelations(t *testing.T) {
	t.Parallel()
	const filter = `{"qty":[0,1,2,4,5,6,7,null],"customer.email":["c0?","c1?"],"any":[{"sku":"s3"},{"sku":"s5"}],"lines.article":{"op":"not_eq","value":"s0"},` +
		`"note":["n0","n2"],"not":{"any":[{"customer.name":"x?"},{"not":{"any":[{"qty":7},{"lines.article":["s2","s3","s?7"]}]}}]}}`
	onBoth(t, func(t *testing.T, db *database) {
		db.exec(t, `INSERT INTO tenants (id, name) VALUES (1, 'one'), (2, 'two');`+billedCustomers+orderedLines+billed)
		db.view(t, "by_hand", billedByHand)
		with, w := watched(settings{})
		reference := resource.Spec{
			Name: "by_hand", Table: "by_hand", Key: []string{"id"}, Scope: scope.Column("tenant_id"), Serializer: serializer.Columns("id"),
		}
		s := db.serve(t, with, append(questionsOnTheWay(), reference)...)
		w.take()
		for _, key := range []string{keyOne, keyTwo} {
			want := s.find(t, key, "by_hand", `{}`)
			if len(want) < 3 {
				t.Fatalf("the rows by hand show nothing: %q", want)
			}
			total := fmt.Sprint(len(want), " exact")
			for _, rest := range []string{`"limit":100`, `"limit":100,"include":["customer","lines"],"fields":["id","lines"]`, `"limit":100,"sort":[],"ids":[` + strings.Join(want, ",") + `]`} {
				p := s.call(t, key, "list", `{"resource":"orders",`+rest+`,"count":"exact","filter":`+filter+`}`).page(t)
				if diff := cmp.Diff(want, p.ids()); diff != "" || p.counted() != total {
					t.Errorf("%s, %s: counted %s (-by hand +got):\n%s", key, rest, p.counted(), diff)
				}
			}
			if p := s.call(t, key, "list", `{"resource":"orders","limit":0,"count":"capped","filter":`+filter+`}`).page(t); p.counted() != total {
				t.Errorf("%s: counted alone %s, want %s", key, p.counted(), total)
			}
			if got := string(s.aggregate(t, key, "orders", `,"filter":`+filter).Groups[0]["count"]); got != fmt.Sprint(len(want)) {
				t.Errorf("%s: counted in a group %s, want %d", key, got, len(want))
			}
		}
		_, statements, _ := w.take()
		for _, statement := range statements {
			if gap := placeholderGap(statement); gap != "" {
				t.Errorf("%s:\n%s\n%v", gap, statement.SQL, statement.Args)
			}
		}
	})
}
