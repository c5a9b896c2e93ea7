package executors

import (
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/tenant"
)

// Survey is what a database holds, for whoever drafts a descriptor of it. executors/postgres and
// executors/sqlite make one each, as far as the role may read.
type Survey struct {
	// Tables are ordinary tables and partitioned ones, without the partitions, in an order that does not
	// change from one survey to the next.
	Tables []SurveyedTable
}

// SurveyedTable is a table with what a call does not need to know of it. Its Name has a schema.
type SurveyedTable struct {
	*Table

	// Bare says that the table is found by its name alone.
	Bare bool

	Comment     string            // what the database says of the table
	Comments    map[string]string // and of its columns, by name
	ForeignKeys []ForeignKey
}

// ForeignKey says that columns of a table hold the values of another table's, in the same order.
type ForeignKey struct {
	Columns       []string
	Target        TableName
	TargetColumns []string
}

// TenantKindOf returns the kind of tenant key that a column of the type can hold, and whether it can hold
// one at all: a collation for which different texts are equal cannot tell tenants apart.
func TenantKindOf(t resource.Type) (tenant.Kind, bool) {
	kind, ok := tenantKind(t.Kind)
	return kind, ok && !t.NoMatch
}
