package walls_test

import (
	"database/sql"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // fills the file that the executor then reads

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/sqlite"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// atlas has countries that belong to nobody, and people of two tenants who live in them and visit them.
const atlas = `
	CREATE TABLE countries (code text PRIMARY KEY, name text NOT NULL, continent text NOT NULL);
	CREATE TABLE people (id int PRIMARY KEY, tenant_id int NOT NULL, name text NOT NULL, home text);
	CREATE TABLE visits (person_id int, country text, tenant_id int NOT NULL, PRIMARY KEY (person_id, country));
	INSERT INTO countries VALUES ('DE', 'Germany', 'Europe'), ('FR', 'France', 'Europe'), ('JP', 'Japan', 'Asia');
	INSERT INTO people VALUES (1, 1, 'Ada', 'DE'), (2, 2, 'SECRET-OF-TWO', 'DE'), (3, 2, 'SECRET-OF-TWO', 'JP');
	INSERT INTO visits VALUES (1, 'FR', 1), (2, 'JP', 2), (1, 'JP', 2);`

func onBoth(t *testing.T, set string, test func(t *testing.T, db executors.DB)) {
	t.Helper()
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		db := filled(t)
		db.Exec(t, set)
		db.Exec(t, `CALL tenantry.protect('people', 'tenant_id'); CALL tenantry.protect('visits', 'tenant_id'); GRANT SELECT ON countries TO tenantry_reader`)
		test(t, open(t, db, nil))
	})
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		path := filepath.Join(t.TempDir(), "atlas.db")
		filling, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = filling.Close() }()
		if _, err := filling.ExecContext(t.Context(), set); err != nil {
			t.Fatal(err)
		}
		db, err := sqlite.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(db.Close)
		test(t, db)
	})
}

func countries() []resource.Global {
	return []resource.Global{{Reason: "The same for every account.", Spec: resource.Spec{
		Name: "countries", Table: "countries", Key: []string{"code"}, Serializer: serializer.Columns("code", "name", "continent"),
		Filterable: resource.Columns{"code": "code", "name": "name"}, Sortable: []string{"name"}, Groupable: []string{"continent"}, Measures: []string{"name"},
		Relations: []resource.Relation{
			resource.HasMany("people", "people", "home"),
			resource.ManyToMany("visitors", "people", "visits", []string{"country"}, []string{"person_id"}),
		},
	}}}
}

func people() resource.Spec {
	return resource.Spec{
		Name: "people", Table: "people", Scope: scope.Column("tenant_id"), Serializer: serializer.Columns("id", "name"), Filterable: resource.Columns{"name": "name"},
		Relations: []resource.Relation{
			resource.BelongsTo("country", "countries", "home"),
			resource.ManyToMany("visited", "countries", "visits", []string{"person_id"}, []string{"country"}),
		},
	}
}

