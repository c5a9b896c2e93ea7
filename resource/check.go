package resource

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLimit bounds the rows of one page, whatever a Spec says.
const maxLimit = 500

// New checks a Spec by itself and returns the Resource, or every mistake joined, each naming the
// resource and the member. What concerns other resources is checked by the registry.
// DefaultRequires is the permission scope of a Spec that names none.
func New(s Spec, defaultRequires string) (*Resource, error) {
	r, c := prepare(s, defaultRequires)
	if !s.Scope.Valid() {
		c.fail("Scope", "a scope is required: it says which rows belong to a tenant")
	}
	return c.finish(r)
}

// prepare begins a resource. The scope is checked by who knows whether there must be one.
func prepare(s Spec, defaultRequires string) (*Resource, *checker) {
	s = s.clone()
	c := &checker{spec: s}
	r := &Resource{spec: s, requires: s.Requires, byName: map[string]int{}}
	if r.requires == "" {
		r.requires = defaultRequires
	}
	r.schema, r.table = SplitTable(s.Table)
	c.head()
	return r, c
}

// finish checks the members.
func (c *checker) finish(r *Resource) (*Resource, error) {
	r.fields = c.fields()
	for i, f := range r.fields {
		r.byName[f.Name] = i
	}
	c.relations(r)
	c.filters()
	c.sort(r)
	c.aggregates(r)
	c.limits()
	if err := errors.Join(c.errs...); err != nil {
		return nil, err
	}
	return r, nil
}

type checker struct {
	spec Spec
	errs []error
}

func (c *checker) fail(member, format string, args ...any) {
	name := c.spec.Name
	if name == "" {
		name = "(unnamed, table " + c.spec.Table + ")"
	}
	c.errs = append(c.errs, fmt.Errorf("resource %s: %s: %s", name, member, fmt.Sprintf(format, args...)))
}

func (c *checker) head() {
	if err := checkName(c.spec.Name); err != nil {
		c.fail("Name", "%v", err)
	}
	if schema, table := SplitTable(c.spec.Table); table == "" || strings.Contains(c.spec.Table, ".") && schema == "" {
		c.fail("Table", "%q is not a table: write \"orders\" or \"sales.orders\"", c.spec.Table)
	}
	if dup := repeated(c.spec.Key); dup != "" {
		c.fail("Key", "column %q is named twice", dup)
	}
	if slices.Contains(c.spec.Key, "") {
		c.fail("Key", "a column name is empty")
	}
}

func (c *checker) fields() []Field {
	if c.spec.Serializer == nil {
		c.fail("Serializer", "a serializer is required: it says what a row looks like outside")
		return nil
	}
	fields, err := c.spec.Serializer.Fields()
	if err != nil {
		c.fail("Serializer", "%v", err)
		return nil
	}
	if len(fields) == 0 {
		c.fail("Serializer", "a resource shows at least one field")
	}
	seen := map[string]bool{}
	for i, f := range fields {
		if err := checkName(f.Name); err != nil {
			c.fail("Serializer", "field %d: %v", i+1, err)
		}
		if seen[f.Name] {
			c.fail("Serializer", "field %q is declared twice", f.Name)
		}
		seen[f.Name] = true
		if f.Computed() && f.Type == "" {
			c.fail("Serializer", "computed member %q needs a type for resource_schema", f.Name)
		}
	}
	return slices.Clone(fields)
}

func (c *checker) relations(r *Resource) {
	seen := map[string]bool{}
	for _, rel := range c.spec.Relations {
		member := fmt.Sprintf("relation %q", rel.Name)
		if err := checkName(rel.Name); err != nil {
			c.fail(member, "%v", err)
		}
		if _, field := r.byName[rel.Name]; field {
			c.fail(member, "a field has the same name; fields and relations share one namespace")
		}
		if seen[rel.Name] {
			c.fail(member, "declared twice")
		}
		seen[rel.Name] = true
		if why := relationGap(rel); why != "" {
			c.fail(member, "%s", why)
		}
	}
}

