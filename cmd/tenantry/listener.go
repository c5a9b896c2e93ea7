package main

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// The times of the HTTP server. Answers have no limit of their own: a call ends by the timeouts of its
// statements.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 30 * time.Second
	idleTimeout   = 2 * time.Minute
	readyTimeout  = 2 * time.Second
	grace         = 20 * time.Second // for the calls in flight when the process is told to end
	maxHeader     = 32 << 10
)

const cutShort = "calls that did not end in time were cancelled"

// listener is a listening HTTP server.
type listener struct {
	net.Listener
	app    *app
	server *http.Server
}

// newListener binds the address of the file.
func newListener(a *app) (*listener, error) {
	handler, err := a.server.HTTP(a.tokens)
	if err != nil {
		return nil, failf(statusBadFile, "%s: server: %v", a.file.Name, err)
	}
	l := &listener{app: a}
	if l.Listener, err = net.Listen("tcp", a.file.Server.Listen); err != nil {
		return nil, failf(statusFailed, "cannot listen: %v: choose another address with --listen", err)
	}
	mux := http.NewServeMux()
	mux.Handle(a.file.Server.Path, handler)
	mux.HandleFunc("/livez", func(w http.ResponseWriter, _ *http.Request) { health(w, true) })
	mux.HandleFunc("/readyz", func(w http.ResponseWriter, r *http.Request) { health(w, l.ready(r.Context())) })
	l.server = &http.Server{
		Handler: mux, ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: maxHeader, ErrorLog: slog.NewLogLogger(a.log.Handler(), slog.LevelWarn),
	}
	return l, nil
}

// url is where clients of this machine find the MCP endpoint.
func (l *listener) url() string { return "http://" + l.Addr().String() + l.app.file.Server.Path }

// serve answers until ctx ends; then it takes no more calls and finishes those in flight.
func (l *listener) serve(ctx context.Context, stderr io.Writer) error {
	calls, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	l.server.BaseContext = func(net.Listener) context.Context { return calls }
	ended := make(chan error, 1)
	go func() { ended <- l.server.Serve(l.Listener) }()
	printf(stderr, "listening on %s\n", l.url())
	select {
	case err := <-ended:
		return failf(statusFailed, "serving ended: %v", err)
	case <-ctx.Done():
	}
	l.app.log.Info("finishing the calls in flight")
	last, stop := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer stop()
	if err := l.server.Shutdown(last); err != nil {
		l.app.log.Warn(cutShort)
		cancel()
		_ = l.server.Close() // nothing is left that could be told
	}
	return nil
}

// ready reports whether the next call can be answered.
func (l *listener) ready(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	return l.app.exec.Ping(ctx) == nil
}

// health answers a probe and says nothing of what it found.
func health(w http.ResponseWriter, ok bool) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	text := "ok\n"
	if !ok {
		w.WriteHeader(http.StatusServiceUnavailable)
		text = "not ready\n"
	}
	_, _ = io.WriteString(w, text) // a probe that has gone needs no answer
}

// afterGrace cancels the calls that a signal found in flight, unless they end in time.
func (a *app) afterGrace(calls context.Context, cancel context.CancelFunc) {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-timer.C:
		a.log.Warn(cutShort)
		cancel()
	case <-calls.Done():
	}
}
