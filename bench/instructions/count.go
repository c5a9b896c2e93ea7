package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
)

// first is how many calls are made before counting begins: shapes are compiled, and buffers have grown.
const first = 100

// perCall is how many instructions one call takes: what many calls take more than a few, for each of them.
func perCall(ctx context.Context, scope string, calls int) (float64, error) {
	few, err := count(ctx, scope, first)
	if err != nil {
		return 0, err
	}
	many, err := count(ctx, scope, first+calls)
	return float64(many-few) / float64(calls), err
}

var collected = regexp.MustCompile(`Collected : (\d+)`)

// count runs this program again under callgrind. One processor, no collector and no signals between goroutines: what
// else runs would be counted, and callgrind does not bear the signals.
func count(ctx context.Context, scope string, calls int) (int64, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
		self, "-scope", scope, "-calls", strconv.Itoa(calls))
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "GOGC=off", "GODEBUG=asyncpreemptoff=1")
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("valgrind: %w\n%s", err, said.Bytes())
	}
	m := collected.FindSubmatch(said.Bytes())
	if m == nil {
		return 0, fmt.Errorf("valgrind did not say what it counted:\n%s", said.Bytes())
	}
	return strconv.ParseInt(string(m[1]), 10, 64)
}
