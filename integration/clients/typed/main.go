// Command typed serves the tools that foreign clients are tried on: one for each form that a schema of a host's tool can
// have, and those that the protocol's conformance suite asks for by name. All is in memory.
//
//	typed         over HTTP; prints "prescribed URL" and "desk URL"
//	typed -stdio  for the caller whose token is in TYPED_TOKEN
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/tenant"
)

// grants are the callers: one with few rights, one with all, and one who may act for either tenant.
var grants = map[string]auth.Grant{
	"clerk-token": {Subject: "ada", Tenants: tenants(1), Scopes: []string{"books:read"}},
	"chief-token": {Subject: "ben", Tenants: tenants(2), Scopes: []string{"books:read", "audit", "pay:bank", "refunds:write"}},
	"both-token":  {Subject: "cyd", Tenants: tenants(1, 2), Scopes: []string{"books:read", "refunds:write"}},
}

func main() {
	stdio := flag.Bool("stdio", false, "serve one caller over stdin and stdout")
	flag.Parse()
	ctx := context.Background()
	exec := must(executors.New(ctx, must(openBooks(ctx)), books, &executors.Options{Logger: quiet}))
	desk := must(mcpserver.New(exec, &mcpserver.Options{
		Name: "desk", Prefix: "desk_", Tools: tools(), TenantTitle: title, Logger: quiet,
	}))
	if *stdio {
		p := must(auth.NewPrincipal(grants[os.Getenv("TYPED_TOKEN")])) // an unknown token grants nothing, which is an error
		if err := desk.ServeStdio(ctx, p, os.Stdin, os.Stdout); err != nil {
			log.Fatal(err)
		}
		return
	}
	suite := must(mcpserver.New(exec, &mcpserver.Options{Name: "prescribed", Tools: prescribed(), Logger: quiet}))
	log.Fatal(serve(served{"prescribed", suite}, served{"desk", desk}))
}

var quiet = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))

// served is a server with its place.
type served struct {
	name string
	*mcpserver.Server
}

// serve serves each server at the path of its name, and says so in this order.
func serve(servers ...served) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	verifier, err := auth.NewStatic(grants)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	for _, s := range servers {
		h, err := s.HTTP(verifier)
		if err != nil {
			return err
		}
		mux.Handle("/"+s.name, h)
		fmt.Printf("%s http://%s/%s\n", s.name, l.Addr(), s.name)
	}
	return http.Serve(l, mux)
}

func title(_ context.Context, id tenant.ID) string {
	return map[string]string{"1": "North", "2": "South"}[id.Key()]
}

func tenants(keys ...int64) []tenant.ID {
	out := make([]tenant.ID, len(keys))
	for i, key := range keys {
		out[i] = must(tenant.Int(key))
	}
	return out
}

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}