// Shared reference data is read like everything else, by every tenant, and leads to nobody else's rows.
func TestSharedReferenceData(t *testing.T) {
	t.Parallel()
	onBoth(t, atlas, func(t *testing.T, db executors.DB) {
		x := mustExecutor(t, db, countries(), people())
		for _, tc := range []struct {
			name string
			req  executors.ListRequest
			want []string
			not  string
		}{
			{"all of them", executors.ListRequest{Resource: "countries", Count: executors.CountExact}, []string{"Germany", "France", "Japan", `"total_count":3`}, ""},
			{"a capped count", executors.ListRequest{Resource: "countries", Count: executors.CountCapped, Limit: new(int)}, []string{`"total_count":3`}, ""},
			{"listed keys", executors.ListRequest{Resource: "countries", Fields: []string{"code", "people", "visitors"}}, []string{`"people":[1]`, `"visitors":[1]`}, ""},
			{"embedded rows", executors.ListRequest{Resource: "countries", Include: []string{"people", "visitors"}}, []string{`"name":"Ada"`}, ""},
			{"through a relation", executors.ListRequest{Resource: "countries", Filter: []byte(`{"people.name":"SECRET-OF-TWO"}`), Count: executors.CountExact}, []string{`"total_count":0`}, "Germany"},
			{"through a join table", executors.ListRequest{Resource: "countries", Filter: []byte(`{"visitors.name":"Ada"}`)}, []string{"France"}, "Japan"},
			{"from a tenant's row", executors.ListRequest{Resource: "people", Include: []string{"country", "visited"}}, []string{"Germany", "France"}, "Japan"},
			{"a filter of them", executors.ListRequest{Resource: "people", Filter: []byte(`{"country.name":"Germany"}`)}, []string{`"name":"Ada"`}, ""},
		} {
			got := list(t, x, 1, tc.req)
			for _, want := range tc.want {
				if !strings.Contains(got, want) {
					t.Errorf("%s: no %s in %s", tc.name, want, got)
				}
			}
			if strings.Contains(got, "SECRET-OF-TWO") || strings.Contains(got, `[2`) || strings.Contains(got, `,2]`) || tc.not != "" && strings.Contains(got, tc.not) {
				t.Errorf("%s: %s", tc.name, got)
			}
		}
		pagesOf(t, x)
		one, err := x.Get(t.Context(), caller(t, 2), executors.GetRequest{Resource: "countries", ID: []byte(`"JP"`), Include: []string{"people"}})
		if err != nil || !strings.Contains(string(one.JSON), "Japan") || !strings.Contains(string(one.JSON), "SECRET-OF-TWO") {
			t.Errorf("get: %v", err)
		}
		groups, err := x.Aggregate(t.Context(), caller(t, 1), executors.AggregateRequest{Resource: "countries", GroupBy: []string{"continent"}, Measures: []string{"count", "min:name"}})
		if err != nil || !strings.Contains(string(groups.JSON), `"count":2`) {
			t.Errorf("aggregate: %v", err)
		}
		for filter, want := range map[string]string{``: `{"count":3}`, `{"code":"JP"}`: `{"count":1}`} {
			req := executors.AggregateRequest{Resource: "countries"}
			if filter != "" {
				req.Filter = []byte(filter)
			}
			if counted, err := x.Aggregate(t.Context(), caller(t, 1), req); err != nil || !strings.Contains(string(counted.JSON), want) {
				t.Errorf("a bare count of %q: %v, %v", filter, counted, err)
			}
		}
		if schema, err := x.Schema(t.Context(), caller(t, 1), "countries", nil); err != nil || !strings.Contains(string(schema.JSON), `"continent"`) {
			t.Errorf("schema: %v", err)
		}
	})
}

// pagesOf walks by cursor, whose listing is still a tenant's own.
func pagesOf(t *testing.T, x *executors.Executor) {
	t.Helper()
	one := 1
	req := executors.ListRequest{Resource: "countries", Limit: &one, Sort: []string{"-name"}}
	var doc struct {
		Meta struct {
			NextCursor string `json:"next_cursor"`
		} `json:"meta"`
	}
	if err := json.Unmarshal([]byte(list(t, x, 1, req)), &doc); err != nil {
		t.Fatal(err)
	}
	req.Cursor = doc.Meta.NextCursor
	if got := list(t, x, 1, req); !strings.Contains(got, "Germany") {
		t.Errorf("the second page is %s", got)
	}
	if _, err := x.List(t.Context(), caller(t, 2), req); err == nil {
		t.Error("a cursor opens for another tenant")
	}
}

// A table that has come to have a tenant column is no shared data any more.
func TestSharedDataThatIsNotShared(t *testing.T) {
	t.Parallel()
	onBoth(t, atlas+`ALTER TABLE countries ADD COLUMN tenant_id int;`, func(t *testing.T, db executors.DB) {
		_, err := executor(db, countries(), people())
		if err == nil || !strings.Contains(err.Error(), `resource countries: Global: the table has the tenant column "tenant_id"`) {
			t.Errorf("the start says %v", err)
		}
	})
}
