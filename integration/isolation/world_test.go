package isolation_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tenantry/tenantry/isolationtest"
	"github.com/tenantry/tenantry/tenant"
)

// row is a row of a table by column. Nil is NULL; a tenant is the number of its mark.
type row map[string]any

// world is a database of many tenants that point at each other, and the same rows in memory.
type world struct {
	kind    tenant.Kind
	tenants int
	seed    uint64
	sqlite  bool

	// changed are other rows for every tenant but the first two.
	changed bool

	tables map[string][]row
	kinds  map[string]*entity
	order  []string // of the kinds

	seen sync.Map // what visible has found, by kind and tenant
	keys sync.Map // what byKey has found
}

// orphan is the mark of rows without a tenant.
var orphan = isolationtest.MarkOf(999)

func newWorld(kind tenant.Kind, tenants int, seed uint64) *world {
	w := &world{kind: kind, tenants: tenants, seed: seed}
	w.fill()
	return w
}

// otherwise is the same world with other rows of everybody but the first two tenants.
func (w *world) otherwise() *world {
	o := &world{kind: w.kind, tenants: w.tenants, seed: w.seed, sqlite: w.sqlite, changed: true}
	o.fill()
	return o
}

func (w *world) fill() {
	w.kinds, w.tables = map[string]*entity{}, map[string][]row{}
	for _, e := range entities() {
		if w.sqlite { // which has neither documents nor arrays to filter by
			delete(e.spec.Filterable, "extra")
			delete(e.spec.Filterable, "tags")
		}
		w.kinds[e.name] = e
		w.order = append(w.order, e.name)
	}
	for i := 1; i <= w.tenants; i++ {
		w.tenant(i)
	}
	w.nobody()
}

// id is the key of a tenant.
func (w *world) id(n int) tenant.ID {
	var id tenant.ID
	var err error
	switch w.kind {
	case tenant.KindInt:
		id, err = tenant.Int(int64(n))
	case tenant.KindText:
		id, err = tenant.Text(fmt.Sprintf("acct-%d", n))
	case tenant.KindUUID:
		id, err = tenant.UUID([16]byte{6: 0x40, 8: 0x80, 15: byte(n), 14: byte(n >> 8)})
	}
	if err != nil {
		panic(err)
	}
	return id
}

// filler makes the rows of one tenant.
type filler struct {
	*world
	*rand.Rand
	n           int
	mark, other isolationtest.Mark
}

const (
	perTable  = 7
	deletedAt = 2 // the place of a tenant's deleted customer
)

// tenant adds the rows of one tenant. Those of the first two are the same in a changed world.
func (w *world) tenant(n int) {
	variant := uint64(0)
	if w.changed && n > 2 {
		variant = 1
	}
	f := &filler{
		world: w, Rand: rand.New(rand.NewPCG(w.seed, uint64(n)<<8|variant)), n: n,
		mark: isolationtest.MarkOf(n), other: isolationtest.MarkOf(n%w.tenants + 1),
	}
	f.companies()
	f.orders()
	f.apart()
	f.together(variant)
}

func (f *filler) add(table string, r row) { f.tables[table] = append(f.tables[table], r) }

// The keys of each table begin at a number of their own.
const (
	atCompany = iota * 1000
	atStaff
	atCustomer
	atProfile
	atOrder
	atLine
	atPart
	atLabel
	atEvent
	atTemplate
	atMessage
	atVault
	atAttachment
	atBadge
)

// key is a foreign key: mostly to a row of the tenant, else to one of its neighbour, to none or to nothing.
func (f *filler) key(at int) any {
	switch f.IntN(10) {
	case 0, 1:
		return f.other.Int(at + f.IntN(perTable))
	case 2:
		return nil
	case 3:
		return f.mark.Int(at + 900)
	default:
		return f.mark.Int(at + f.IntN(perTable))
	}
}

// small is a quantity that many rows share, now and then none.
func (f *filler) small() any {
	if f.IntN(6) == 0 {
		return nil
	}
	return int64(f.IntN(9) - 2)
}

