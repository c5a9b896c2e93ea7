package executors_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/scope"
)

// base is where a statement reads a table, and what must stand behind it: the tenant's condition. The
// witnesses of a parent read it by its key, under an alias of their own.
var (
	base   = regexp.MustCompile(`FROM "public"\."(\w+)" AS (t|w\d)( WHERE \(.*)`)
	scopes = map[string]*regexp.Regexp{
		"orders":    regexp.MustCompile(`^ WHERE \(t\."account_id" = \$(\d+)::pg_catalog\.int8\)`),
		"customers": regexp.MustCompile(`^ WHERE \(\(t\."account_id" = \$(\d+)::pg_catalog\.int8\) AND \(t\.name <> \$\d+ OR t\.email IS NULL\)\) AND \(`),
		"documents": regexp.MustCompile(`^ WHERE \(t\."account_id" = \$(\d+)::pg_catalog\.int8\)`),
		"summary":   regexp.MustCompile(`^ WHERE \(t\."account_id" = \$(\d+)::pg_catalog\.int8\)`),
		"catalogue": regexp.MustCompile(`^ WHERE \(\(t\."account_id" = \$(\d+)::pg_catalog\.int8\) OR t\."shared"\)`),
		"deals":     regexp.MustCompile(`^ WHERE \(\(t\."buyer_id" = \$(\d+)::pg_catalog\.int8\) OR \(t\."seller_id" = \$(\d+)::pg_catalog\.int8\)\)`),
		"readings":  regexp.MustCompile(`^ WHERE \(t\.account_id = \$(\d+)::pg_catalog\.int8 OR t\.account_id = \$(\d+)::pg_catalog\.int8 AND t\.device <> \$\d+\)`),
		"lines":     regexp.MustCompile(`^ WHERE \(t\."order_id" IN \(SELECT t\."id" FROM "public"\."orders" AS t WHERE \(t\."account_id" = \$(\d+)::pg_catalog\.int8\)\)\)`),
	}
	limited = regexp.MustCompile(`ORDER BY ([^()]+) LIMIT \$`)
	keys    = map[string][]string{
		"orders": {"id"}, "customers": {"id"}, "documents": {"region", "no"}, "summary": {"day"}, "catalogue": {"id"},
		"deals": {"id"}, "readings": {"id"}, "lines": {"id"},
	}
)

// Every statement of every call, whatever the call: binds all its arguments and no other, keeps the tenant's
// condition right behind every table it reads, orders totally before it limits, and holds no value.
func TestEveryStatement(t *testing.T) {
	t.Parallel()
	x, db := openShop(t)
	p := caller(t, 42, staff...)
	for seed := range uint64(500) {
		g := &generator{rand: rand.New(rand.NewPCG(seed, 1))}
		req := g.list()
		if g.flip() {
			db.rows = []row{g.row(), g.row()}
			first := req
			first.Limit, first.Offset = new(1), 0
			req.Cursor, req.Offset = *list(t, x, p, first).Meta.NextCursor, 0
		}
		db.rows, db.calls = nil, nil
		list(t, x, p, req)
		call := db.last(t)
		if call.Tenant != p.Tenant() || call.Snapshot != (len(call.Statements) > 1) {
			t.Fatalf("seed %d: %+v", seed, call)
		}
		for _, s := range call.Statements {
			if err := statementGap(req.Resource, s); err != "" {
				t.Fatalf("seed %d: %s\n%+v\n%s", seed, err, req, s.SQL)
			}
			if at := strings.Index(s.SQL, marker); at >= 0 {
				t.Fatalf("seed %d: a value of the call is in the text: %s", seed, s.SQL[at:])
			}
		}
	}
}

// statementGap says what a statement lacks, or "".
func statementGap(resource string, s *executors.Statement) string {
	if want, got := len(s.Args), placeholders(s.SQL); got != want {
		return fmt.Sprintf("%d placeholders and %d arguments", got, want)
	}
	tables := 0
	for rest := s.SQL; ; tables++ {
		m := base.FindStringSubmatch(rest)
		if m == nil {
			break
		}
		rest = m[3]
		if strings.HasPrefix(m[2], "w") {
			continue
		}
		bound := scopes[m[1]].FindStringSubmatch(rest)
		if bound == nil {
			return "no tenant's condition behind " + m[1]
		}
		for _, n := range bound[1:] {
			if i, err := strconv.Atoi(n); err != nil || !scope.IsTenant(s.Args[i-1]) {
				return "the tenant's column is compared with something else"
			}
		}
	}
	if tables == 0 {
		return "no table is read"
	}
	return orderGap(resource, s)
}

func orderGap(resource string, s *executors.Statement) string {
	if strings.HasPrefix(s.SQL, "SELECT count(*)") || strings.HasPrefix(s.SQL, "SELECT 1 FROM") {
		return ""
	}
	orders := limited.FindAllStringSubmatch(s.SQL, -1)
	if len(orders) == 0 || len(orders) != strings.Count(s.SQL, "LIMIT $") {
		return "a limit without an order"
	}
	for _, o := range orders {
		terms := strings.Split(o[1], ", ")
		key := keys[resource]
		if strings.HasPrefix(terms[0], "u.s") {
			if last := "u.s" + strconv.Itoa(len(terms)-1); !strings.HasPrefix(terms[len(terms)-1], last) || strings.Contains(s.SQL, " AS s"+strconv.Itoa(len(terms))) {
				return "the order of the union is not that of its parts"
			}
			continue
		}
		for _, k := range key {
			if !slices.ContainsFunc(terms, func(term string) bool { return strings.HasPrefix(term, `t."`+k+`"`) }) {
				return "the order lacks the key's " + k
			}
		}
	}
	return ""
}

