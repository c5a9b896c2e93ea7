package executors_test

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/postgres"
	"github.com/tenantry/tenantry/resource"
)

// row is a row of a table as the texts of its columns; a column that is not there is NULL. "w0", "w1" and
// so on are the witnesses: w0 is the caller's own tenant unless it says otherwise, and "-" is NULL.
type row map[string]string

// fakeDB is a database that remembers what it was asked and answers what it was told to. Its SQL is
// PostgreSQL's. It looks at the select list of a statement and at nothing behind it.
type fakeDB struct {
	tables   map[executors.TableName]*executors.Table
	findings []executors.Finding
	down     error // what Describe and Run fail with

	mu     sync.Mutex
	calls  []*executors.Call
	rows   []row // of every page and get
	count  string
	late   bool // a count runs out of its time
	anchor bool // the row of a cursor is still what it was
}

func (*fakeDB) Dialect() executors.Dialect { return postgres.Dialect{} }

func (db *fakeDB) Describe(_ context.Context, names []executors.TableName) (map[executors.TableName]*executors.Table, error) {
	out := map[executors.TableName]*executors.Table{}
	for _, n := range names {
		if t, ok := db.tables[n]; ok {
			out[n] = t
		}
	}
	return out, db.down
}

func (db *fakeDB) Audit(context.Context, []executors.Audited) ([]executors.Finding, error) {
	return db.findings, nil
}

func (db *fakeDB) Ping(context.Context) error { return db.down }

func (*fakeDB) Close() {}

func (*fakeDB) Scan(_ executors.Column, raw []byte, _ bool, dest any) error {
	switch d := dest.(type) {
	case *string:
		*d = string(raw)
	case **string:
		if *d = nil; raw != nil {
			s := string(raw)
			*d = &s
		}
	default:
		return fmt.Errorf("cannot scan into %T", dest)
	}
	return nil
}