// relationGap says what a relation of its kind lacks.
func relationGap(rel Relation) string {
	if rel.Kind != KindPolymorphic && rel.Target == "" {
		return "names no target resource"
	}
	switch rel.Kind {
	case KindBelongsTo:
		if len(rel.Columns) == 0 || slices.Contains(rel.Columns, "") {
			return "needs the foreign key column here"
		}
	case KindHasOne, KindHasMany:
		if len(rel.TheirColumns) == 0 || slices.Contains(rel.TheirColumns, "") {
			return "needs the foreign key column of the target"
		}
	case KindManyToMany:
		if rel.Through == "" || len(rel.ThroughFK) == 0 || len(rel.TheirColumns) == 0 ||
			slices.Contains(rel.ThroughFK, "") || slices.Contains(rel.TheirColumns, "") {
			return "needs the join table and its two foreign keys"
		}
	case KindPolymorphic:
		if rel.TypeColumn == "" || rel.IDColumn == "" {
			return "needs the type column and the id column"
		}
	default:
		return fmt.Sprintf("has the unknown kind %q", string(rel.Kind))
	}
	return ""
}

func (c *checker) filters() {
	keys := slices.Sorted(maps.Keys(c.spec.Filterable))
	for _, key := range keys {
		if err := checkName(key); err != nil {
			c.fail(fmt.Sprintf("filter key %q", key), "%v", err)
		}
		if c.spec.Filterable[key] == "" {
			c.fail(fmt.Sprintf("filter key %q", key), "names no column")
		}
	}
	for _, f := range c.spec.Filters {
		member := fmt.Sprintf("filter %q", f.Name)
		if err := checkName(f.Name); err != nil {
			c.fail(member, "%v", err)
		}
		if slices.Contains(keys, f.Name) {
			c.fail(member, "declared twice")
		}
		keys = append(keys, f.Name)
		if f.Condition == nil {
			c.fail(member, "needs a condition")
		}
		if t := Plain(f.Type); t.Operators() == nil || f.Type == Enum || f.Type == Array || f.Type == JSONB || f.Type == Printed {
			c.fail(member, "type %q is not one a single value can have", string(f.Type))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c.spec.Companions)) {
		for _, k := range []string{key, c.spec.Companions[key]} {
			if !slices.Contains(keys, k) {
				c.fail(fmt.Sprintf("companion of %q", key), "%q is not a filter key", k)
			}
		}
		if c.spec.Companions[key] == key {
			c.fail(fmt.Sprintf("companion of %q", key), "a key cannot be its own companion")
		}
	}
}

func (c *checker) sort(r *Resource) {
	if dup := repeated(c.spec.Sortable); dup != "" {
		c.fail("Sortable", "%q is named twice", dup)
	}
	for _, name := range c.spec.Sortable {
		f, ok := r.Field(name)
		switch {
		case r.fields == nil: // the serializer's own mistake, told already
		case !ok:
			c.fail("Sortable", "%q is not a field", name)
		case f.Computed():
			c.fail("Sortable", "%q is computed; the database cannot sort by it", name)
		}
	}
}

func (c *checker) limits() {
	l := c.spec.Limits
	switch {
	case l.Default < 0 || l.Max < 0:
		c.fail("Limits", "a limit is positive, or 0 for the default")
	case l.Max > maxLimit:
		c.fail("Limits", "a page has at most %d rows", maxLimit)
	case l.Max > 0 && l.Default > l.Max:
		c.fail("Limits", "the default %d is above the maximum %d", l.Default, l.Max)
	}
}

// checkName applies the contract's rules for a public name.
func checkName(name string) error {
	switch {
	case name == "":
		return errors.New("a public name is empty")
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Errorf("%q is not valid text for a public name", name)
	case utf8.RuneCountInString(name) > maxNameLength:
		return fmt.Errorf("%q is longer than %d characters", name, maxNameLength)
	case name == "links" || name == "included" || name == "any" || name == "not":
		return fmt.Errorf("%q is a word of the contract and cannot be a public name", name)
	case strings.HasSuffix(name, ":"):
		return fmt.Errorf("%q ends in a colon: in a file, write a blank behind the colon of {name: }", name)
	case strings.ContainsAny(name, ".,"):
		return fmt.Errorf("%q: a public name has no dot or comma", name)
	case strings.ContainsAny(name[:1], "-[{"):
		return fmt.Errorf("%q: a public name does not begin with -, [ or {", name)
	case strings.TrimSpace(name) != name:
		return fmt.Errorf("%q has blanks around it", name)
	}
	return nil
}

func repeated(names []string) string {
	for i, n := range names {
		if slices.Contains(names[:i], n) {
			return n
		}
	}
	return ""
}
