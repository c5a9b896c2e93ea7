// Package tenantry_test holds the rules of the project that no compiler checks: which package imports
// which, what is documented, how long a function is, and what no file names.
package tenantry_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// source is one Go file of the project.
type source struct {
	path     string // from the root, with slashes
	imports  []string
	external bool // of a _test package
	ast      *ast.File
	fset     *token.FileSet
}

// line is where something stands, in the form that editors open.
func (s source) line(pos token.Pos) string {
	return s.path + ":" + strconv.Itoa(s.fset.Position(pos).Line)
}

func (s source) test() bool { return strings.HasSuffix(s.path, "_test.go") }

// sources parses every Go file.
func sources(t *testing.T) (files []source) {
	t.Helper()
	for path, text := range texts(t) {
		if !strings.HasSuffix(path, ".go") || strings.Contains(path, "testdata/") {
			continue
		}
		f, err := parse(path, text)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

func parse(path, text string) (source, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return source{}, err
	}
	s := source{path: path, ast: f, fset: fset, external: strings.HasSuffix(f.Name.Name, "_test")}
	for _, spec := range f.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return source{}, err
		}
		s.imports = append(s.imports, imported)
	}
	return s, nil
}

// texts reads every file of the project that is text, by its path from the root.
func texts(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if !d.Type().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil && !strings.ContainsRune(string(text), 0) {
			found[filepath.ToSlash(path)] = string(text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
