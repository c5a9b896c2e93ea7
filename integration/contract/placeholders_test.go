package contract_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/Masterminds/squirrel"
	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// withLine is the condition for a line with one of a constant and the caller's articles, as squirrel builds it.
func withLine(v resource.Value) (squirrel.Sqlizer, error) {
	lines := squirrel.Select("l.order_id").From("order_lines l").
		Where("l.tenant_id = t.tenant_id").Where(squirrel.Or{squirrel.Eq{"l.sku": v}, squirrel.Eq{"l.sku": "s?7"}})
	return squirrel.Expr("t.id IN (?)", lines), nil
}

// questions are orders with placeholders wherever a host can put one.
func questions() resource.Spec {
	return resource.Spec{
		Name: "orders", Table: "orders",
		Scope: scope.Func("tenant_id", func(b scope.Bound) (squirrel.Sqlizer, error) {
			return squirrel.Expr("t.note <> ? AND t.tenant_id = ? AND t.note <> 'it''s ?'", "hidden?", b.Tenant()), nil
		}),
		Narrow:     resource.Conditions{"qty": resource.Conditions{"op": "lt", "value": 9}},
		Filterable: resource.Columns{"qty": "qty", "note": "note"},
		Filters:    []resource.Filter{{Name: "sku", Type: resource.Text, Condition: withLine}},
		Sortable:   []string{"note"},
		Serializer: serializer.Columns("id", "note"),
	}
}

// orderedLines are 60 orders for each of two tenants and three lines for each order.
var orderedLines = `INSERT INTO orders (id, tenant_id, qty, note) ` + numbered("120",
	`SELECT i, 1 + i % 2, (i / 2) % 10, CASE WHEN i % 11 = 0 THEN 'hidden?' ELSE 'n' || (i % 3) END FROM s`) + `;
INSERT INTO order_lines (id, tenant_id, order_id, sku) ` + numbered("360",
	`SELECT i, 1 + (1 + (i - 1) / 3) % 2, 1 + (i - 1) / 3, 's' || CASE WHEN i % 8 = 7 THEN '?7' ELSE '' || (i % 8) END FROM s`) + `;`

// byHand is what those calls must find, written by hand.
const byHand = `SELECT DISTINCT o.id, o.tenant_id FROM orders o JOIN order_lines l ON l.order_id = o.id
WHERE o.qty < 9 AND o.note <> 'hidden?' AND l.sku IN ('s3', 's?7') AND (o.qty = 4 OR o.qty = 7 OR o.qty IS NULL) AND o.note IN ('n0', 'n2')`

