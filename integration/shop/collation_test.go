package shop_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/tenantry/tenantry/integration/testdb"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// Texts are walked in the order of their own collation, whatever that holds to be equal, and too long for a cursor
// or not.
func TestTextsKeepTheirCollation(t *testing.T) {
	t.Parallel()
	r, db := seeded(t), testdb.New(t)
	db.Exec(t, `CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
		CREATE DOMAIN loosely AS text COLLATE loose;
		CREATE TABLE things (id int PRIMARY KEY, tenant_id int NOT NULL, plain text COLLATE "C" NOT NULL, icu text COLLATE "und-x-icu", loose text COLLATE loose,
			domain loosely NOT NULL, short varchar(20) COLLATE loose);
		CALL tenantry.protect('things', 'tenant_id')`)
	var values []string
	for id := range 60 {
		row := fmt.Sprintf("(%d, 1", id)
		for range 5 {
			word := of("a", "A", "á", "Ä", "b", "B", "ß", "ss", "z", "-a", "a b", "_", "漢")(r)
			row += ", " + of("'"+word+"'", "'"+word+"'", "'"+strings.Repeat(word, 20/len(word))+"'")(r)
		}
		values = append(values, row+")")
	}
	db.Exec(t, "INSERT INTO things VALUES "+strings.Join(values, ",\n")+"; UPDATE things SET icu = NULL, short = NULL WHERE id % 7 = 3; UPDATE things SET loose = repeat(loose, 1200) WHERE id % 5 = 2")
	names := []string{"plain", "icu", "loose", "domain", "short"}
	s := serve(t, db, resource.Spec{
		Name: "things", Table: "things", Scope: scope.Column("tenant_id"), Sortable: names, Serializer: serializer.Columns(append([]string{"id"}, names...)...),
	}, resource.Spec{
		Name: "named", Table: "things", Key: []string{"domain", "plain", "id"}, Scope: scope.Column("tenant_id"), Sortable: names, Serializer: serializer.Columns(append([]string{"id"}, names...)...),
	})
	conn := db.Conn(t)
	for key, name := range map[string]string{"id": "things", "domain, plain, id": "named"} {
		for _, sort := range sorts(names)[1:] {
			terms := known{order: strings.Split(key, ", ")}.orderBy(t, resource.Spec{Serializer: serializer.Columns(names...)}, sort)
			rows, err := conn.Query(t.Context(), "SELECT id::text FROM things t ORDER BY "+terms)
			if err != nil {
				t.Fatal(err)
			}
			want, err := pgx.CollectRows(rows, pgx.RowTo[string])
			if err != nil {
				t.Fatal(err)
			}
			got := []string{}
			for _, r := range s.walk(t, listing{token: token, resource: name, sort: sort, limit: 7}, len(want), func(page) {}) {
				got = append(got, string(r["id"]))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s by %v (-want +got):\n%s", name, sort, diff)
			}
		}
	}
}
