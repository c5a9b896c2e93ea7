package executors

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/Masterminds/squirrel"

	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
	"github.com/tenantry/tenantry/tenant"
)

// compiled is the statement of one shape: its text, where each argument comes from, and how to read
// its rows. It holds no value of any call and is shared by all of them.
type compiled struct {
	sql    string
	slots  []any // the source of each placeholder, in order
	binary []bool
	oids   []uint32

	opening  []byte // of the answer
	lists    []listAt
	naming   int // bytes that the names of all its members take
	enc      *serializer.Encoder
	computed computedPlan
	witness  int    // index of the first witness column
	flags    []bool // for each witness: a flag rather than a tenant
	terms    []termAt
	keys     []cellAt
}

// termAt says where a row has the value of a sort term. A long one arrives with a mark before it: h and
// a digest of a value too long for a cursor, or v and the value.
type termAt struct {
	cellAt
	marked bool
}

// listAt is a column with the keys of related rows, each behind its witnesses.
type listAt struct {
	index  int
	target *bound
	flags  []bool // as in compiled
}

// cellAt is a column of the answer and how to turn it into the text that a later statement binds.
type cellAt struct {
	index int
	write serializer.Writer // for a binary value; nil when the raw value is the text
	kind  resource.Kind
}

// The sources of arguments. They are comparable, so that one source is one placeholder however often a
// statement needs it.
type (
	argFilter  struct{ i int }
	argAfter   struct{ term int } // the cursor's value of a sort term
	argAnchor  struct{ key int }  // the cursor's value of a key column
	argDigest  struct{ term int } // the digest of a long value that the cursor does not carry
	argIDs     struct{ key int }
	argKey     struct{ key int }
	argUpdated struct{}
	argLimit   struct{} // one more than the rows of the page
	argRows    struct{} // the rows of the page
	argOffset  struct{}
	argConst   struct{ v any }
)

const witnessAlias = "tenantry:w"

// builder writes the statements of one plan. It runs when a shape is met for the first time.
type builder struct {
	d    Dialect
	bd   *bound
	p    *plan
	kind tenant.Kind
	opts Options
}

// source is a resource as its tenant sees it: the scope and the resource's own narrowing inside, nothing of
// the caller. Whatever is added outside can only shrink it.
func source(d Dialect, bd *bound, columns []string, witness bool) squirrel.SelectBuilder {
	outs := make([]string, 0, len(columns)+len(bd.scope.Witnesses))
	for _, c := range columns {
		q := d.Quote(c)
		outs = append(outs, "t."+q+" AS "+q)
	}
	if witness {
		for i, w := range bd.scope.Witnesses {
			outs = append(outs, w.SQL+" AS "+witnessName(d, i))
		}
	}
	s := squirrel.Select(outs...).From(bd.table.Quoted + " AS t")
	if cond := bd.scoped(); cond != nil {
		s = s.Where(cond)
	}
	for _, name := range bd.holes {
		s = s.Where("t." + d.Quote(name) + " IS NOT NULL")
	}
	if !bd.narrow.Empty() {
		sql, args, err := fixed{bd.narrow, d}.ToSql()
		if err != nil {
			sql, args = "1=0", nil // unreachable: the same filter was rendered at the start
		}
		s = s.Where(squirrel.Expr("("+sql+")", constants(args)...))
	}
	return s
}

// rooted is the condition of a scope, unless the build is without that wall.
func rooted(sql string) string {
	if !scopeWall {
		return alwaysTrue(sql)
	}
	return sql
}

func (b *builder) source(columns []string, witness bool) squirrel.SelectBuilder {
	return source(b.d, b.bd, columns, witness)
}

func constants(args []any) []any {
	out := make([]any, len(args))
	for i, a := range args {
		out[i] = a
		if !scope.IsTenant(a) {
			out[i] = argConst{a}
		}
	}
	return out
}

func (b *builder) witness(i int) string { return witnessName(b.d, i) }

func witnessName(d Dialect, i int) string { return d.Quote(witnessAlias + strconv.Itoa(i)) }

func (b *builder) expr(c Column) string { return "t." + b.d.Quote(c.Name) }

