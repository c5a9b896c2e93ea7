package executors

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/serializer"
	"github.com/tenantry/tenantry/tenant"
)

// DB is one database as the executor sees it. executors/postgres and executors/sqlite have one each.
// Implementations are safe for concurrent use.
type DB interface {
	Dialect() Dialect

	// Describe reads tables from the catalogue. A table that is not there is missing from the answer.
	// Its error is about the database as a whole: unreachable, or of an encoding we cannot serve.
	Describe(ctx context.Context, tables []TableName) (map[TableName]*Table, error)

	// Audit checks the row policies and the role behind the tables, each of which is listed once. Where row
	// policies are required, what it refuses stops a start and takes resources out of service later; else all
	// of it is warnings. Its error is about the database as a whole, as that of Describe.
	Audit(ctx context.Context, tables []Audited) ([]Finding, error)

	// Run sends the statements of one call in one round trip, inside one read-only transaction that
	// knows the tenant, and hands each row to its statement. Its error is an agent's *resource.Error with
	// a private cause, in whose chain ErrDrift tells that the database has changed, or what a Row function
	// returned.
	Run(ctx context.Context, call *Call) error

	// Scan stores a raw value in dest, for computed members.
	Scan(c Column, raw []byte, binary bool, dest any) error

	Ping(ctx context.Context) error
	Close()
}

// Dialect is what differs in SQL text. Expressions come and go quoted.
type Dialect interface {
	filtering.Dialect
	AggregateDialect

	// Quote quotes one identifier, whatever it holds.
	Quote(ident string) string

	// Placeholder is the n-th argument, counted from 1. It may stand in a statement more than once.
	Placeholder(n int) string

	// Cast gives a ? the column's own type.
	Cast(c filtering.Column) string

	// KeySet is the membership of the columns in rows of values: one ? for each column, bound to a list
	// of that column's values.
	KeySet(cols []filtering.Column) string

	// Shown is the expression that is selected for a column: little more than limit bytes leave the
	// database, or than limit characters where it can only cut by those, and a longer value arrives
	// longer than limit.
	Shown(c Column, expr string, limit int) string

	// Writer writes a value that is read as text.
	Writer(c Column) serializer.Writer

	// IsTrue reads a boolean that was selected as text.
	IsTrue(raw []byte) bool

	// Nothing is the select list of rows that are only counted.
	Nothing() string

	// Digest is the MD5 of a column's text, in lower-case hexadecimal digits.
	Digest(expr string) string

	// Collect is what stands before and behind "FROM …" to make a list of its rows' columns, as texts in
	// the form that rows are read in: the list is one that serializer.KeyList reads. An order and a limit
	// behind the FROM hold for the list.
	Collect(cols []filtering.Column) (before, after string)

	// Lateral reports whether a sub-select in a join may name columns of what it is joined to.
	Lateral() bool

	// Size is the number of bytes of a text column.
	Size(expr string) string

	// CreateIndex is the statement that an operator would make an index with.
	CreateIndex(t *Table, columns []string) string
}

// TableName names a table or view; Schema is empty when the Spec names none.
type TableName struct{ Schema, Name string }

// Table is a table or view as the catalogue describes it.
type Table struct {
	Name    TableName
	Quoted  string // qualified and quoted
	Columns []Column
	Key     []string // the primary key in order; nil without one

	// Unique are the sets of columns that a unique index keeps apart, beside the primary key. A view has
	// none, and is believed.
	Unique [][]string

	// Indexes are the ordered columns of each index that holds every row and serves equality and order
	// of its columns, the primary key's first. An index ends here at what is no plain column.
	Indexes [][]string
	View    bool

	// Unreadable are the columns that the role may not select. They are there all the same.
	Unreadable []string

	// Loose says that rows of other tables are read with it, as of tables that inherit it, which its own
	// indexes do not keep apart.
	Loose bool
}

// keepsApart reports whether no two rows of the table agree in the columns.
func (t *Table) keepsApart(columns []string) bool {
	if t.Loose {
		return false
	}
	for _, set := range append([][]string{t.Key}, t.Unique...) {
		inside := func(c string) bool { return slices.Contains(columns, c) }
		if len(set) > 0 && !slices.ContainsFunc(set, func(c string) bool { return !inside(c) }) {
			return true
		}
	}
	return t.View
}

// Column finds a column by name.
func (t *Table) Column(name string) (Column, bool) {
	for _, c := range t.Columns {
		if c.Name == name {
			return c, true
		}
	}
	return Column{}, false
}

// Column is a column as the catalogue describes it.
type Column struct {
	Name     string
	Type     resource.Type
	Native   string // the database's own name of the type, for casts; opaque here
	OID      uint32 // the database's own number of the type; opaque here
	Nullable bool
	Binary   bool // its values are read in the binary format
	Long     bool // its values can be longer than a page
	MaxBytes int  // an upper bound of its text in bytes; 0 without one

	// Odd says that its comparisons do not mean the order of its type: an operator of somebody's stands in
	// for one of the type's own. Nothing can be filtered or sorted by it.
	Odd bool

	// Recast says that comparisons cast it to its own type, Native: it is declared by a domain that the
	// type's operators do not take.
	Recast bool
}

// Call is one round trip.
type Call struct {
	Tenant           tenant.ID
	StatementTimeout time.Duration
	LockTimeout      time.Duration

	// Snapshot makes all statements see the same data.
	Snapshot bool

	Statements []*Statement
}

// Statement is one reading statement of a call.
type Statement struct {
	SQL  string
	Args []any // string, []string or filtering.Nested; nil is NULL

	// Binary says for each column whether it is read in the binary format. Nil: all as text.
	Binary []bool

	// OIDs are the types that the binary columns must have; 0 for the rest.
	OIDs []uint32

	// Once says that the statement will hardly be sent again: preparing it for more calls is not worth it.
	Once bool

	// Row takes each row. The values are valid until it returns; nil is NULL. ErrStop ends the
	// statement without failing the call.
	Row func(values [][]byte) error

	// Timeout, when set, is the statement's own budget: running out of it sets TimedOut and loses
	// nothing that came before. Such a statement is the last of its call.
	Timeout  time.Duration
	TimedOut bool
}

type stop struct{}

func (stop) Error() string { return "executors: no more rows are wanted" }

// ErrForeign is what a Row function returns for a row that is not the caller's. Whatever went wrong may
// sit in the connection: it is closed, never used again.
var ErrForeign = errors.New("executors: a row does not carry the caller's tenant")

// ErrStop is what a Row function returns when it wants no more rows.
var ErrStop error = stop{}
