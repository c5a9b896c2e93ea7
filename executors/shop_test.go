package executors_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/Masterminds/squirrel"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
	"github.com/tenantry/tenantry/tenant"
)

// shopTables are the tables of a shop that serves many accounts.
func shopTables() map[executors.TableName]*executors.Table {
	all := tables(
		table("customers", "id", "id bigint", "account_id bigint", "name text", "email varchar?", "deleted_at timestamptz?"),
		table("orders", "id", "id bigint", "account_id bigint", "customer_id bigint?", "number text", "status enum",
			"total numeric?", "paid boolean", "placed_at timestamptz", "shipped_at timestamptz?", "due date?", "notes text?",
			"meta jsonb?", "tags text[]?", "ref uuid", "changed_at timestamp", "subject_type varchar?", "subject_id bigint?"),
		table("lines", "id", "id bigint", "order_id bigint", "sku varchar", "quantity integer"),
		table("documents", "account_id region no", "account_id bigint", "region text", "no integer", "title varchar?"),
		table("catalogue", "id", "id bigint", "account_id bigint?", "shared boolean", "name varchar"),
		table("deals", "id", "id bigint", "buyer_id bigint", "seller_id bigint", "price numeric"),
		table("readings", "id", "id uuid", "account_id bigint", "device varchar", "value double?"),
		table("summary", "", "day date?", "account_id bigint?", "orders bigint?"),
	)
	all[executors.TableName{Name: "orders"}].Unique = [][]string{{"ref"}}
	return all
}

// money computes what a row is worth.
type money struct{ resource.Serializer }

func (m money) Fields() ([]resource.Field, error) {
	fields, err := m.Serializer.Fields()
	return append(fields,
		resource.Field{Name: "headline", Type: resource.Text, Reads: []string{"number", "status"}},
		resource.Field{Name: "worth", Type: resource.Text, Reads: []string{"total"}, Description: "What it is worth."},
	), err
}

func (money) Compute(r resource.Row, names []string) ([]any, error) {
	out := make([]any, len(names))
	for i, n := range names {
		if n == "worth" {
			var total *string
			if err := r.Scan("total", &total); err != nil {
				return nil, err
			}
			out[i] = total != nil
			continue
		}
		var number, status string
		if err := errors.Join(r.Scan("number", &number), r.Scan("status", &status)); err != nil {
			return nil, err
		}
		out[i] = number + " " + status
	}
	return out, nil
}

func ordersSpec() resource.Spec {
	return resource.Spec{
		Name: "orders", Description: "Orders of the account's customers.", Note: "Drafts are included.", Table: "orders",
		Scope: scope.Column("account_id"),
		Filterable: resource.Columns{
			"id": "id", "number": "number", "status": "status", "total": "total", "paid": "paid", "placed_at": "placed_at",
			"due": "due", "tags": "tags", "meta": "meta", "ref": "ref", "subject_id": "subject_id", "subject_type": "subject_type",
			"delivered": "shipped_at",
		},
		Filters: []resource.Filter{{
			Name: "sku", Type: resource.Text, Description: "Orders with a line of that article.",
			Condition: func(v resource.Value) (squirrel.Sqlizer, error) {
				return squirrel.Expr("EXISTS (SELECT 1 FROM lines l WHERE l.order_id = t.id AND l.sku = ? AND l.quantity > ? AND l.tags ?? 'x')", v, 0), nil
			},
		}, {
			Name: "changed_after", Type: resource.TimestampTZ, Description: "Orders that changed later.", Requires: "orders:audit",
			Condition: func(v resource.Value) (squirrel.Sqlizer, error) { return squirrel.Expr("t.changed_at > ?", v), nil },
		}},
		Companions: map[string]string{"subject_id": "subject_type"},
		Sortable:   []string{"number", "status", "total", "placed_at", "shipped_at", "ref", "notes"},
		UpdatedAt:  "changed_at",
		Serializer: money{serializer.Fields(
			serializer.Field{Name: "id"}, serializer.Field{Name: "number", Description: "The printed number."},
			serializer.Field{Name: "status"}, serializer.Field{Name: "total", Requires: "orders:money"},
			serializer.Field{Name: "paid"}, serializer.Field{Name: "placed_at"}, serializer.Field{Name: "shipped_at"},
			serializer.Field{Name: "notes"}, serializer.Field{Name: "meta"}, serializer.Field{Name: "ref"},
		)},
		Relations: []resource.Relation{
			resource.BelongsTo("customer", "customers", "customer_id"),
			resource.Polymorphic("subject", "subject_type", "subject_id"),
			resource.HasMany("lines", "lines", "order_id"),
		},
	}
}

// shop has a resource for every way in which a row belongs to a tenant.
func shop() []resource.Spec {
	plain := func(name string, s scope.Predicate, fields ...string) resource.Spec {
		return resource.Spec{Name: name, Table: name, Scope: s, Serializer: serializer.Columns(fields...), Filterable: resource.Columns{"id": fields[0]}}
	}
	customers := plain("customers", scope.Column("account_id").Narrow(squirrel.Expr("t.name <> ? OR t.email IS NULL", "test")), "id", "name", "email")
	customers.Narrow = resource.Conditions{"deleted_at": nil}
	customers.Requires = "customers:read"
	customers.Sortable = []string{"email", "name"}
	lines := plain("lines", scope.Via("orders", "order_id"), "id", "sku", "quantity")
	lines.Relations = []resource.Relation{resource.BelongsTo("order", "orders", "order_id")}
	documents := plain("documents", scope.Column("account_id"), "region", "no", "title")
	documents.Sortable = []string{"title"}
	catalogue := plain("catalogue", scope.SharedOr(scope.Column("account_id"), "shared", "sold to every account"), "id", "name")
	deals := plain("deals", scope.AnyOf(scope.Column("buyer_id"), scope.Column("seller_id")), "id", "price")
	readings := plain("readings", scope.Func("account_id", func(b scope.Bound) (squirrel.Sqlizer, error) {
		return squirrel.Expr("t.account_id = ? OR t.account_id = ? AND t.device <> ?", b.Tenant(), b.Tenant(), "spare"), nil
	}), "id", "device", "value")
	readings.Sortable = []string{"value"}
	summary := plain("summary", scope.Column("account_id"), "day", "orders")
	summary.Key, summary.Sortable = []string{"account_id", "day"}, []string{"day", "orders"}
	secret := plain("secret", scope.Column("account_id"), "id")
	secret.Table, secret.Internal = "customers", true
	return []resource.Spec{lines, ordersSpec(), customers, documents, catalogue, deals, readings, summary, secret}
}

