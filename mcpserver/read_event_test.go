package mcpserver_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/resource"
)

// One event per reading, refused ones included, without a value; none for what only lists.
func TestReadEvents(t *testing.T) {
	t.Parallel()
	event := func(name string, outcome mcpserver.Outcome, code resource.Code) []mcpserver.Event {
		e := mcpserver.Event{Tool: "resources/read", Resource: name, Outcome: outcome, Code: code}
		if outcome == mcpserver.OutcomeOK {
			e.Rows = 1
		}
		return []mcpserver.Event{e}
	}
	modernRead, modernHeaders := modern("resources/read", `"uri":"tenantry://orders/7"`, "tenantry://orders/7")
	for name, tt := range map[string]struct {
		body    string
		headers []string
		want    []mcpserver.Event
	}{
		"half a client": {strings.Replace(modernRead, `{"name":"t","version":"1"}`, "null", 1), modernHeaders, event("", mcpserver.OutcomeInvalid, "")},
		"row":           {readCall("tenantry://orders/7"), nil, event("orders", mcpserver.OutcomeOK, "")},
		"new revision":  {modernRead, modernHeaders, event("orders", mcpserver.OutcomeOK, "")},
		"wrong header":  {modernRead, append(modernHeaders[:5:5], "tenantry://orders/8"), event("", mcpserver.OutcomeInvalid, "")},
		"schema":        {readCall("tenantry://orders"), nil, event("orders", mcpserver.OutcomeOK, "")},
		"no row":        {readCall("tenantry://orders/SECRET"), nil, event("orders", mcpserver.OutcomeNotFound, resource.NotFound)},
		"hidden":        {readCall("tenantry://payroll/7"), nil, event("_other", mcpserver.OutcomeInvalid, resource.UnknownResource)},
		"elsewhere":     {readCall("file:///SECRET"), nil, event("", mcpserver.OutcomeNotFound, resource.NotFound)},
		"misspelt":      {readCall("tenantry://SECRET/7/8"), nil, event("", mcpserver.OutcomeInvalid, resource.InvalidArgument)},
		"crash":         {readCall("tenantry://crash/7"), nil, event("", mcpserver.OutcomeError, resource.CodeInternal)},
		"no URI":        {request("resources/read", "{}"), nil, event("", mcpserver.OutcomeInvalid, "")},
		"foreign":       {readCall("tenantry://orders/7"), []string{"Tenantry-Tenant", "2"}, event("", mcpserver.OutcomeRefused, resource.Forbidden)},
		"list":          {request("resources/list", "{}"), nil, nil},
		"templates":     {request("resources/templates/list", "{}"), nil, nil},
		"a bad listing": {request("resources/list", `{"cursor":"7"}`), nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := &journal{}
			post(t, serve(t, newLibrary(), j.options()), tt.body, tt.headers...)
			events, log := j.read()
			if diff := cmp.Diff(tt.want, events, cmpopts.IgnoreFields(mcpserver.Event{}, "Caller", "Bytes", "Duration", "Reference")); diff != "" {
				t.Error(diff)
			}
			for _, e := range events {
				if read := e.Code != "" || e.Outcome == mcpserver.OutcomeOK; read != (e.Caller != "") || read != (e.Bytes > 0) {
					t.Errorf("caller %q, %d bytes", e.Caller, e.Bytes)
				}
			}
			if strings.Contains(log, "KEY_ONE") || strings.Contains(log, "SECRET") && name != "crash" {
				t.Errorf("the log: %s", log)
			}
		})
	}
}

