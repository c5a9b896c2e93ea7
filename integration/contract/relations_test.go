package contract_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// related makes tables that point at each other in every way, without row policies: the scopes stand alone.
func (db *database) related(t *testing.T) {
	t.Helper()
	for _, table := range []string{
		"firms (id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL, name TEXT)",
		"clients (id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL, firm_id INTEGER, email TEXT, deleted_at DATE)",
		"profiles (id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL, client_id INTEGER UNIQUE, bio TEXT)",
		"purchases (id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL, bill_to INTEGER, ship_to INTEGER, parent_id INTEGER, note TEXT)",
		"items (id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL, purchase_id INTEGER, sku TEXT, qty INTEGER)",
		"labels (id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL, name TEXT)",
		"purchase_labels (tenant_id INTEGER NOT NULL, purchase_id INTEGER NOT NULL, label_id INTEGER NOT NULL)",
	} {
		name, _, _ := strings.Cut(table, " ")
		db.exec(t, "CREATE TABLE "+table)
		if db.name == "postgres" {
			db.exec(t, "GRANT SELECT ON "+name+" TO tenantry_reader")
		}
	}
}

// cross has rows of two tenants whose keys point across in every way.
const cross = `
INSERT INTO firms VALUES (1, 1, 'Acme'), (2, 2, 'SECRET-OF-TWO'), (3, 1, 'Bolt');
INSERT INTO clients VALUES (1, 1, 1, 'a@x', NULL), (2, 1, 3, 'b@x', NULL), (3, 1, 1, 'gone@x', '2026-01-01'),
  (4, 2, 2, 'SECRET-OF-TWO', NULL), (5, 1, 2, NULL, NULL), (6, 1, NULL, 'c@x', NULL);
INSERT INTO profiles VALUES (1, 1, 1, 'first'), (2, 2, 2, 'second'), (3, 1, 4, 'SECRET-OF-TWO'), (4, 1, 3, 'of a deleted one');
INSERT INTO purchases VALUES
  (10, 1, 1, 2, 11, 'one'), (11, 1, 2, 2, 10, 'two'), (12, 1, 4, 3, NULL, 'poison'), (13, 1, NULL, NULL, 20, NULL),
  (14, 1, 5, 6, 10, 'five'), (20, 2, 1, 4, 10, 'SECRET-OF-TWO');
INSERT INTO items VALUES
  (100, 1, 10, 'x', 1), (101, 1, 10, 'y', 5), (102, 1, 11, 'x', 5), (103, 2, 10, 'SECRET-OF-TWO', 9), (104, 1, 20, 'x', 7),
  (105, 1, 14, NULL, 2), (200, 2, 20, 'x', 1);
INSERT INTO labels VALUES (1, 1, 'red'), (2, 1, 'blue'), (3, 2, 'SECRET-OF-TWO');
INSERT INTO purchase_labels VALUES (1, 10, 1), (1, 10, 2), (1, 10, 1), (1, 11, 3), (2, 11, 1), (1, 12, 2), (1, 20, 1), (2, 20, 3);`

// relatedSpecs are the resources over them.
func relatedSpecs() []resource.Spec {
	spec := func(name, table string, fields ...string) resource.Spec {
		s := resource.Spec{
			Name: name, Table: table, Description: "Of the account.", Requires: "orders:read", Scope: scope.Column("tenant_id"),
			Serializer: serializer.Columns(fields...), Filterable: resource.Columns{},
		}
		for _, f := range fields {
			s.Filterable[f] = f
		}
		return s
	}
	firms := spec("firms", "firms", "id", "name")
	firms.Relations = []resource.Relation{resource.HasMany("clients", "clients", "firm_id")}
	clients := spec("clients", "clients", "id", "email")
	clients.Narrow, clients.Requires = resource.Conditions{"deleted_at": nil}, "customers:read"
	clients.Relations = []resource.Relation{
		resource.BelongsTo("firm", "firms", "firm_id"), resource.HasMany("purchases", "purchases", "bill_to"),
		resource.HasOne("profile", "profiles", "client_id"),
	}
	profiles := spec("profiles", "profiles", "id", "bio")
	profiles.Internal, profiles.Scope = true, scope.Via("clients", "client_id")
	purchases := spec("purchases", "purchases", "id", "note")
	purchases.Sortable = []string{"note"}
	purchases.Relations = []resource.Relation{
		resource.BelongsTo("customer", "clients", "bill_to"), resource.BelongsTo("receiver", "clients", "ship_to"),
		resource.BelongsTo("parent", "purchases", "parent_id"), resource.HasMany("children", "purchases", "parent_id"),
		resource.HasMany("items", "items", "purchase_id"),
		resource.ManyToMany("labels", "labels", "purchase_labels", []string{"purchase_id"}, []string{"label_id"}),
	}
	items := spec("items", "items", "id", "sku", "qty")
	items.Relations = []resource.Relation{resource.BelongsTo("purchase", "purchases", "purchase_id")}
	labels := spec("labels", "labels", "id", "name")
	labels.Relations = []resource.Relation{
		resource.ManyToMany("purchases", "purchases", "purchase_labels", []string{"label_id"}, []string{"purchase_id"}),
	}
	return []resource.Spec{firms, clients, profiles, purchases, items, labels}
}

