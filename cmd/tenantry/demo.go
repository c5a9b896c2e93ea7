package main

import (
	"context"
	"crypto/rand"
	_ "embed" // demo.yaml
	"encoding/json"
	"io"
	"log/slog"
	"net"

	"github.com/tenantry/tenantry/descriptor"
	"github.com/tenantry/tenantry/executors/sqlite"
)

//go:embed demo.yaml
var demoFile []byte

const (
	demoListen  = "127.0.0.1:8377"
	acmeToken   = "demo-acme-token"
	globexToken = "demo-globex-token"
)

// demo serves an embedded database, after showing what its two tenants see of it.
func demo(ctx context.Context, t *terminal, f *flags) error {
	f.logging("error")
	once := f.Bool("once", false, "print and exit")
	if err := f.parse(t, 0, 0); err != nil {
		return err
	}
	log, err := f.logger(t.err)
	if err != nil {
		return err
	}
	a, err := openDemo(ctx, log)
	if err != nil {
		return stopped(ctx, err)
	}
	defer a.close()
	for _, who := range demoCallers {
		if err := a.show(ctx, t.out, who); err != nil {
			return stopped(ctx, err)
		}
	}
	if *once {
		return nil
	}
	l, err := newListener(a)
	if err != nil {
		return err
	}
	connecting(t.out, l.url())
	return l.serve(ctx, t.err)
}

// openDemo makes the database and reads the embedded file.
func openDemo(ctx context.Context, log *slog.Logger) (*app, error) {
	vars := map[string]string{
		"DEMO_LISTEN": freeAddress(), "DEMO_CURSOR_KEY": rand.Text(),
		"ACME_TOKEN": acmeToken, "GLOBEX_TOKEN": globexToken,
	}
	file, err := descriptor.Parse("demo.yaml", demoFile, func(name string) (string, bool) {
		value, ok := vars[name]
		return value, ok
	})
	if err != nil {
		return nil, err
	}
	db, err := sqlite.OpenMemory(ctx, fillDemo)
	if err != nil {
		return nil, err
	}
	return openOn(ctx, db, file, log)
}

// freeAddress is the usual address, or any free port when another process listens there.
func freeAddress() string {
	l, err := net.Listen("tcp", demoListen)
	if err != nil {
		return "127.0.0.1:0"
	}
	_ = l.Close() // it was only a question
	return demoListen
}

// demoCaller is one of the demo's two tenants with an order of the other.
type demoCaller struct {
	company, token, foreign string
}

var demoCallers = []demoCaller{
	{"Acme", acmeToken, "1"},
	{"Globex", globexToken, "2"},
}

// show prints what one tenant is answered: the resources, a page of orders, what they come to, and an order of the other.
func (a *app) show(ctx context.Context, w io.Writer, who demoCaller) error {
	p, err := a.identify(ctx, who.token, "")
	if err != nil {
		return err
	}
	printf(w, "== %s, with the token %s\n\n", who.company, who.token)
	for _, c := range []struct{ about, tool, args string }{
		{"what it may read", "resources", `{}`},
		{"its largest shipped orders", "list", `{"resource":"orders","filter":{"state":"shipped"},"sort":["-total"],"limit":2,"count":"exact"}`},
		{"its orders in each state", "aggregate", `{"resource":"orders","group_by":["state"],"measures":["count","max:total"]}`},
		{"an order of the other company", "get", `{"resource":"orders","id":"` + who.foreign + `"}`},
	} {
		body, _, err := a.server.Call(ctx, p, c.tool, json.RawMessage(c.args))
		if err != nil {
			return err
		}
		printf(w, "%s:\n  %s %s\n  %s\n\n", c.about, c.tool, c.args, body)
	}
	return nil
}

// connecting prints how a client reaches the server.
func connecting(w io.Writer, url string) {
	printf(w, `== Connect a client

address  %[1]s
Acme     Authorization: Bearer %[2]s
Globex   Authorization: Bearer %[3]s

Claude Code:
  claude mcp add --transport http tenantry-demo %[1]s --header "Authorization: Bearer %[2]s"

Any client with a JSON configuration:
  {"mcpServers":{"tenantry-demo":{"type":"http","url":"%[1]s","headers":{"Authorization":"Bearer %[2]s"}}}}

Without a client:
  curl -s %[1]s -H 'Authorization: Bearer %[3]s' -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \
    -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"resource":"customers","limit":3}}}'

Ctrl-C ends the demo.

`, url, acmeToken, globexToken)
}
