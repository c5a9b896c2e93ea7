package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"

	"github.com/tenantry/tenantry/descriptor"
)

// tokenVariable holds the token of a client on stdio, whose messages carry none.
const tokenVariable = "TENANTRY_TOKEN"

// serve serves a file over HTTP or stdio until ctx ends.
func serve(ctx context.Context, t *terminal, f *flags) error {
	f.file("info")
	listen := f.String("listen", "", "the address to listen on, in place of the file's")
	stdio := f.Bool("stdio", false, "serve one client on stdin and stdout; its token is in "+tokenVariable)
	if err := f.parse(t, 0, 0); err != nil {
		return err
	}
	if *stdio && *listen != "" {
		return f.bad("--stdio and --listen exclude each other")
	}
	log, err := f.logger(t.err)
	if err != nil {
		return err
	}
	file, err := load(t, f)
	if err != nil {
		return err
	}
	if *listen != "" {
		if file, err = file.WithListen(*listen); err != nil {
			return f.bad("--listen: %s", strings.ReplaceAll(err.Error(), "\n", "; "))
		}
	}
	if *stdio {
		return serveStdio(ctx, t, file, log)
	}
	return serveHTTP(ctx, t, file, log)
}

func serveHTTP(ctx context.Context, t *terminal, file *descriptor.File, log *slog.Logger) error {
	if len(file.Auth.Static) == 0 {
		return failf(statusBadFile, "%s: nobody could call: write a token under auth.static", file.Name)
	}
	a, err := open(ctx, file, log)
	if err != nil {
		return stopped(ctx, err)
	}
	defer a.close()
	a.warn()
	l, err := newListener(a)
	if err != nil {
		return err
	}
	watching, cancel := context.WithCancel(ctx)
	defer cancel()
	a.watch(watching)
	return l.serve(ctx, t.err)
}

// warn logs what a file leaves to chance.
func (a *app) warn() {
	if len(a.file.CursorKeys) == 0 {
		a.log.Warn("cursors are sealed with a random key and end with this process; write cursor_keys to keep them across restarts and replicas")
	}
}

// stopped makes a start that was interrupted a good end.
func stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// serveStdio serves one client on stdin and stdout. A signal ends its requests, not its answers.
func serveStdio(ctx context.Context, t *terminal, file *descriptor.File, log *slog.Logger) error {
	token, ok := t.env(tokenVariable)
	if !ok || token == "" {
		return failf(statusUsage, "--stdio needs %s, a token of auth.static in %s", tokenVariable, file.Name)
	}
	a, err := open(ctx, file, log)
	if err != nil {
		return stopped(ctx, err)
	}
	defer a.close()
	p, err := a.tokens.Verify(ctx, token, nil)
	if err != nil {
		return failf(statusUsage, "%s is no token of auth.static in %s: set it to one", tokenVariable, file.Name)
	}
	a.warn()
	calls, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	a.watch(calls)
	stop := context.AfterFunc(ctx, func() { a.afterGrace(calls, cancel) })
	defer stop()
	err = a.server.ServeStdio(calls, p, until(ctx, t.in), t.out)
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// until returns a reader that ends when in does, or ctx. A read that is under way when ctx ends is left
// to itself: nothing can end it.
func until(ctx context.Context, in io.Reader) io.Reader {
	out, pipe := io.Pipe()
	go func() {
		_, err := io.Copy(pipe, in)
		pipe.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { _ = pipe.Close() })
	return out
}