func (b *builder) col(c Column) filtering.Column { return filterColumn(b.d, c) }

// conditions is everything the caller asked for, outside the scope.
func (b *builder) conditions() (squirrel.And, error) {
	var out squirrel.And
	if !b.p.filter.Empty() {
		sql, args, err := b.p.filter.SQL(b.d).ToSql()
		if err != nil {
			return nil, err
		}
		for i := range args {
			if !scope.IsTenant(args[i]) {
				args[i] = argFilter{i}
			}
		}
		out = append(out, squirrel.Expr("("+sql+")", args...))
	}
	if b.p.ids != nil {
		out = append(out, b.idSet())
	}
	if b.p.updatedSince != "" {
		c, _ := b.bd.table.Column(b.bd.res.UpdatedAt())
		out = append(out, squirrel.Expr(b.d.Operator(b.col(c), resource.Gt), argUpdated{}))
	}
	return out, nil
}

func (b *builder) idSet() squirrel.Sqlizer {
	if len(b.bd.key) == 1 {
		return squirrel.Expr(b.d.Operator(b.col(b.bd.key[0]), resource.In), argIDs{0})
	}
	cols := make([]filtering.Column, len(b.bd.key))
	args := make([]any, len(b.bd.key))
	for i, c := range b.bd.key {
		cols[i], args[i] = b.col(c), argIDs{i}
	}
	return squirrel.Expr(b.d.KeySet(cols), args...)
}

// columns are the table's columns that the statement needs inside the derived table.
func (b *builder) columns(need map[string]bool) []string {
	_, custom := b.p.filter.Uses() // a host's own condition may name any column
	return b.bd.table.pick(need, custom)
}

// need adds the columns of the conditions and of the key to those already needed.
func (b *builder) need(need map[string]bool) map[string]bool {
	columns, _ := b.p.filter.Uses()
	for _, c := range columns {
		need[c] = true
	}
	for _, c := range b.bd.key {
		need[c.Name] = true
	}
	if b.p.updatedSince != "" {
		need[b.bd.res.UpdatedAt()] = true
	}
	return need
}

// finish numbers the placeholders and casts the tenant. It reads the text by token, so that a question
// mark inside a name or a string is not a placeholder.
func (b *builder) finish(sql string, args []any) (string, []any, error) {
	tenantCast := b.d.Cast(filtering.Column{Type: tenantType(b.kind)})
	var (
		text  strings.Builder
		slots []any
		used  int
	)
	seen := map[any]int{}
	err := scope.Scan(sql, func(t scope.Token) error {
		if !t.Placeholder {
			text.WriteString(t.Text)
			return nil
		}
		if used >= len(args) {
			return fmt.Errorf("executors: a statement has more placeholders than arguments")
		}
		marker := args[used]
		used++
		place := b.place(marker, seen, &slots)
		if scope.IsTenant(marker) {
			place = strings.Replace(tenantCast, "?", place, 1)
		}
		text.WriteString(place)
		return nil
	})
	if err == nil && used != len(args) {
		err = fmt.Errorf("executors: a statement has %d placeholders and %d arguments", used, len(args))
	}
	return text.String(), slots, err
}

func (b *builder) place(marker any, seen map[any]int, slots *[]any) string {
	if _, isConst := marker.(argConst); !isConst {
		if n, ok := seen[marker]; ok {
			return b.d.Placeholder(n)
		}
	}
	*slots = append(*slots, marker)
	if _, isConst := marker.(argConst); !isConst {
		seen[marker] = len(*slots)
	}
	return b.d.Placeholder(len(*slots))
}

// tenantType is the widest type of a kind of key: a key that the column's own type cannot hold is then
// a key without rows, not a failed statement.
func tenantType(k tenant.Kind) resource.Type {
	switch k {
	case tenant.KindInt:
		return resource.Plain(resource.BigInt)
	case tenant.KindUUID:
		return resource.Plain(resource.UUID)
	case tenant.KindText:
		return resource.Plain(resource.Text)
	default:
		return resource.Plain(resource.Text)
	}
}
