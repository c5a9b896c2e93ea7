package shop_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/tenantry/tenantry/resource"
)

// known is what a resource's rows are by plain SQL: an oracle that shares nothing with the server.
type known struct {
	name  string
	mine  string   // which rows of t are a merchant's; $1 is the merchant
	parts []string // of the key, as texts of t
	order []string // the key's columns, where they are not the parts
	shown []string // the fields that hold the parts
}

// knowns are all resources of the file.
var knowns = []known{
	{name: "merchants", mine: "t.id = $1", parts: []string{"id"}},
	{name: "customers", parts: []string{"id"}},
	{name: "addresses", parts: []string{"customer_id", "kind"}},
	{name: "categories", parts: []string{"path"}},
	{name: "products", parts: []string{"id"}},
	{name: "product_categories", parts: []string{"product_id", "path"}},
	{name: "tags", mine: "(t.common OR t.merchant_id = $1)", parts: []string{"label"}, order: []string{"id"}},
	{name: "product_tags", parts: []string{"product_id", "tag_id"}},
	{name: "price_lists", mine: `t."Merchant" = $1`, parts: []string{`"Code"`}, shown: []string{"code"}},
	{name: "prices", parts: []string{"list_code", "product_id", "from_quantity"}},
	{name: "warehouses", parts: []string{"id"}},
	{name: "stock", parts: []string{"warehouse_id", "product_id"}},
	{name: "orders", mine: "t.merchant_id = $1 AND t.deleted_at IS NULL", parts: []string{"id"}},
	{name: "order_lines", mine: ofMyOrders, parts: []string{"order_id", "line_no"}},
	{name: "returns", parts: []string{"id"}},
	{name: "shipments", mine: ofMyOrders, parts: []string{"id"}},
	{name: "payments", parts: []string{"id"}},
	{name: "invoices", parts: []string{"number"}},
	{name: "reminders", parts: []string{"invoice_number", "level"}},
	{name: "reviews", parts: []string{"id"}},
	{name: "employees", mine: `t."Merchant?" = $1`, parts: []string{`"Employee No"`}, shown: []string{"no"}},
	{name: "attachments", parts: []string{"id"}},
	{name: "events", parts: []string{instantText, "seq"}, order: []string{"at", "seq"}, shown: []string{"at", "seq"}},
	{name: "rates", parts: []string{"valid_from", "grade", "open"}},
	{name: "customer_totals", parts: []string{"customer_id"}},
	{name: "open_orders", parts: []string{"id"}},
	{name: "product_stats", parts: []string{"product_id"}},
}

const (
	ofMyOrders = `EXISTS (SELECT FROM shop.orders o WHERE o.id = t.order_id AND o.merchant_id = $1 AND o.deleted_at IS NULL)`

	// instantText is how an instant is shown, within the years of four digits and outside of them.
	instantText = `CASE WHEN at >= '0001-01-01Z' AND at < '10000-01-01Z' THEN to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') ELSE at::text END`
)

// from is the table of a resource, quoted.
func from(spec resource.Spec) string {
	schema, table := resource.SplitTable(spec.Table)
	return quoted(schema) + "." + quoted(table)
}

// keyFields are the public fields that hold the key.
func (k known) keyFields() []string {
	if k.shown != nil {
		return k.shown
	}
	return k.parts
}

// orderBy is the order of a listing by plain SQL, the key last in the direction of the last term.
func (k known) orderBy(t *testing.T, spec resource.Spec, sort []string) string {
	t.Helper()
	var terms []string
	seen := map[string]bool{}
	direction := ""
	for _, name := range sort {
		name, desc := strings.CutPrefix(name, "-")
		direction = map[bool]string{true: " DESC", false: ""}[desc]
		column := quoted(columnOf(t, spec, name))
		seen[column] = true
		terms = append(terms, "t."+column+direction)
	}
	key := k.order
	if key == nil {
		key = k.parts
	}
	for _, column := range key {
		if column = quoted(strings.Trim(column, `"`)); !seen[column] {
			terms = append(terms, "t."+column+direction)
		}
	}
	return strings.Join(terms, ", ")
}

func columnOf(t *testing.T, spec resource.Spec, name string) string {
	t.Helper()
	fields, err := spec.Serializer.Fields()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range fields {
		if f.Name == name {
			return f.Column
		}
	}
	t.Fatalf("%s has no field %s", spec.Name, name)
	return ""
}

// order is whose rows of a resource are asked for, and in which order.
type order struct {
	spec resource.Spec
	merchant
	sort []string
}

// ids are the keys of a merchant's rows in the order of plain SQL.
func (k known) ids(t *testing.T, conn *pgx.Conn, o order) []string {
	t.Helper()
	mine := k.mine
	if mine == "" {
		mine = "t.merchant_id = $1"
	}
	texts := make([]string, len(k.parts))
	for i, p := range k.parts {
		texts[i] = "(" + p + ")::text"
	}
	sql := fmt.Sprintf("SELECT ARRAY[%s] FROM %s AS t WHERE %s ORDER BY %s", strings.Join(texts, ","), from(o.spec), mine, k.orderBy(t, o.spec, o.sort))
	rows, err := conn.Query(t.Context(), sql, o.id)
	if err != nil {
		t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[[]string])
	if err != nil {
		t.Fatalf("%v\n%s", err, sql)
	}
	out := make([]string, len(all))
	for i, parts := range all {
		out[i] = joined(parts)
	}
	return out
}

var percent = strings.NewReplacer("%", "%25", ":", "%3A", "/", "%2F")

// joined is the text of a key: a single part as it is, several each encoded.
func joined(parts []string) string {
	if len(parts) == 1 {
		return parts[0]
	}
	encoded := make([]string, len(parts))
	for i, p := range parts {
		encoded[i] = percent.Replace(p)
	}
	return strings.Join(encoded, ":")
}

// id is the key of a row as a client makes it of the fields that hold it.
func (k known) id(t *testing.T, r row) string {
	t.Helper()
	var parts []string
	for _, name := range k.keyFields() {
		parts = append(parts, plainText(t, r[name]))
	}
	return joined(parts)
}

// plainText is a string without its quotes, or the digits of a number.
func plainText(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	if len(raw) == 0 || raw[0] != '"' {
		return string(raw)
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Fatal(err)
	}
	return s
}
