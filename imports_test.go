package tenantry_test

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const module = "github.com/tenantry/tenantry"

// everything stands for all packages of ours but those that nobody imports.
const everything = "*"

// Modules of others that only some packages may import, by a short name.
var outside = map[string]string{
	"squirrel": "github.com/Masterminds/squirrel",
	"lru":      "github.com/hashicorp/golang-lru/v2",
	"pgx":      "github.com/jackc/pgx/v5",
	"sqlite":   "modernc.org/sqlite",
	"mcp":      "github.com/modelcontextprotocol/go-sdk",
	"jwt":      "github.com/golang-jwt/jwt/v5",
	"yaml":     "go.yaml.in/yaml/v3",
	"migrate":  "github.com/golang-migrate/migrate/v4",
	"docker":   "github.com/testcontainers/testcontainers-go",
	"cmp":      "github.com/google/go-cmp",
	"sync":     "golang.org/x/sync",
	"oracle":   "github.com/santhosh-tekuri/jsonschema/v6",

	"validator": "github.com/google/jsonschema-go",
}

// rule says what a package and its internal tests may import.
type rule struct {
	pkg     string // a path in the module; a final /... stands for what is below it
	ours    string // paths in the module
	outside string // short names
	tests   string // more short names, for its tests
}

// The arrows of the architecture. A new one is a decision, and so is a new dependency.
var rules = []rule{
	{"tenant", "", "", ""},
	{"auth", "tenant", "", ""},
	{"auth/...", "tenant auth", "jwt", ""},
	{"scope", "tenant", "squirrel", ""},
	{"resource", "tenant scope internal/nearest", "squirrel", ""},
	{"registry", "auth scope resource", "", ""},
	{"filtering", "resource", "squirrel", ""},
	{"serializer", "resource internal/structtag", "", ""},
	{"schema", "internal/nearest internal/structtag schema/internal/decimal schema/internal/lex schema/internal/match schema/internal/words", "lru", "oracle"},
	{"schema/elicit", "schema schema/internal/decimal schema/internal/lex schema/internal/match schema/internal/words", "", ""},
	{"schema/internal/...", "internal/nearest schema/internal/words", "", ""},
	{"internal/...", "", "", ""},
	{"executors", "tenant auth scope resource registry filtering serializer schema internal/seal", "squirrel lru", "pgx sqlite"},
	{"executors/postgres", "tenant scope resource filtering serializer executors", "squirrel lru pgx", ""},
	{"executors/sqlite", "tenant scope resource filtering serializer executors", "squirrel lru sqlite", ""},
	{"mcpserver", "tenant auth resource registry executors schema schema/elicit internal/seal", "mcp", ""},
	{"descriptor", "tenant auth scope resource registry filtering serializer executors executors/postgres executors/sqlite mcpserver schema", "yaml", ""},
	{"isolationtest", everything, "", "pgx sqlite"},
	{"migrations", "", "pgx migrate", ""},
	{"cmd/tenantry", everything, "pgx sqlite", "mcp"},
	{"examples/...", everything, "squirrel pgx sqlite", "mcp"},
	{"integration/...", everything + " integration/testdb integration/told", "squirrel pgx sqlite mcp docker migrate jwt oracle", ""},
	{"bench/...", everything + " integration/testdb bench", "squirrel pgx sqlite mcp lru sync validator", ""},
}

// Nobody imports these, but for the harness that gives tests a database, which others of them may.
var leaves = []string{"cmd", "examples", "integration", "bench"}

// Tests may import whatever of ours they like from outside of their package, and these.
const testsOnly = "cmp migrate"

func TestImports(t *testing.T) {
	t.Parallel()
	files := sources(t)
	if len(files) < 50 {
		t.Fatalf("only %d files were found", len(files))
	}
	for _, f := range files {
		for _, mistake := range arrows(f) {
			t.Error(mistake)
		}
	}
}