func (db *database) startRelated(t *testing.T, rows string) *server {
	t.Helper()
	db.related(t)
	db.exec(t, rows)
	return db.serve(t, settings{}, relatedSpecs()...)
}

// members are some members of the rows of a list, as one JSON text each.
func (s *server) members(t *testing.T, key, arguments string, names ...string) []string {
	t.Helper()
	out := []string{}
	for _, row := range s.call(t, key, "list", arguments).page(t).Rows {
		parts := make([]string, len(names))
		for i, name := range names {
			parts[i] = string(row[name])
		}
		out = append(out, strings.Join(parts, " "))
	}
	return out
}

func TestLinksOfEveryKind(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.startRelated(t, cross)
		for _, tt := range []struct {
			name, arguments string
			want            []string
		}{
			{
				"to-one links are the row's own values", `{"resource":"purchases"}`, []string{
					`10 {"customer":1,"parent":11,"receiver":2}`, `11 {"customer":2,"parent":10,"receiver":2}`,
					`12 {"customer":4,"parent":null,"receiver":3}`, `13 {"customer":null,"parent":20,"receiver":null}`,
					`14 {"customer":5,"parent":10,"receiver":6}`,
				},
			},
			{
				"ids of related rows that the caller may read", `{"resource":"purchases","fields":["id","items","children","labels"]}`, []string{
					`10 {"children":[11,14],"items":[100,101],"labels":[1,2]}`, `11 {"children":[10],"items":[102],"labels":[]}`,
					`12 {"children":[],"items":[],"labels":[2]}`, `13 {"children":[],"items":[],"labels":[]}`,
					`14 {"children":[],"items":[105],"labels":[]}`,
				},
			},
			{
				"a to-one relation whose key is there", `{"resource":"clients","fields":["id","profile","purchases"]}`, []string{
					`1 {"profile":1,"purchases":[10]}`, `2 {"profile":2,"purchases":[11]}`, `5 {"profile":null,"purchases":[14]}`,
					`6 {"profile":null,"purchases":[]}`,
				},
			},
			{
				"the other way through a join table", `{"resource":"labels","fields":["id","purchases"]}`, []string{
					`1 {"purchases":[10]}`, `2 {"purchases":[10,12]}`,
				},
			},
		} {
			if diff := cmp.Diff(tt.want, s.members(t, keyOne, tt.arguments, "id", "links")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.name, diff)
			}
		}
	})
}

