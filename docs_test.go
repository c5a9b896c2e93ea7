package tenantry_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every exported name has a comment, attached to it and starting with it. Constants and variables of one
// group may share the comment of the group.
func TestExportedNamesAreDocumented(t *testing.T) {
	t.Parallel()
	packages := map[string]bool{} // whether one of its files has a package comment
	for _, f := range sources(t) {
		if f.test() {
			continue
		}
		dir := path.Dir(f.path)
		packages[dir] = packages[dir] || f.ast.Doc != nil
		for _, mistake := range undocumented(f) {
			t.Error(mistake)
		}
	}
	for dir, ok := range packages {
		if !ok {
			t.Errorf("%s: the package has no comment", dir)
		}
	}
}

func TestUndocumentedFindsEachMistake(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"documented", "// F does.\nfunc F() {}", ""},
		{"not exported", "func f() {}\ntype t int\nfunc (t) M() {}\nvar v int", ""},
		{"no comment", "func F() {}", "a.go:2: F has no comment attached to it"},
		{"a detached comment", "// F does.\n\nfunc F() {}", "a.go:4: F has no comment attached to it"},
		{"another beginning", "// Does things.\nfunc F() {}", "a.go:3: the comment of F does not start with F"},
		{"another name", "// Foo does.\nfunc F() {}", "a.go:3: the comment of F does not start with F"},
		{"a directive", "//go:noinline\nfunc F() {}", "a.go:3: F has no comment attached to it"},
		{"a method", "// T is.\ntype T int\nfunc (t *T) M() {}", "a.go:4: M has no comment attached to it"},
		{"a method of a generic type", "// T is.\ntype T[E any] struct{}\nfunc (T[E]) M() {}", "a.go:4: M has no comment attached to it"},
		{"a type in a group", "type (\n\t// T is.\n\tT int\n\tU int\n)", "a.go:5: U has no comment attached to it"},
		{"a group with a comment", "// The codes.\nconst (\n\tA = 1\n\tB = 2\n)", ""},
		{"a group without", "const (\n\tA = 1\n\t// B is.\n\tB = 2\n\tc = 3\n)", "a.go:3: A has no comment attached to it"},
		{"a comment beside", "const (\n\tA = 1 // the first\n)", ""},
		{"a single variable", "// The best.\nvar V int", "a.go:3: the comment of V does not start with V"},
	}
	for _, tt := range tests {
		f, err := parse("a.go", "package a\n"+tt.text)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if diff := cmp.Diff(tt.want, strings.Join(undocumented(f), "\n")); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

// undocumented returns what is wrong with the comments of a file's exported names.
func undocumented(f source) (mistakes []string) {
	check := func(name *ast.Ident, doc *ast.CommentGroup) {
		switch {
		case !name.IsExported():
		case strings.TrimSpace(doc.Text()) == "":
			mistakes = append(mistakes, fmt.Sprintf("%s: %s has no comment attached to it", f.line(name.Pos()), name.Name))
		case strings.Fields(doc.Text())[0] != name.Name:
			mistakes = append(mistakes, fmt.Sprintf("%s: the comment of %s does not start with %[2]s", f.line(name.Pos()), name.Name))
		}
	}
	for _, decl := range f.ast.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if receiverExported(d) {
				check(d.Name, d.Doc)
			}
		case *ast.GenDecl:
			checkGroup(d, check)
		}
	}
	return mistakes
}

func checkGroup(d *ast.GenDecl, check func(*ast.Ident, *ast.CommentGroup)) {
	grouped := d.Lparen.IsValid()
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			doc := s.Doc
			if !grouped {
				doc = d.Doc
			}
			check(s.Name, doc)
		case *ast.ValueSpec:
			if !grouped {
				check(s.Names[0], d.Doc)
				continue
			}
			if s.Comment == nil && d.Doc == nil {
				check(s.Names[0], s.Doc)
			}
		}
	}
}

// receiverExported is true of functions, and of methods of exported types.
func receiverExported(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	typ := d.Recv.List[0].Type
	for {
		switch t := typ.(type) {
		case *ast.StarExpr:
			typ = t.X
		case *ast.IndexExpr:
			typ = t.X
		case *ast.IndexListExpr:
			typ = t.X
		case *ast.Ident:
			return token.IsExported(t.Name)
		default:
			return false
		}
	}
}
