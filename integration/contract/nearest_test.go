package contract_test

import (
	"context"
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/tenant"
)

// An unknown name costs what reading it costs, wherever it stands and whatever its length: looking for near
// names ends before it begins. The answer is small, too. This test counts allocations, so that it runs alone.
func TestUnknownNamesAreCheap(t *testing.T) {
	s := newSQLite(t).start(t, twins)
	server, err := mcpserver.New(s.exec, &mcpserver.Options{Events: func(context.Context, mcpserver.Event) {}})
	if err != nil {
		t.Fatal(err)
	}
	one, err := tenant.Int(1)
	if err != nil {
		t.Fatal(err)
	}
	p, err := auth.NewPrincipal(auth.Grant{Subject: "alice", Tenants: []tenant.ID{one}, Scopes: []string{"orders:read"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, form := range map[string]string{
		"resource":   `{"resource":"NAME"}`,
		"argument":   `{"resource":"orders","NAME":1}`,
		"field":      `{"resource":"orders","fields":["NAME"]}`,
		"sort":       `{"resource":"orders","sort":["NAME"]}`,
		"include":    `{"resource":"orders","include":["NAME"]}`,
		"count":      `{"resource":"orders","count":"NAME"}`,
		"filter key": `{"resource":"orders","filter":{"NAME":1}}`,
		"operator":   `{"resource":"orders","filter":{"id":{"op":"NAME","value":1}}}`,
		"member":     `{"resource":"orders","filter":{"id":{"NAME":1}}}`,
		"value":      `{"resource":"orders","filter":{"urgent":"NAME"}}`,
	} {
		cost := func(length int) (allocated uint64, body []byte) {
			arguments := json.RawMessage(strings.ReplaceAll(form, "NAME", strings.Repeat("n", length)))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			body, isError, err := server.Call(t.Context(), p, "list", arguments)
			runtime.ReadMemStats(&after)
			if err != nil || !isError {
				t.Fatalf("%s: %v %.200s", name, err, body)
			}
			return after.TotalAlloc - before.TotalAlloc, body
		}
		cost(100) // what is kept after the first call
		short, _ := cost(100)
		const length = 1 << 20
		long, body := cost(length)
		if long > short+3*length {
			t.Errorf("%s: %d bytes for a long name, %d for a short one", name, long, short)
		}
		if len(body) > 4<<10 {
			t.Errorf("%s: an answer of %d bytes", name, len(body))
		}
	}
}
