package descriptor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/tenant"
)

// Starter writes a first file for a database, for a person to read and go on from: every table with the
// tenant column, every table that a foreign key leads from to one of those, and comments about what was
// left out and why. The token is the one that calls in development. The file has the database's address
// from the environment, and check takes it as it is written.
//
// The error is a *NoTableError when the column finds no table.
func Starter(s *executors.Survey, tenantColumn string, token Secret) ([]byte, error) {
	st := newStarter(s, tenantColumn)
	if err := st.choose(); err != nil {
		return nil, err
	}
	for _, p := range st.chosen {
		p.name = st.resourceName(p)
	}
	for _, p := range st.chosen {
		st.members(p)
	}
	st.relate()
	text, err := st.write(token)
	if err != nil {
		return nil, err
	}
	if err := st.proven(text); err != nil {
		return nil, fmt.Errorf("the file that was drafted is not a good one: %w", err)
	}
	return text, nil
}

// proven reads the text as a file.
func (st *starter) proven(text []byte) error {
	f, err := Parse("the draft", text, func(name string) (string, bool) { return "sqlite::memory:", name == "DATABASE_URL" })
	if err == nil {
		_, err = f.Grants(st.kind)
	}
	return err
}

// NoTableError says that no table has a tenant column of the name.
type NoTableError struct {
	Column  string
	Near    []string // columns of the database with similar names
	Common  []string // the columns that could hold a tenant and that most tables have, when none is near
	Refused string   // what speaks against the tables that have the column; empty when none has it
}

// Error says what to ask for instead.
func (e *NoTableError) Error() string {
	switch {
	case e.Refused != "":
		return fmt.Sprintf("no table with the column %s can be served: %s", resource.Echo(e.Column), e.Refused)
	case len(e.Near) > 0:
		return fmt.Sprintf("no table has the column %s: did you mean %s?", resource.Echo(e.Column), strings.Join(quoted(e.Near), " or "))
	case len(e.Common) > 0:
		return fmt.Sprintf("no table has the column %s: name the one that holds the tenant; most tables have %s", resource.Echo(e.Column), strings.Join(quoted(e.Common), ", "))
	default:
		return fmt.Sprintf("no table has the column %s: name a database with tables that this role may read", resource.Echo(e.Column))
	}
}

func quoted(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = plainOrQuoted(n)
	}
	return out
}

// starter is a file while it is drafted.
type starter struct {
	column string // that of the tenant
	kind   tenant.Kind
	tables []*part // all that were surveyed
	chosen []*part // those that the file serves, parents before their children
	byName map[executors.TableName]*part
	left   []leftOut
}

// part is what becomes of one table.
type part struct {
	executors.SurveyedTable
	name    string   // of the resource; empty until it has one
	written string   // the table as the file names it
	key     []string // its columns
	primary bool     // the key is the primary key, and need not be written
	in      bool     // the file serves the table

	parent *part // nil: the table has the tenant column
	fk     []string
	depth  int

	fields     []member
	skipped    []string // comments on columns that are no fields
	filterable []string
	sortable   []string
	updatedAt  string
	relations  []link
}

// member is a field to be written.
type member struct {
	name   string
	column executors.Column
}

type leftOut struct{ table, why string }

func newStarter(s *executors.Survey, column string) *starter {
	st := &starter{column: column, byName: map[executors.TableName]*part{}}
	for _, t := range s.Tables {
		p := &part{SurveyedTable: t}
		st.tables, st.byName[t.Name] = append(st.tables, p), p
	}
	return st
}

func (st *starter) leave(p *part, format string, args ...any) {
	name := p.Name.Name
	if !p.Bare {
		name = p.Name.Schema + "." + name
	}
	st.left = append(st.left, leftOut{name, fmt.Sprintf(format, args...)})
}

// noTable is the error for a column that finds nothing.
func (st *starter) noTable() error {
	e := &NoTableError{Column: st.column}
	count := map[string]int{}
	var names []string
	for _, p := range st.tables {
		for _, c := range p.Columns {
			if _, ok := executors.TenantKindOf(c.Type); !ok {
				continue
			}
			if count[c.Name]++; count[c.Name] == 1 {
				names = append(names, c.Name)
			}
		}
	}
	for _, l := range st.left {
		e.Refused = l.table + " " + l.why
	}
	e.Near = resource.Nearest(st.column, names)
	slices.SortStableFunc(names, func(a, b string) int { return count[b] - count[a] })
	const few = 4
	for _, n := range names {
		if references(n) && len(e.Near) == 0 && len(e.Common) < few {
			e.Common = append(e.Common, n)
		}
	}
	return e
}

// references reports whether a column is named as one that holds the key of another table's row.
func references(column string) bool {
	w := words(column)
	return len(w) > 1 && (w[len(w)-1] == "id" || w[len(w)-1] == "uuid")
}
