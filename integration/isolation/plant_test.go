package isolation_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tenantry/tenantry/tenant"
)

// envBug names the bug that a build with bugs is to have. It is read by a file that only such a build has.
const envBug = "TENANTRY_ISOLATION_BUG"

// TestBugsHaveTheirPlace fails at once, and for every bug, where the product's text has changed under one.
func TestBugsHaveTheirPlace(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if replaced := writeOverlay(t, root, t.TempDir()); len(replaced) < 5 {
		t.Errorf("only %d files have bugs", len(replaced))
	}
}

// plantBugs builds this test with every bug in it, each behind a condition, and runs the slice once for each.
// What it does not catch, it could not see.
func plantBugs(t *testing.T, c tier, seed uint64) (caught, planted int) {
	b := buildWithBugs(t, seed)
	if o, err := b.run(t, "", false); err != nil || o.Leaks+o.Wrong > 0 || o.Told {
		t.Fatalf("the slice finds something without a bug: %+v (%v)", o, err)
	}
	for _, wall := range []string{"no scope", "no witness", "no wall"} {
		o, err := b.run(t, wall, true)
		standing(t, wall, o, err)
	}
	if c.name != "quick" {
		builtWalls(t, b)
	}
	var mu sync.Mutex
	var group sync.WaitGroup
	next := make(chan bug)
	for range 2 {
		group.Go(func() {
			for bug := range next {
				o, err := b.run(t, bug.name, false)
				mu.Lock()
				if err == nil && o.Leaks+o.Wrong > 0 {
					caught++
				} else {
					t.Errorf("not caught: %s: %+v (%v)", bug.name, o, err)
				}
				mu.Unlock()
				if testing.Verbose() {
					t.Logf("%s: %d leaks, %d wrong: %.160s", bug.name, o.Leaks, o.Wrong, o.First)
				}
			}
		})
	}
	for _, bug := range bugs {
		next <- bug
	}
	close(next)
	group.Wait()
	return caught, len(bugs)
}

// standing judges a build without a wall: no row of another tenant is shown as long as one of them stands, and
// without any there are some, or else nothing of this would see them.
func standing(t *testing.T, wall string, o outcome, err error) {
	t.Helper()
	t.Logf("%s: %d calls, %d foreign rows", wall, o.Calls, o.Rows)
	switch leaks := o.Rows > 0; {
	case err != nil:
		t.Errorf("%s: %v", wall, err)
	case leaks != (wall == "no wall"):
		t.Errorf("%s: %d foreign rows: %s", wall, o.Rows, o.First)
	case o.Vaults > 0:
		t.Errorf("%s: a row policy does not stand: %s", wall, o.First)
	case !o.Told:
		t.Errorf("%s: the start does not say that a wall is missing", wall)
	}
}

// builtWalls does the same with the build tags themselves.
func builtWalls(t *testing.T, b *buggy) {
	t.Helper()
	for wall, tags := range map[string]string{
		"no scope": "tenantry_without_scope", "no witness": "tenantry_without_witness", "no wall": "tenantry_without_scope,tenantry_without_witness",
	} {
		tagged := &buggy{binary: filepath.Join(t.TempDir(), "tagged.test"), slice: b.slice}
		build := exec.CommandContext(t.Context(), "go", "test", "-c", "-tags", tags, "-o", tagged.binary, ".")
		if said, err := build.CombinedOutput(); err != nil {
			t.Fatalf("the build with %s: %v\n%s", tags, err, said)
		}
		o, err := tagged.run(t, "", true)
		standing(t, wall, o, err)
	}
}

// buggy is a build with bugs, and what its slices run on.
type buggy struct {
	binary string
	slice  slice
}

func buildWithBugs(t *testing.T, seed uint64) *buggy {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	b := &buggy{binary: filepath.Join(t.TempDir(), "isolation.test")}
	overlay := filepath.Join(t.TempDir(), "overlay.json")
	replace := writeOverlay(t, root, filepath.Dir(overlay))
	if err := os.WriteFile(overlay, encoded(map[string]any{"Replace": replace}), 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-overlay", overlay, "-o", b.binary, ".")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("the build with bugs: %v\n%s", err, said)
	}
	const tenants = 4
	w := newWorld(tenant.KindInt, tenants, seed)
	b.slice = slice{Seed: seed, Tenants: tenants, Base: seeded(t, w).ReaderURL, Changed: seeded(t, w.otherwise()).ReaderURL}
	return b
}

// run runs the slice with a bug and returns what it found.
func (b *buggy) run(t *testing.T, name string, wall bool) (o outcome, err error) {
	t.Helper()
	sl := b.slice
	sl.Walls = wall
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, b.binary, "-test.run", "^TestSlice$", "-test.v")
	cmd.Env = append(os.Environ(), envBug+"="+name, envSlice+"="+string(encoded(sl)))
	said, err := cmd.CombinedOutput()
	_, line, found := bytes.Cut(said, []byte("\n"+outcomePrefix))
	if !found {
		// A bug that stops the start is caught by it, and one that crashes has not been seen by an oracle.
		return o, fmt.Errorf("no outcome: %w\n%.2000s", err, said)
	}
	line, _, _ = bytes.Cut(line, []byte("\n"))
	err = json.Unmarshal(line, &o)
	return o, err
}

// writeOverlay writes the files with bugs and returns what replaces what, as go build -overlay takes it.
func writeOverlay(t *testing.T, root, dir string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	read := func(file string) string {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	packages := map[string]string{}
	for _, b := range bugs {
		for _, e := range b.edits {
			if _, ok := texts[e.file]; !ok {
				texts[e.file] = read(e.file)
			}
			if n := strings.Count(texts[e.file], e.old); n != 1 {
				t.Fatalf("the bug %q needs a text that is %d times in %s:\n%s", b.name, n, e.file, e.old)
			}
			texts[e.file] = strings.Replace(texts[e.file], e.old, strings.ReplaceAll(e.new, "BUG", fmt.Sprintf("planted(%q)", b.name)), 1)
			packages[path.Dir(e.file)] = path.Base(path.Dir(e.file))
		}
	}
	maps.Copy(texts, walls)
	for dir, name := range packages {
		imports := helperImports[dir]
		if imports == "" {
			imports = `"os"`
		}
		texts[dir+"/planted.go"] = fmt.Sprintf("package %s\n\nimport (%s)\n\nvar wanted = os.Getenv(%q)\n\nfunc planted(name string) bool { return wanted == name }\n%s",
			name, imports, envBug, helpers[dir])
	}
	replace := map[string]string{}
	for i, file := range slices.Sorted(maps.Keys(texts)) {
		to := filepath.Join(dir, fmt.Sprintf("%d_%s", i, path.Base(file)))
		if err := os.WriteFile(to, []byte(texts[file]), 0o600); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(root, file)] = to
	}
	return replace
}
