package serializer

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/tenantry/tenantry/internal/structtag"
)

// tags holds the struct tags that [For] reads, by key. Keys of other packages are left out.
type tags map[string]string

// parseTags reads a whole tag.
func parseTags(tag reflect.StructTag) (tags, error) {
	pairs, err := structtag.Parse(tag)
	if err != nil {
		return nil, err
	}
	found := tags{}
	for _, p := range pairs {
		switch p.Key {
		case "mcp", "gate":
			return nil, fmt.Errorf("the tag %s is for tools: a row's field is shown by requires", p.Key)
		case "json", "db", "desc", "requires", "reads":
			if _, twice := found[p.Key]; twice {
				return nil, fmt.Errorf("the tag %s stands twice", p.Key)
			}
			found[p.Key] = p.Value
		}
	}
	return found, nil
}

// only refuses the tags that have no effect on a member of the kind described.
func (t tags) only(kind string, keys ...string) error {
	var idle []string
	for _, key := range slices.Sorted(maps.Keys(t)) {
		if !slices.Contains(keys, key) {
			idle = append(idle, key)
		}
	}
	if len(idle) == 0 {
		return nil
	}
	return fmt.Errorf("no effect on %s: the tag %s", kind, strings.Join(idle, ", "))
}

// name returns the public name of the json tag, or "". The options that encoding/json knows are allowed
// for structs that serve both, and have no effect.
func (t tags) name() (string, error) {
	name, options, _ := strings.Cut(t["json"], ",")
	for option := range strings.SplitSeq(options, ",") {
		if !slices.Contains([]string{"", "omitempty", "omitzero", "string"}, option) {
			return "", fmt.Errorf("the tag json has the unknown option %q", option)
		}
	}
	return name, nil
}

// column returns the column of the db tag, or the name without one.
func (t tags) column(name string) (string, error) {
	column, given := t["db"]
	switch {
	case !given:
		return name, nil
	case column == "-":
		return "", errors.New(`the tag db:"-" leaves no column to show; hide the field with json:"-"`)
	case column == "" || strings.Contains(column, ","):
		return "", fmt.Errorf("the tag db:%q is not one column", column)
	default:
		return column, nil
	}
}

// reads returns the columns of the reads tag; nil without one.
func (t tags) reads() ([]string, error) {
	list, given := t["reads"]
	if !given {
		return nil, nil
	}
	names := strings.Split(list, ",")
	for i, name := range names {
		if names[i] = strings.TrimSpace(name); names[i] == "" {
			return nil, fmt.Errorf("the tag reads:%q names an empty column", list)
		}
	}
	return names, nil
}

// snake turns a Go name into the usual column name: CustomerID is customer_id.
func snake(name string) string {
	in := []rune(name)
	var out strings.Builder
	for i, r := range in {
		if unicode.IsUpper(r) && i > 0 {
			startsWord := !unicode.IsUpper(in[i-1]) && in[i-1] != '_'
			endsAcronym := unicode.IsUpper(in[i-1]) && i+1 < len(in) && unicode.IsLower(in[i+1])
			if startsWord || endsAcronym {
				out.WriteByte('_')
			}
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}
