package schema // the vocabulary is not exported: the page is what users read

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema/internal/match"
)

var update = flag.Bool("update", false, "rewrite docs/tags.md")

const cataloguePage = "../docs/tags.md"

// The page of the tags is written from the code.
func TestCatalogue(t *testing.T) {
	want := catalogue()
	if *update {
		if err := os.WriteFile(cataloguePage, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(cataloguePage)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("docs/tags.md is not what the code says; go test ./schema -run Catalogue -update rewrites it (-want +got):\n%s", diff)
	}
}

// Every key does something where it may stand: a field of each sort takes it, or says what it is missing.
func TestEveryKeyIsDescribed(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range vocabulary {
		switch {
		case seen[k.name]:
			t.Errorf("%s is there twice", k.name)
		case k.about == "" || len(k.sorts) == 0 || k.set == nil:
			t.Errorf("%s is not described", k.name)
		}
		seen[k.name] = true
	}
}

func catalogue() string {
	var b strings.Builder
	b.WriteString(catalogueHead)
	for _, k := range vocabulary {
		name := k.name
		if !k.flag {
			name += "="
		}
		inner := ""
		if k.inner {
			inner = "yes"
		}
		_, _ = fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", name, joined(k.sorts), k.keyword, inner, strings.ReplaceAll(k.about, "|", `\|`))
	}
	b.WriteString("\n| prefix | what it does |\n|---|---|\n")
	for _, in := range inside {
		_, _ = fmt.Fprintf(&b, "| `%s` | %s |\n", in.prefix, in.about)
	}
	_, _ = fmt.Fprintf(&b, "\nFormats: `%s`. `schema.Format` adds one.\n", strings.Join(match.Names(), "`, `"))
	b.WriteString("\nCodes of errors: `")
	b.WriteString(strings.Join(codes(), "`, `"))
	b.WriteString("`.\n")
	return b.String()
}

func joined(s []sort) string {
	if len(s) == len(every) {
		return "every"
	}
	if slices.Equal(s, valued) {
		return "every but a union"
	}
	return joinSorts(s)
}

func codes() []string {
	all := []Code{
		Malformed, Missing, Unknown, Null, WrongType, NotInEnum, NotConst, TooSmall, TooLarge, OffStep, BadLength, BadItems, BadProps,
		NotUnique, BadPattern, PatternBudget, BadFormat, RequiredWith, Needs, BadDefault, Custom, Truncated,
	}
	out := make([]string, len(all))
	for i, c := range all {
		out[i] = string(c)
	}
	return out
}

const catalogueHead = `# Tags of a Go struct

This page is written from the code; the package comment of ` + "`schema`" + ` shows what a plan is.

Four keys of a struct tag make a schema: ` + "`json`" + ` (the name, ` + "`omitempty`, `omitzero`" + `), ` + "`mcp`" + ` (the rules below), ` + "`gate`" + ` (who may see
the field) and ` + "`desc`" + ` (the description, taken whole).

    mcp    = item *( ";" item ) ;  item = flag | key "=" value ;  value = quoted | bare
    quoted = "'" *( any | "''" ) "'" ;  bare = chars without ";" (trimmed)
    gate   = clause *( "&" clause ) ;  clause = name "(" [arg] ")" ;  name = [a-z][a-z0-9_]*

An unknown key, one that stands twice (but for ` + "`example`" + `), one at a type it is not for, and rules that contradict each
other stop the start, naming ` + "`Type.Field`" + ` and the nearest key. A backslash in a tag is doubled, since Go quotes tags; a type
with long texts or patterns may have a method ` + "`DescribeSchema(*schema.Builder)`" + ` instead.

A field must be there unless it has a default, is ` + "`optional`" + ` (or ` + "`omitempty`, `omitzero`" + `), a pointer, an ` + "`sql.Null`" + ` or a
` + "`schema.Opt`" + `. null is taken only where ` + "`nullable`" + ` says so. In an output everything is there, but for what may be left out; a pointer that is nil is
null there, and a slice that is nil is ` + "`[]`" + `.

Tools of a server are announced in the strict profile, which leaves bounds, lengths, titles and dependencies out, since hosts with a strict mode
refuse them. All of it is enforced whatever is announced, so say in ` + "`desc`" + ` what a client should know.

| key | for | JSON Schema | inside | what it does |
|---|---|---|---|---|
`
