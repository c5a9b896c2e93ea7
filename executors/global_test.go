package executors_test

import (
	"strings"
	"testing"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

const everyone = "The same countries for every account."

func countries(edit func(*resource.Global)) resource.Global {
	g := resource.Global{Reason: everyone, Spec: resource.Spec{
		Name: "countries", Table: "countries", Serializer: serializer.Columns("code", "name"),
		Filterable: resource.Columns{"name": "name"}, Groupable: []string{"name"},
		Relations: []resource.Relation{resource.HasMany("customers", "customers", "country")},
	}}
	if edit != nil {
		edit(&g)
	}
	return g
}

func globalTables() map[executors.TableName]*executors.Table {
	return tables(
		table("countries", "code", "code text", "name text", "account_ID_of bigint?"),
		table("owned_countries", "code", "code text", "name text", "Account_Id bigint?"),
		table("customers", "id", "id bigint", "account_id bigint", "country text"),
		table("lines", "id", "id bigint", "customer_id bigint"),
		table("visits", "", "customer_id bigint", "country text", "account_id bigint"),
	)
}

func globalSpecs() []resource.Spec {
	return []resource.Spec{
		{
			Name: "customers", Table: "customers", Scope: scope.Column("account_id"), Serializer: serializer.Columns("id"),
			Relations: []resource.Relation{
				resource.BelongsTo("land", "countries", "country"),
				resource.ManyToMany("visited", "countries", "visits", []string{"customer_id"}, []string{"country"}),
			},
		},
		{Name: "lines", Table: "lines", Scope: scope.Via("customers", "customer_id"), Serializer: serializer.Columns("id")},
	}
}

func TestGlobalRefuses(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		edit func(*resource.Global)
		want string
	}{
		{"nothing wrong", nil, ""},
		{"a tenant column", func(g *resource.Global) { g.Table = "owned_countries" }, `resource countries: Global: the table has the tenant column "Account_Id"`},
		{"a table with a scope", func(g *resource.Global) {
			g.Table, g.Key, g.Serializer, g.Filterable, g.Groupable, g.Relations = "lines", nil, serializer.Columns("id"), nil, nil, nil
		}, `resource countries: Global: the table has a tenant: the resource "lines" reads it inside a scope`},
		{"keys of a tenant's rows", func(g *resource.Global) {
			g.Relations = []resource.Relation{resource.BelongsTo("owner", "customers", "account_ID_of")}
		}, `resource countries: relation "owner": rows that every tenant reads`},
		{"keys of any rows", func(g *resource.Global) {
			g.Relations = []resource.Relation{resource.Polymorphic("subject", "name", "code")}
		}, `resource countries: relation "subject": rows that every tenant reads`},
	} {
		specs := globalSpecs()
		if tc.want != "" {
			specs[0].Relations = nil
		}
		reg, err := registry.NewWithGlobals(nil, []resource.Global{countries(tc.edit)}, specs...)
		if err != nil {
			t.Fatal(err)
		}
		_, err = executors.New(t.Context(), &fakeDB{tables: globalTables()}, reg, quiet())
		switch {
		case tc.want == "" && err != nil:
			t.Errorf("%s: %v", tc.name, err)
		case tc.want != "" && (err == nil || !strings.HasPrefix(err.Error(), tc.want)):
			t.Errorf("%s: %v, want %s", tc.name, err, tc.want)
		}
	}
	specs := globalSpecs()[:1]
	specs = append(specs, resource.Spec{Name: "lines", Table: "lines", Scope: scope.Via("countries", "customer_id"), Serializer: serializer.Columns("id")})
	reg, err := registry.NewWithGlobals(nil, []resource.Global{countries(nil)}, specs...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = executors.New(t.Context(), &fakeDB{tables: globalTables()}, reg, quiet()); err == nil || !strings.Contains(err.Error(), "is global") {
		t.Errorf("a scope through a global parent: %v", err)
	}
}

// Every statement that can reach a tenant's rows from shared ones binds the tenant; the audit tells of them.
func TestGlobalStatements(t *testing.T) {
	t.Parallel()
	reg, err := registry.NewWithGlobals(nil, []resource.Global{countries(nil)}, globalSpecs()...)
	if err != nil {
		t.Fatal(err)
	}
	db := &fakeDB{tables: globalTables()}
	x, err := executors.New(t.Context(), db, reg, quiet())
	if err != nil {
		t.Fatal(err)
	}
	told := false
	for _, f := range x.Findings() {
		told = told || strings.Contains(f.Error(), "resource countries: global: every tenant reads every row: "+everyone)
	}
	if !told {
		t.Errorf("findings %v", x.Findings())
	}
	for _, name := range []string{"customers", "visits"} {
		read := 0
		for _, call := range db.calls {
			for _, statement := range call.Statements {
				from := strings.Count(statement.SQL, `FROM "public"."`+name+`" AS t`)
				if from != strings.Count(statement.SQL, `FROM "public"."`+name+`" AS t WHERE (t."account_id" = $`) {
					t.Errorf("%s is read outside its scope: %s", name, statement.SQL)
				}
				read += from
			}
		}
		if read == 0 {
			t.Errorf("no statement reads %s", name)
		}
	}
	db.rows = []row{{"code": "DE", "name": "Germany"}}
	answer, err := x.List(t.Context(), caller(t, 1), executors.ListRequest{Resource: "countries"})
	if err != nil || !strings.Contains(string(answer.JSON), "Germany") {
		t.Errorf("list: %v", err)
	}
	if _, err := x.List(t.Context(), nil, executors.ListRequest{Resource: "countries"}); err == nil {
		t.Error("shared rows are read without an identity")
	}
}
