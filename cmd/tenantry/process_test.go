package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// process starts the real program.
func process(t *testing.T, env map[string]string, args ...string) (cmd *exec.Cmd, stderr *bufio.Scanner, stdout *bytes.Buffer) {
	t.Helper()
	cmd = exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	for name, value := range env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	stdout = &bytes.Buffer{}
	cmd.Stdout = stdout
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(pipe), stdout
}

func address(t *testing.T, stderr *bufio.Scanner) string {
	t.Helper()
	for stderr.Scan() {
		if url, ok := strings.CutPrefix(stderr.Text(), "listening on http://"); ok {
			return strings.TrimSuffix(url, "/mcp")
		}
	}
	t.Fatal("the server never said that it listens")
	return ""
}

// drain reads a pipe to its end, as Wait needs it.
func drain(s *bufio.Scanner) {
	for s.Scan() {
	}
}

func TestSignal(t *testing.T) {
	t.Parallel()
	for _, sig := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		cmd, stderr, stdout := process(t, shop(t), "serve", "--config", shopFile)
		address(t, stderr)
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		drain(stderr)
		if err := cmd.Wait(); err != nil || stdout.Len() > 0 {
			t.Errorf("%v: %v after printing %q", sig, err, stdout)
		}
	}
}

// TestHangUp has a server bind its resources again, without missing a call.
func TestHangUp(t *testing.T) {
	t.Parallel()
	cmd, stderr, _ := process(t, shop(t), "serve", "--config", shopFile)
	address(t, stderr)
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	bound := false
	for !bound && stderr.Scan() {
		bound = strings.Contains(stderr.Text(), "the resources are bound to the database as it is now")
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	drain(stderr)
	if err := cmd.Wait(); err != nil || !bound {
		t.Errorf("bound %v, ended with %v", bound, err)
	}
}

// TestSecondSignal sends a second signal while a call that never ends keeps the first one waiting.
func TestSecondSignal(t *testing.T) {
	t.Parallel()
	cmd, stderr, _ := process(t, shop(t), "serve", "--config", shopFile)
	conn, err := net.Dial("tcp", address(t, stderr))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	_, err = io.WriteString(conn, "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer acme-hunter2\r\nContent-Type: application/json\r\n"+
		"Accept: application/json, text/event-stream\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(conn).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for stderr.Scan() && !strings.Contains(stderr.Text(), "finishing the calls in flight") {
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	drain(stderr)
	exit, ok := errors.AsType[*exec.ExitError](cmd.Wait())
	if !ok || exit.ExitCode() != statusFailed {
		t.Fatalf("ended with %v, although a call was in flight", exit)
	}
}
