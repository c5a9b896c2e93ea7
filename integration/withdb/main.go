// Command withdb runs another command with one PostgreSQL server beside it, so that many test binaries share it.
//
//	go run ./integration/withdb go test ./...
//	go run ./integration/withdb -pooler go test ./integration/contract
//
// With -pooler the tests read through a PgBouncer in transaction mode.
//
// The server is found as the tests themselves find one, its address is in TENANTRY_TEST_DATABASE_URL, and it
// ends with the command.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"github.com/tenantry/tenantry/integration/testdb"
)

func main() {
	command := os.Args[1:]
	pooled := len(command) > 0 && command[0] == "-pooler"
	if pooled {
		command = command[1:]
	}
	if len(command) == 0 {
		fmt.Fprintln(os.Stderr, "usage: withdb [-pooler] COMMAND [ARGUMENT...]")
		os.Exit(64)
	}
	code, err := run(command, pooled)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// run returns the exit code of the command.
func run(command []string, pooled bool) (int, error) {
	// An interrupt reaches the command too. Its end is what ends us, so that the server does not outlive it.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()

	server, err := testdb.Start(ctx)
	if err != nil {
		return 1, err
	}
	defer server.Stop()
	fmt.Fprintln(os.Stderr, "database:", server.How)

	env := append(os.Environ(), testdb.EnvURL+"="+server.URL, testdb.EnvWay+"=url")
	if pooled {
		pooler, err := testdb.StartPooler(ctx, server.URL, "transaction")
		if err != nil {
			return 1, err
		}
		defer pooler.Stop()
		env = append(env, testdb.EnvPooler+"="+pooler.Address)
	}

	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = env
	err = cmd.Run()
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		return max(e.ExitCode(), 1), nil
	}
	if err != nil {
		return 1, err
	}
	return 0, nil
}
