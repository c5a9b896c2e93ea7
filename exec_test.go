package tenantry_test

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// In the simple protocol a text may be several statements, and that is what a driver's Exec without arguments
// speaks. The executor gives it nothing but texts of its own.
func TestExecTakesConstants(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, s := range sources(t) {
		if s.test() || !strings.HasPrefix(s.path, "executors/postgres/") {
			continue
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || name.Sel.Name != "Exec" || len(call.Args) != 2 {
				return true
			}
			seen++
			if text, ok := call.Args[1].(*ast.BasicLit); !ok || text.Kind != token.STRING {
				t.Errorf("%s: Exec of a text that is made", s.line(call.Pos()))
			}
			return true
		})
	}
	if seen == 0 {
		t.Error("no Exec was found: the rule looks in the wrong place")
	}
}
