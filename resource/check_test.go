package resource_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/Masterminds/squirrel"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
)

func condition(resource.Value) (squirrel.Sqlizer, error) { return squirrel.Expr("t.x"), nil }

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		edit func(*resource.Spec)
		want string // behind "resource orders: "
	}{
		{"no name", func(s *resource.Spec) { s.Name = "" }, "Name: a public name is empty"},
		{"a reserved name", func(s *resource.Spec) { s.Name = "links" }, "Name: \"links\" is a word of the contract"},
		{"no table", func(s *resource.Spec) { s.Table = "" }, "Table: \"\" is not a table"},
		{"no table behind a schema", func(s *resource.Spec) { s.Table = "sales." }, "Table: \"sales.\""},
		{"no schema before a table", func(s *resource.Spec) { s.Table = ".orders" }, "Table: \".orders\""},
		{"no scope", func(s *resource.Spec) { s.Scope = scope.Predicate{} }, "Scope: a scope is required"},
		{"no serializer", func(s *resource.Spec) { s.Serializer = nil }, "Serializer: a serializer is required"},
		{"a broken serializer", func(s *resource.Spec) { s.Serializer = broken{} }, "Serializer: no tags"},
		{"no field", func(s *resource.Spec) { s.Serializer = fields{} }, "Serializer: a resource shows at least one field"},
		{"a field twice", func(s *resource.Spec) { s.Serializer = columns("id", "a", "id") }, "Serializer: field \"id\" is declared twice"},
		{"a field without a name", func(s *resource.Spec) { s.Serializer = fields{{Name: "id", Column: "id"}, {Column: "x"}} }, "Serializer: field 2: a public name is empty"},
		{"a computed member without a type", func(s *resource.Spec) { s.Serializer = fields{{Name: "id", Column: "id"}, {Name: "x"}} }, "Serializer: computed member \"x\" needs a type"},
		{"a key column twice", func(s *resource.Spec) { s.Key = []string{"a", "b", "a"} }, "Key: column \"a\" is named twice"},
		{"a key column without a name", func(s *resource.Spec) { s.Key = []string{"a", ""} }, "Key: a column name is empty"},
		{"a filter key without a column", func(s *resource.Spec) { s.Filterable["x"] = "" }, "filter key \"x\": names no column"},
		{"a filter key with a dot", func(s *resource.Spec) { s.Filterable["a.b"] = "x" }, "filter key \"a.b\": \"a.b\": a public name has no dot"},
		{"a custom filter without a condition", func(s *resource.Spec) { s.Filters = []resource.Filter{{Name: "x", Type: resource.Text}} }, "filter \"x\": needs a condition"},
		{"a custom filter without a type", func(s *resource.Spec) { s.Filters = []resource.Filter{{Name: "x", Condition: condition}} }, "filter \"x\": type \"\""},
		{"a custom filter of an array", func(s *resource.Spec) {
			s.Filters = []resource.Filter{{Name: "x", Type: resource.Array, Condition: condition}}
		}, "filter \"x\": type \"array\""},
		{"a custom filter of a key's name", func(s *resource.Spec) {
			s.Filters = []resource.Filter{{Name: "status", Type: resource.Text, Condition: condition}}
		}, "filter \"status\": declared twice"},
		{"a custom filter twice", func(s *resource.Spec) {
			f := resource.Filter{Name: "x", Type: resource.Text, Condition: condition}
			s.Filters = []resource.Filter{f, f}
		}, "filter \"x\": declared twice"},
		{"a companion of nothing", func(s *resource.Spec) { s.Companions = map[string]string{"x": "status"} }, "companion of \"x\": \"x\" is not a filter key"},
		{"a companion that is nothing", func(s *resource.Spec) { s.Companions = map[string]string{"status": "x"} }, "companion of \"status\": \"x\" is not a filter key"},
		{"its own companion", func(s *resource.Spec) { s.Companions = map[string]string{"status": "status"} }, "companion of \"status\": a key cannot be its own companion"},
		{"a sort field twice", func(s *resource.Spec) { s.Sortable = []string{"id", "id"} }, "Sortable: \"id\" is named twice"},
		{"a sort field that is none", func(s *resource.Spec) { s.Sortable = []string{"total"} }, "Sortable: \"total\" is not a field"},
		{"a computed sort field", func(s *resource.Spec) {
			s.Serializer, s.Sortable = fields{{Name: "id", Column: "id"}, {Name: "x", Type: resource.Text}}, []string{"x"}
		}, "Sortable: \"x\" is computed"},
		{"a groupable field twice", func(s *resource.Spec) { s.Groupable = []string{"id", "id"} }, "Groupable: \"id\" is named twice"},
		{"a groupable field that is none", func(s *resource.Spec) { s.Groupable = []string{"total"} }, "Groupable: \"total\" is not a field"},
		{"a groupable field of a measure's name", func(s *resource.Spec) {
			s.Serializer, s.Groupable = columns("id", "count"), []string{"count"}
		}, "Groupable: \"count\" could be taken for a measure: "},
		{"a groupable field with a colon", func(s *resource.Spec) {
			s.Serializer, s.Groupable = columns("id", "at:day"), []string{"at:day"}
		}, "Groupable: \"at:day\" could be taken for a measure: "},
		{"a groupable field of a function's name", func(s *resource.Spec) {
			s.Serializer, s.Groupable = columns("id", "max"), []string{"max"}
		}, "Groupable: \"max\" could be taken for a measure: "},
		{"a measure twice", func(s *resource.Spec) { s.Measures = []string{"id", "id"} }, "Measures: \"id\" is named twice"},
		{"a measure of a field that is none", func(s *resource.Spec) { s.Measures = []string{"total"} }, "Measures: \"total\" is not a field"},
		{"a computed measure", func(s *resource.Spec) {
			s.Serializer, s.Measures = fields{{Name: "id", Column: "id"}, {Name: "x", Type: resource.Text}}, []string{"x"}
		}, "Measures: \"x\" is computed"},
		{"a negative limit", func(s *resource.Spec) { s.Limits.Default = -1 }, "Limits: a limit is positive"},
		{"a limit beyond all bounds", func(s *resource.Spec) { s.Limits.Max = 501 }, "Limits: a page has at most 500 rows"},
		{"a default above the maximum", func(s *resource.Spec) { s.Limits = resource.Limits{Default: 20, Max: 10} }, "Limits: the default 20 is above the maximum 10"},
		{"a relation without a name", func(s *resource.Spec) { s.Relations = []resource.Relation{resource.BelongsTo("", "x", "y")} }, "relation \"\": a public name is empty"},
		{"a relation of a field's name", func(s *resource.Spec) { s.Relations = []resource.Relation{resource.BelongsTo("number", "x", "y")} }, "relation \"number\": a field has the same name"},
		{"a relation twice", func(s *resource.Spec) {
			s.Relations = []resource.Relation{resource.BelongsTo("c", "x", "y"), resource.HasMany("c", "x", "y")}
		}, "relation \"c\": declared twice"},
		{"a relation without a target", func(s *resource.Spec) { s.Relations = []resource.Relation{resource.BelongsTo("c", "", "y")} }, "relation \"c\": names no target"},
		{"belongs_to without a column", func(s *resource.Spec) { s.Relations = []resource.Relation{resource.BelongsTo("c", "x")} }, "relation \"c\": needs the foreign key column here"},
		{"belongs_to with an empty column", func(s *resource.Spec) { s.Relations = []resource.Relation{resource.BelongsTo("c", "x", "a", "")} }, "relation \"c\": needs the foreign key column here"},
		{"has_one without a column", func(s *resource.Spec) { s.Relations = []resource.Relation{resource.HasOne("c", "x")} }, "relation \"c\": needs the foreign key column of the target"},
		{"has_many without a column", func(s *resource.Spec) { s.Relations = []resource.Relation{resource.HasMany("c", "x", "")} }, "relation \"c\": needs the foreign key column of the target"},
		{"many_to_many without a join table", func(s *resource.Spec) {
			s.Relations = []resource.Relation{resource.ManyToMany("c", "x", "", []string{"a"}, []string{"b"})}
		}, "relation \"c\": needs the join table"},
		{"many_to_many without a key", func(s *resource.Spec) {
			s.Relations = []resource.Relation{resource.ManyToMany("c", "x", "j", nil, []string{"b"})}
		}, "relation \"c\": needs the join table"},
		{"many_to_many with an empty column", func(s *resource.Spec) {
			s.Relations = []resource.Relation{resource.ManyToMany("c", "x", "j", []string{"a"}, []string{""})}
		}, "relation \"c\": needs the join table"},
		{"polymorphic without a type", func(s *resource.Spec) { s.Relations = []resource.Relation{resource.Polymorphic("c", "", "id")} }, "relation \"c\": needs the type column"},
		{"a relation of no kind", func(s *resource.Spec) { s.Relations = []resource.Relation{{Name: "c", Target: "x"}} }, "relation \"c\": has the unknown kind"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := orders()
			tc.edit(&s)
			r, err := resource.New(s, "")
			if err == nil || r != nil {
				t.Fatalf("%v, %v; want an error", r, err)
			}
			prefix := "resource orders: "
			if s.Name != "orders" {
				prefix = "resource "
			}
			lines := strings.Split(err.Error(), "\n")
			if len(lines) != 1 || !strings.HasPrefix(lines[0], prefix) || !strings.Contains(lines[0], tc.want) {
				t.Errorf("got %q\nwant one mistake with %q", lines, tc.want)
			}
		})
	}
}

