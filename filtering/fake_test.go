package filtering_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/resource"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with testdata/name, which -update rewrites.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// lines returns the lines of testdata/name that are neither blank nor comments.
func lines(t testing.TB, name string) []string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(raw)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}

// fake is a dialect whose text shows the operator and whose operands show the value.
type fake struct{}

func (fake) Operator(c filtering.Column, op resource.Operator) string {
	switch op {
	case resource.Eq:
		return c.Expr + " = ?"
	case resource.In:
		return c.Expr + " = ANY (?)"
	case resource.Gt:
		return c.Expr + " > ?"
	case resource.Gteq:
		return c.Expr + " >= ?"
	case resource.Lt:
		return c.Expr + " < ?"
	case resource.Lteq:
		return c.Expr + " <= ?"
	case resource.Contains:
		return c.Expr + " @> ?"
	case resource.Overlaps:
		return c.Expr + " && ?"
	case resource.HasKey:
		return c.Expr + " ?? ?"
	default:
		return string(op) + "(" + c.Expr + ", ?)"
	}
}

func (fake) Operand(_ filtering.Column, _ resource.Operator, v any) any { return v }

// orders are the keys of the fixture: one of every type.
func orders() *filtering.Keys {
	states := resource.Type{Kind: resource.Enum, Name: "enum", Labels: []string{"draft", "paid", "void"}}
	unsearchable := resource.Plain(resource.Text)
	unsearchable.NoMatch = true
	keys := []filtering.Key{
		column("code", resource.Plain(resource.Char)),
		column("docs", resource.ArrayOf(resource.Plain(resource.JSONB))),
		column("due", resource.Plain(resource.Date)),
		column("email", resource.Plain(resource.CIText)),
		column("extra", resource.Plain(resource.JSONB)),
		column("file", resource.Plain(resource.Bytea)),
		column("grid", resource.ArrayOf(resource.Plain(resource.Integer))),
		column("id", resource.Plain(resource.BigInt)),
		column("label", unsearchable),
		column("local_at", resource.Plain(resource.Timestamp)),
		column("moments", resource.ArrayOf(resource.Plain(resource.TimestampTZ))),
		column("note", resource.Plain(resource.Text)),
		column("ok?", resource.Plain(resource.Boolean)),
		column("placed_at", resource.Plain(resource.TimestampTZ)),
		column("qty", resource.Plain(resource.Integer)),
		column("rate", resource.Plain(resource.Real)),
		column("ratio", resource.Plain(resource.Double)),
		column("ref", resource.Plain(resource.UUID)),
		column("small", resource.Plain(resource.SmallInt)),
		column("span", resource.Type{Kind: resource.Printed, Name: "interval"}),
		column("state", states),
		column("states", resource.ArrayOf(states)),
		column("subject_id", resource.Plain(resource.BigInt)),
		column("subject_type", resource.Plain(resource.Text)),
		column("tags", resource.ArrayOf(resource.Plain(resource.Text))),
		column("total", resource.Plain(resource.Numeric)),
		column("urgent", resource.Plain(resource.Boolean)),
		column("weights", resource.ArrayOf(resource.Plain(resource.Double))),
		hosted("seen_at", resource.TimestampTZ, "last_seen(t.id) = ?", resource.Value{}),
		hosted("sku", resource.Text, "EXISTS (SELECT 1 FROM lines l WHERE l.id = t.id AND l.sku = ? OR l.sku = ? AND ?)",
			"always", resource.Value{}, true),
	}
	for i := range keys {
		if keys[i].Name == "subject_id" {
			keys[i].Companion = "subject_type"
		}
	}
	own := filtering.NewKeys(keys)
	return own.With([]filtering.Relation{to("parent", own.With([]filtering.Relation{to("lines", own)})), to("lines", own.With([]filtering.Relation{to("parent", own)}))})
}

// to is a relation whose text shows what its condition reads.
func to(name string, keys *filtering.Keys) filtering.Relation {
	return filtering.Relation{
		Name: name, Keys: keys, Columns: []string{name + "_id"}, Args: []any{"in " + name},
		Wrap: func(columns []string, all bool, condition string) string {
			return fmt.Sprintf("%s(? of %s %v: %s)", name, strings.Join(columns, " "), all, condition)
		},
	}
}

func column(name string, t resource.Type) filtering.Key {
	expr := `t."` + strings.ReplaceAll(name, "?", "??") + `"`
	return filtering.Key{Name: name, Column: filtering.Column{Name: name, Expr: expr, Type: t, Native: t.Name}}
}

func hosted(name string, k resource.Kind, sql string, args ...any) filtering.Key {
	return filtering.Key{
		Name:   name,
		Column: filtering.Column{Type: resource.Plain(k)},
		Custom: &filtering.Custom{SQL: sql, Args: args},
	}
}

// sqlOf returns text and arguments, after checking that both ways to the arguments agree.
func sqlOf(t testing.TB, f filtering.Filter) (string, []any) {
	t.Helper()
	text, args, err := f.SQL(fake{}).ToSql()
	if err != nil {
		t.Fatalf("ToSql: %v", err)
	}
	appended := f.AppendArgs(nil, fake{})
	if len(args) == 0 && len(appended) == 0 {
		return text, nil
	}
	if diff := cmp.Diff(args, appended); diff != "" {
		t.Errorf("AppendArgs differs from the arguments of SQL (-sql +appended):\n%s", diff)
	}
	return text, appended
}

// parse parses a filter that must be good.
func parse(t testing.TB, raw string) filtering.Filter {
	t.Helper()
	f, err := filtering.Parse(json.RawMessage(raw), orders())
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return f
}

// mistakes parses a filter that must be bad.
func mistakes(t testing.TB, raw string) resource.Errors {
	t.Helper()
	f, err := filtering.Parse(json.RawMessage(raw), orders())
	errs, ok := err.(resource.Errors)
	if !ok || len(errs) == 0 {
		t.Fatalf("%s: want resource.Errors, got %#v", raw, err)
	}
	if !f.Empty() {
		t.Errorf("%s: a filter came with the mistakes", raw)
	}
	return errs
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	b := new(strings.Builder)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