var words = []string{"alpha", "beta", "gamma", "delta", "Omega"}

// text begins with the mark. Now and then there is none.
func (f *filler) text() any {
	if f.IntN(8) == 0 {
		return nil
	}
	return f.mark.Text(words[f.IntN(len(words))])
}

// count is how many rows a table gets: it is the same for the first two tenants in every world.
func (f *filler) count() int { return perTable - f.IntN(2) }

func (f *filler) companies() {
	for k := range f.count() {
		f.add("w_companies", row{"id": f.mark.Int(atCompany + k), "tenant_id": f.n, "name": f.text(), "size": f.small()})
	}
	for k := range 3 {
		f.add("w_staff", row{"id": f.mark.Int(atStaff + k), "tenant_id": f.n, "name": f.text()})
	}
	for k := range f.count() {
		f.add("w_customers", row{
			"id": f.mark.Int(atCustomer + k), "tenant_id": f.n, "company_id": f.key(atCompany), "manager_id": f.key(atStaff), "name": f.text(),
			"score": f.small(), "vip": f.IntN(2) == 0, "since": f.mark.Time(f.IntN(90)), "ref": f.mark.UUID(k), "secret": f.text(),
			"deleted": k == deletedAt,
		})
	}
	for k := range 4 {
		f.add("w_profiles", row{"id": f.mark.Int(atProfile + k), "customer_id": f.mark.Int(atCustomer + k), "bio": f.text()})
	}
}

func (f *filler) orders() {
	for k := range f.count() {
		customer := f.key(atCustomer)
		qty := f.small()
		switch k {
		case 0:
			customer = f.mark.Int(atCustomer + deletedAt)
		case 1:
			qty = int64(0) // by which nothing can be divided
		}
		f.add("w_orders", row{
			"id": f.mark.Int(atOrder + k), "tenant_id": f.n, "customer_id": customer, "parent_id": f.key(atOrder),
			"state": []any{"draft", "paid", "void", nil}[f.IntN(4)], "qty": qty, "margin": f.small(), "note": f.text(),
			"total": []any{"10.50", "0.10", "99999999.99", nil}[f.IntN(4)], "placed_at": f.mark.Time(f.IntN(400)),
			"tags": []any{"{" + words[f.IntN(5)] + "}", "{}", nil}[f.IntN(3)], "extra": []any{`{"a":1}`, `null`, nil}[f.IntN(3)],
		})
	}
	for k := range 2 * perTable {
		f.add("w_lines", row{
			"id": f.mark.Int(atLine + k), "order_id": f.mark.Int(atOrder + f.IntN(perTable+1)), "sku": f.text(), "code": f.code(), "qty": f.small(),
		})
		f.add("w_parts", row{"id": f.mark.Int(atPart + k), "line_id": f.mark.Int(atLine + f.IntN(2*perTable)), "label": f.text(), "n": f.small()})
	}
	for k := range 4 {
		f.add("w_labels", row{"id": f.mark.Int(atLabel + k), "tenant_id": f.n, "name": f.text()})
	}
	for range 10 {
		own, foreign := f.mark.Int(atOrder+f.IntN(perTable)), f.other.Int(atLabel+f.IntN(4))
		label := []int64{f.mark.Int(atLabel + f.IntN(4)), foreign}[f.IntN(4)/3]
		f.add("w_order_labels", row{"tenant_id": f.n, "order_id": own, "label_id": label})
		f.add("w_order_labels", row{"tenant_id": f.n, "order_id": f.other.Int(atOrder + f.IntN(perTable)), "label_id": foreign})
		f.add("w_order_gifts", row{"order_id": own, "label_id": label})
	}
}

// code is a number as text. That of every other tenant no cast takes.
func (f *filler) code() any {
	if f.n%2 == 1 {
		return fmt.Sprint(f.IntN(20))
	}
	return f.mark.Text("no number")
}

