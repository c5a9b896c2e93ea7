package tenantry_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadmeShowsTheExample holds the program in the README equal to the one that is compiled and tested.
func TestReadmeShowsTheExample(t *testing.T) {
	t.Parallel()
	readme := string(must(t)(os.ReadFile("README.md")))
	program := string(must(t)(os.ReadFile("examples/minimal/main.go")))
	_, rest, _ := strings.Cut(readme, "```go\n")
	block, _, found := strings.Cut(rest, "```\n")
	if !found {
		t.Fatal("README.md has no Go block")
	}
	if diff := cmp.Diff(program, block); diff != "" {
		t.Errorf("README.md and examples/minimal/main.go differ (-example +README):\n%s", diff)
	}
	const most = 200
	if n := strings.Count(readme, "\n"); n > most {
		t.Errorf("README.md has %d lines, and %d are enough", n, most)
	}
}

func must(t *testing.T) func([]byte, error) []byte {
	t.Helper()
	return func(b []byte, err error) []byte {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
}
