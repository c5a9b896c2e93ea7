package resource

import "strings"

// aggregates checks the fields that aggregate may use. What their types allow is checked when an executor
// is built.
func (c *checker) aggregates(r *Resource) {
	c.members(r, "Groupable", c.spec.Groupable)
	c.members(r, "Measures", c.spec.Measures)
	for _, name := range c.spec.Groupable {
		// The answer's members and the arguments name groups and measures alike.
		if name == Count || strings.Contains(name, ":") {
			c.fail("Groupable", `%q could be taken for a measure or a unit: a groupable field is not named %q and has no colon`, name, Count)
		}
	}
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
