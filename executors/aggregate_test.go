package executors_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

// counted is the shop with fields that may be grouped and measured.
func counted() []resource.Spec {
	specs := shop()
	for i := range specs {
		switch s := &specs[i]; s.Name {
		case "orders":
			s.Groupable = []string{"status", "paid", "placed_at", "notes", "total"}
			s.Measures = []string{"total", "placed_at", "notes", "status", "id"}
		case "lines":
			s.Groupable, s.Measures = []string{"sku"}, []string{"quantity"}
		case "catalogue":
			s.Groupable = []string{"name"}
		case "deals":
			s.Measures = []string{"price"}
		case "readings":
			s.Groupable, s.Measures = []string{"device"}, []string{"value"}
		case "customers":
			s.Groupable = []string{"email"}
		}
	}
	return specs
}

// groupsDB answers every statement with the groups it was told.
type groupsDB struct {
	*fakeDB
	groups [][]string // "-" is NULL
}

func (db *groupsDB) Run(ctx context.Context, call *executors.Call) error {
	if err := db.fakeDB.Run(ctx, call); err != nil {
		return err
	}
	for _, g := range db.groups {
		values := make([][]byte, len(g))
		for i, v := range g {
			if v != "-" {
				values[i] = []byte(v)
			}
		}
		err := call.Statements[0].Row(values)
		if errors.Is(err, executors.ErrStop) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func openCounted(t *testing.T, opts *executors.Options) (*executors.Executor, *groupsDB) {
	t.Helper()
	db := &groupsDB{fakeDB: &fakeDB{tables: shopTables()}}
	x, err := executors.New(t.Context(), db, registryOf(t, counted()...), opts)
	if err != nil {
		t.Fatal(err)
	}
	db.calls = nil
	return x, db
}

func TestAggregateSQL(t *testing.T) {
	t.Parallel()
	x, db := openCounted(t, quiet())
	type request = executors.AggregateRequest
	cases := map[string]request{
		"aggregate":          {Resource: "orders"},
		"aggregate_grouped":  {Resource: "orders", GroupBy: []string{"status", "paid"}, Measures: []string{"count", "sum:total"}, Sort: []string{"-sum:total"}},
		"aggregate_period":   {Resource: "orders", GroupBy: []string{"placed_at:month"}, Measures: []string{"avg:total", "max:total", "sum:total", "sum:id"}},
		"aggregate_day":      {Resource: "orders", GroupBy: []string{"placed_at:day"}, Limit: new(1000)},
		"aggregate_text":     {Resource: "orders", GroupBy: []string{"notes"}, Measures: []string{"min:notes", "count_distinct:status"}, Sort: []string{"-min:notes", "-notes"}},
		"aggregate_filtered": {Resource: "orders", Filter: json.RawMessage(`{"paid":true,"sku":"A-1"}`), GroupBy: []string{"paid"}},
		"aggregate_via":      {Resource: "lines", GroupBy: []string{"sku"}, Measures: []string{"sum:quantity"}},
		"aggregate_any_of":   {Resource: "deals", Measures: []string{"sum:price"}},
		"aggregate_shared":   {Resource: "catalogue", GroupBy: []string{"name"}},
		"aggregate_free":     {Resource: "readings", GroupBy: []string{"device"}, Measures: []string{"sum:value", "avg:value"}},
		"aggregate_narrowed": {Resource: "customers", GroupBy: []string{"email"}},
	}
	for range 2 { // the second time by the statement that is kept
		for name, req := range cases {
			if _, err := x.Aggregate(t.Context(), caller(t, 42, staff...), req); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			golden(t, "sql/"+name, show(db.last(t)))
		}
	}
}

// Every statement of every call binds what it has placeholders for, keeps the tenant's condition behind every
// table that it reads, orders before it limits, and holds no value.
func TestEveryAggregateStatement(t *testing.T) {
	t.Parallel()
	x, db := openCounted(t, quiet())
	for seed := range uint64(200) {
		g := &generator{rand: rand.New(rand.NewPCG(seed, 5))}
		filter, err := json.Marshal(g.filter(0))
		must(err)
		req := executors.AggregateRequest{
			Resource: "orders", Filter: filter, GroupBy: []string{pick(g, []string{"status", "notes", "placed_at:week"}), "paid"},
			Measures: g.some("count", "sum:total", "max:notes", "count_distinct:status"), Sort: g.signed(g.some("paid")),
		}
		if _, err := x.Aggregate(t.Context(), caller(t, 42, staff...), req); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		s := db.last(t).Statements[0]
		if gap := statementGap("", s); gap != "" || strings.Contains(s.SQL, marker) {
			t.Fatalf("seed %d: %s\n%+v\n%s", seed, gap, req, s.SQL)
		}
	}
}

// Nothing of a call's values is in its statement, and every name of it is.
func TestAggregateShapes(t *testing.T) {
	t.Parallel()
	x, db := openCounted(t, quiet())
	texts := map[string]bool{}
	for _, req := range []executors.AggregateRequest{
		{GroupBy: []string{"status"}},
		{GroupBy: []string{"paid"}},
		{Measures: []string{"sum:total"}},
		{Measures: []string{"avg:total"}},
		{GroupBy: []string{"status"}, Sort: []string{"-status"}},
		{GroupBy: []string{"status"}, Sort: []string{"count"}},
		{GroupBy: []string{"placed_at:day"}},
		{GroupBy: []string{"placed_at:week"}},
		{GroupBy: []string{"status", "paid"}},
		{GroupBy: []string{"paid", "status"}},
		{Measures: []string{"max:id"}},
		{Filter: json.RawMessage(`{"status":"open"}`)},
		{Filter: json.RawMessage(`{"status":"open"}`), GroupBy: []string{"status"}},
	} {
		req.Resource = "orders"
		if _, err := x.Aggregate(t.Context(), caller(t, 42, staff...), req); err != nil {
			t.Fatal(err)
		}
		text := db.last(t).Statements[0].SQL
		if texts[text] || strings.Contains(text, "'open'") {
			t.Errorf("%+v: %s", req, text)
		}
		texts[text] = true
	}
}

func TestAggregateAnswer(t *testing.T) {
	t.Parallel()
	x, db := openCounted(t, quiet())
	db.groups = [][]string{
		{"open", "2", "n1", "2", "0", "42", "42"}, {"-", "9007199254740992", "-", "9007199254740992", "0", "42", "42"}, {"paid", "9", "n", "9", "0", "42", "42"},
	}
	for limit, want := range map[int]string{
		3: `{"resource":"orders","groups":[{"status":"open","count":2,"max:notes":"n1"},{"status":null,"count":"9007199254740992","max:notes":null},{"status":"paid","count":9,"max:notes":"n"}],"meta":{"limit":3,"returned":3,"has_more":false}}`,
		1: `{"resource":"orders","groups":[{"status":"open","count":2,"max:notes":"n1"}],"meta":{"limit":1,"returned":1,"has_more":true}}`,
	} {
		a, err := x.Aggregate(t.Context(), caller(t, 42, staff...), executors.AggregateRequest{
			Resource: "orders", GroupBy: []string{"status"}, Measures: []string{"count", "max:notes"}, Limit: &limit,
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(a.JSON)); diff != "" || a.Rows != limit || a.Truncated {
			t.Errorf("%d rows: %s", a.Rows, diff)
		}
	}
}

// The witness of a group: rows that are not the caller's, or were asked for on behalf of somebody else.
func TestWitnessOfGroups(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, resource string
		groups         [][]string // count, then rows, foreign rows, the least and the greatest tenant
		good           bool
	}{
		{"own rows", "lines", [][]string{{"2", "2", "0", "42", "42"}}, true},
		{"no rows", "lines", [][]string{{"0", "0", "0", "-", "-"}}, true},
		{"a foreign row", "lines", [][]string{{"2", "2", "1", "42", "42"}}, false},
		{"a foreign row that the statement does not tell of", "lines", [][]string{{"2", "2", "0", "42", "43"}}, false},
		{"another's rows alone", "lines", [][]string{{"2", "2", "0", "43", "43"}}, false},
		{"a key that begins like the caller's", "lines", [][]string{{"2", "2", "0", "42", "421"}}, false},
		{"rows of nobody", "lines", [][]string{{"2", "2", "0", "-", "-"}}, false},
		{"rows of nobody that the statement tells of", "lines", [][]string{{"2", "2", "2", "-", "-"}}, false},
		{"half a witness", "lines", [][]string{{"2", "2", "0", "42", "-"}}, false},
		{"no witness", "lines", [][]string{{"2", "2", "-", "42", "42"}}, false},
		{"behind own rows", "lines", [][]string{{"2", "2", "0", "42", "42"}, {"2", "2", "2", "43", "43"}}, false},
		{"beyond the limit", "lines", append(slices.Repeat([][]string{{"2", "2", "0", "42", "42"}}, 25), []string{"2", "2", "1", "42", "43"}), false},
		{"shared rows", "catalogue", [][]string{{"2", "2", "0", "-", "-"}}, true},
		{"own and shared rows", "catalogue", [][]string{{"2", "2", "0", "42", "42"}}, true},
		{"shared rows asked for by another", "catalogue", [][]string{{"2", "2", "0", "43", "43"}}, false},
		{"shared rows and a foreign one", "catalogue", [][]string{{"2", "2", "1", "-", "-"}}, false},
		{"deals of either side", "deals", [][]string{{"2", "2", "0", "42", "42"}}, true},
		{"a deal of others", "deals", [][]string{{"2", "2", "1", "42", "42"}}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var logged bytes.Buffer
			opts := quiet()
			opts.Logger = slog.New(slog.NewTextHandler(&logged, nil))
			x, db := openCounted(t, opts)
			db.groups = tc.groups
			a, err := x.Aggregate(t.Context(), caller(t, 42, staff...), executors.AggregateRequest{Resource: tc.resource})
			if tc.good {
				if err != nil {
					t.Error(err)
				}
				return
			}
			blocked(t, a, err)
			if !errors.Is(err, executors.ErrForeign) || !strings.Contains(logged.String(), "isolation_blocked") {
				t.Errorf("%v, logged %s", err, &logged)
			}
			db.groups = nil
			outOfService(t, x, db.fakeDB, tc.resource)
			_, err = x.Aggregate(t.Context(), caller(t, 43, staff...), executors.AggregateRequest{Resource: tc.resource})
			if diff := cmp.Diff([]string{"unavailable /resource"}, codes(err)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAggregateSchemaGolden(t *testing.T) {
	t.Parallel()
	x, db := openCounted(t, quiet())
	for name, scopes := range map[string][]string{"aggregates": staff, "aggregates_bare": nil} {
		a, err := x.Schema(t.Context(), caller(t, 42, scopes...), "orders", nil)
		if err != nil {
			t.Fatal(err)
		}
		var doc struct{ Aggregates json.RawMessage }
		if err := json.Unmarshal(a.JSON, &doc); err != nil {
			t.Fatal(err)
		}
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, doc.Aggregates, "", "  "); err != nil {
			t.Fatal(err)
		}
		golden(t, "schema/"+name, pretty.String()+"\n")
		var doc2 struct{ Example executors.AggregateRequest }
		if err := json.Unmarshal(bytes.ReplaceAll(doc.Aggregates, []byte("group_by"), []byte("GroupBy")), &doc2); err != nil {
			t.Fatal(err)
		}
		db.silent(t)
		if _, err := x.Aggregate(t.Context(), caller(t, 42, scopes...), doc2.Example); err != nil {
			t.Errorf("the example %+v: %v", doc2.Example, err)
		}
		db.calls = nil
	}
}

// Everything that is wrong is told together, and nothing runs.
func TestAggregateMistakesTogether(t *testing.T) {
	t.Parallel()
	x, db := openCounted(t, quiet())
	told := resource.Errors{resource.Errorf(resource.UnknownArgument, "/wat", "no")}
	_, err := x.Aggregate(t.Context(), caller(t, 42), executors.AggregateRequest{
		Resource: "orders", Mistakes: told, Filter: json.RawMessage(`{"nope":1}`), GroupBy: []string{"nope", "total", "placed_at"},
		Measures: []string{"sum:total", "count", "count"}, Sort: []string{"nope", "nowhere", "count"}, Limit: new(0),
	})
	want := []string{
		"unknown_argument /wat", "unknown_filter /filter/nope", "unknown_field /group_by/0", "unknown_field /group_by/1", "invalid_argument /group_by/2",
		"unknown_field /measures/0", "invalid_argument /measures/2", "unknown_field /sort/1", "invalid_argument /limit",
	}
	if diff := cmp.Diff(want, codes(err)); diff != "" {
		t.Error(diff)
	}
	// Nor is an order by what is misspelt where it is asked for.
	_, err = x.Aggregate(t.Context(), caller(t, 42), executors.AggregateRequest{Resource: "orders", Measures: []string{"cuont"}, Sort: []string{"-count"}})
	if diff := cmp.Diff([]string{"unknown_field /measures/0"}, codes(err)); diff != "" {
		t.Error(diff)
	}
	// What the decoder could not read is no reason to doubt the names that depend on it.
	unread := resource.Errors{resource.Errorf(resource.InvalidArgument, "/group_by", "no array")}
	_, err = x.Aggregate(t.Context(), caller(t, 42), executors.AggregateRequest{Resource: "orders", Mistakes: unread, Sort: []string{"status"}})
	if diff := cmp.Diff([]string{"invalid_argument /group_by"}, codes(err)); diff != "" {
		t.Error(diff)
	}
	missing := resource.Errors{resource.Errorf(resource.InvalidArgument, "/resource", "resource is required")}
	_, err = x.Aggregate(t.Context(), caller(t, 42), executors.AggregateRequest{Mistakes: missing})
	if diff := cmp.Diff([]string{"invalid_argument /resource"}, codes(err)); diff != "" {
		t.Error(diff)
	}
	db.silent(t)
}

// What the types do not allow stops the start.
func TestAggregateBinds(t *testing.T) {
	t.Parallel()
	spec := ordersSpec()
	spec.Relations = nil
	spec.Groupable, spec.Measures = []string{"meta", "status"}, []string{"meta", "ref"}
	_, err := executors.New(t.Context(), &fakeDB{tables: shopTables()}, registryOf(t, spec), quiet())
	want := `resource orders: Groupable: "meta" is of type jsonb, by whose values rows cannot be grouped` + "\n" +
		`resource orders: Measures: "meta" is of type jsonb, which nothing can be measured of`
	if err == nil || err.Error() != want {
		t.Error(err)
	}
}

// A caller without exactly one tenant is refused before anything is looked at.
func TestAggregateNeedsATenant(t *testing.T) {
	t.Parallel()
	x, db := openCounted(t, quiet())
	_, err := x.Aggregate(t.Context(), nil, executors.AggregateRequest{Resource: "orders"})
	if diff := cmp.Diff([]string{"unauthenticated "}, codes(err)); diff != "" {
		t.Error(diff)
	}
	db.silent(t)
}