// No argument shifts to the place of another, whoever wrote the condition.
func TestPlaceholdersKeepTheirArguments(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.exec(t, `INSERT INTO tenants (id, name) VALUES (1, 'one'), (2, 'two');`+orderedLines)
		db.view(t, "by_hand", byHand)
		reference := resource.Spec{
			Name: "by_hand", Table: "by_hand", Key: []string{"id"}, Scope: scope.Column("tenant_id"), Serializer: serializer.Columns("id"),
		}
		with, w := watched(settings{})
		s := db.serve(t, with, questions(), reference)
		w.take()
		const filter = `{"qty":[4,7,null],"sku":"s3","note":["n0","n2"]}`
		found := map[string]bool{}
		for _, key := range []string{keyOne, keyTwo} {
			want := s.find(t, key, "by_hand", `{}`)
			if len(want) < 4 || found[want[0]] {
				t.Fatalf("the rows by hand show nothing: %q", want)
			}
			found[want[0]] = true
			p := s.call(t, key, "list", `{"resource":"orders","limit":100,"count":"exact","filter":`+filter+`}`).page(t)
			if diff := cmp.Diff(want, p.ids()); diff != "" || *p.Meta.TotalCount != int64(len(want)) {
				t.Errorf("%s (-by hand +got):\n%s%+v", key, diff, p.Meta)
			}
			walked := s.walk(t, key, `{"resource":"orders","sort":["note"],"filter":`+filter+`}`, 3, len(want))
			slices.Sort(walked)
			slices.Sort(want)
			if diff := cmp.Diff(want, walked); diff != "" {
				t.Errorf("%s, walked (-by hand +got):\n%s", key, diff)
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

var (
	places  = regexp.MustCompile(`[$?]\d+`)
	tenants = regexp.MustCompile(`tenant_id"? = (CAST\()?([$?]\d+)`)
	strung  = regexp.MustCompile(`'[^']*'|"[^"]*"`)
)

// placeholderGap says what is wrong with the arguments of a statement, or "".
func placeholderGap(s *executors.Statement) string {
	seen := map[string]bool{}
	for _, place := range places.FindAllString(strung.ReplaceAllString(s.SQL, `""`), -1) {
		seen[place] = true
	}
	if len(seen) != len(s.Args) {
		return "the placeholders are not as many as the arguments"
	}
	bound := tenants.FindAllStringSubmatch(s.SQL, -1)
	if len(bound) == 0 {
		return "the tenant's column is not compared"
	}
	for _, b := range bound {
		var n int
		for _, digit := range b[2][1:] {
			n = n*10 + int(digit-'0')
		}
		if n < 1 || n > len(s.Args) || !scope.IsTenant(s.Args[n-1]) {
			return "the tenant's column is compared with another argument"
		}
	}
	return ""
}

// An operator with a question mark of its own, which is written ??.
func TestPlaceholdersBesideTheHasKeyOperator(t *testing.T) {
	onPostgres(t, func(t *testing.T, db *database) {
		db.exec(t, `INSERT INTO tenants VALUES (1, 'one'), (2, 'two');
			INSERT INTO orders (id, tenant_id, qty, extra) VALUES (1,1,1,'{"gift?":1}'), (2,1,2,'{"gift?":null,"b":2}'), (3,1,2,'{"b":2}'), (4,1,2,NULL), (5,2,2,'{"gift?":1}');`)
		spec := questions()
		spec.Scope = scope.Column("tenant_id")
		spec.Filters = []resource.Filter{
			{Name: "has", Type: resource.Text, Condition: func(v resource.Value) (squirrel.Sqlizer, error) {
				return squirrel.Expr("t.extra ?? ? AND t.qty < ?", v, 5), nil
			}},
			{Name: "either", Type: resource.Text, Condition: func(v resource.Value) (squirrel.Sqlizer, error) {
				return squirrel.Expr("t.extra ??| ARRAY[?::text, ?] OR t.note = 'what?'", v, "never?"), nil
			}},
		}
		s := db.serve(t, settings{}, spec)
		s.check(t, []finding{
			{filter: `{"has":"gift?"}`, ids: []string{"1", "2"}},
			{filter: `{"has":"b"}`, ids: []string{"2", "3"}},
			{filter: `{"either":"b","has":"gift?"}`, ids: []string{"2"}},
			{filter: `{"qty":2,"either":"b","has":"b"}`, ids: []string{"2", "3"}},
			{filter: `{"not":{"has":"b"}}`, ids: []string{"1", "4"}},
		})
	})
}

// A condition that numbers its own placeholders is refused before anybody can call it.
func TestNumberedConditionsStopTheStart(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		spec := questions()
		spec.Filters[0].Condition = func(v resource.Value) (squirrel.Sqlizer, error) {
			return squirrel.Select("1").From("order_lines l").Where(squirrel.Eq{"l.sku": v}).
				Prefix("EXISTS (").Suffix(")").PlaceholderFormat(squirrel.Dollar), nil
		}
		reg, err := registry.New(nil, spec)
		if err != nil {
			t.Fatal(err)
		}
		opened := db.open(t)
		t.Cleanup(opened.Close)
		if _, err = executors.New(t.Context(), opened, reg, nil); err == nil || !strings.Contains(err.Error(), `"sku"`) {
			t.Errorf("the start: %v", err)
		}
	})
}
