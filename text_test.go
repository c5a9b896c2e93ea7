package tenantry_test

import (
	"fmt"
	"go/ast"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A function longer than this is more than one idea. The tables of tests may be longer.
const maxLines = 70

func TestFunctionsAreShort(t *testing.T) {
	t.Parallel()
	for _, f := range sources(t) {
		if f.test() {
			continue
		}
		for _, mistake := range long(f) {
			t.Error(mistake)
		}
	}
}

func TestLongFindsALongFunction(t *testing.T) {
	t.Parallel()
	for lines, want := range map[int]string{
		maxLines:     "",
		maxLines + 1: "a.go:2: F has 71 lines",
	} {
		f, err := parse("a.go", "package a\nfunc F() {"+strings.Repeat("\n", lines-1)+"}")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, strings.Join(long(f), "\n")); diff != "" {
			t.Errorf("%d lines: %s", lines, diff)
		}
	}
}

func long(f source) (mistakes []string) {
	for _, decl := range f.ast.Decls {
		d, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		n := f.fset.Position(d.End()).Line - f.fset.Position(d.Pos()).Line + 1
		if n > maxLines {
			mistakes = append(mistakes, fmt.Sprintf("%s: %s has %d lines", f.line(d.Pos()), d.Name.Name, n))
		}
	}
	return mistakes
}

// Folders of somebody's machine have no place in the project, nor do notes of work that is not done.
var (
	machine = regexp.MustCompile(`(^|[^\w.])/(work|root|home|Users|mnt)/[\w.-]+`)
	note    = regexp.MustCompile(`\b(TODO|FIXME|XXX|HACK)\b`)
)

func TestFilesNameNoMachineAndNoUnfinishedWork(t *testing.T) {
	t.Parallel()
	for path, text := range texts(t) {
		if path == "text_test.go" {
			continue // it has to spell them
		}
		for _, mistake := range unwanted(path, text) {
			t.Error(mistake)
		}
	}
}

func TestUnwantedFindsEachMistake(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, want string }{
		{"see docs/work/root/home.md, https://example.com/home/page and /tmp/x", ""},
		{"one\ncd /work/main", `f:2: " /work/main"`},
		{`"/root/.cache"`, `f:1: "\"/root/.cache"`},
		{"/home/alice/src", `f:1: "/home/alice"`},
		{"// TODO: later", `f:1: "TODO"`},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, strings.Join(unwanted("f", tt.text), "\n")); diff != "" {
			t.Errorf("%q: %s", tt.text, diff)
		}
	}
}

func unwanted(path, text string) (mistakes []string) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		for _, pattern := range []*regexp.Regexp{machine, note} {
			if found := pattern.FindString(line); found != "" {
				mistakes = append(mistakes, fmt.Sprintf("%s:%d: %q", path, n, found))
			}
		}
	}
	return mistakes
}
