package bench

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// own is the CPU that this process has used.
func own() (time.Duration, error) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, err
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), nil
}

// backends finds the server's processes that are connected to a database, by the titles that they give themselves.
// Titles are the same inside and outside of a container, where process numbers differ. A vacuum that the server
// started by itself names the database too, and ends when it likes.
func backends(database string) ([]int, error) {
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return nil, err
	}
	var pids []int
	for _, file := range files {
		title, err := os.ReadFile(file)
		if err != nil || !bytes.HasPrefix(title, []byte("postgres:")) || bytes.HasPrefix(title, []byte("postgres: autovacuum")) ||
			!bytes.Contains(title, []byte(" "+database+" ")) {
			continue // a process that has ended is none of ours
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil {
			return nil, err
		}
		pids = append(pids, pid)
	}
	return pids, nil
}

// spent is the CPU that a process with one thread has used: the first number of its schedstat, in nanoseconds
// (Linux, Documentation/scheduler/sched-stats).
func spent(pid int) (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", pid))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("bench: process %d has ended, or the kernel was built without CONFIG_SCHED_INFO: %w", pid, err)
	}
	if err != nil {
		return 0, err
	}
	first, _, _ := strings.Cut(string(text), " ")
	n, err := strconv.ParseInt(first, 10, 64)
	return time.Duration(n), err
}
