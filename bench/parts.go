package bench

import (
	"math/rand/v2"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// owners is how many tenants have parts: some, so that calls differ, and few, so that loading takes no time.
const owners = 20

// partsSQL makes the parts of the widgets of the first %[1]d tenants of %[2]d: from none to six for each widget.
const partsSQL = `CREATE UNLOGGED TABLE parts (
	id bigint NOT NULL, account_id bigint NOT NULL, widget_id bigint NOT NULL, name text NOT NULL, quantity integer NOT NULL)
	WITH (autovacuum_enabled = off);
INSERT INTO parts SELECT row_number() OVER (ORDER BY n, id), account_id, id, 'Part ' || n, n * 10 + id %% 10
	FROM (SELECT id, account_id FROM widgets WHERE account_id <= %[1]d) AS w, generate_series(1, 6) AS n
	WHERE n <= id / %[2]d %% 7;
ALTER TABLE parts ADD PRIMARY KEY (account_id, id);
CREATE INDEX ON parts (account_id, widget_id, id)`

var parts = resource.Spec{
	Name:       "parts",
	Table:      "parts",
	Key:        []string{"id"},
	Scope:      scope.Column("account_id"),
	Serializer: serializer.Columns("id", "widget_id", "name", "quantity"),
	Filterable: resource.Columns{"widget_id": "widget_id"},
}

// related are the widgets joined to their parts.
func related() []resource.Spec {
	whole := widgets
	whole.Relations = []resource.Relation{resource.HasMany("parts", "parts", "widget_id")}
	return []resource.Spec{whole, parts}
}

// owner is the caller of a random tenant that has parts.
func (b *bench) owner(r *rand.Rand) *auth.Principal { return b.small[r.IntN(owners)] }