func TestInclude(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.startRelated(t, cross)
		for _, tt := range []struct {
			name, arguments string
			want            []string
		}{
			{
				"to-one and to-many", `{"resource":"purchases","fields":["id"],"include":["customer","items"]}`, []string{
					`10 {"customer":{"id":1,"email":"a@x","links":{"firm":1}},"items":{"rows":[{"id":100,"sku":"x","qty":1,"links":{"purchase":10}},{"id":101,"sku":"y","qty":5,"links":{"purchase":10}}],"has_more":false}}`,
					`11 {"customer":{"id":2,"email":"b@x","links":{"firm":3}},"items":{"rows":[{"id":102,"sku":"x","qty":5,"links":{"purchase":11}}],"has_more":false}}`,
					`12 {"customer":null,"items":{"rows":[],"has_more":false}}`,
					`13 {"customer":null,"items":{"rows":[],"has_more":false}}`,
					`14 {"customer":{"id":5,"email":null,"links":{"firm":2}},"items":{"rows":[{"id":105,"sku":null,"qty":2,"links":{"purchase":14}}],"has_more":false}}`,
				},
			},
			{
				"sorted, from an offset", `{"resource":"purchases","fields":["id"],"sort":["-note"],"limit":2,"offset":1,"include":["labels","parent"]}`, []string{
					`11 {"labels":{"rows":[],"has_more":false},"parent":{"id":10,"note":"one","links":{"customer":1,"parent":11,"receiver":2}}}`,
					`12 {"labels":{"rows":[{"id":2,"name":"blue"}],"has_more":false},"parent":null}`,
				},
			},
			{
				"a to-one relation whose key is there", `{"resource":"clients","fields":["id"],"include":"profile"}`, []string{
					`1 {"profile":{"id":1,"bio":"first"}}`, `2 {"profile":{"id":2,"bio":"second"}}`, `5 {"profile":null}`, `6 {"profile":null}`,
				},
			},
			{
				"behind nothing", `{"resource":"purchases","fields":["id"],"filter":{"id":999},"include":["customer"]}`, []string{},
			},
		} {
			if diff := cmp.Diff(tt.want, s.members(t, keyOne, tt.arguments, "id", "included")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.name, diff)
			}
		}
		row := s.call(t, keyOne, "get", `{"resource":"purchases","id":10,"fields":["note","labels"],"include":["children","receiver"]}`).body
		want := `{"resource":"purchases","row":{"note":"one","links":{"labels":[1,2]},"included":{"children":{"rows":[` +
			`{"id":11,"note":"two","links":{"customer":2,"parent":10,"receiver":2}},{"id":14,"note":"five","links":{"customer":5,"parent":10,"receiver":6}}],"has_more":false},` +
			`"receiver":{"id":2,"email":"b@x","links":{"firm":3}}}}}`
		if diff := cmp.Diff(want, string(row)); diff != "" {
			t.Errorf("get (-want +got):\n%s", diff)
		}
		// A cursor leads on whatever is included.
		first := s.call(t, keyOne, "list", `{"resource":"purchases","limit":2,"include":["items"]}`).page(t)
		next := s.call(t, keyOne, "list", fmt.Sprintf(`{"resource":"purchases","limit":2,"include":["labels"],"cursor":%q}`, first.Meta.NextCursor)).page(t)
		if diff := cmp.Diff([]string{"12", "13"}, next.ids()); diff != "" {
			t.Errorf("the next page (-want +got):\n%s", diff)
		}
	})
}

func TestFiltersThroughRelations(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.startRelated(t, cross)
		for _, tt := range []struct{ name, filter, want string }{
			{"to-one", `{"customer.email":"a@x"}`, "10"},
			{"two hops", `{"customer.firm.name":"Acme"}`, "10"},
			{"two keys to one table", `{"customer.email":"a@x","receiver.email":"b@x"}`, "10"},
			{"to itself", `{"parent.note":"one"}`, "11 14"},
			{"to itself and on", `{"parent.parent.note":"one"}`, "10"},
			{"to-many", `{"items.sku":"x"}`, "10 11"},
			{"conditions of one object are about one row", `{"items.sku":"x","items.qty":5}`, "11"},
			{"those of two are not", `{"any":[{"items.sku":"x","items.qty":99},{"items.qty":5}]}`, "10 11"},
			{"a range of one row", `{"items.qty":[{"op":"gt","value":1},{"op":"lt","value":5}]}`, "14"},
			{"a set", `{"items.sku":["y","z"]}`, "10"},
			{"a null", `{"items.sku":null}`, "14"},
			{"a null in a set", `{"items.sku":["y",null]}`, "10 14"},
			{"a negative is a complement", `{"items.sku":{"op":"not_eq","value":"x"}}`, "12 13 14"},
			{"not a null is a complement", `{"items.sku":{"op":"is_null","value":false}}`, "10 11 12 13"},
			{"a negative beside a positive", `{"items.qty":5,"items.sku":{"op":"not_eq","value":"y"}}`, "11"},
			{"not in", `{"items.sku":{"op":"not_in","value":["y"]}}`, "11 12 13 14"},
			{"does not match", `{"customer.email":{"op":"does_not_match","value":"A@"}}`, "11 12 13 14"},
			{"not", `{"not":{"items.sku":"x"}}`, "12 13 14"},
			{"not two", `{"not":{"items.sku":"x","items.qty":5}}`, "10 12 13 14"},
			{"many-to-many", `{"labels.name":"blue"}`, "10 12"},
			{"many-to-many and back", `{"labels.purchases.note":"poison"}`, "10 12"},
			{"to-many and on", `{"items.purchase.note":"two"}`, "11"},
			{"a foreign client", `{"customer.email":"SECRET-OF-TWO"}`, ""},
			{"a deleted client", `{"receiver.email":"gone@x"}`, ""},
			{"a foreign firm behind an own client", `{"customer.firm.name":"SECRET-OF-TWO"}`, ""},
			{"a foreign item of an own purchase", `{"items.sku":"SECRET-OF-TWO"}`, ""},
			{"a foreign parent", `{"parent.note":"SECRET-OF-TWO"}`, ""},
			{"a foreign label", `{"labels.name":"SECRET-OF-TWO"}`, ""},
			{"a foreign row of the join table", `{"labels.name":"red"}`, "10"},
			{"nothing of them in a complement", `{"customer.email":{"op":"not_eq","value":"SECRET-OF-TWO"}}`, "10 11 12 13 14"},
		} {
			got := strings.Join(s.find(t, keyOne, "purchases", tt.filter), " ")
			if got != tt.want {
				t.Errorf("%s: %s: got %q, want %q", tt.name, tt.filter, got, tt.want)
			}
			count := s.call(t, keyOne, "list", `{"resource":"purchases","limit":0,"count":"exact","filter":`+tt.filter+`}`).page(t)
			if n := len(strings.Fields(tt.want)); *count.Meta.TotalCount != int64(n) {
				t.Errorf("%s: counted %d, want %d", tt.name, *count.Meta.TotalCount, n)
			}
		}
	})
}

