package resource

import (
	"maps"
	"slices"
	"strings"

	"github.com/tenantry/tenantry/scope"
)

// Resource is a checked Spec: its names are good, its members fit together. What only the database
// knows (types, nullability, the primary key) is learnt when an executor is built. A Resource is
// immutable and safe for concurrent use.
type Resource struct {
	spec     Spec
	schema   string
	table    string
	requires string
	global   string // why every tenant may read every row; empty with a scope
	fields   []Field
	byName   map[string]int
}

// Name returns the public name.
func (r *Resource) Name() string { return r.spec.Name }

// Description returns the text that tells an agent what the rows are.
func (r *Resource) Description() string { return r.spec.Description }

// Note returns the usage note, or "".
func (r *Resource) Note() string { return r.spec.Note }

// Schema returns the table's schema, or "" when the Spec names none.
func (r *Resource) Schema() string { return r.schema }

// Table returns the table's name without its schema.
func (r *Resource) Table() string { return r.table }

// Key returns the declared key columns; nil means the primary key.
func (r *Resource) Key() []string { return slices.Clone(r.spec.Key) }

// Scope returns the tenancy predicate; shared reference data has none. See Global.
func (r *Resource) Scope() scope.Predicate { return r.spec.Scope }

// Narrow returns the resource's own conditions over columns.
func (r *Resource) Narrow() Conditions { return r.spec.Narrow }

// Internal reports whether clients cannot reach the resource by name.
func (r *Resource) Internal() bool { return r.spec.Internal }

// Requires returns the permission scope in force: the resource's own, or the registry's default.
func (r *Resource) Requires() string { return r.requires }

// Fields returns the public members in output order. Do not modify the slice.
func (r *Resource) Fields() []Field { return r.fields }

// Field returns the member of that name.
func (r *Resource) Field(name string) (Field, bool) {
	i, ok := r.byName[name]
	if !ok {
		return Field{}, false
	}
	return r.fields[i], true
}

// Filterable returns the mapping of filter keys to columns.
func (r *Resource) Filterable() Columns { return maps.Clone(r.spec.Filterable) }

// Filters returns the host's own filters.
func (r *Resource) Filters() []Filter { return slices.Clone(r.spec.Filters) }

// Companions returns the filter keys that need another beside them.
func (r *Resource) Companions() map[string]string { return maps.Clone(r.spec.Companions) }

// Sortable returns the fields rows may be ordered by.
func (r *Resource) Sortable() []string { return slices.Clone(r.spec.Sortable) }

// Groupable returns the fields rows may be grouped by.
func (r *Resource) Groupable() []string { return slices.Clone(r.spec.Groupable) }

// Measures returns the fields whose values may be counted, added up and compared.
func (r *Resource) Measures() []string { return slices.Clone(r.spec.Measures) }

// UpdatedAt returns the column behind updated_since, or "".
func (r *Resource) UpdatedAt() string { return r.spec.UpdatedAt }

// Serializer returns what renders computed members.
func (r *Resource) Serializer() Serializer { return r.spec.Serializer }

// Relations returns the declared relations in order.
func (r *Resource) Relations() []Relation { return slices.Clone(r.spec.Relations) }

// Limits returns the declared page limits; zero members take the executor's defaults.
func (r *Resource) Limits() Limits { return r.spec.Limits }

// Gates returns the permission scopes that show a column: those of every field that shows it, or
// nil when some field shows it to everyone or no field shows it. A filter or sort over the column
// needs one of them.
func (r *Resource) Gates(column string) []string {
	var gates []string
	for _, f := range r.fields {
		if f.Column != column {
			continue
		}
		if f.Requires == "" {
			return nil
		}
		gates = append(gates, f.Requires)
	}
	return gates
}

// SplitTable cuts "sales.orders" into schema and table; the schema is empty when none is named.
func SplitTable(name string) (schema, table string) {
	if before, after, ok := strings.Cut(name, "."); ok {
		return before, after
	}
	return "", name
}
