package contract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// depots have a composite key with the tenant in it, shelves one of a text and a number, and stock points at both.
func (db *database) depots(t *testing.T) []resource.Spec {
	t.Helper()
	for _, table := range []string{
		"depots (tenant_id INTEGER NOT NULL, no INTEGER NOT NULL, city TEXT, PRIMARY KEY (tenant_id, no))",
		"shelves (code TEXT NOT NULL, level INTEGER NOT NULL, tenant_id INTEGER NOT NULL, depot INTEGER, PRIMARY KEY (code, level))",
		"stock (id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL, depot INTEGER, shelf TEXT, shelf_level INTEGER, UNIQUE (tenant_id, shelf, shelf_level))",
		"reserved (tenant_id INTEGER NOT NULL, depot INTEGER, code TEXT, level INTEGER)",
	} {
		name, _, _ := strings.Cut(table, " ")
		db.exec(t, "CREATE TABLE "+table)
		if db.name == "postgres" {
			db.exec(t, "GRANT SELECT ON "+name+" TO tenantry_reader")
		}
	}
	db.exec(t, `
INSERT INTO depots VALUES (1, 1, 'Oslo'), (1, 2, 'Rome'), (2, 1, 'SECRET-OF-TWO'), (2, 3, 'SECRET-OF-TWO');
INSERT INTO shelves VALUES ('a:b/c%', 1, 1, 1), ('a:b/c%', 2, 1, 2), ('ä,"\', 1, 1, 1), ('z', 1, 2, 1);
INSERT INTO stock VALUES (10, 1, 1, 'a:b/c%', 2), (11, 1, 3, 'z', 1), (12, 1, 2, 'ä,"\', 1), (13, 1, NULL, 'z', NULL), (20, 2, 1, 'z', 1);
INSERT INTO reserved VALUES (1, 1, 'ä,"\', 1), (1, 1, 'z', 1), (1, 2, 'a:b/c%', 1), (1, 2, 'a:b/c%', 2), (1, NULL, 'z', 1), (2, 1, 'a:b/c%', 2);`)
	one := func(name string, fields ...string) resource.Spec {
		s := resource.Spec{Name: name, Table: name, Scope: scope.Column("tenant_id"), Serializer: serializer.Columns(fields...), Filterable: resource.Columns{}}
		for _, f := range fields {
			s.Filterable[f] = f
		}
		return s
	}
	depots, shelves, stock := one("depots", "city"), one("shelves", "code", "level"), one("stock", "id")
	depots.Relations = []resource.Relation{
		resource.HasMany("stock", "stock", "tenant_id", "depot"), resource.HasMany("shelves", "shelves", "depot"),
		resource.ManyToMany("reserved", "shelves", "reserved", []string{"depot"}, []string{"code", "level"}),
	}
	shelves.Relations = []resource.Relation{
		resource.BelongsTo("depot", "depots", "depot"), resource.HasOne("stock", "stock", "shelf", "shelf_level"),
		resource.ManyToMany("reserving", "depots", "reserved", []string{"code", "level"}, []string{"depot"}),
	}
	stock.Relations = []resource.Relation{
		resource.BelongsTo("depot", "depots", "tenant_id", "depot"), resource.BelongsTo("shelf", "shelves", "shelf", "shelf_level"),
	}
	return []resource.Spec{depots, shelves, stock}
}

