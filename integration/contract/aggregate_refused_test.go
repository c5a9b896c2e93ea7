package contract_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
)

// mistakes are all the mistakes of an answer that must be one.
func (a answer) mistakes(t *testing.T) []errorDoc {
	t.Helper()
	var doc struct {
		Errors []errorDoc `json:"errors"`
	}
	first := a.refused(t)
	if err := json.Unmarshal(a.body, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Errors == nil {
		return []errorDoc{first}
	}
	return doc.Errors
}

// Every mistake is told at once, with what may be sent instead, and nothing runs.
func TestAggregateRefusals(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		with, w := watched(settings{})
		s := db.selling(t, with)
		w.take()
		groups := []string{"state", "urgent", "due", "due:day", "due:week", "due:month", "due:quarter", "due:year", "placed_at:day", "placed_at:week", "placed_at:month", "placed_at:quarter", "placed_at:year", "note", "customer_id"}
		periods := groups[8:13]
		for _, test := range []struct {
			arguments string
			want      []errorDoc
		}{
			{`"group_by":["stat"]`, []errorDoc{{Code: "unknown_field", Path: "/group_by/0", Allowed: groups, Suggestions: []string{"state"}}}},
			{`"group_by":["placed_at"]`, []errorDoc{{Code: "invalid_argument", Path: "/group_by/0", Allowed: periods}}},
			{`"group_by":["placed_at:hour","due:"]`, []errorDoc{{Code: "invalid_argument", Path: "/group_by/0", Allowed: periods}, {Code: "invalid_argument", Path: "/group_by/1", Allowed: groups[2:8]}}},
			{`"group_by":["state:month"]`, []errorDoc{{Code: "unknown_field", Path: "/group_by/0", Allowed: groups}}},
			{`"group_by":["State"]`, []errorDoc{{Code: "unknown_field", Path: "/group_by/0", Allowed: groups, Suggestions: []string{"state"}}}},
			{`"group_by":["qty"]`, []errorDoc{{Code: "unknown_field", Path: "/group_by/0", Allowed: groups}}}, // a field, but not for grouping
			{`"group_by":["state","note","state"]`, []errorDoc{{Code: "invalid_argument", Path: "/group_by/2"}}},
			{`"group_by":["state","note","urgent","due"]`, []errorDoc{{Code: "limit_exceeded", Path: "/group_by"}}},
			{`"measures":"count,count,count,count,count,count,count,count,count,count,count"`, []errorDoc{{Code: "limit_exceeded", Path: "/measures"}}},
			{`"measures":["count","count"]`, []errorDoc{{Code: "invalid_argument", Path: "/measures/1"}}},
			{`"sort":["count","-count"]`, []errorDoc{{Code: "invalid_argument", Path: "/sort/1"}}},
			{`"sort":["-total"],"group_by":["note"]`, []errorDoc{{Code: "unknown_field", Path: "/sort/0", Allowed: []string{"note", "count"}}}},
			{`"sort":["placed_at:mont"],"group_by":["placed_at:mont"]`, []errorDoc{{Code: "invalid_argument", Path: "/group_by/0", Allowed: periods}}},
			{`"limit":0`, []errorDoc{{Code: "invalid_argument", Path: "/limit"}}},
			{`"limit":"-1"`, []errorDoc{{Code: "invalid_argument", Path: "/limit"}}},
			{`"filter":{"stat":"paid"},"group_by":["nothing"],"measures":["sum"],"sort":["nowhere"],"limit":0`, []errorDoc{
				{Code: "unknown_filter", Path: "/filter/stat"},
				{Code: "unknown_field", Path: "/group_by/0"},
				{Code: "unknown_field", Path: "/measures/0"},
				{Code: "unknown_field", Path: "/sort/0"},
				{Code: "invalid_argument", Path: "/limit"},
			}},
		} {
			got := s.call(t, keyOne, "aggregate", `{"resource":"orders",`+test.arguments+`}`).mistakes(t)
			ignored := []cmp.Option{cmpopts.IgnoreFields(errorDoc{}, "Message"), cmpopts.EquateEmpty()}
			if len(got) > 2 {
				ignored = append(ignored, cmpopts.IgnoreFields(errorDoc{}, "Allowed", "Suggestions"))
			}
			if diff := cmp.Diff(test.want, got, ignored...); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.arguments, diff)
			}
		}
		for _, measure := range []string{"sum(qty)", "sum:qt", "Sum:qty"} {
			got := s.call(t, keyOne, "aggregate", `{"resource":"orders","measures":["`+measure+`"]}`).refused(t)
			if got.Code != "unknown_field" || len(got.Suggestions) == 0 || got.Suggestions[0] != "sum:qty" || got.Allowed[0] != "count" {
				t.Errorf("%s: %+v", measure, got)
			}
		}
		for _, measure := range []string{"sum:state", "avg:note", "min:urgent", "sum:due", "count:state", "count_distinct", "sum:", ":qty", "median:qty", "count_distinct:extra"} {
			if got := s.call(t, keyOne, "aggregate", object(t, "resource", "orders", "measures", []string{measure})).refused(t); got.Code != "unknown_field" || got.Path != "/measures/0" {
				t.Errorf("%s: %+v", measure, got)
			}
		}
		if calls, _, _ := w.take(); calls != 0 {
			t.Errorf("%d calls reached the database", calls)
		}
	})
}

