package executors_test

import (
	"bytes"
	"context"
	"database/sql/driver"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/Masterminds/squirrel"
	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
	"github.com/tenantry/tenantry/tenant"
)

// thing is a spec over the table things, which has a column of every sort.
func thing(name string, edit func(*resource.Spec)) resource.Spec {
	s := resource.Spec{Name: name, Table: "things", Scope: scope.Column("account_id"), Serializer: serializer.Columns("id", "name")}
	if edit != nil {
		edit(&s)
	}
	return s
}

func thingTables() map[executors.TableName]*executors.Table {
	loose := table("loose", "", "id bigint", "account_id bigint")
	folded := table("folded", "id", "id bigint", "account_id text")
	folded.Columns[1].Type.NoMatch = true
	all := tables(
		table("things", "id", "id bigint", "account_id bigint", "name text", "meta json", "tags text[]", "changed timestamptz?", "owner uuid", "slug text", "score double", "flag integer"),
		table("pairs", "account_id id", "account_id bigint", "id bigint"),
		table("join_table", "", "a bigint", "b bigint"), loose, folded,
	)
	all[executors.TableName{Name: "things"}].Unique = [][]string{{"account_id", "slug"}, {"owner", "flag"}}
	return all
}

func newErrors(t *testing.T, specs ...resource.Spec) []string {
	t.Helper()
	x, err := executors.New(context.Background(), &fakeDB{tables: thingTables()}, registryOf(t, specs...), quiet())
	if (x == nil) != (err != nil) {
		t.Fatalf("an executor beside %v", err)
	}
	if err == nil {
		return nil
	}
	return strings.Split(err.Error(), "\n")
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	custom := func(cond squirrel.Sqlizer) func(*resource.Spec) {
		return func(s *resource.Spec) {
			s.Filters = []resource.Filter{{Name: "f", Type: resource.Text, Condition: func(resource.Value) (squirrel.Sqlizer, error) { return cond, nil }}}
		}
	}
	for _, tc := range []struct {
		name string
		edit func(*resource.Spec)
		want []string // each behind "resource thing: "
	}{
		{"a missing table", func(s *resource.Spec) { s.Table = "sales.things" }, []string{`Table: the database has no table or view "sales.things" that this role can see`}},
		{"no primary key", func(s *resource.Spec) { s.Table, s.Serializer = "loose", serializer.Columns("id") }, []string{`Key: "loose" has no primary key: declare one`}},
		{"a key that is not there", func(s *resource.Spec) { s.Key = []string{"no", "id"} }, []string{`Key: "things" has no column "no"`}},
		{"a key without an order", func(s *resource.Spec) { s.Key = []string{"meta"} }, []string{`Key: column "meta" is of type json, which has no order`}},
		{"a key that is not unique", func(s *resource.Spec) { s.Key = []string{"name"} }, []string{`Key: no unique index keeps the rows of "things" apart by name`}},
		{"a part of what is unique", func(s *resource.Spec) { s.Key = []string{"owner"} }, []string{`Key: no unique index keeps the rows of "things" apart by owner`}},
		{"what is unique in one tenant, seen by several", func(s *resource.Spec) {
			s.Key, s.Scope = []string{"slug"}, scope.AnyOf(scope.Column("account_id"), scope.Column("flag"))
		}, []string{`Key: no unique index keeps the rows of "things" apart by slug`}},
		{"a field that is not there", func(s *resource.Spec) { s.Serializer = serializer.Columns("id", "no", "neither") }, []string{
			`field "no": "things" has no column "no"`, `field "neither": "things" has no column "neither"`,
		}},
		{"a read that is not there", func(s *resource.Spec) {
			s.Serializer = declared{money{}, []resource.Field{{Name: "x", Type: resource.Text, Reads: []string{"id", "no"}}}}
		}, []string{`field "x": "things" has no column "no"`}},
		{"a filter key that is not there", func(s *resource.Spec) { s.Filterable = resource.Columns{"a": "no"} }, []string{`filter key "a": "things" has no column "no"`}},
		{"a filter key that cannot be compared", func(s *resource.Spec) { s.Filterable = resource.Columns{"a": "meta"} }, []string{`filter key "a": column "meta" is of type json, which cannot be filtered`}},
		{"a sort field without an order", func(s *resource.Spec) {
			s.Serializer, s.Sortable = serializer.Columns("id", "meta", "tags"), []string{"meta", "id", "tags"}
		}, []string{`Sortable: "meta" is of type json, which has no order`, `Sortable: "tags" is of type text[], which has no order`}},
		{"a time of changes that is not there", func(s *resource.Spec) { s.UpdatedAt = "no" }, []string{`UpdatedAt: "things" has no column "no"`}},
		{"a time of changes that is none", func(s *resource.Spec) { s.UpdatedAt = "name" }, []string{`UpdatedAt: column "name" is of type text, not a timestamp`}},
		{"a tenant that is not there", func(s *resource.Spec) { s.Scope = scope.Column("no") }, []string{`Scope: "things" has no column "no"`}},
		{"a tenant that is a float", func(s *resource.Spec) { s.Scope = scope.Column("score") }, []string{`Scope: the tenant column "score" is of type double; a tenant key is an integer, a uuid or a text`}},
		{"a tenant whose spelling does not count", func(s *resource.Spec) { s.Table, s.Serializer = "folded", serializer.Columns("id") }, []string{
			`Scope: the tenant column "account_id" has a collation for which different keys are equal: two tenants could be one`,
		}},
		{"a flag that is none", func(s *resource.Spec) { s.Scope = scope.SharedOr(scope.Column("account_id"), "flag", "why") }, []string{`Scope: the flag column "flag" is of type integer, not boolean`}},
		{"an unknown parent", func(s *resource.Spec) { s.Scope = scope.Via("nobody", "id") }, []string{`Scope: scope.Via: the parent "nobody" is not registered`}},
		{"itself as parent", func(s *resource.Spec) { s.Scope = scope.Via("thing", "id") }, []string{`Scope: scope.Via "thing" is one of a circle of parents, or more than 8 deep`}},
		{"a foreign key that is not there", func(s *resource.Spec) { s.Scope = scope.Via("other", "no") }, []string{`Scope: "things" has no column "no"`}},
		{"a foreign key of too few columns", func(s *resource.Spec) { s.Scope = scope.Via("pair", "id") }, []string{`Scope: scope.Via "pair" names 1 columns, and the key of "pair" has 2`}},
		{"a scope without the tenant", func(s *resource.Spec) {
			s.Scope = scope.Func("account_id", func(scope.Bound) (squirrel.Sqlizer, error) { return squirrel.Eq{"t.id": 1}, nil })
		}, []string{"Scope: scope.Func: the condition does not use b.Tenant(), so it could not tell one tenant from another"}},
		{"a witness that is not there", func(s *resource.Spec) {
			s.Scope = scope.Func("no", func(b scope.Bound) (squirrel.Sqlizer, error) { return squirrel.Eq{"t.id": b.Tenant()}, nil })
		}, []string{`Scope: "things" has no column "no"`}},
		{"a constant of a bad type", func(s *resource.Spec) { s.Scope = s.Scope.Narrow(squirrel.Expr("t.owner = ?", [16]byte{1})) }, []string{
			"Scope: an argument is of type [16]uint8; use a string, a number, a boolean, a time or a list of strings",
		}},
		{"a constant that is nil", func(s *resource.Spec) { s.Scope = s.Scope.Narrow(squirrel.Expr("t.owner = ?", nil)) }, []string{"Scope: an argument is nil: write IS NULL"}},
		{"a constant that is a nil pointer", func(s *resource.Spec) { s.Scope = s.Scope.Narrow(squirrel.Expr("t.owner = ?", (*valuer)(nil))) }, []string{"Scope: an argument is nil: write IS NULL"}},
		{"a narrowing over no column", func(s *resource.Spec) { s.Narrow = resource.Conditions{"no": 1} }, nil},
		{"a narrowing with a bad value", func(s *resource.Spec) { s.Narrow = resource.Conditions{"id": "x"} }, nil},
		{"a narrowing that cannot be JSON", func(s *resource.Spec) { s.Narrow = resource.Conditions{"id": func() {}} }, nil},
		{"a custom filter that does not use its value", custom(squirrel.Expr("t.name = 'x'")), []string{`filter "f": the condition does not use its value`}},
		{"a custom filter that is nil", custom(nil), []string{`filter "f": the condition is nil`}},
		{"a custom filter that is nothing", custom(squirrel.And{}), nil},
		{"a custom filter that closes our parenthesis", custom(squirrel.Expr("t.name = ?) OR (1 = 1", resource.Value{})), nil},
		{"a custom filter that fails", func(s *resource.Spec) {
			s.Filters = []resource.Filter{{Name: "f", Type: resource.Text, Condition: func(resource.Value) (squirrel.Sqlizer, error) { return nil, errors.New("no luck") }}}
		}, []string{`filter "f": no luck`}},
		{"a custom filter that panics", func(s *resource.Spec) {
			s.Filters = []resource.Filter{{Name: "f", Type: resource.Text, Condition: func(resource.Value) (squirrel.Sqlizer, error) { panic("boom") }}}
		}, []string{`filter "f": the condition panicked: boom`}},
		{"belongs_to by a column that is not there", func(s *resource.Spec) { s.Relations = []resource.Relation{resource.BelongsTo("r", "other", "no")} }, []string{`relation "r": "things" has no column "no"`}},
		{"belongs_to by too many columns", func(s *resource.Spec) {
			s.Relations = []resource.Relation{resource.BelongsTo("r", "other", "id", "account_id")}
		}, []string{`relation "r": names 2 columns, and the key of "other" has 1`}},
		{"has_many by a column that is not there", func(s *resource.Spec) { s.Relations = []resource.Relation{resource.HasMany("r", "other", "no")} }, []string{`relation "r": "things" has no column "no"`}},
		{"has_one by a column that is not there", func(s *resource.Spec) { s.Relations = []resource.Relation{resource.HasOne("r", "pair", "no")} }, []string{`relation "r": "pairs" has no column "no"`}},
		{"many_to_many without the join table", func(s *resource.Spec) {
			s.Relations = []resource.Relation{resource.ManyToMany("r", "other", "gone", []string{"a"}, []string{"b"})}
		}, []string{`relation "r": the database has no join table "gone" that this role can see`}},
		{"many_to_many by columns that are not there", func(s *resource.Spec) {
			s.Relations = []resource.Relation{resource.ManyToMany("r", "other", "join_table", []string{"a", "x"}, []string{"y"})}
		}, []string{`relation "r": names 2 columns, and the key of "thing" has 1`, `relation "r": "join_table" has no column "x"`, `relation "r": "join_table" has no column "y"`}},
		{"polymorphic by columns that are not there", func(s *resource.Spec) { s.Relations = []resource.Relation{resource.Polymorphic("r", "x", "y")} }, []string{
			`relation "r": "things" has no column "x"`, `relation "r": "things" has no column "y"`,
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			pair := resource.Spec{Name: "pair", Table: "pairs", Scope: scope.Column("account_id"), Serializer: serializer.Columns("id")}
			got := newErrors(t, thing("thing", tc.edit), thing("other", nil), pair)
			if len(got) == 0 {
				t.Fatal("accepted")
			}
			var want []string
			for _, w := range tc.want {
				want = append(want, "resource thing: "+w)
			}
			if tc.want == nil && len(got) == 1 && strings.HasPrefix(got[0], "resource thing: ") {
				return
			}
			got = slices.DeleteFunc(got, func(line string) bool { return strings.HasPrefix(line, "the tenant columns disagree") })
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// valuer is a value of a host's own for the database.
type valuer struct{ text string }

func (v valuer) Value() (driver.Value, error) { return v.text, nil }

// Every mistake of every resource is told at once, also those of a resource whose key is wrong.
func TestNewTellsEverything(t *testing.T) {
	t.Parallel()
	got := newErrors(t,
		thing("one", func(s *resource.Spec) {
			s.Key, s.UpdatedAt, s.Filterable = []string{"no"}, "name", resource.Columns{"x": "gone"}
		}),
		thing("two", func(s *resource.Spec) { s.Table = "absent" }),
		thing("three", func(s *resource.Spec) {
			s.Scope, s.Relations = scope.Via("one", "id"), []resource.Relation{resource.BelongsTo("one", "one", "x")}
		}),
		thing("four", func(s *resource.Spec) { s.Scope = scope.Column("owner") }),
		thing("five", func(s *resource.Spec) { s.Scope = scope.Column("slug") }),
	)
	want := []string{
		`resource one: Key: "things" has no column "no"`,
		`resource two: Table: the database has no table or view "absent" that this role can see`,
		`resource three: Scope: scope.Via: the parent "one" could not be bound`,
		`resource one: UpdatedAt: column "name" is of type text, not a timestamp`,
		`resource one: filter key "x": "things" has no column "gone"`,
		`resource three: relation "one": "things" has no column "x"`,
		`the tenant columns disagree: map[integer:things.account_id text:things.slug uuid:things.owner]; one registry has one kind of tenant key`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A relation may name the public key of its target, whether the target is declared before or behind it.
func TestRelationToThePublicKey(t *testing.T) {
	t.Parallel()
	pair := resource.Spec{Name: "pair", Table: "pairs", Scope: scope.Column("account_id"), Serializer: serializer.Columns("id")}
	one := thing("one", func(s *resource.Spec) { s.Relations = []resource.Relation{resource.BelongsTo("pair", "pair", "owner")} })
	whole := thing("whole", func(s *resource.Spec) {
		s.Relations = []resource.Relation{resource.BelongsTo("pair", "pair", "account_id", "owner")}
	})
	for _, specs := range [][]resource.Spec{{pair, one, whole}, {one, whole, pair}} {
		if got := newErrors(t, specs...); got != nil {
			t.Error(got)
		}
	}
}

// A key need not be the primary one: what is unique, alone or within a tenant, will do, and a view is believed.
func TestKeysThatAreUnique(t *testing.T) {
	t.Parallel()
	for _, spec := range []resource.Spec{
		thing("thing", func(s *resource.Spec) { s.Key = []string{"slug"} }),
		thing("thing", func(s *resource.Spec) { s.Key = []string{"account_id", "slug"} }),
		thing("thing", func(s *resource.Spec) { s.Key = []string{"flag", "owner"} }),
		thing("thing", func(s *resource.Spec) { s.Key = []string{"name", "id"} }),
		thing("thing", func(s *resource.Spec) {
			s.Table, s.Key, s.Serializer = "loose", []string{"id"}, serializer.Columns("id")
		}),
	} {
		if got := newErrors(t, spec); got != nil {
			t.Errorf("%v: %v", spec.Key, got)
		}
	}
}

func TestTenantKind(t *testing.T) {
	t.Parallel()
	for column, want := range map[string]tenant.Kind{"account_id": tenant.KindInt, "flag": tenant.KindInt, "owner": tenant.KindUUID, "slug": tenant.KindText} {
		x := open(t, &fakeDB{tables: thingTables()}, nil, thing("thing", func(s *resource.Spec) { s.Scope = scope.Column(column) }))
		if x.TenantKind() != want {
			t.Errorf("%s: %s", column, x.TenantKind())
		}
	}
}

func TestNewNeedsADatabase(t *testing.T) {
	t.Parallel()
	reg := registryOf(t, thing("thing", nil))
	if x, err := executors.New(t.Context(), nil, reg, nil); err == nil || x != nil {
		t.Error("no database is accepted")
	}
	if x, err := executors.New(t.Context(), &fakeDB{}, nil, nil); err == nil || x != nil {
		t.Error("no registry is accepted")
	}
	down := resource.Errorf(resource.Unavailable, "", "not there")
	x, err := executors.New(t.Context(), &fakeDB{tables: thingTables(), down: down}, reg, nil)
	if own, ok := errors.AsType[*resource.Error](err); !ok || own.Code != resource.Unavailable || x != nil {
		t.Errorf("a database that is down: %v", err)
	}
}

func TestRowPolicies(t *testing.T) {
	t.Parallel()
	reg := registryOf(t, thing("thing", nil))
	missing := []executors.Finding{
		{Table: `"public"."things"`, Severity: executors.Refuse, Text: "things: row level security is off"},
		{Severity: executors.Refuse, Text: "role x can write"},
	}
	aside := []executors.Finding{{Severity: executors.Warn, Text: "role x can create temporary tables"}}
	for _, tc := range []struct {
		name     string
		findings []executors.Finding
		required bool
		good     bool
	}{
		{"nothing missing", nil, true, true},
		{"nothing missing, not required", nil, false, true},
		{"something missing", missing, true, false},
		{"something missing, not required", missing, false, true},
		{"a warning", aside, true, true},
	} {
		var logged bytes.Buffer
		opts := &executors.Options{RequireRLS: tc.required, Logger: slog.New(slog.NewTextHandler(&logged, nil))}
		x, err := executors.New(t.Context(), &fakeDB{tables: thingTables(), findings: tc.findings}, reg, opts)
		switch {
		case (err == nil) != tc.good:
			t.Errorf("%s: %v", tc.name, err)
		case err != nil && (!errors.Is(err, missing[0]) || !errors.Is(err, missing[1]) || x != nil):
			t.Errorf("%s: not every finding is told: %v", tc.name, err)
		case err == nil && len(x.Findings()) != len(tc.findings):
			t.Errorf("%s: findings %v", tc.name, x.Findings())
		case err == nil && strings.Count(logged.String(), "\n") != len(tc.findings):
			t.Errorf("%s: logged %s", tc.name, logged.String())
		}
	}
}

// The log of a start has a line for each finding, and an end.
func TestFindingsAreLogged(t *testing.T) {
	t.Parallel()
	db := &fakeDB{tables: thingTables()}
	for i := range 30 {
		db.findings = append(db.findings, executors.Finding{Text: "finding " + itoa(i)})
	}
	var logged bytes.Buffer
	_, err := executors.New(t.Context(), db, registryOf(t, thing("thing", nil)), &executors.Options{Logger: slog.New(slog.NewTextHandler(&logged, nil))})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(logged.String()), "\n")
	if len(lines) != 21 || !strings.Contains(lines[19], "finding 19") || !strings.Contains(lines[20], "more=10") {
		t.Errorf("%d lines: %s", len(lines), logged.String())
	}
}

// What is found about a parent's table takes out whoever belongs to a tenant by it.
func TestFindingsAboutParents(t *testing.T) {
	t.Parallel()
	db := &fakeDB{tables: shopTables()}
	opts := quiet()
	opts.RequireRLS = true
	x, err := executors.New(t.Context(), db, registryOf(t, shop()...), opts)
	if err != nil {
		t.Fatal(err)
	}
	db.findings = []executors.Finding{{Table: `"public"."orders"`, Severity: executors.Refuse, Text: "off"}}
	if err := x.Rebind(t.Context()); err == nil {
		t.Error("nothing is out")
	}
	for name, out := range map[string]bool{"orders": true, "lines": true, "readings": false} {
		if _, err := x.List(t.Context(), caller(t, 1, staff...), executors.ListRequest{Resource: name}); (err != nil) != out {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is found about one table takes out the resources that read it, and no others; what is found about the
// role takes out all of them.
func TestFindingsTakeTheirResourcesOut(t *testing.T) {
	t.Parallel()
	pairs := thing("pairs", func(s *resource.Spec) { s.Table, s.Serializer = "pairs", serializer.Columns("id") })
	db := &fakeDB{tables: thingTables()}
	opts := quiet()
	opts.RequireRLS = true
	x, err := executors.New(t.Context(), db, registryOf(t, thing("thing", nil), pairs), opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name     string
		findings []executors.Finding
		out      string
	}{
		{"a table", []executors.Finding{{Table: `"public"."pairs"`, Severity: executors.Refuse, Text: "off"}}, "pairs"},
		{"a warning of it", []executors.Finding{{Table: `"public"."pairs"`, Text: "not indexed"}}, ""},
		{"the role", []executors.Finding{{Severity: executors.Refuse, Text: "superuser"}}, "thing pairs"},
		{"nothing", nil, ""},
	} {
		db.findings = tc.findings
		if err := x.Rebind(t.Context()); (err == nil) != (tc.out == "") {
			t.Errorf("%s: %v", tc.name, err)
		}
		var out []string
		for _, name := range []string{"thing", "pairs"} {
			if _, err := x.List(t.Context(), caller(t, 1), executors.ListRequest{Resource: name}); err != nil {
				out = append(out, name)
			}
		}
		if got := strings.Join(out, " "); got != tc.out {
			t.Errorf("%s: %q is out, want %q", tc.name, got, tc.out)
		}
	}
}