func TestMistakesThroughRelations(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.startRelated(t, cross)
		for _, tt := range []struct{ arguments, code, path, suggestion string }{
			{`{"resource":"purchases","filter":{"customer.emial":"a"}}`, "unknown_filter", "/filter/customer.emial", "customer.email"},
			{`{"resource":"purchases","filter":{"customer":1}}`, "unknown_filter", "/filter/customer", ""},
			{`{"resource":"purchases","filter":{"customr.email":"a"}}`, "unknown_filter", "/filter/customr.email", ""},
			{`{"resource":"purchases","filter":{"parent.parent.parent.note":"a"}}`, "unknown_filter", "/filter/parent.parent.parent.note", ""},
			{`{"resource":"purchases","filter":{"items.qty":"many"}}`, "invalid_filter", "/filter/items.qty", ""},
			{`{"resource":"purchases","filter":{"items.qty":{"op":"matches","value":"1"}}}`, "invalid_filter", "/filter/items.qty/op", ""},
			{`{"resource":"purchases","include":["item"]}`, "unknown_field", "/include/0", "items"},
			{`{"resource":"purchases","include":["items","note"]}`, "unknown_field", "/include/1", ""},
			{`{"resource":"purchases","include":{"items":1}}`, "invalid_argument", "/include", ""},
			{`{"resource":"purchases","fields":["item"]}`, "unknown_field", "/fields/0", "items"},
			{`{"resource":"purchases","sort":["items"]}`, "unknown_field", "/sort/0", ""},
		} {
			e := s.call(t, keyOne, "list", tt.arguments).refused(t)
			if e.Code != tt.code || e.Path != tt.path || tt.suggestion != "" && !slices.Contains(e.Suggestions, tt.suggestion) {
				t.Errorf("%s: %+v", tt.arguments, e)
			}
		}
	})
}

// A relation whose target the caller may not read is nowhere: the bytes are those of a server without it.
func TestHiddenRelations(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		with := db.startRelated(t, cross)
		var specs []resource.Spec
		for _, s := range relatedSpecs() {
			s.Relations = slices.DeleteFunc(s.Relations, func(r resource.Relation) bool { return r.Target == "clients" })
			if s.Name != "clients" && s.Name != "profiles" {
				specs = append(specs, s)
			}
		}
		without := db.serve(t, settings{}, specs...)
		for _, call := range [][2]string{
			{"resource_schema", `{"resource":"purchases"}`},
			{"resource_schema", `{"resource":"firms"}`},
			{"resource_schema", `{"resource":"items"}`},
			{"list", `{"resource":"purchases"}`},
			{"get", `{"resource":"purchases","id":10}`},
			{"list", `{"resource":"purchases","fields":["customer"]}`},
			{"list", `{"resource":"purchases","fields":["customr"]}`},
			{"list", `{"resource":"purchases","include":["customer"]}`},
			{"list", `{"resource":"firms","include":["clients"]}`},
			{"list", `{"resource":"purchases","filter":{"customer.email":"a@x"}}`},
			{"list", `{"resource":"purchases","filter":{"customer":1}}`},
			{"list", `{"resource":"items","filter":{"purchase.customer.email":"a@x"}}`},
			{"list", `{"resource":"items","filter":{"purchase.custom":1}}`},
			{"list", `{"resource":"firms","filter":{"clients.id":1}}`},
			{"list", `{"resource":"firms","fields":["clients"]}`},
		} {
			a, b := with.call(t, keyOneLow, call[0], call[1]), without.call(t, keyOneLow, call[0], call[1])
			if diff := cmp.Diff(string(b.body), string(a.body)); diff != "" {
				t.Errorf("%s %s (-without +with):\n%s", call[0], call[1], diff)
			}
		}
	})
}

