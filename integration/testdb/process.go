package testdb

import (
	_ "embed" // for the script
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"time"
)

// script runs a server until its standard input closes.
//
//go:embed local.sh
var script string

// process is a script of ours that runs.
type process struct {
	stdin  io.Closer
	gone   chan struct{} // closed when it has ended
	output *os.File
}

// start runs a command in dir, as a user whom the server accepts.
func start(dir string, args []string) (*process, error) {
	output, err := os.CreateTemp("", "tenantry-postgres-*.log")
	if err != nil {
		return nil, err
	}
	if who, ok := servant(); ok {
		args = append([]string{"setpriv", "--reuid", strconv.Itoa(who.uid), "--regid", strconv.Itoa(who.gid), "--clear-groups"}, args...)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, output, output
	stdin, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	err = errors.Join(err, os.Remove(output.Name())) // it lives on in the open file
	if err != nil {
		return nil, errors.Join(err, output.Close())
	}
	p := &process{stdin: stdin, gone: make(chan struct{}), output: output}
	go func() {
		defer close(p.gone)
		_ = cmd.Wait() // how it ended stands in the log
	}()
	return p, nil
}

// stop closes the script's standard input, which ends it, and waits for that.
func (p *process) stop() {
	_ = p.stdin.Close() // closed already when the script has ended
	select {
	case <-p.gone:
	case <-time.After(time.Minute):
		fmt.Fprintln(os.Stderr, "testdb: the server does not end; its script ends it when it can")
	}
}

// log returns the end of what the script and the server have said.
func (p *process) log() string {
	const most = 2 << 10
	size, err := p.output.Seek(0, io.SeekEnd)
	if err != nil {
		return err.Error()
	}
	said := make([]byte, min(size, most))
	n, err := p.output.ReadAt(said, size-int64(len(said)))
	if err != nil && !errors.Is(err, io.EOF) {
		return err.Error()
	}
	return string(said[:n])
}

// account is a user of this machine.
type account struct{ uid, gid int }

// servant is the user who runs the server when we are root, whom it refuses; ok is false when we are not.
func servant() (who account, ok bool) {
	if os.Geteuid() != 0 {
		return account{}, false
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return account{65534, 65534}, true // nobody
	}
	who.uid, _ = strconv.Atoi(u.Uid) // numbers on every system that has a root
	who.gid, _ = strconv.Atoi(u.Gid)
	return who, true
}