// gated is the orders with a field and one of its measures behind a permission scope; bare is the same
// resource on a server that never had the field.
func gated(bare bool) resource.Spec {
	spec := resource.Spec{
		Name: "orders", Table: "orders", Scope: scope.Column("tenant_id"), Filterable: resource.Columns{"state": "state"},
		Groupable: []string{"state"}, Measures: []string{"qty"},
		Serializer: serializer.Fields(serializer.Field{Name: "id"}, serializer.Field{Name: "state"}, serializer.Field{Name: "qty"}),
	}
	if !bare {
		spec.Groupable = append(spec.Groupable, "note")
		spec.Measures = append(spec.Measures, "total", "note")
		spec.Serializer = serializer.Fields(
			serializer.Field{Name: "id"}, serializer.Field{Name: "state"}, serializer.Field{Name: "qty"},
			serializer.Field{Name: "note", Requires: "customers:read"}, serializer.Field{Name: "total", Requires: "customers:read"},
		)
	}
	return spec
}

// What a caller may not see, or the host did not opt in, is what never was, in every byte.
func TestAggregatesOfHiddenFields(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.exec(t, `INSERT INTO tenants (id, name) VALUES (1, 'one'), (2, 'two');`+sales)
		full, bare := db.serve(t, settings{}, gated(false)), db.serve(t, settings{}, gated(true))
		closed := gated(false)
		closed.Groupable, closed.Measures = gated(true).Groupable, gated(true).Measures
		optedOut := db.serve(t, settings{}, closed)
		for _, arguments := range []string{
			`"group_by":["note"]`, `"group_by":["not"]`, `"measures":["sum:total"]`, `"measures":["min:note"]`, `"measures":["sum:tota"]`,
			`"group_by":["note"],"measures":["sum:total"],"sort":["-sum:total","note"]`, `"sort":["note"]`, `"group_by":["state"]`,
		} {
			call := `{"resource":"orders",` + arguments + `}`
			want := string(bare.call(t, keyOneLow, "aggregate", call).body)
			if diff := cmp.Diff(want, string(full.call(t, keyOneLow, "aggregate", call).body)); diff != "" {
				t.Errorf("%s: hidden (-never +hidden):\n%s", arguments, diff)
			}
			if diff := cmp.Diff(want, string(optedOut.call(t, keyOne, "aggregate", call).body)); diff != "" {
				t.Errorf("%s: not opted in (-never +hidden):\n%s", arguments, diff)
			}
		}
		for _, server := range []*server{full, bare} {
			if got := string(server.call(t, keyOneLow, "resource_schema", `{"resource":"orders"}`).body); strings.Contains(got, "note") {
				t.Errorf("the schema tells: %s", got)
			}
		}
		if got := jsonOf(t, full.aggregate(t, keyOne, "orders", `,"group_by":["note"],"measures":["count_distinct:total"],"filter":{"state":"draft"}`).Groups); got != `[{"count_distinct:total":1,"note":null}]` {
			t.Errorf("with the permission: %s", got)
		}
	})
}

// A resource without opted-in fields counts its rows, and its schema says nothing of aggregates.
func TestAggregateOfAResourceThatTakesNoPart(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		db.exec(t, `INSERT INTO tenants (id, name) VALUES (1, 'one'), (2, 'two');`+twins)
		s := db.serve(t, settings{}, db.summed()...)
		if got := jsonOf(t, s.aggregate(t, keyOne, "customers", ``).Groups); got != `[{"count":1}]` {
			t.Errorf("customers: %s", got)
		}
		e := s.call(t, keyOne, "aggregate", `{"resource":"customers","group_by":["email"]}`).refused(t)
		if e.Code != "unknown_field" || e.Allowed != nil || !strings.Contains(e.Message, "leave group_by away") {
			t.Errorf("%+v", e)
		}
		if got := string(s.call(t, keyOne, "resource_schema", `{"resource":"customers"}`).body); strings.Contains(got, `"aggregates"`) {
			t.Errorf("%s", got)
		}
		if e := s.call(t, keyOneLow, "aggregate", `{"resource":"customers"}`).refused(t); e.Code != "unknown_resource" {
			t.Errorf("without the permission: %+v", e)
		}
	})
}

// The example of every schema is a call that succeeds.
func TestAggregateExamples(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		s := db.selling(t, settings{})
		for _, name := range []string{"orders", "lines"} {
			var doc struct {
				Aggregates struct{ Example json.RawMessage }
			}
			if err := json.Unmarshal(s.call(t, keyOne, "resource_schema", `{"resource":"`+name+`"}`).body, &doc); err != nil {
				t.Fatal(err)
			}
			s.call(t, keyOne, "aggregate", string(doc.Aggregates.Example)).groups(t)
		}
	})
}

// What the types do not allow stops the start, with every mistake.
func TestAggregateDeclarations(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *database) {
		spec := db.shop()[0]
		spec.Relations = nil
		spec.Groupable, spec.Measures = []string{"state", "extra"}, []string{"extra", "qty"}
		err := begin(t, db.open(t), executors.Options{}, spec)
		for _, want := range []string{`resource orders: Groupable: "extra" is of type json`, `resource orders: Measures: "extra" is of type json`} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("the start lacks %q: %v", want, err)
			}
		}
	})
}
