package bench

import (
	"fmt"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// crowd is how many tables there are beside the measured ones, as in a grown-up application.
const crowd = 500

// manySQL makes %d tables of 20 columns without rows.
const manySQL = `DO $$ BEGIN
	FOR i IN 0..%d - 1 LOOP
		EXECUTE format('CREATE UNLOGGED TABLE many_%%s (
			id bigint NOT NULL, account_id bigint NOT NULL, next_id bigint, name text NOT NULL, code varchar(40) NOT NULL,
			status text NOT NULL, amount numeric(12,2), rate double precision, active boolean NOT NULL, kind integer,
			size smallint, tags text[] NOT NULL, settings jsonb NOT NULL, key uuid, day date, note text,
			starts_at timestamptz, ends_at timestamptz, created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL,
			PRIMARY KEY (account_id, id))', i);
		EXECUTE format('CREATE INDEX ON many_%%s (account_id, next_id, id)', i);
	END LOOP;
END $$`

var manyColumns = []string{
	"id", "account_id", "next_id", "name", "code", "status", "amount", "rate", "active", "kind",
	"size", "tags", "settings", "key", "day", "note", "starts_at", "ends_at", "created_at", "updated_at",
}

func manyName(i int) string { return fmt.Sprintf("many_%d", i) }

// manySpecs are the first n of the crowd, of which each two neighbours are related.
func manySpecs(n int) []resource.Spec {
	out := make([]resource.Spec, n)
	for i := range out {
		out[i] = manySpec(i)
		switch {
		case i%2 == 1:
			out[i].Relations = []resource.Relation{resource.HasMany("previous", manyName(i-1), "next_id")}
		case i+1 < n:
			out[i].Relations = []resource.Relation{resource.BelongsTo("next", manyName(i+1), "next_id")}
		}
	}
	return out
}

func manySpec(i int) resource.Spec {
	keys := resource.Columns{}
	for _, name := range manyColumns[2:] {
		keys[name] = name
	}
	return resource.Spec{
		Name:       manyName(i),
		Table:      manyName(i),
		Key:        []string{"id"},
		Scope:      scope.Column("account_id"),
		Serializer: serializer.Columns(manyColumns...),
		Filterable: keys,
		Sortable:   []string{"name", "status", "created_at"},
		Groupable:  []string{"status"},
		Measures:   []string{"amount"},
		UpdatedAt:  "updated_at",
	}
}
