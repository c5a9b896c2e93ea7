package main

// These tests are inside the package since nothing outside can import a command.

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// asProgram makes the test binary behave as the program, for tests that need a process.
const asProgram = "TENANTRY_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// outcome is what a command leaves behind.
type outcome struct {
	Status   int
	Out, Err string
}

// tenantry runs the program within the test. The environment holds the shop's database.
func tenantry(t *testing.T, env map[string]string, args ...string) outcome {
	t.Helper()
	var out, err bytes.Buffer
	status := run(t.Context(), args, &terminal{env: lookup(env), in: strings.NewReader(""), out: &out, err: &err})
	return outcome{status, out.String(), err.String()}
}

func lookup(env map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := env[name]
		return value, ok
	}
}

// shop makes a database for testdata/shop.yaml and returns the environment that names it.
func shop(t *testing.T) map[string]string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shop.db")
	db, err := sql.Open("sqlite", path) // the driver comes with executors/sqlite
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(fillDemo(t.Context(), db), db.Close()); err != nil {
		t.Fatal(err)
	}
	return map[string]string{"SHOP": "sqlite:" + path}
}

const shopFile = "testdata/shop.yaml"

// write makes a file of the text and returns its name.
func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "acme.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// running is a command in the background. Its stdin is open until end, and end stops it as a signal does.
type running struct {
	end    context.CancelFunc
	in     *io.PipeWriter
	out    *io.PipeReader
	err    *io.PipeReader
	status chan int
}

func start(t *testing.T, env map[string]string, args ...string) *running {
	t.Helper()
	ctx, end := context.WithCancel(t.Context())
	inRead, in := io.Pipe()
	out, outWrite := io.Pipe()
	err, errWrite := io.Pipe()
	r := &running{end: end, in: in, out: out, err: err, status: make(chan int, 1)}
	go func() {
		status := run(ctx, args, &terminal{env: lookup(env), in: inRead, out: outWrite, err: errWrite})
		_ = outWrite.Close()
		_ = errWrite.Close()
		r.status <- status
	}()
	t.Cleanup(func() {
		end()
		_, _, _ = in.Close(), out.Close(), err.Close()
	})
	return r
}

func same(t *testing.T, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
