package isolation_test

import (
	"strings"

	"github.com/Masterminds/squirrel"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// tables of the world. TENANT is the type of a tenant's key.
var tables = []struct{ name, columns string }{
	{"w_companies", "id bigint PRIMARY KEY, tenant_id TENANT, name text, size bigint"},
	{"w_staff", "id bigint PRIMARY KEY, tenant_id TENANT, name text"},
	{"w_customers", "id bigint PRIMARY KEY, tenant_id TENANT, company_id bigint, manager_id bigint, name text, score bigint, vip boolean, since timestamptz, ref uuid, secret text, deleted boolean"},
	{"w_profiles", "id bigint PRIMARY KEY, customer_id bigint UNIQUE, bio text"},
	{"w_orders", "id bigint PRIMARY KEY, tenant_id TENANT, customer_id bigint, parent_id bigint, state w_state, qty bigint, margin bigint, note text, total numeric(12,2), placed_at timestamptz, tags text[], extra jsonb"},
	{"w_lines", "id bigint PRIMARY KEY, order_id bigint, sku text, code text, qty bigint"},
	{"w_parts", "id bigint PRIMARY KEY, line_id bigint, label text, n bigint"},
	{"w_labels", "id bigint PRIMARY KEY, tenant_id TENANT, name text"},
	{"w_order_labels", "tenant_id TENANT, order_id bigint, label_id bigint"},
	{"w_order_gifts", "order_id bigint, label_id bigint"},
	{"w_events", "id bigint PRIMARY KEY, tenant_id TENANT, kind text, weight bigint, at timestamptz"},
	{"w_ledger", "tenant_id TENANT, no bigint, memo text, amount bigint, PRIMARY KEY (tenant_id, no)"},
	{"w_documents", "tenant_id TENANT, folder text, no bigint, body text, PRIMARY KEY (tenant_id, folder, no)"},
	{"w_templates", "id bigint PRIMARY KEY, tenant_id TENANT, shared boolean, active boolean, name text"},
	{"w_transfers", "id bigint PRIMARY KEY, from_id TENANT, to_id TENANT, memo text, amount bigint"},
	{"w_messages", "id bigint PRIMARY KEY, tenant_id TENANT, kind text, body text"},
	{"w_vaults", "id bigint PRIMARY KEY, tenant_id TENANT, name text, level bigint"},
	{"w_attachments", "id bigint PRIMARY KEY, tenant_id TENANT, owner_type text, owner_id bigint, name text"},
	{"w_badges", "id bigint PRIMARY KEY, tenant_id TENANT, title text"},
}

// entity is a resource and what it says, in Go.
type entity struct {
	name, table string
	spec        resource.Spec
	key         []string          // public
	types       map[string]string // of the filter keys that the model understands
	sortable    []string          // as far as the model understands it
	sees        func(w *world, tenant int, r row) bool
}

// own is the predicate of a table that has a tenant.
func own(_ *world, tenant int, r row) bool { return r["tenant_id"] == tenant }

// through is the predicate of a table that reaches its tenant through a parent.
func through(parent, fk string) func(*world, int, row) bool {
	return func(w *world, tenant int, r row) bool {
		p := w.byKey(parent, r[fk])
		return p != nil && w.kinds[parent].sees(w, tenant, p)
	}
}

// byKey finds a row of a kind by its key.
func (w *world) byKey(kind string, id any) row {
	index, ok := w.keys.Load(kind)
	if !ok {
		rows := map[any]row{}
		for _, r := range w.tables[w.kinds[kind].table] {
			rows[r["id"]] = r
		}
		index, _ = w.keys.LoadOrStore(kind, rows)
	}
	rows, _ := index.(map[any]row)
	return rows[id] // no row has the key nil
}

// make is an entity whose fields are all filterable. A type in the model is int, text, bool, time, uuid or -,
// for what it does not understand; a ! before it makes the field one that needs a permission, a + one to sort
// by.
func makeEntity(name, members string, sees func(*world, int, row) bool) *entity {
	e := &entity{name: name, table: "w_" + name, key: []string{"id"}, types: map[string]string{}, sees: sees}
	e.spec = resource.Spec{
		Name: name, Table: "w_" + name, Description: "Rows of the account.", Scope: scope.Column("tenant_id"), Filterable: resource.Columns{},
	}
	var fields []serializer.Field
	for m := range strings.FieldsSeq(members) {
		field, typ, _ := strings.Cut(m, ":")
		f := serializer.Field{Name: field, Column: field}
		if strings.Contains(typ, "!") {
			f.Requires = "secrets:read"
		}
		if strings.Contains(typ, "+") {
			e.spec.Sortable = append(e.spec.Sortable, field)
			if !strings.Contains(typ, "text") && !strings.Contains(typ, "!") {
				e.sortable = append(e.sortable, field)
			}
		}
		e.spec.Filterable[field] = field
		if typ = strings.Trim(typ, "!+"); typ != "-" && f.Requires == "" {
			e.types[field] = typ
		}
		fields = append(fields, f)
	}
	e.spec.Serializer = serializer.Fields(fields...)
	return e
}

// badge is a row with a member that the host computes.
type badge struct {
	ID    int64               `json:"id"`
	Title *string             `json:"title"`
	Loud  serializer.Computed `json:"loud" reads:"title"`
}

// ComputeLoud gives the member its value.
func (b badge) ComputeLoud() string {
	if b.Title == nil {
		return ""
	}
	return strings.ToUpper(*b.Title)
}

// entities are the kinds of resource of the world.
func entities() []*entity {
	return append(append(people(), trade()...), odd()...)
}

func people() []*entity {
	companies := makeEntity("companies", "id:+int name:+text size:+int", own)
	companies.spec.Relations = []resource.Relation{resource.HasMany("customers", "customers", "company_id")}
	companies.spec.Measures = []string{"size"}
	staff := makeEntity("staff", "id:int name:text", own)
	staff.spec.Requires = "staff:read"
	customers := makeEntity("customers", "id:+int company_id:int name:+text score:+int vip:bool since:+time ref:uuid secret:+!text",
		func(w *world, tenant int, r row) bool { return own(w, tenant, r) && r["deleted"] == false })
	customers.spec.Narrow = resource.Conditions{"deleted": false}
	customers.spec.UpdatedAt = "since"
	customers.spec.Groupable, customers.spec.Measures = []string{"vip", "since", "name", "secret"}, []string{"score", "secret"}
	customers.spec.Relations = []resource.Relation{
		resource.BelongsTo("company", "companies", "company_id"), resource.BelongsTo("manager", "staff", "manager_id"),
		resource.HasMany("orders", "orders", "customer_id"), resource.HasOne("profile", "profiles", "customer_id"),
	}
	profiles := makeEntity("profiles", "id:int bio:text", through("customers", "customer_id"))
	profiles.spec.Internal, profiles.spec.Scope = true, scope.Via("customers", "customer_id")
	return []*entity{companies, staff, customers, profiles}
}

func trade() []*entity {
	orders := makeEntity("orders", "id:+int customer_id:int parent_id:int state:text qty:+int margin:+!int note:+text total:- placed_at:+time tags:- extra:-", own)
	orders.spec.UpdatedAt = "placed_at"
	orders.spec.Groupable, orders.spec.Measures = []string{"state", "note", "placed_at"}, []string{"qty", "total", "margin", "note"}
	orders.spec.Relations = []resource.Relation{
		resource.BelongsTo("customer", "customers", "customer_id"), resource.BelongsTo("parent", "orders", "parent_id"),
		resource.HasMany("children", "orders", "parent_id"), resource.HasMany("lines", "lines", "order_id"),
		resource.ManyToMany("labels", "labels", "w_order_labels", []string{"order_id"}, []string{"label_id"}),
		resource.ManyToMany("gifts", "labels", "w_order_gifts", []string{"order_id"}, []string{"label_id"}),
	}
	orders.spec.Filters = []resource.Filter{
		custom("bought", resource.Text, "EXISTS (SELECT 1 FROM w_lines l WHERE l.order_id = t.id AND l.sku = ?)"),
		custom("ratio", resource.Integer, "100 / t.qty > ?"),
	}
	lines := makeEntity("lines", "id:+int order_id:int sku:+text code:text qty:+int", through("orders", "order_id"))
	lines.spec.Scope = scope.Via("orders", "order_id")
	lines.spec.Filters = []resource.Filter{custom("code_over", resource.Integer, "CAST(t.code AS integer) > ?")}
	lines.spec.Groupable, lines.spec.Measures = []string{"sku"}, []string{"qty"}
	lines.spec.Relations = []resource.Relation{resource.BelongsTo("order", "orders", "order_id"), resource.HasMany("parts", "parts", "line_id")}
	parts := makeEntity("parts", "id:+int line_id:int label:+text n:+int", through("lines", "line_id"))
	parts.spec.Scope = scope.Via("lines", "line_id")
	parts.spec.Relations = []resource.Relation{resource.BelongsTo("line", "lines", "line_id")}
	labels := makeEntity("labels", "id:+int name:+text", own)
	labels.spec.Relations = []resource.Relation{
		resource.ManyToMany("orders", "orders", "w_order_labels", []string{"label_id"}, []string{"order_id"}),
	}
	return []*entity{orders, lines, parts, labels}
}

func custom(name string, kind resource.Kind, sql string) resource.Filter {
	return resource.Filter{
		Name: name, Type: kind, Description: "A condition of the host.",
		Condition: func(v resource.Value) (squirrel.Sqlizer, error) { return squirrel.Expr(sql, v), nil },
	}
}

func odd() []*entity {
	view := makeEntity("order_view", "id:+int note:text qty:+int", own)
	view.spec.Key = []string{"id"}
	events := makeEntity("events", "id:+int kind:text weight:+int at:+time", own)
	events.spec.Groupable, events.spec.Measures = []string{"kind", "at"}, []string{"weight"}
	ledger := makeEntity("ledger", "no:+int memo:+text amount:+int", own)
	ledger.key = []string{"no"}
	documents := makeEntity("documents", "folder:text no:+int body:text", own)
	documents.key = []string{"folder", "no"}
	templates := makeEntity("templates", "id:+int name:text", func(w *world, tenant int, r row) bool {
		return (own(w, tenant, r) || r["shared"] == true) && r["active"] == true
	})
	templates.spec.Scope = scope.SharedOr(scope.Column("tenant_id"), "shared", "templates of the house")
	templates.spec.Narrow = resource.Conditions{"active": true}
	transfers := makeEntity("transfers", "id:+int memo:text amount:+int", func(_ *world, tenant int, r row) bool {
		return r["from_id"] == tenant || r["to_id"] == tenant
	})
	transfers.spec.Scope = scope.AnyOf(scope.Column("from_id"), scope.Column("to_id"))
	transfers.spec.Measures = []string{"amount"}
	messages := makeEntity("messages", "id:+int kind:text body:text", func(w *world, tenant int, r row) bool {
		return own(w, tenant, r) && r["kind"] == "plain"
	})
	messages.spec.Scope = scope.Func("tenant_id", func(b scope.Bound) (squirrel.Sqlizer, error) {
		return squirrel.Expr("t.tenant_id = ? AND t.kind <> ?", b.Tenant(), "hidden"), nil
	})
	vaults := makeEntity("vaults", "id:+int name:text level:+int", own)
	attachments := makeEntity("attachments", "id:int name:text", own)
	attachments.spec.Filterable["owner_type"], attachments.spec.Filterable["owner_id"] = "owner_type", "owner_id"
	attachments.spec.Companions = map[string]string{"owner_id": "owner_type"}
	attachments.spec.Relations = []resource.Relation{resource.Polymorphic("owner", "owner_type", "owner_id")}
	badges := makeEntity("badges", "id:+int title:text", own)
	badges.spec.Serializer = serializer.For[badge]()
	return []*entity{view, events, ledger, documents, templates, transfers, messages, vaults, attachments, badges}
}