// placeholders returns the highest number of $1 to $n, or -1 when one between is missing.
func placeholders(sql string) int {
	seen := map[int]bool{}
	for _, m := range regexp.MustCompile(`\$(\d+)`).FindAllStringSubmatch(unquoted(sql), -1) {
		n, err := strconv.Atoi(m[1])
		must(err)
		seen[n] = true
	}
	if len(seen) > 0 && slices.Max(slices.Collect(maps.Keys(seen))) != len(seen) {
		return -1
	}
	return len(seen)
}

// unquoted takes everything in quotes out.
func unquoted(sql string) string {
	var b strings.Builder
	quote := byte(0)
	for i := range len(sql) {
		switch c := sql[i]; {
		case quote == c:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote == 0:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// marker is in every value of a generated call.
const marker = "777000"

// generator makes calls of list.
type generator struct{ rand *rand.Rand }

func (g *generator) flip() bool { return g.rand.IntN(2) == 0 }

func pick[T any](g *generator, from []T) T { return from[g.rand.IntN(len(from))] }

// some returns some of the names in random order, each once.
func (g *generator) some(names ...string) []string {
	g.rand.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	return names[:g.rand.IntN(len(names)+1)]
}

func (g *generator) list() executors.ListRequest {
	req := executors.ListRequest{Resource: pick(g, slices.Sorted(maps.Keys(keys)))}
	if g.flip() {
		req.Count = pick(g, []executors.CountMode{executors.CountExact, executors.CountCapped})
	}
	if g.rand.IntN(4) == 0 {
		req.Offset = 777
	}
	switch req.Resource {
	case "orders":
		g.orders(&req)
	case "customers":
		req.Sort = g.signed(g.some("email", "name"))
	case "documents":
		req.Sort = g.signed(g.some("title"))
		if g.flip() {
			req.IDs = json.RawMessage(`["` + marker + `:7"]`)
		}
	case "readings":
		req.Sort = g.signed(g.some("value"))
	case "summary":
		req.Sort = g.signed(g.some("day", "orders"))
	}
	return req
}

func (g *generator) orders(req *executors.ListRequest) {
	req.Sort = g.signed(g.some("number", "status", "total", "placed_at", "shipped_at", "ref", "notes"))
	req.Fields = g.some("id", "number", "status", "total", "paid", "placed_at", "notes", "meta", "headline", "worth", "customer", "subject")
	if g.flip() {
		req.IDs = json.RawMessage(`[` + marker + `,"` + marker + `1"]`)
	}
	if g.flip() {
		req.UpdatedSince = "2077-01-01T00:00:00." + marker + "Z"
	}
	if g.flip() {
		filter, err := json.Marshal(g.filter(0))
		must(err)
		req.Filter = filter
	}
}

func (g *generator) signed(names []string) []string {
	for i := range names {
		if g.flip() {
			names[i] = "-" + names[i]
		}
	}
	return names
}

// filter is a filter object of one condition or more.
func (g *generator) filter(depth int) map[string]any {
	values := map[string]any{
		"id": marker, "number": "x" + marker, "total": marker + ".5", "paid": true, "placed_at": "2077-01-01T00:00:00." + marker + "Z",
		"due": "7770-01-01", "tags": []any{marker}, "meta": map[string]any{marker: 1}, "ref": "77700077-7700-4777-8777-777000777000",
		"sku": marker, "delivered": "2077-01-01T00:00:00." + marker + "Z", "changed_after": "2077-01-01T00:00:00." + marker + "Z",
	}
	ops := map[string][]string{
		"id": {"eq", "not_eq", "gt", "gteq", "lt", "lteq"}, "number": {"eq", "not_eq", "matches", "does_not_match", "starts_with", "ends_with"},
		"total": {"gt", "lteq"}, "paid": {"eq", "not_eq"}, "placed_at": {"eq", "gt"}, "due": {"gt", "lteq"}, "tags": {"eq", "contains", "overlaps"},
		"meta": {"eq", "contains", "not_eq"}, "ref": {"eq", "not_eq"}, "sku": {"eq"}, "delivered": {"lt", "not_eq"}, "changed_after": {"eq"},
	}
	out := map[string]any{}
	for range 1 + g.rand.IntN(3) {
		key := pick(g, slices.Sorted(maps.Keys(values)))
		out[key] = map[string]any{"op": pick(g, ops[key]), "value": values[key]}
	}
	if g.flip() {
		out["id"] = []any{marker, nil, marker + "2"}
	}
	if depth < 2 && g.flip() {
		out["any"] = []any{g.filter(depth + 1), g.filter(depth + 1)}
	}
	if depth < 2 && g.flip() {
		out["not"] = g.filter(depth + 1)
	}
	return out
}

// row is a row behind which a page can begin. Nullable columns are often null, texts often long.
func (g *generator) row() row {
	r := row{
		"id": marker, "number": strings.Repeat("x"+marker, 1+g.rand.IntN(2)*400), "status": "open", "paid": "true", "placed_at": "2077-01-01T00:00:00." + marker + "Z",
		"ref": "77700077-7700-4777-8777-777000777000", "quantity": "7", "region": marker, "no": "777000", "name": marker, "sku": marker,
		"price": marker, "device": marker, "day": "2077-01-01",
	}
	nullable := row{"total": marker + ".5", "shipped_at": "2077-01-01T00:00:00." + marker + "Z", "notes": strings.Repeat(marker, 1+g.rand.IntN(2)*400), "email": marker, "title": marker, "value": "777000.5", "orders": marker}
	for k, v := range nullable {
		if g.flip() {
			r[k] = v
		}
	}
	return r
}
