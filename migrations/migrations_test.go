package migrations_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/migrations"
)

func TestAddressIsRefusedWithoutItsPassword(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"sqlite:file.db", "postgres://u:hunter2@127.0.0.1:1/none?connect_timeout=1", "postgres://u:hunter2@[::1"} {
		err := migrations.Up(t.Context(), url, migrations.Framework)
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("Up(%q) = %v", url, err)
		}
		if _, _, err = migrations.Version(t.Context(), url, migrations.Framework); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("Version(%q) = %v", url, err)
		}
	}
}

func TestDirtyErrorKeepsItsCause(t *testing.T) {
	t.Parallel()
	cause := errors.New("no such table")
	err := &migrations.DirtyError{Set: "framework", Table: "v", Version: 2, Cause: cause}
	if !errors.Is(err, cause) {
		t.Error("the cause is not wrapped")
	}
}

func ExampleDirtyError() {
	fmt.Println(&migrations.DirtyError{
		Set: "framework", Table: "tenantry_migrations", Version: 2, File: "0002_protect.up.sql", Previous: 1,
	})
	// Output:
	// migrations: the framework set stopped at version 2 (0002_protect.up.sql), which failed in an earlier run
	// Nothing more is applied until this is settled by hand:
	//   1. See what 0002_protect.up.sql has left in the database, and undo it; a file without COMMIT or CONCURRENTLY has left nothing.
	//   2. Correct the cause.
	//   3. Take the mark away: UPDATE tenantry_migrations SET version = 1, dirty = false;
	//   4. Run the migrations again.
}