// apart are tables of which each stands for a kind of its own.
func (f *filler) apart() {
	for k := range f.count() {
		f.add("w_events", row{"id": f.mark.Int(atEvent + k), "tenant_id": f.n, "kind": words[f.IntN(3)], "weight": f.small(), "at": f.mark.Time(k)})
		f.add("w_ledger", row{"tenant_id": f.n, "no": int64(k + 1), "memo": f.text(), "amount": f.small()})
		f.add("w_documents", row{"tenant_id": f.n, "folder": []string{"a", "b"}[k%2], "no": int64(k), "body": f.text()})
		f.add("w_messages", row{"id": f.mark.Int(atMessage + k), "tenant_id": f.n, "kind": []string{"plain", "hidden"}[f.IntN(2)], "body": f.text()})
		f.add("w_vaults", row{"id": f.mark.Int(atVault + k), "tenant_id": f.n, "name": f.text(), "level": f.small()})
		f.add("w_badges", row{"id": f.mark.Int(atBadge + k), "tenant_id": f.n, "title": f.mark.Text(words[k%5])})
		f.add("w_attachments", row{
			"id": f.mark.Int(atAttachment + k), "tenant_id": f.n, "owner_type": []string{"Order", "Customer"}[k%2],
			"owner_id": []int64{f.mark.Int(atOrder + k), f.other.Int(atOrder + k)}[f.IntN(2)], "name": f.text(),
		})
	}
}

// together are tables whose rows more than one tenant may read.
func (f *filler) together(variant uint64) {
	shared := isolationtest.MarkOf(0)
	for k := range 4 {
		f.add("w_templates", row{"id": f.mark.Int(atTemplate + k), "tenant_id": f.n, "shared": false, "active": k != 2, "name": f.text()})
	}
	next := f.n%f.world.tenants + 1
	if variant == 1 && next <= 2 {
		variant = 0 // one of the first two sees them
	}
	amount := rand.New(rand.NewPCG(f.seed, uint64(f.n)<<8|variant))
	for k := range 3 {
		f.add("w_transfers", row{
			"id": shared.Int(f.n*1000 + k), "from_id": f.n, "to_id": next, "memo": shared.Text(words[amount.IntN(5)]), "amount": int64(amount.IntN(9)),
		})
	}
}

// nobody adds rows that are everybody's, and rows that are nobody's.
func (w *world) nobody() {
	f := &filler{world: w, Rand: rand.New(rand.NewPCG(w.seed, 0)), mark: orphan, other: isolationtest.MarkOf(1)}
	shared := isolationtest.MarkOf(0)
	for k := range 3 {
		f.add("w_templates", row{"id": shared.Int(atTemplate + k), "tenant_id": nil, "shared": true, "active": k > 0, "name": shared.Text(words[k])})
		f.add("w_customers", row{
			"id": orphan.Int(atCustomer + k), "tenant_id": nil, "company_id": f.other.Int(atCompany), "manager_id": nil, "name": orphan.Text("x"), "score": int64(1),
			"vip": true, "since": orphan.Time(k), "ref": orphan.UUID(k), "secret": orphan.Text("x"), "deleted": false,
		})
		f.add("w_labels", row{"id": orphan.Int(atLabel + k), "tenant_id": nil, "name": orphan.Text("x")})
		f.add("w_lines", row{"id": orphan.Int(atLine + k), "order_id": nil, "sku": orphan.Text("x"), "code": "no number", "qty": nil})
		f.add("w_order_gifts", row{"order_id": f.other.Int(atOrder + k), "label_id": orphan.Int(atLabel + k)})
		f.add("w_order_labels", row{"tenant_id": nil, "order_id": f.other.Int(atOrder + k), "label_id": f.other.Int(atLabel + k)})
		f.add("w_events", row{"id": orphan.Int(atEvent + k), "tenant_id": nil, "kind": "alpha", "weight": int64(3), "at": orphan.Time(k)})
		f.add("w_messages", row{"id": orphan.Int(atMessage + k), "tenant_id": nil, "kind": "plain", "body": orphan.Text("x")})
	}
}