func (db *fakeDB) Run(ctx context.Context, call *executors.Call) error {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.calls = append(db.calls, call)
	if db.down != nil {
		return db.down
	}
	for _, s := range call.Statements {
		if s.Timeout > 0 && db.late {
			s.TimedOut = true
			continue
		}
		for _, values := range db.answer(call, s) {
			err := s.Row(values)
			if errors.Is(err, executors.ErrStop) {
				break
			}
			if err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

func (db *fakeDB) answer(call *executors.Call, s *executors.Statement) [][][]byte {
	list := selectList(s.SQL)
	switch {
	case list[0] == "p.n": // nothing is related to anything here
		return nil
	case slices.Equal(list, []string{"count(*)"}):
		return [][][]byte{{[]byte(db.count)}}
	case slices.Equal(list, []string{"1"}):
		if db.anchor {
			return [][][]byte{{[]byte("1")}}
		}
		return nil
	}
	var out [][][]byte
	for _, r := range db.rows[:min(len(db.rows), limitOf(s))] {
		values := make([][]byte, len(list))
		for i, expr := range list {
			values[i] = db.value(r, expr, s, i, call.Tenant.Key())
		}
		out = append(out, values)
	}
	return out
}

// limitOf is the limit at the end of a statement.
func limitOf(s *executors.Statement) int {
	m := limits.FindStringSubmatch(s.SQL)
	switch {
	case m == nil:
		panic("no limit: " + s.SQL)
	case m[1] == "1":
		return 1
	default:
		return int(number(s.Args[number(m[2])-1].(string)))
	}
}

var (
	limits = regexp.MustCompile(`LIMIT (?:(1)|\$(\d+)(?: OFFSET \$\d+)?)$`)
	named  = regexp.MustCompile(`^t\."([^"]+)"$`)
	inner  = regexp.MustCompile(`t\."([^"]+)"`)
)

// value is what the expression of a select list has for a row.
func (db *fakeDB) value(r row, expr string, s *executors.Statement, i int, tenantKey string) []byte {
	if w, ok := strings.CutPrefix(expr, `t."tenantry:`); ok {
		return witness(r, strings.TrimSuffix(w, `"`), tenantKey)
	}
	name := inner.FindStringSubmatch(expr)[1]
	text, ok := r[name]
	switch {
	case !ok:
		return nil
	case named.MatchString(expr) && s.Binary[i]:
		return binaryValue(s.OIDs[i], text)
	case strings.Contains(expr, "'h' ||") && len(text) > 1<<10:
		sum := md5.Sum([]byte(text))
		return []byte("h" + hex.EncodeToString(sum[:]))
	case strings.Contains(expr, "'h' ||"):
		return []byte("v" + text)
	case strings.HasPrefix(expr, "CASE"):
		return []byte(text[:min(len(text), pageBytes+1)])
	default:
		return []byte(text)
	}
}

const pageBytes = 64 << 10

func witness(r row, name, tenantKey string) []byte {
	text, ok := r[name]
	switch {
	case !ok && name == "w0":
		return []byte(tenantKey)
	case !ok || text == "-":
		return nil
	default:
		return []byte(text)
	}
}

// last returns the statements of the last call and forgets all calls.
func (db *fakeDB) last(t *testing.T) *executors.Call {
	t.Helper()
	db.mu.Lock()
	defer db.mu.Unlock()
	if len(db.calls) != 1 {
		t.Fatalf("%d calls reached the database, want 1", len(db.calls))
	}
	call := db.calls[0]
	db.calls = nil
	return call
}

// silent fails when anything reached the database.
func (db *fakeDB) silent(t *testing.T) {
	t.Helper()
	db.mu.Lock()
	defer db.mu.Unlock()
	if len(db.calls) != 0 {
		t.Fatalf("a statement ran: %s", db.calls[0].Statements[0].SQL)
	}
}

// selectList cuts the select list of a statement into its expressions. Of a union it is that of the first
// branch, as far as the union shows it.
func selectList(sql string) []string {
	list := splitList(strings.TrimPrefix(sql, "SELECT "))
	if !strings.HasPrefix(list[0], "u.o") {
		return list
	}
	_, branch, _ := strings.Cut(sql, "SELECT * FROM (SELECT ")
	all := splitList(branch)[:len(list)]
	for i, expr := range all {
		all[i] = strings.TrimSuffix(expr, fmt.Sprintf(" AS o%d", i))
	}
	return all
}

// splitList reads expressions up to FROM.
func splitList(sql string) []string {
	var out []string
	depth, from, quote := 0, 0, byte(0)
	for i := range len(sql) {
		switch c := sql[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth == 0 && c == ',':
			out, from = append(out, strings.TrimSpace(sql[from:i])), i+1
		case depth == 0 && strings.HasPrefix(sql[i:], " FROM "):
			return append(out, strings.TrimSpace(sql[from:i]))
		}
	}
	return append(out, strings.TrimSpace(sql[from:]))
}

var _ executors.DB = (*fakeDB)(nil)

// pgType is what the catalogue of PostgreSQL says about a kind.
type pgType struct {
	name   string
	oid    uint32
	binary bool
	long   bool
}

var pgTypes = map[resource.Kind]pgType{
	resource.SmallInt: {"int2", 21, true, false}, resource.Integer: {"int4", 23, true, false}, resource.BigInt: {"int8", 20, true, false},
	resource.Numeric: {"numeric", 1700, true, false}, resource.Real: {"float4", 700, true, false}, resource.Double: {"float8", 701, true, false},
	resource.Boolean: {"bool", 16, true, false}, resource.Text: {"text", 25, false, true}, resource.VarChar: {"varchar", 1043, false, false},
	resource.Char: {"bpchar", 1042, false, false}, resource.UUID: {"uuid", 2950, true, false}, resource.Date: {"date", 1082, true, false},
	resource.Timestamp: {"timestamp", 1114, true, false}, resource.TimestampTZ: {"timestamptz", 1184, true, false},
	resource.JSONB: {"jsonb", 3802, false, true}, resource.JSON: {"json", 114, false, true}, resource.Bytea: {"bytea", 17, false, true},
}

// table describes a table by lines of "column kind", where a ? behind the kind makes the column nullable.
// Without a key it is a view.
func table(name, key string, lines ...string) *executors.Table {
	t := &executors.Table{Name: executors.TableName{Name: name}, Quoted: `"public"."` + name + `"`, Key: strings.Fields(key), View: key == ""}
	for _, line := range lines {
		column, kind, _ := strings.Cut(line, " ")
		kind, nullable := strings.CutSuffix(kind, "?")
		c := executors.Column{Name: column, Nullable: nullable}
		switch kind {
		case "enum":
			c.Type = resource.Type{Kind: resource.Enum, Name: "enum", Labels: []string{"draft", "open", "paid"}}
			c.Native, c.OID = `"public"."status"`, 99001
		case "text[]":
			c.Type = resource.ArrayOf(resource.Plain(resource.Text))
			c.Native, c.OID, c.Long = `"pg_catalog"."_text"`, 1009, true
		case "unbounded":
			c.Type, c.Native, c.OID, c.Binary = resource.Plain(resource.Numeric), `"pg_catalog"."numeric"`, 1700, true
		case "interval":
			c.Type = resource.Type{Kind: resource.Printed, Name: "interval"}
			c.Native, c.OID = `"pg_catalog"."interval"`, 1186
		default:
			k := resource.Kind(kind)
			pg := pgTypes[k]
			c.Type, c.Native, c.OID, c.Binary, c.Long = resource.Plain(k), `"pg_catalog"."`+pg.name+`"`, pg.oid, pg.binary, pg.long
			switch k {
			case resource.VarChar:
				c.MaxBytes = 400
			case resource.Numeric:
				c.MaxBytes = 15
			default:
			}
		}
		t.Columns = append(t.Columns, c)
	}
	return t
}

func tables(all ...*executors.Table) map[executors.TableName]*executors.Table {
	out := map[executors.TableName]*executors.Table{}
	for _, t := range all {
		out[t.Name] = t
	}
	return out
}
