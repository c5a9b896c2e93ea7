package sqlite

import (
	"context"
	"database/sql/driver"
	"strings"

	"github.com/tenantry/tenantry/executors"
)

// surveySQL leaves out views, virtual tables with what stands behind them, and SQLite's own tables.
const surveySQL = `
SELECT name FROM pragma_table_list
WHERE schema = 'main' AND type = 'table' AND substr(name, 1, 7) <> 'sqlite_'
ORDER BY name`

// Survey reads every table with its foreign keys, in the order of the names. SQLite keeps no comments.
func (db *DB) Survey(ctx context.Context) (*executors.Survey, error) {
	var names []executors.TableName
	keys := map[executors.TableName][]reference{}
	err := db.with(ctx, func(s *session) error {
		err := s.query(ctx, reading{sql: surveySQL, row: func(v []driver.Value) bool {
			names = append(names, executors.TableName{Schema: mainSchema, Name: text(v[0])})
			return true
		}})
		for i := 0; err == nil && i < len(names); i++ {
			keys[names[i]], err = s.references(ctx, names[i].Name)
		}
		return err
	})
	if err != nil {
		return nil, catalogue(ctx, err)
	}
	described, err := db.Describe(ctx, names)
	if err != nil {
		return nil, err
	}
	survey := &executors.Survey{}
	for _, name := range names {
		if t, ok := described[name]; ok {
			survey.Tables = append(survey.Tables, executors.SurveyedTable{Table: t, Bare: true, ForeignKeys: resolve(keys[name], described)})
		}
	}
	return survey, nil
}

// reference is a foreign key as it was written: what it leads to may be in another letter case, or left to
// the other table's key.
type reference struct {
	columns []string
	table   string
	theirs  []string
	toKey   bool
}

// referencesSQL lists the foreign keys of a table in the order in which they were declared.
const referencesSQL = `
SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?1, 'main') ORDER BY id DESC, seq`

func (s *session) references(ctx context.Context, table string) (all []reference, err error) {
	last := int64(-1)
	args := []driver.NamedValue{{Ordinal: 1, Value: table}}
	err = s.query(ctx, reading{referencesSQL, args, func(v []driver.Value) bool {
		if id := number(v[0]); id != last {
			last = id
			all = append(all, reference{table: text(v[1]), toKey: v[3] == nil})
		}
		r := &all[len(all)-1]
		r.columns, r.theirs = append(r.columns, text(v[2])), append(r.theirs, text(v[3]))
		return true
	}})
	return all, err
}

// resolve gives references the names that the catalogue has. One that leads nowhere is left out: SQLite
// takes it, and never looks at it.
func resolve(references []reference, described map[executors.TableName]*executors.Table) (out []executors.ForeignKey) {
	for _, r := range references {
		for name, t := range described {
			if !strings.EqualFold(name.Name, r.table) {
				continue
			}
			theirs := t.Key
			if !r.toKey {
				theirs = named(t, r.theirs)
			}
			if len(theirs) == len(r.columns) {
				out = append(out, executors.ForeignKey{Columns: r.columns, Target: name, TargetColumns: theirs})
			}
		}
	}
	return out
}

// named are the columns of a table that have the names in any letter case.
func named(t *executors.Table, names []string) (out []string) {
	for _, n := range names {
		for _, c := range t.Columns {
			if strings.EqualFold(c.Name, n) {
				out = append(out, c.Name)
			}
		}
	}
	return out
}
