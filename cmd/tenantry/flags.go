package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// flags are the arguments of one command. Flags may stand before and behind the other arguments.
type flags struct {
	*flag.FlagSet
	command command
	args    []string
	rest    []string // what is no flag, after parse

	config, format, level *string
}

func newFlags(c command, args []string) *flags {
	f := &flags{FlagSet: flag.NewFlagSet(c.name, flag.ContinueOnError), command: c, args: args}
	f.SetOutput(io.Discard)
	return f
}

// logging adds the flags of the log, at a default level.
func (f *flags) logging(level string) {
	f.format = f.String("log", "text", "the form of the log on stderr: json or text")
	f.level = f.String("log-level", level, "the least level that is logged: debug, info, warn or error")
}

// file adds the flags of a command that reads a file.
func (f *flags) file(level string) {
	f.config = f.String("config", "", "the YAML file that declares the resources")
	f.logging(level)
}

// parse reads the arguments. More than most others than flags are bad usage.
func (f *flags) parse(t *terminal, least, most int) error {
	for args := f.args; ; {
		if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
			f.usage(t.out)
			return errHelp
		} else if err != nil {
			return f.bad("%v", err)
		}
		if f.NArg() == 0 {
			break
		}
		f.rest = append(f.rest, f.Arg(0))
		args = f.Args()[1:]
	}
	switch {
	case f.config != nil && *f.config == "":
		return f.bad("--config is missing")
	case len(f.rest) < least:
		return f.bad("an argument is missing")
	case len(f.rest) > most:
		return f.bad("%q is an argument too many", f.rest[most])
	}
	return nil
}

// bad is the error of bad usage: what is wrong, and the right form.
func (f *flags) bad(format string, args ...any) error {
	return failf(statusUsage, "%s: write tenantry %s", fmt.Sprintf(format, args...), strings.TrimSpace(f.command.name+" "+f.command.args))
}

func (f *flags) usage(w io.Writer) {
	printf(w, "tenantry %s\n\n%s.\n", strings.TrimSpace(f.command.name+" "+f.command.args), f.command.about)
	f.VisitAll(func(one *flag.Flag) {
		value := ""
		if one.DefValue != "" && one.DefValue != "false" {
			value = " (" + one.DefValue + ")"
		}
		printf(w, "  --%-10s %s%s\n", one.Name, one.Usage, value)
	})
}

// logger returns the log that the flags ask for.
func (f *flags) logger(w io.Writer) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(*f.level)); err != nil {
		return nil, f.bad("--log-level is debug, info, warn or error")
	}
	opts := &slog.HandlerOptions{Level: level}
	switch *f.format {
	case "json":
		return slog.New(slog.NewJSONHandler(w, opts)), nil
	case "text":
		return slog.New(slog.NewTextHandler(w, opts)), nil
	default:
		return nil, f.bad("--log is json or text")
	}
}