func TestImportsFindsEachMistake(t *testing.T) {
	t.Parallel()
	tests := []struct{ file, imports, want string }{
		{"scope/scope.go", module + "/tenant", ""},
		{"scope/scope.go", "fmt", ""},
		{"tenant/id.go", module + "/scope", "tenant/id.go: tenant may not import scope"},
		{"executors/list.go", "github.com/jackc/pgx/v5/pgxpool", "executors/list.go: executors may not import github.com/jackc/pgx/v5/pgxpool"},
		{"executors/postgres/a.go", "github.com/jackc/pgx/v5/pgxpool", ""},
		{"executors/list.go", "example.com/new", "executors/list.go: executors may not import example.com/new"},
		{"executors/list.go", "github.com/jackc/pgx/v50", "executors/list.go: executors may not import github.com/jackc/pgx/v50"},
		{"mcpserver/a.go", module + "/filtering", "mcpserver/a.go: mcpserver may not import filtering"},
		{"cmd/tenantry/a.go", module + "/integration/testdb", "cmd/tenantry/a.go: cmd/tenantry may not import integration/testdb"},
		{"cmd/tenantry/a.go", module + "/executors/sqlite", ""},
		{"registry/registry_test.go", module + "/executors", ""},
		{"registry/registry_test.go", module + "/examples/minimal", "registry/registry_test.go: registry may not import examples/minimal"},
		{"registry/registry_test.go", "github.com/testcontainers/testcontainers-go", "registry/registry_test.go: registry may not import github.com/testcontainers/testcontainers-go"},
		{"registry/registry_internal_test.go", module + "/executors", "registry/registry_internal_test.go: registry may not import executors"},
		{"elsewhere/a.go", "fmt", "elsewhere/a.go: elsewhere is not in the table of packages"},
	}
	for _, tt := range tests {
		external := strings.HasSuffix(tt.file, "_test.go") && !strings.HasSuffix(tt.file, "_internal_test.go")
		got := strings.Join(arrows(source{path: tt.file, imports: []string{tt.imports}, external: external}), "\n")
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s imports %s: %s", tt.file, tt.imports, diff)
		}
	}
}

// arrows returns the imports of a file that its package's rule does not allow.
func arrows(f source) (mistakes []string) {
	dir := path.Dir(f.path)
	r, ok := ruleFor(dir)
	if !ok {
		return []string{fmt.Sprintf("%s: %s is not in the table of packages", f.path, dir)}
	}
	for _, imported := range f.imports {
		if !r.allows(f, imported) {
			mistakes = append(mistakes, fmt.Sprintf("%s: %s may not import %s", f.path, dir, strings.TrimPrefix(imported, module+"/")))
		}
	}
	return mistakes
}

func (r rule) allows(f source, imported string) bool {
	if ours, ok := strings.CutPrefix(imported, module+"/"); ok {
		if ours == path.Dir(f.path) || slices.Contains(strings.Fields(r.ours), ours) {
			return true
		}
		free := f.external || strings.HasPrefix(r.ours, everything)
		return free && !slices.Contains(leaves, strings.Split(ours, "/")[0])
	}
	if !strings.Contains(strings.Split(imported, "/")[0], ".") {
		return true // the standard library
	}
	names := r.outside
	if strings.HasSuffix(f.path, "_test.go") {
		names += " " + r.tests + " " + testsOnly
	}
	return slices.ContainsFunc(strings.Fields(names), func(name string) bool {
		return imported == outside[name] || strings.HasPrefix(imported, outside[name]+"/")
	})
}

// ruleFor prefers the rule of the package itself to one for a folder above it.
func ruleFor(dir string) (rule, bool) {
	if dir == "." {
		return rule{tests: strings.Join(slices.Collect(maps.Keys(outside)), " ")}, true
	}
	for _, r := range rules {
		if r.pkg == dir {
			return r, true
		}
	}
	for _, r := range rules {
		if above, ok := strings.CutSuffix(r.pkg, "/..."); ok && (above == dir || strings.HasPrefix(dir, above+"/")) {
			return r, true
		}
	}
	return rule{}, false
}