// Every mistake of a spec is told at once.
func TestNewTellsEverything(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Spec{
		Filterable: resource.Columns{"a": "", "b.c": "x"},
		Sortable:   []string{"x"}, Key: []string{"k", "k"}, Limits: resource.Limits{Max: -1},
		Relations:  []resource.Relation{{Name: "r"}},
		Companions: map[string]string{"a": "nothing"},
		Serializer: columns("id", "id"),
	}, "")
	if err == nil {
		t.Fatal("accepted")
	}
	for _, member := range []string{"Name:", "Table:", "Scope:", "Key:", "Serializer:", `filter key "a":`, `filter key "b.c":`, `companion of "a":`, "Sortable:", "Limits:", `relation "r":`} {
		if !slices.ContainsFunc(strings.Split(err.Error(), "\n"), func(line string) bool { return strings.Contains(line, "(unnamed, table ): "+member) }) {
			t.Errorf("nothing about %s in\n%v", member, err)
		}
	}
}

func TestCheckName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a", "order_lines", "größe", "a b", "a/b", "a:b", `a"b`, "Links", "op", "1", strings.Repeat("é", 64), "a-b", "a[b"} {
		if err := resource.CheckName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{
		"", "links", "included", "any", "not", "a.b", ".", "a,b", "-a", "[a", "{a", " a", "a ", "\ta", "a\nb", "a\x00", "\xff", strings.Repeat("é", 65),
	} {
		if err := resource.CheckName(name); err == nil {
			t.Errorf("%q is a public name", name)
		}
	}
}
