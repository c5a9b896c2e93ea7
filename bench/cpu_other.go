//go:build !linux

package bench

import (
	"errors"
	"time"
)

var errLinux = errors.New("bench: the CPU of the server's processes is read from /proc, which only Linux has")

func own() (time.Duration, error) { return 0, errLinux }

func backends(string) ([]int, error) { return nil, errLinux }

func spent(int) (time.Duration, error) { return 0, errLinux }
