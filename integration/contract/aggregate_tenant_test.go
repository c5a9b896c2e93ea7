package contract_test

import (
	"log/slog"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
	"github.com/tenantry/tenantry/tenant"
)

// The witness of groups knows tenants of every kind, in every scope.
func TestAggregatesForEveryKindOfTenant(t *testing.T) {
	t.Parallel()
	ours, err := tenant.UUID([16]byte{15: 0xab})
	if err != nil {
		t.Fatal(err)
	}
	text, err := tenant.Text("Straße O'Hara")
	if err != nil {
		t.Fatal(err)
	}
	for column, kind := range map[string]struct {
		id     tenant.ID
		others string
	}{"uuid": {ours, "00000000-0000-0000-0000-0000000000ac"}, "text": {text, "straße o'hara"}} {
		t.Run(column, func(t *testing.T) {
			t.Parallel()
			onBoth(t, func(t *testing.T, db *database) {
				db.table(t, "deals", "buyer", "id bigint PRIMARY KEY, buyer "+column+", seller "+column+", common BOOLEAN NOT NULL")
				if db.name == "postgres" {
					db.exec(t, `ALTER TABLE deals DISABLE ROW LEVEL SECURITY`) // the seller's deals are the buyer's rows
				}
				mine, theirs := literal(kind.id.Key()), literal(kind.others)
				db.exec(t, "INSERT INTO deals VALUES (1,"+mine+","+theirs+",false), (2,"+theirs+","+mine+",false), (3,"+theirs+","+theirs+",false),"+
					" (4,"+mine+","+mine+",false), (5,"+theirs+",NULL,true), (6,NULL,NULL,false)")
				spec := func(name string, s scope.Predicate) resource.Spec {
					return resource.Spec{Name: name, Table: "deals", Scope: s, Measures: []string{"id"}, Serializer: serializer.Columns("id")}
				}
				reg := registry.MustNew(
					nil, spec("bought", scope.Column("buyer")), spec("dealt", scope.AnyOf(scope.Column("buyer"), scope.Column("seller"))),
					spec("open", scope.SharedOr(scope.Column("buyer"), "common", "a test")), spec("through", scope.Via("bought", "id")),
				)
				opened := db.open(t)
				t.Cleanup(opened.Close)
				exec, err := executors.New(t.Context(), opened, reg, &executors.Options{Logger: slog.New(slog.DiscardHandler)})
				if err != nil {
					t.Fatal(err)
				}
				p, err := auth.NewPrincipal(auth.Grant{Subject: "a", Tenants: []tenant.ID{kind.id}})
				if err != nil {
					t.Fatal(err)
				}
				for name, want := range map[string]string{
					"bought": `[{"count":2,"sum:id":5}]`, "dealt": `[{"count":3,"sum:id":7}]`, "open": `[{"count":3,"sum:id":10}]`, "through": `[{"count":2,"sum:id":5}]`,
				} {
					a, err := exec.Aggregate(t.Context(), p, executors.AggregateRequest{Resource: name, Measures: []string{"count", "sum:id"}})
					if err != nil {
						t.Errorf("%s: %v", name, err)
						continue
					}
					if diff := cmp.Diff(`{"resource":"`+name+`","groups":`+want+`,"meta":{"limit":25,"returned":1,"has_more":false}}`, string(a.JSON)); diff != "" {
						t.Errorf("%s (-want +got):\n%s", name, diff)
					}
				}
			})
		})
	}
}
