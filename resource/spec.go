// Package resource is the vocabulary of the framework: what a host declares (Spec), what a checked
// declaration is (Resource), and how mistakes are told (Error).
//
//	var orders = resource.Spec{
//		Name:       "orders",
//		Table:      "orders",
//		Scope:      scope.Column("account_id"),
//		Filterable: resource.Columns{"status": "status", "booking_id": "synced_booking_id"},
//		Serializer: serializer.Columns("id", "number", "status", "total"),
//		Requires:   "orders:read",
//	}
//
// It imports no driver and no protocol and holds no SQL text.
package resource

import (
	"maps"
	"slices"

	"github.com/Masterminds/squirrel"

	"github.com/tenantry/tenantry/scope"
)

// Columns maps public filter keys to columns.
type Columns map[string]string

// Conditions is a filter object over columns, in the grammar of the filter argument:
// {"deleted_at": nil, "state": Conditions{"op": "not_eq", "value": "void"}}.
type Conditions map[string]any

// Spec declares one resource. Name, Table, Scope and Serializer are required; every other zero value
// is the safe default.
type Spec struct {
	// Name is the public name.
	Name string

	// Description says what the rows are, and Note what a reader should know first ("drafts are
	// included"). Both are shown to agents.
	Description, Note string

	// Table is the table or view, "orders" or "sales.orders". The name is taken as it is and quoted.
	Table string

	// Key lists the columns of the key in order. Nil: the primary key, read from the database.
	Key []string

	// Scope says which rows belong to a tenant.
	Scope scope.Predicate

	// Narrow restricts the resource for good, by conditions over columns; soft deletion is the
	// usual one. Scope.Narrow is its free form.
	Narrow Conditions

	// Internal keeps clients from the resource by name: a parent for scope.Via, or the target of a relation
	// through which alone its rows are shown.
	Internal bool

	// Requires is the permission scope a token must carry. Empty: the registry's default, and with
	// neither any caller of the tenant may read.
	Requires string

	// Filterable maps filter keys to columns. Nil: nothing can be filtered.
	Filterable Columns

	// Filters are conditions written by the host, used like any other filter key.
	Filters []Filter

	// Companions maps a filter key to another that must stand beside it with one plain value, such as
	// a polymorphic id to its type.
	Companions map[string]string

	// Sortable lists the fields that rows may be ordered by. Nil: the key alone.
	Sortable []string

	// Groupable lists the fields that aggregate may group rows by, and Measures those whose values it may
	// count, add up and compare. Nil: none. Without either on any resource there is no aggregate tool.
	Groupable, Measures []string

	// UpdatedAt is the timestamp column behind updated_since. Empty: the argument is refused.
	UpdatedAt string

	// Serializer says what a row looks like outside.
	Serializer Serializer

	// Relations lead to other resources.
	Relations []Relation

	// Limits of one page.
	Limits Limits
}

// clone shares no list or map with s, so that its owner can do with them what it likes.
func (s Spec) clone() Spec {
	s.Key, s.Sortable = slices.Clone(s.Key), slices.Clone(s.Sortable)
	s.Groupable, s.Measures = slices.Clone(s.Groupable), slices.Clone(s.Measures)
	s.Filterable, s.Companions, s.Narrow = maps.Clone(s.Filterable), maps.Clone(s.Companions), maps.Clone(s.Narrow)
	s.Filters, s.Relations = slices.Clone(s.Filters), slices.Clone(s.Relations)
	for i, r := range s.Relations {
		r.Columns, r.TheirColumns = slices.Clone(r.Columns), slices.Clone(r.TheirColumns)
		r.ThroughFK = slices.Clone(r.ThroughFK)
		s.Relations[i] = r
	}
	return s
}

// Limits bounds the pages of a resource. Zero members take the executor's defaults.
type Limits struct {
	Default int // rows of a page when the call does not say; 25
	Max     int // rows of a page at most; 100
}

// Value stands for the value of a custom filter in its condition. It is opaque: the condition is
// written once, the value is bound on every call.
type Value struct{ _ byte }

// Filter is a condition that the host writes. It can only narrow: it stands beside the scope in
// parentheses of the framework.
type Filter struct {
	// Name is the public filter key. Required.
	Name string

	// Type is the type of its one value: what an agent is told and how the value is checked.
	Type Kind

	// Description tells an agent what the filter finds.
	Description string

	// Requires is the permission scope that shows the filter.
	Requires string

	// Condition returns the SQL condition over the row, which has the alias t, with value where the
	// caller's value goes: squirrel.Expr("EXISTS (SELECT 1 FROM lines l WHERE l.order_id = t.id AND
	// l.sku = ?)", value). It is called when the executor is built, never per call. Other arguments
	// are constants. A ? that is an operator is written ??.
	Condition func(value Value) (squirrel.Sqlizer, error)
}
