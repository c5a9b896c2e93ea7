package draft_test

import (
	"log/slog"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/integration/testdb"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// An index counts when it holds every row in the column's own order, as the catalogue of the server says.
// What is advised is a statement that the server takes, and that ends the advice.
func TestAdviceOnPostgres(t *testing.T) {
	t.Parallel()
	db := testdb.NewEmpty(t)
	db.Exec(t, `CREATE COLLATION other (provider = icu, locale = 'sv');
		CREATE TYPE mood AS ENUM ('good', 'bad');
		CREATE TABLE "the things" (id int PRIMARY KEY, org int, plain text, descending int, further int, beside int, expression text, part int,
			hashed int, patterned text, collated text, brin int, short varchar(9), mood mood, tags text[]);
		CREATE INDEX ON "the things" (org, plain, further) INCLUDE (beside);
		CREATE INDEX ON "the things" (org, descending DESC);
		CREATE INDEX ON "the things" (org, lower(expression), expression);
		CREATE INDEX ON "the things" (org, part) WHERE part > 0;
		CREATE INDEX ON "the things" USING hash (hashed);
		CREATE INDEX ON "the things" (org, patterned text_pattern_ops);
		CREATE INDEX ON "the things" (org, collated COLLATE other);
		CREATE INDEX ON "the things" USING brin (org, brin);
		CREATE INDEX ON "the things" (org, short);
		CREATE INDEX ON "the things" (org, mood)`)
	columns := []string{"plain", "descending", "further", "beside", "expression", "part", "hashed", "patterned", "collated", "brin", "short", "mood", "tags"}
	spec := resource.Spec{Name: "things", Table: "the things", Scope: scope.Column("org"), Serializer: serializer.Columns("id"), Filterable: resource.Columns{}}
	for _, c := range columns {
		spec.Filterable[c] = c
	}
	advice := func() []string {
		opened := openPostgres(t, db.URL)
		x, err := executors.New(t.Context(), opened, registry.MustNew(nil, spec), &executors.Options{Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		return x.Advice()
	}
	var want []string
	for _, c := range []string{"further", "beside", "expression", "part", "hashed", "patterned", "collated", "brin"} {
		statement := `CREATE INDEX ON "public"."the things" ("org", "` + c + `")`
		want = append(want, `resource things: no index serves filtering by "`+c+`": `+statement)
	}
	if diff := cmp.Diff(want, advice()); diff != "" {
		t.Error(diff)
	}
	for _, c := range []string{"further", "beside", "expression", "part", "hashed", "patterned", "collated", "brin"} {
		db.Exec(t, `CREATE INDEX ON "public"."the things" ("org", "`+c+`")`)
	}
	if got := advice(); got != nil {
		t.Errorf("advice that was followed: %v", got)
	}
}
