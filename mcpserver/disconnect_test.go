package mcpserver_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
)

// failing answers every list with one error.
type failing struct {
	*shop
	err error
}

func (f failing) List(context.Context, *auth.Principal, executors.ListRequest) (*executors.Answer, error) {
	return nil, f.err
}

type sqlError struct{}

func (sqlError) Error() string {
	return `invalid input syntax for type integer: "SECRET" (SQLSTATE 22P02)`
}
func (sqlError) SQLState() string { return "22P02" }

// When the client goes away, what runs for it is cancelled, whatever the revision; and nobody is to blame.
func TestDisconnect(t *testing.T) {
	t.Parallel()
	for version, headers := range map[string][]string{
		stable: {"Mcp-Protocol-Version", stable},
		newest: {"Mcp-Protocol-Version", newest, "Mcp-Method", "tools/call", "Mcp-Name", "list"},
	} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			shop, j := newShop(), &journal{}
			url := serve(t, shop, j.options())
			meta := ""
			if version == newest {
				meta = "," + modernMeta
			}
			ctx, cancel := context.WithCancel(t.Context())
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(request("tools/call", `{"name":"list","arguments":{"resource":"slow"}`+meta+`}`)))
			if err != nil {
				t.Fatal(err)
			}
			req.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + tokenOne}}
			for i := 0; i < len(headers); i += 2 {
				req.Header.Set(headers[i], headers[i+1])
			}
			go func() {
				<-shop.started
				cancel()
			}()
			if res, err := http.DefaultClient.Do(req); err == nil {
				_ = res.Body.Close()
				t.Errorf("answered with %d", res.StatusCode)
			}
			if cause := <-shop.ended; !errors.Is(cause, context.Canceled) {
				t.Errorf("the call ended with %v", cause)
			}
			if _, log := j.read(); log != "" {
				t.Errorf("logged: %s", log)
			}
		})
	}
}

// The SDK's way is cancelled too.
func TestDisconnectBehindTheSDK(t *testing.T) {
	t.Parallel()
	shop := newShop()
	s := newServer(t, shop, quiet())
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-shop.started
		cancel()
	}()
	_, err := s.ViaSDK(ctx, principal(t, tokenOne), []byte(toolCall("list", `{"resource":"slow"}`)), stable)
	if cause := <-shop.ended; cause == nil {
		t.Error("the call was not cancelled")
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the answer is %v", err)
	}
}

// Every call is answered for its own token, although all clients use the same id.
func TestIdentityPerRequest(t *testing.T) {
	t.Parallel()
	url := serve(t, newShop(), quiet())
	s := newServer(t, newShop(), quiet())
	var wg sync.WaitGroup
	for i := range 40 {
		token, want := tokenOne, "1"
		if i%2 == 0 {
			token, want = tokenTwo, "2"
		}
		p := principal(t, token)
		wg.Go(func() {
			res := post(t, url, toolCall("list", `{"resource":"orders"}`), "Authorization", "Bearer "+token)
			if !strings.Contains(res.Body, fmt.Sprintf(`"tenant":%q`, want)) {
				t.Errorf("%s: %s", token, res.Body)
			}
			viaSDK, err := s.ViaSDK(t.Context(), p, []byte(toolCall("list", `{"resource":"orders"}`)), stable)
			if err != nil || !strings.Contains(string(viaSDK), fmt.Sprintf(`"tenant":%q`, want)) {
				t.Errorf("%s behind the SDK: %v %s", token, err, viaSDK)
			}
		})
	}
	wg.Wait()
}

// A crash inside the SDK's own methods stays there.
func TestContain(t *testing.T) {
	t.Parallel()
	j := &journal{}
	s := newServer(t, newShop(), j.options())
	h := s.Contain(func(context.Context, string, mcp.Request) (mcp.Result, error) { panic("SECRET") })
	res, err := h(t.Context(), "tools/list", nil)
	wire, ok := errors.AsType[*jsonrpc.Error](err)
	if res != nil || !ok || wire.Code != jsonrpc.CodeInternalError || strings.Contains(wire.Message, "SECRET") {
		t.Errorf("%v %v", res, err)
	}
	if _, log := j.read(); !strings.Contains(log, "SECRET") {
		t.Errorf("the log has no cause: %s", log)
	}
}

// A transport that is none of ours carries no caller, and then nobody is served.
func TestNoCaller(t *testing.T) {
	t.Parallel()
	shop := newShop()
	ours, theirs := mcp.NewInMemoryTransports()
	if _, err := newServer(t, shop, quiet()).SDK().Connect(t.Context(), ours, nil); err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "list", Arguments: map[string]any{"resource": "orders"}})
	if err != nil || !res.IsError || shop.calls() > 0 {
		t.Errorf("%v %+v", err, res)
	}
}