func TestRelationsToEveryKey(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.serve(t, settings{}, db.depots(t)...)
		for _, tt := range []struct {
			name, arguments string
			want            []string
		}{
			{"composite keys in links", `{"resource":"stock"}`, []string{
				`{"depot":1,"shelf":"a%3Ab%2Fc%25:2"}`, `{"depot":3,"shelf":"z:1"}`, `{"depot":2,"shelf":"ä,\"\\:1"}`, `{"depot":null,"shelf":null}`,
			}},
			{"and in lists", `{"resource":"depots","fields":["stock","shelves","reserved"]}`, []string{
				`{"reserved":["ä,\"\\:1"],"shelves":["a%3Ab%2Fc%25:1","ä,\"\\:1"],"stock":[10]}`,
				`{"reserved":["a%3Ab%2Fc%25:1","a%3Ab%2Fc%25:2"],"shelves":["a%3Ab%2Fc%25:2"],"stock":[12]}`,
			}},
			{"a key without its tenant", `{"resource":"shelves","fields":["depot","stock","reserving"]}`, []string{
				`{"depot":1,"reserving":[2],"stock":null}`, `{"depot":2,"reserving":[2],"stock":10}`, `{"depot":1,"reserving":[1],"stock":12}`,
			}},
		} {
			if diff := cmp.Diff(tt.want, s.members(t, keyOne, tt.arguments, "links")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.name, diff)
			}
		}
		included := s.members(t, keyOne, `{"resource":"stock","fields":["id"],"include":["depot","shelf"]}`, "included")
		if diff := cmp.Diff([]string{
			`{"depot":{"city":"Oslo"},"shelf":{"code":"a:b/c%","level":2,"links":{"depot":2}}}`, `{"depot":null,"shelf":null}`,
			`{"depot":{"city":"Rome"},"shelf":{"code":"ä,\"\\","level":1,"links":{"depot":1}}}`, `{"depot":null,"shelf":null}`,
		}, included); diff != "" {
			t.Errorf("included (-want +got):\n%s", diff)
		}
		for filter, want := range map[string]string{
			`{"depot.city":"Oslo"}`: "10", `{"depot.city":"SECRET-OF-TWO"}`: "", `{"shelf.level":2}`: "10", `{"shelf.code":"z"}`: "",
			`{"shelf.depot.city":"Rome"}`: "10", `{"shelf.reserving.city":"Rome"}`: "10", `{"depot.reserved.level":1}`: "10 12",
			`{"not":{"depot.city":"Oslo"}}`: "11 12 13",
		} {
			if got := strings.Join(s.find(t, keyOne, "stock", filter), " "); got != want {
				t.Errorf("%s: got %q, want %q", filter, got, want)
			}
		}
	})
}

// However a page begins, what it embeds is what get embeds in the same rows.
func TestIncludeOnEveryPage(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.startRelated(t, cross)
		db.exec(t, `INSERT INTO purchases (id, tenant_id, bill_to, parent_id, note) `+numbered("9", "SELECT 100 + i, 1, i % 3, 100 + i - 1, CASE WHEN i % 3 = 0 THEN 'n' END FROM s"))
		const include = `"include":["customer","items","labels","children"]`
		want := map[string]string{}
		for _, id := range s.find(t, keyOne, "purchases", `{}`) {
			want[id] = string(s.call(t, keyOne, "get", `{"resource":"purchases","id":`+id+`,`+include+`}`).row(t)["included"])
		}
		for _, sort := range []string{"", "note", "-note"} {
			for _, limit := range []int{1, 2, 3, 50} {
				got, cursor := map[string]string{}, ""
				for range 20 {
					p := s.call(t, keyOne, "list", fmt.Sprintf(`{"resource":"purchases","sort":%q,"limit":%d,"cursor":%q,%s}`, sort, limit, cursor, include)).page(t)
					for _, row := range p.Rows {
						got[string(row["id"])] = string(row["included"])
					}
					if cursor = p.Meta.NextCursor; cursor == "" {
						break
					}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("sort %q, limit %d (-get +list):\n%s", sort, limit, diff)
				}
			}
		}
	})
}

// A relation between columns that cannot be compared stops the start.
func TestRelationsOfTypesThatDoNotMeet(t *testing.T) {
	onPostgres(t, func(t *testing.T, db *database) {
		specs := db.depots(t)
		specs[2].Relations = append(specs[2].Relations, resource.BelongsTo("odd", "depots", "shelf"))
		specs[0].Relations = append(specs[0].Relations, resource.HasMany("strange", "shelves", "code"))
		reg, err := registry.New(nil, specs...)
		if err != nil {
			t.Fatal(err)
		}
		opened := db.open(t)
		defer opened.Close()
		_, err = executors.New(t.Context(), opened, reg, nil)
		for _, want := range []string{`resource stock: relation "odd"`, `resource depots: relation "strange"`} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("want %s in %v", want, err)
			}
		}
	})
}