// ddl makes the tables.
func (w *world) ddl() string {
	var out strings.Builder
	key := map[tenant.Kind]string{tenant.KindInt: "bigint", tenant.KindText: "text", tenant.KindUUID: "uuid"}[w.kind]
	if !w.sqlite {
		out.WriteString("CREATE TYPE w_state AS ENUM ('draft', 'paid', 'void');\n")
	}
	for _, t := range tables {
		columns := strings.NewReplacer("TENANT", key).Replace(t.columns)
		switch {
		case w.sqlite:
			columns = strings.NewReplacer("w_state", "text", "jsonb", "json", "text[]", "text").Replace(columns)
			fmt.Fprintf(&out, "CREATE TABLE %s (%s);\n", t.name, columns)
			continue
		case t.name == "w_events":
			fmt.Fprintf(&out, "CREATE TABLE %s (%s) PARTITION BY HASH (id);\n", t.name, columns)
			for p := range 2 {
				fmt.Fprintf(&out, "CREATE TABLE %[1]s_%[2]d PARTITION OF %[1]s FOR VALUES WITH (MODULUS 2, REMAINDER %[2]d);\n", t.name, p)
			}
		default:
			fmt.Fprintf(&out, "CREATE TABLE %s (%s);\n", t.name, columns)
		}
		fmt.Fprintf(&out, "GRANT SELECT ON %s TO tenantry_reader;\n", t.name)
	}
	if w.tenants > indexedFrom {
		for i, on := range indexes {
			fmt.Fprintf(&out, "CREATE INDEX w_index_%d ON %s;\n", i, on)
		}
	}
	out.WriteString("CREATE VIEW w_order_view AS SELECT id, tenant_id, note, qty FROM w_orders;\n")
	if !w.sqlite {
		out.WriteString("GRANT SELECT ON w_order_view TO tenantry_reader; CALL tenantry.protect('w_vaults', 'tenant_id');\n")
	}
	return out.String()
}

// indexedFrom is the number of tenants from which on the tables have indexes. Smaller worlds do without, so that
// the database reads every row.
const indexedFrom = 64

var indexes = []string{
	"w_companies (tenant_id)", "w_customers (tenant_id)", "w_customers (company_id)", "w_orders (tenant_id)", "w_orders (customer_id)",
	"w_orders (parent_id)", "w_lines (order_id)", "w_parts (line_id)", "w_labels (tenant_id)", "w_order_labels (order_id)",
	"w_order_labels (label_id)", "w_order_gifts (order_id)", "w_order_gifts (label_id)", "w_profiles (customer_id)",
}

// inserts fill them.
func (w *world) inserts() string {
	var out strings.Builder
	for _, t := range tables {
		out.WriteString(w.insert(t.name, w.tables[t.name]))
	}
	if !w.sqlite {
		out.WriteString("ANALYZE;\n")
	}
	return out.String()
}

func (w *world) insert(table string, rows []row) string {
	if len(rows) == 0 {
		return ""
	}
	columns := slices.Sorted(maps.Keys(rows[0]))
	tuples := make([]string, len(rows))
	for i, r := range rows {
		values := make([]string, len(columns))
		for j, c := range columns {
			values[j] = w.literal(c, r[c])
		}
		tuples[i] = "(" + strings.Join(values, ", ") + ")"
	}
	return fmt.Sprintf("INSERT INTO %s (%s) VALUES %s;\n", table, strings.Join(columns, ", "), strings.Join(tuples, ",\n"))
}

// literal is a value in SQL.
func (w *world) literal(column string, v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case int:
		if column == "tenant_id" || column == "from_id" || column == "to_id" {
			return w.quote(w.id(v).Key())
		}
		return fmt.Sprint(v)
	case time.Time:
		return w.quote(v.Format(instant))
	case string:
		return w.quote(v)
	default:
		return fmt.Sprint(v)
	}
}

const instant = "2006-01-02T15:04:05.000000Z"

func (w *world) quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