// The statements of a page do not grow with its rows, of which its bytes allow most; each included relation takes one, and
// so does a count.
func TestStatementsDoNotGrow(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.related(t)
		db.exec(t, `INSERT INTO purchases (id, tenant_id, bill_to, parent_id) `+numbered("100", "SELECT i, 1, 1, i - 1 FROM s"))
		db.exec(t, `INSERT INTO items (id, tenant_id, purchase_id, sku) `+numbered("1000", "SELECT i, 1, i % 100 + 1, 'x' FROM s"))
		watch, w := watched(settings{})
		s := db.serve(t, watch, relatedSpecs()...)
		for arguments, want := range map[string]int{
			`"fields":["id","items","labels","children","parent","customer"],"include":["parent","customer"]`:                 3,
			`"include":["items","labels","children"]`:                                                                         4,
			`"fields":["id","items","labels","children"],"count":"exact"`:                                                     2,
			`"include":["items","labels","children","parent","customer","receiver"],"count":"capped","fields":["id","items"]`: 8,
			`"filter":{"items.sku":"x"},"sort":["-note"],"include":["items"],"count":"exact"`:                                 3,
		} {
			for _, limit := range []int{1, 10, 100} {
				w.take()
				p := s.call(t, keyOne, "list", fmt.Sprintf(`{"resource":"purchases","limit":%d,%s}`, limit, arguments)).page(t)
				if calls, statements, _ := w.take(); len(p.Rows) < min(limit, 50) || calls != 1 || len(statements) != want {
					t.Errorf("%s: %d rows, %d calls with %d statements, want one with %d", arguments, len(p.Rows), calls, len(statements), want)
				}
			}
		}
	})
}

func TestManyRelatedRows(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.related(t)
		db.exec(t, `INSERT INTO purchases (id, tenant_id) VALUES (1, 1), (2, 1), (3, 1), (4, 1)`)
		db.exec(t, `INSERT INTO items (id, tenant_id, purchase_id) `+numbered("241", `SELECT 1000 - i, 1,
			CASE WHEN i <= 20 THEN 1 WHEN i <= 41 THEN 2 WHEN i <= 141 THEN 3 ELSE 4 END FROM s WHERE i <= 241`))
		db.exec(t, `INSERT INTO items (id, tenant_id, purchase_id) VALUES (1, 1, 4)`)
		s := db.serve(t, settings{}, relatedSpecs()...)
		type many struct {
			Rows    []struct{ ID int }
			HasMore bool `json:"has_more"`
		}
		rows := s.call(t, keyOne, "list", `{"resource":"purchases","fields":["id","items"],"include":["items"]}`).page(t).Rows
		for i, want := range []struct {
			rows    int
			more    bool
			ids     int
			cut     bool
			firstID int
		}{{20, false, 20, false, 980}, {20, true, 21, false, 959}, {20, true, 100, false, 859}, {20, true, 100, true, 1}} {
			var included struct{ Items many }
			var links struct{ Items json.RawMessage }
			if err := json.Unmarshal(rows[i]["included"], &included); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(rows[i]["links"], &links); err != nil {
				t.Fatal(err)
			}
			if n := len(included.Items.Rows); n != want.rows || included.Items.HasMore != want.more || included.Items.Rows[0].ID != want.firstID {
				t.Errorf("row %d: %d embedded, %v, from %d", i+1, n, included.Items.HasMore, included.Items.Rows[0].ID)
			}
			var ids []int
			var cut struct {
				IDs       []int
				Truncated bool
			}
			if json.Unmarshal(links.Items, &ids) != nil {
				if err := json.Unmarshal(links.Items, &cut); err != nil {
					t.Fatal(err)
				}
				ids = cut.IDs
			}
			if len(ids) != want.ids || cut.Truncated != want.cut || !slices.IsSorted(ids) {
				t.Errorf("row %d: %d ids, truncated %v", i+1, len(ids), cut.Truncated)
			}
		}
	})
}
