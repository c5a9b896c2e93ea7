package mcpserver_test

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/executors/sqlite"
	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/registry"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/scope"
	"github.com/tenantry/tenantry/serializer"
	"github.com/tenantry/tenantry/tenant"
)

// orders is an executor over the orders of two accounts.
func orders(ctx context.Context) *executors.Executor {
	db, err := sqlite.OpenMemory(ctx, func(ctx context.Context, db *sql.DB) error {
		_, err := db.ExecContext(ctx, `
			CREATE TABLE orders (id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL, state TEXT);
			INSERT INTO orders VALUES (1, 7, 'paid'), (2, 8, 'paid'), (3, 7, 'open')`)
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	reg := registry.MustNew(nil, resource.Spec{
		Name: "orders", Description: "Orders.", Table: "orders", Scope: scope.Column("account_id"),
		Filterable: resource.Columns{"state": "state"}, Serializer: serializer.Columns("id", "state"),
	})
	exec, err := executors.New(ctx, db, reg, &executors.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		log.Fatal(err)
	}
	return exec
}

func account(key int64) []tenant.ID {
	id, err := tenant.Int(key)
	if err != nil {
		log.Fatal(err)
	}
	return []tenant.ID{id}
}

func ExampleHandler() {
	verifier, err := auth.NewStatic(map[string]auth.Grant{"secret": {Subject: "alice", Tenants: account(7)}})
	if err != nil {
		log.Fatal(err)
	}
	handler, err := mcpserver.Handler(orders(context.Background()), verifier, &mcpserver.Options{
		Name: "acme", Prefix: "acme_", Content: mcpserver.ContentStructured,
		Events: func(_ context.Context, e mcpserver.Event) { fmt.Println(e.Tool, e.Resource, e.Outcome, e.Rows) },
	})
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", handler)
	server := httptest.NewServer(mux)
	defer server.Close()

	req, err := http.NewRequest(http.MethodPost, server.URL+"/mcp", strings.NewReader(
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"acme_list","arguments":{"resource":"orders","filter":{"state":"paid"}}}}`))
	if err != nil {
		log.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer secret")
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(body))
	// Output:
	// list orders ok 1
	// {"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"resource":"orders","rows":[{"id":1,"state":"paid"}],"meta":{"limit":25,"returned":1,"has_more":false}}}}
}

func ExampleServer_Call() {
	ctx := context.Background()
	server, err := mcpserver.New(orders(ctx), &mcpserver.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		log.Fatal(err)
	}
	bob, err := auth.NewPrincipal(auth.Grant{Subject: "bob", Tenants: account(8)})
	if err != nil {
		log.Fatal(err)
	}
	body, isError, err := server.Call(ctx, bob, "get", []byte(`{"resource":"orders","id":2}`))
	fmt.Println(string(body), isError, err)
	_, isError, err = server.Call(ctx, bob, "get", []byte(`{"resource":"orders","id":1}`)) // another account's
	fmt.Println(isError, err)
	_, _, err = server.Call(ctx, bob, "drop", nil)
	fmt.Println(err)
	// Output:
	// {"resource":"orders","row":{"id":2,"state":"paid"}} false <nil>
	// true <nil>
	// mcpserver: there is no tool "drop": use resources, resource_schema, get or list
}

func ExampleServer_ServeStdio() {
	ctx := context.Background()
	server, err := mcpserver.New(orders(ctx), &mcpserver.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		log.Fatal(err)
	}
	bob, err := auth.NewPrincipal(auth.Grant{Subject: "bob", Tenants: account(8)})
	if err != nil {
		log.Fatal(err)
	}
	in := strings.NewReader(`{"jsonrpc":"2.0","id":"a","method":"ping"}` + "\n" + `{"jsonrpc":"2.0","id":"b","method":5}` + "\n")
	var out strings.Builder
	if err := server.ServeStdio(ctx, bob, in, &out); err != nil {
		log.Fatal(err)
	}
	fmt.Print(out.String())
	// Unordered output:
	// {"jsonrpc":"2.0","id":"a","result":{}}
	// {"jsonrpc":"2.0","id":"b","error":{"code":-32600,"message":"\"method\" must be a string"}}
}
