package resource

import (
	"fmt"
	"slices"
	"strings"
)

// aggregates checks the fields that aggregate may use. What their types allow is checked when an executor
// is built.
func (c *checker) aggregates(r *Resource) {
	c.members(r, "Groupable", c.spec.Groupable)
	c.members(r, "Measures", c.spec.Measures)
	for _, name := range c.spec.Groupable {
		if err := CheckGroupable(name); err != nil {
			c.fail("Groupable", "%v", err)
		}
	}
}

// CheckGroupable says why rows cannot be grouped by a field of that name; nil when they can. The arguments and
// the answers of aggregate name groups and measures alike, "placed_at:month" and "sum:total".
func CheckGroupable(name string) error {
	words := []string{Count, string(CountDistinct), string(Sum), string(Avg), string(Min), string(Max)}
	if slices.Contains(words, name) || strings.Contains(name, ":") {
		return fmt.Errorf("%q could be taken for a measure: a groupable field has no colon and is not named %s", name, strings.Join(words, ", "))
	}
	return nil
}

func (c *checker) members(r *Resource, member string, names []string) {
	if dup := repeated(names); dup != "" {
		c.fail(member, "%q is named twice", dup)
	}
	for _, name := range names {
		f, ok := r.Field(name)
		switch {
		case r.fields == nil: // the serializer's own mistake, told already
		case !ok:
			c.fail(member, "%q is not a field", name)
		case f.Computed():
			c.fail(member, "%q is computed; the database does not know it", name)
		}
	}
}
