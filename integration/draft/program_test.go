package draft_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/integration/testdb"
)

// surveyor is a database that says what it holds.
type surveyor interface {
	Survey(ctx context.Context) (*executors.Survey, error)
}

// The program drafts a file of an awkward database and takes what it has written.
func TestTheProgramTakesItsDraft(t *testing.T) {
	t.Parallel()
	db := testdb.NewEmpty(t)
	db.Exec(t, read(t, "awkward.sql"))
	dir := t.TempDir()
	program, path := filepath.Join(dir, "tenantry"), filepath.Join(dir, "tenantry.yaml")
	run(t, nil, "go", "build", "-o", program, "github.com/tenantry/tenantry/cmd/tenantry")
	run(t, nil, program, "init", "--database", db.URL, "--tenant-column", "account_id", "--out", path)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "postgres://") || !strings.Contains(string(text), "\ndatabase: ${DATABASE_URL}\n") {
		t.Error("the file has an address of its own")
	}
	said := run(t, []string{"DATABASE_URL=" + db.URL}, program, "check", "--config", path)
	if !strings.HasSuffix(said, "ok: resources checked: 20; tenant key: integer\n") {
		t.Error(said)
	}
}

// run runs a command that must go well, and returns what it printed.
func run(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, args[0], err, out)
	}
	return string(out)
}
