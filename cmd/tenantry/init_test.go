package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// tokenInDraft is the one thing that two drafts of a database do not have in common.
var tokenInDraft = regexp.MustCompile(`token: "\w{26}"`)

const demoDraft = `# A first draft, made of what the database says about itself: the tables with the column company_id, and those that
# lead to one. Agents can read what stands here: take out what they should not, then say what the rest means.

database: ${DATABASE_URL}
# true: no start without forced row policies and a role that they bind, the second wall between tenants.
# Write true before other machines reach the server.
require_rls: false
auth:
  static:
    # For development, on this machine alone. Write one of your tenants: this token reads its rows.
    - {token: "T", subject: developer, tenant: 1, scopes: ["data:read"]}
# The permission scope of every resource that names none with requires: … of its own.
defaults: {requires: "data:read"}
resources:
  customers:
    table: customers
    scope: {column: company_id}
    description: "Customers of the tenant."
    fields:
      id:
      name:
      email:
      country:
      created_at:
    filterable: [id]
    sortable: [id]
    relations:
      orders: {to: orders, their_fk: customer_id}
  orders:
    table: orders
    scope: {column: company_id}
    narrow: {deleted_at: null}
    description: "Orders of the tenant."
    # left out: deleted_at (null in every row that is shown)
    fields:
      id:
      customer_id:
      number:
      state:
      placed_at:
      total:
      margin:
      updated_at:
    filterable: [id]
    sortable: [id]
    updated_at: updated_at
    relations:
      customer: {to: customers, fk: customer_id}
      order_lines: {to: order_lines, their_fk: order_id}
  order_lines:
    table: order_lines
    scope: {via: orders, fk: order_id}
    description: "Order lines of the tenant."
    fields:
      id:
      order_id:
      product:
      quantity:
      price:
    filterable: [id, order_id]
    sortable: [id, order_id]
    relations:
      order: {to: orders, fk: order_id}
`

// The draft of a database is a file that check takes and whose token reads rows.
func TestInit(t *testing.T) {
	t.Parallel()
	address := shop(t)["SHOP"]
	path := filepath.Join(t.TempDir(), "tenantry.yaml")
	args := []string{"init", "--database", address, "--tenant-column", "company_id"}
	printed := tenantry(t, nil, args...)
	same(t, outcome{0, demoDraft, ""}, outcome{printed.Status, tokenInDraft.ReplaceAllString(printed.Out, `token: "T"`), printed.Err})

	args = append(args, "--out", path)
	same(t, outcome{0, "", path + " is written: read it, set DATABASE_URL, then run tenantry check --config " + path + "\n"}, tenantry(t, nil, args...))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	same(t, demoDraft, tokenInDraft.ReplaceAllString(string(text), `token: "T"`))
	if strings.Contains(string(text), address) || string(text) == printed.Out {
		t.Error("the file has the database's address, or a token that is not its own")
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v: %v", info.Mode(), err)
	}
	same(t, outcome{statusUsage, "", "tenantry init: " + path + " is there already: name another file with --out, or move it away\n"}, tenantry(t, nil, args...))

	env := map[string]string{"DATABASE_URL": address}
	checked := tenantry(t, env, "check", "--config", path)
	if checked.Status != 0 || !strings.Contains(checked.Out, "ok: resources checked: 3; tenant key: integer\n") {
		t.Errorf("%+v", checked)
	}
	token := strings.Trim(strings.TrimPrefix(tokenInDraft.FindString(string(text)), "token: "), `"`)
	listed := tenantry(t, env, "call", "--config", path, "--token", token, "list", `{"resource":"order_lines","limit":1}`)
	if listed.Status != 0 || !strings.Contains(listed.Out, `"product"`) {
		t.Errorf("%+v", listed)
	}
}

func TestInitFindsNoTable(t *testing.T) {
	t.Parallel()
	address := shop(t)["SHOP"]
	for column, want := range map[string]string{
		"compnay_id": "no table has the column \"compnay_id\": did you mean company_id?",
		"tenant":     "no table has the column \"tenant\": name the one that holds the tenant; most tables have company_id, order_id, customer_id",
		"total":      "no table with the column \"total\" can be served: orders has a tenant column of type double: a tenant key is an integer, a uuid or a text",
	} {
		same(t, outcome{statusUsage, "", "tenantry init: --tenant-column: " + want + "\n"},
			tenantry(t, nil, "init", "--database", address, "--tenant-column", column))
	}
	dir := filepath.Join(t.TempDir(), "none", "tenantry.yaml")
	got := tenantry(t, nil, "init", "--database", address, "--tenant-column", "company_id", "--out", dir)
	if got.Status != statusFailed || !strings.HasPrefix(got.Err, "tenantry init: the file cannot be written: ") {
		t.Errorf("%+v", got)
	}
}
