package serializer_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
)

var members = serializer.Members{
	Fields: []resource.Field{{Name: "id"}, {Name: "number"}, {Name: "total"}},
	Links:  []string{"customer", "lines"},
}

func TestSelect(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		names []string
		want  serializer.Selection
	}{
		{"nil", nil, serializer.Selection{Fields: []int{0, 1, 2}, Links: []int{0, 1}, All: true}},
		{"empty", []string{}, serializer.Selection{Fields: []int{0, 1, 2}, Links: []int{0, 1}, All: true}},
		{"declared order", []string{"total", "id"}, serializer.Selection{Fields: []int{0, 2}}},
		{"twice", []string{"id", "id", "lines", "lines"}, serializer.Selection{Fields: []int{0}, Links: []int{1}}},
		{"relations only", []string{"lines", "customer"}, serializer.Selection{Links: []int{0, 1}}},
		{"500 names", slices.Repeat([]string{"number"}, 500), serializer.Selection{Fields: []int{1}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := serializer.Select(members, tt.names)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestSelectRefuses(t *testing.T) {
	t.Parallel()
	allowed := []string{"id", "number", "total", "customer", "lines"}
	unknown := func(path string, suggestions ...string) *resource.Error {
		return &resource.Error{Code: resource.UnknownField, Path: path, Allowed: allowed, Suggestions: suggestions}
	}
	tests := []struct {
		name  string
		names []string
		want  resource.Errors
	}{
		{"misspelt", []string{"id", "totl"}, resource.Errors{unknown("/fields/1", "total")}},
		{"all of them", []string{"nothing", "id", "line"}, resource.Errors{unknown("/fields/0"), unknown("/fields/2", "lines")}},
		{"another letter case", []string{"ID"}, resource.Errors{unknown("/fields/0", "id")}},
		{"links itself", []string{"links"}, resource.Errors{unknown("/fields/0", "lines")}},
		{"empty", []string{""}, resource.Errors{unknown("/fields/0", "id")}},
		{"blanks", []string{" id"}, resource.Errors{unknown("/fields/0", "id")}},
		{
			"too many", slices.Repeat([]string{"id"}, 501),
			resource.Errors{{Code: resource.LimitExceeded, Path: "/fields"}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := serializer.Select(members, tt.names)
			got, ok := errors.AsType[resource.Errors](err)
			if !ok {
				t.Fatalf("error %v", err)
			}
			ignore := cmpopts.IgnoreFields(resource.Error{}, "Message")
			if diff := cmp.Diff(tt.want, got, ignore, cmpopts.IgnoreUnexported(resource.Error{}), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestSelectMessage(t *testing.T) {
	t.Parallel()
	_, err := serializer.Select(members, []string{"secret" + strings.Repeat("x", 1000) + "\n"})
	got, _ := errors.AsType[resource.Errors](err)
	const want = ` is not a field or relation of this resource; send names from allowed, or leave fields out to get all`
	if len(got) != 1 || !strings.HasSuffix(got[0].Message, want) || len(got[0].Message) > len(want)+60 {
		t.Errorf("message %v", err)
	}
}

// TestSelectManyUnknown: suggestions are looked for in as many mistakes as an answer reports.
func TestSelectManyUnknown(t *testing.T) {
	t.Parallel()
	names := make([]string, 500)
	for i := range names {
		names[i] = "i" + strconv.Itoa(i%10)
	}
	_, err := serializer.Select(members, names)
	got, _ := errors.AsType[resource.Errors](err)
	if len(got) != 500 || got[9].Suggestions == nil || got[10].Suggestions != nil {
		t.Errorf("%d mistakes", len(got))
	}
}

func FuzzSelect(f *testing.F) {
	for _, s := range []string{"", "id", "id,lines", "totl,\xff", "links"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, list string) {
		names := strings.Split(list, ",")
		got, err := serializer.Select(members, names)
		if err == nil {
			if len(got.Fields)+len(got.Links) == 0 || len(got.Fields)+len(got.Links) > len(names) {
				t.Errorf("%q selects %+v", names, got)
			}
			return
		}
		mistakes, ok := errors.AsType[resource.Errors](err)
		if !ok || len(mistakes) == 0 {
			t.Fatalf("%q: %v", names, err)
		}
		for _, e := range mistakes {
			if e.Code == "" || e.Path == "" || e.Message == "" {
				t.Errorf("%q: %+v", names, e)
			}
		}
	})
}
