package testdb

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// settings trade safety after a crash for speed.
var settings = []string{"-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off", "-c", "max_connections=200"}

// local starts a server from binaries of this machine, in a folder of its own.
func local(ctx context.Context) (*Server, error) {
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for attempt := 1; ; attempt++ { // another process may take the free port before the server does
		s, err := launch(ctx, bin)
		if err == nil || attempt == 3 || ctx.Err() != nil {
			return s, err
		}
	}
}

// binaries finds the folder of the newest server.
func binaries() (string, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres") // only a bad pattern is an error
	slices.SortFunc(found, func(a, b string) int { return major(b) - major(a) })
	if len(found) > 0 {
		return filepath.Dir(found[0]), nil
	}
	path, err := exec.LookPath("initdb")
	if err != nil {
		return "", fmt.Errorf("no server binaries in /usr/lib/postgresql/*/bin or PATH: %w", errAbsent)
	}
	path, err = filepath.EvalSymlinks(path)
	return filepath.Dir(path), err
}

// major is the version in a path of Debian's packages.
func major(path string) int {
	n, _ := strconv.Atoi(strings.Split(path, "/")[4]) // zero for a name that is no number
	return n
}

func launch(ctx context.Context, bin string) (*Server, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	password := secret()
	dir, err := workdir(password)
	if err != nil {
		return nil, err
	}
	p, err := start(dir, append([]string{"sh", "-c", script, "local.sh", bin, dir, "-p", port}, settings...))
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	s := &Server{How: bin, stop: p.stop}
	s.URL, err = ready(ctx, p.gone, address(password, net.JoinHostPort("127.0.0.1", port)))
	if err != nil {
		p.stop()
		return nil, fmt.Errorf("%s: %w\n%s", bin, err, p.log())
	}
	return s, nil
}

func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, errors.Join(err, l.Close())
}

// workdir makes the folder of a server, with the password of its administrator, owned by whoever runs it.
func workdir(password string) (string, error) {
	dir, err := os.MkdirTemp("", "tenantry-postgres-")
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "password")
	err = os.WriteFile(file, []byte(password), 0o600)
	if who, ok := servant(); ok && err == nil {
		err = errors.Join(os.Chown(dir, who.uid, who.gid), os.Chown(file, who.uid, who.gid))
	}
	if err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	return dir, nil
}
