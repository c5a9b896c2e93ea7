package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tenantry/tenantry/descriptor"
	"github.com/tenantry/tenantry/resource"
)

// The exit statuses beside 0; the numbers from 64 are those of sysexits(3).
const (
	statusFailed      = 1  // check found an error, or the command could not do its work
	statusRefused     = 2  // the answer of call is an error
	statusUsage       = 64 // the command line is wrong
	statusUnreachable = 69 // the database cannot be reached
	statusBadFile     = 78 // the file is wrong, by itself or for this database
)

// terminal is what a command has of the process around it.
type terminal struct {
	env      func(string) (string, bool)
	in       io.Reader
	out, err io.Writer
}

// command is one of the words that may follow tenantry.
type command struct {
	name  string
	args  string
	about string
	run   func(ctx context.Context, t *terminal, f *flags) error
}

// commands are in the order of the help.
func commands() []command {
	return []command{
		{"demo", "[--once]", "serve an embedded database with two tenants, and show what each of them sees", demo},
		{"init", "--database URL --tenant-column C [--out FILE]", "write a first file for a database", initialize},
		{"serve", "--config FILE [--listen ADDR] [--stdio]", "serve the resources of a file", serve},
		{"check", "--config FILE", "build everything, prove isolation and audit the database role", check},
		{"call", "--config FILE --token T [--tenant KEY] TOOL [JSON]", "make one call without a network", call},
		{"schema", "--config FILE --token T [--tenant KEY] [RESOURCE]", "show what an agent would be told", schema},
		{"migrate", "up|version --database URL", "apply the framework's own objects to a database", migrate},
		{"version", "", "print the version, Go's and the protocol's", version},
	}
}

// failure is an error with the exit status it ends in.
type failure struct {
	status int
	err    error // nil: everything has been said
}

func (f *failure) Error() string {
	if f.err == nil {
		return ""
	}
	return f.err.Error()
}

func (f *failure) Unwrap() error { return f.err }

func failf(status int, format string, args ...any) error {
	return &failure{status, fmt.Errorf(format, args...)}
}

// errHelp says that help was asked for and given.
var errHelp = errors.New("help")

// run is the whole program: it runs one command and returns the exit status.
func run(ctx context.Context, args []string, t *terminal) int {
	if len(args) == 0 {
		return report(t, "", failf(statusUsage, "name a command: %s; tenantry help says more", strings.Join(names(), ", ")))
	}
	if slices.Contains([]string{"help", "-h", "-help", "--help"}, args[0]) {
		help(t.out)
		return 0
	}
	for _, c := range commands() {
		if c.name == args[0] {
			return report(t, c.name, c.run(ctx, t, newFlags(c, args[1:])))
		}
	}
	return report(t, "", failf(statusUsage, "there is no command %s: %s", resource.Echo(args[0]), orAll(args[0], names())))
}

func names() (out []string) {
	for _, c := range commands() {
		out = append(out, c.name)
	}
	return out
}

// orAll ends a message about an unknown name.
func orAll(name string, all []string) string {
	if near := resource.Nearest(name, all); len(near) > 0 {
		return "did you mean " + strings.Join(near, " or ") + "?"
	}
	return "write one of " + strings.Join(all, ", ")
}

func help(w io.Writer) {
	printf(w, "tenantry serves the tables of a database to agents, each tenant its own rows.\n\n")
	for _, c := range commands() {
		printf(w, "  tenantry %s\n        %s\n", strings.TrimSpace(c.name+" "+c.args), c.about)
	}
	printf(w, "\nEvery command that reads a file takes --log json|text and --log-level debug|info|warn|error.\n")
}

// report tells an error on stderr, one line for each mistake, and returns the exit status.
func report(t *terminal, name string, err error) int {
	if err == nil || errors.Is(err, errHelp) {
		return 0
	}
	status := statusFailed
	if f, ok := errors.AsType[*failure](err); ok {
		status = f.status
		if f.err == nil {
			return status
		}
	}
	for _, one := range leaves(err) {
		say(t.err, strings.TrimSpace("tenantry "+name), one)
	}
	return status
}

// say writes one line. A mistake in a file begins with its place, as a compiler's message does.
func say(w io.Writer, who string, err error) {
	text := oneLine(err.Error())
	if lines, ok := err.(steps); ok {
		text = string(lines)
	}
	if _, ok := errors.AsType[*descriptor.Mistake](err); !ok {
		text = who + ": " + text
	}
	printf(w, "%s\n", text)
}

// printf writes to a stream of the terminal. Of one that is gone there is nobody to tell.
func printf(w io.Writer, format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) }

// leaves takes joined errors apart.
func leaves(err error) []error {
	if f, ok := err.(*failure); ok {
		return leaves(f.err)
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var out []error
	for _, one := range joined.Unwrap() {
		out = append(out, leaves(one)...)
	}
	return out
}

// oneLine joins the lines of a text.
func oneLine(s string) string {
	var lines []string
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, " ")
}