func quiet() *executors.Options {
	return &executors.Options{Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), CursorKeys: [][]byte{[]byte("an old secret of 32 bytes, or so.")}}
}

// open builds an executor over the tables and forgets what the start asked of the database.
func open(t testing.TB, db *fakeDB, opts *executors.Options, specs ...resource.Spec) *executors.Executor {
	t.Helper()
	x, err := executors.New(context.Background(), db, registryOf(t, specs...), opts)
	if err != nil {
		t.Fatal(err)
	}
	db.calls = nil
	return x
}

// openShop is the shop with a database of its own.
func openShop(t testing.TB) (*executors.Executor, *fakeDB) {
	t.Helper()
	db := &fakeDB{tables: shopTables(), count: "3", anchor: true}
	return open(t, db, quiet(), shop()...), db
}

// caller is a principal of one tenant.
func caller(t testing.TB, key int64, scopes ...string) *auth.Principal {
	t.Helper()
	id, err := tenant.Int(key)
	if err != nil {
		t.Fatal(err)
	}
	return grant(t, auth.Grant{Subject: "alice", Tenants: []tenant.ID{id}, Scopes: scopes})
}

func grant(t testing.TB, g auth.Grant) *auth.Principal {
	t.Helper()
	p, err := auth.NewPrincipal(g)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// staff sees everything.
var staff = []string{"orders:money", "orders:audit", "customers:read"}

// page is an answer of list, taken apart.
type page struct {
	Resource string
	Rows     []json.RawMessage
	Meta     struct {
		Limit      int
		Returned   int
		HasMore    bool    `json:"has_more"`
		NextCursor *string `json:"next_cursor"`
		TotalCount *int    `json:"total_count"`
		Status     string  `json:"count_status"`
		Truncated  bool
		CutFields  []string `json:"cut_fields"`
	}
}

func list(t testing.TB, x *executors.Executor, p *auth.Principal, req executors.ListRequest) page {
	t.Helper()
	a, err := x.List(context.Background(), p, req)
	if err != nil {
		t.Fatalf("%+v: %v", req, err)
	}
	return decode(t, a)
}

// decode takes an answer apart and holds it against what every answer promises.
func decode(t testing.TB, a *executors.Answer) page {
	t.Helper()
	var out page
	if err := json.Unmarshal(a.JSON, &out); err != nil {
		t.Fatalf("%v in %s", err, a.JSON)
	}
	if (out.Meta.NextCursor != nil) != out.Meta.HasMore {
		t.Fatalf("has_more is %v and next_cursor %v: %s", out.Meta.HasMore, out.Meta.NextCursor, a.JSON)
	}
	if out.Meta.Returned != len(out.Rows) || a.Rows != len(out.Rows) {
		t.Fatalf("%d rows, returned says %d and the answer %d", len(out.Rows), out.Meta.Returned, a.Rows)
	}
	return out
}

// codes are code and path of every mistake.
func codes(err error) []string {
	var all resource.Errors
	var out []string
	for _, e := range all.Add(err) {
		out = append(out, string(e.Code)+" "+e.Path)
	}
	return out
}

//go:fix inline
func registryOf(t testing.TB, specs ...resource.Spec) *registry.Registry {
	t.Helper()
	reg, err := registry.New(nil, specs...)
	if err != nil {
		t.Fatal(err)
	}
	return reg
}

// wideColumns are the texts of the widest table: forty of the longest names.
func wideColumns() []string {
	var out []string
	for i := range 40 {
		out = append(out, fmt.Sprintf("%s%02d", strings.Repeat("c", 61), i))
	}
	return out
}

// wideTimes are columns whose text is much longer than their binary form.
func wideTimes() []string {
	var out []string
	for i := range 60 {
		out = append(out, "at"+itoa(i))
	}
	return out
}

// openWide has one resource that shows and sorts by the columns of the widest table.
func openWide(t testing.TB) (*executors.Executor, *fakeDB) {
	t.Helper()
	lines := []string{"id bigint", "account_id bigint", "big unbounded"}
	for _, name := range wideColumns() {
		lines = append(lines, name+" text?")
	}
	for _, name := range wideTimes() {
		lines = append(lines, name+" timestamptz")
	}
	fields := slices.Concat([]string{"id", "big"}, wideTimes(), wideColumns())
	db := &fakeDB{tables: tables(table("wide", "id", lines...)), count: "3", anchor: true}
	return open(t, db, quiet(), resource.Spec{
		Name: "wide", Table: "wide", Scope: scope.Column("account_id"), Serializer: serializer.Columns(fields...), Sortable: fields[1:],
	}), db
}

func itoa(n int) string { return strconv.Itoa(n) }