// Whatever fails inside shows one sentence and a reference, on both ways in, and ends nothing.
func TestReadFailures(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^\{"jsonrpc":"2.0","id":1,"error":\{"code":-32603,"message":"internal error: try again, or tell the operator this reference: [0-9a-f]{16}"\}\}$`)
	for _, name := range []string{"crash", "broken"} {
		j := &journal{}
		s := newServer(t, newLibrary(), j.options())
		url := serve(t, newLibrary(), j.options())
		body := readCall("tenantry://" + name + "/7")
		for _, got := range append(pipe(t, s, handshake+body+"\n"), post(t, url, body).Body) {
			if !form.MatchString(got) {
				t.Errorf("%s: %s", name, got)
			}
		}
		if _, log := j.read(); !strings.Contains(log, "SECRET") && !strings.Contains(log, "42P01") {
			t.Errorf("the log has no cause: %s", log)
		}
		if again := post(t, url, readCall("tenantry://orders/7")); again.Status != 200 {
			t.Errorf("the server is gone: %d", again.Status)
		}
	}
	j := &journal{}
	body := post(t, serve(t, newLibrary("no list"), j.options()), request("resources/list", "{}")).Body
	if _, log := j.read(); !form.MatchString(body) || !strings.Contains(log, "SECRET") {
		t.Errorf("%s, logged %s", body, log)
	}
}

// A reader that goes away is no longer read for.
func TestReadCancelled(t *testing.T) {
	t.Parallel()
	shop, j := newLibrary(), &journal{}
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, serve(t, shop, j.options()), strings.NewReader(readCall("tenantry://slow/7")))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + tokenOne}}
	go func() {
		<-shop.started
		cancel()
	}()
	if res, err := http.DefaultClient.Do(req); err == nil {
		_ = res.Body.Close()
		t.Errorf("answered with %d", res.StatusCode)
	}
	if cause := <-shop.ended; !errors.Is(cause, context.Canceled) {
		t.Errorf("the reading ended with %v", cause)
	}
	if _, log := j.read(); log != "" {
		t.Errorf("logged: %s", log)
	}
}

func TestReadCancelledOnStdio(t *testing.T) {
	t.Parallel()
	shop := newLibrary()
	in, feed := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error, 1)
	s, p := newServer(t, shop, quiet()), principal(t, tokenOne)
	go func() { done <- s.ServeStdio(t.Context(), p, in, out) }()
	go func() {
		_, _ = io.WriteString(feed, handshake+strings.Replace(readCall("tenantry://slow/7"), `"id":1`, `"id":"mine"`, 1)+"\n")
		<-shop.started
		_, _ = io.WriteString(feed, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"mine"}}`+"\n")
	}()
	lines := bufio.NewScanner(answers)
	for range 2 {
		if !lines.Scan() {
			t.Fatal(lines.Err())
		}
	}
	if cause := <-shop.ended; !errors.Is(cause, context.Canceled) {
		t.Errorf("the reading ended with %v", cause)
	}
	if got := faultOf(t, lines.Text()); got != (rpcError{`"mine"`, -32603}) {
		t.Error(lines.Text())
	}
	_ = feed.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// The SDK's own client reads, lists and completes over both ways in; a transport that is none of ours
// serves nobody.
func TestSDKClientReads(t *testing.T) {
	t.Parallel()
	in, clientOut := io.Pipe()
	clientIn, out := io.Pipe()
	shop := newLibrary()
	s, p := newServer(t, shop, quiet()), principal(t, tokenOne)
	go func() { _ = s.ServeStdio(context.WithoutCancel(t.Context()), p, in, out) }()
	for name, transport := range map[string]mcp.Transport{
		"HTTP":  &mcp.StreamableClientTransport{Endpoint: serve(t, newLibrary(), quiet()), HTTPClient: &http.Client{Transport: withToken{tokenOne}}},
		"stdio": &mcp.IOTransport{Reader: clientIn, Writer: clientOut},
	} {
		session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), transport, nil)
		if err != nil {
			t.Fatal(err)
		}
		listed, err := session.ListResources(t.Context(), nil)
		if err != nil || len(listed.Resources) != len(shop.names) {
			t.Errorf("%s: %v %+v", name, err, listed)
		}
		row, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "tenantry://order%2Flines/A%2F1:3"})
		if err != nil || !strings.Contains(row.Contents[0].Text, `"row":{"id":"A/1:3"`) {
			t.Errorf("%s: %v %+v", name, err, row)
		}
		completed, err := session.Complete(t.Context(), &mcp.CompleteParams{
			Ref:      &mcp.CompleteReference{Type: "ref/resource", URI: "tenantry://{resource}/{id}"},
			Argument: mcp.CompleteParamsArgument{Name: "resource", Value: "order_"},
		})
		if err != nil || cmp.Diff([]string{"order_lines"}, completed.Completion.Values) != "" {
			t.Errorf("%s: %v %+v", name, err, completed)
		}
		_ = session.Close()
	}
	ours, theirs := mcp.NewInMemoryTransports()
	nobodys := newLibrary()
	if _, err := newServer(t, nobodys, quiet()).SDK().Connect(t.Context(), ours, nil); err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	_, listErr := session.ListResources(t.Context(), nil)
	_, readErr := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "tenantry:read"})
	if listErr == nil || readErr == nil || nobodys.calls() > 0 {
		t.Errorf("%v %v, %d readings", listErr, readErr, nobodys.calls())
	}
}
