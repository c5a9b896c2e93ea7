package mcpserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tenantry/tenantry/mcpserver"
)

const (
	countProgress = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1,"total":3,"message":"step <1>"}}`
	withProgress  = `"_meta":{"progressToken":"t"}`
)

// Over HTTP progress opens a stream, for clients that asked for progress and take streams.
func TestProgressOverHTTP(t *testing.T) {
	t.Parallel()
	url := serve(t, newShop(), staffed(newWorkshop(nil), quiet()))
	count := request("tools/call", `{"name":"count","arguments":{},`+withProgress+`}`)
	res := post(t, url, count, "Accept", "application/json, text/event-stream")
	if res.Status != http.StatusOK || res.Header.Get("Content-Type") != "text/event-stream" || res.Header.Get("X-Accel-Buffering") != "no" || res.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%d %v", res.Status, res.Header)
	}
	events := strings.Split(strings.TrimSuffix(res.Body, "\n\n"), "\n\n")
	if len(events) != 4 {
		t.Fatalf("%d events: %s", len(events), res.Body)
	}
	want := "event: message\ndata: " + countProgress
	for i, e := range events[:3] {
		if step := string(rune('1' + i)); e != strings.NewReplacer(`"progress":1`, `"progress":`+step, "<1>", "<"+step+">").Replace(want) {
			t.Error(e)
		}
	}
	answer, ok := strings.CutPrefix(events[3], "event: message\ndata: ")
	plain := post(t, url, count, "Accept", "application/json")
	if plain.Header.Get("Content-Type") != "application/json" || !ok || answer != plain.Body || resultOf(t, answer).Structured != `{"name":"done"}` {
		t.Errorf("%s\n%s", answer, plain.Body)
	}
	for name, headers := range map[string][]string{
		"no Accept": {"Accept", ""}, "refused": {"Accept", "application/json, text/event-stream;q=0"},
	} {
		if got := post(t, url, count, headers...); got.Body != plain.Body {
			t.Errorf("%s: %s", name, got.Body)
		}
	}
	for name, body := range map[string]string{
		"no token":  request("tools/call", `{"name":"count","arguments":{}}`),
		"odd token": request("tools/call", `{"name":"count","arguments":{},"_meta":{"progressToken":{}}}`),
	} {
		if got := post(t, url, body, "Accept", "application/json, text/event-stream"); got.Body != plain.Body {
			t.Errorf("%s: %s", name, got.Body)
		}
	}
	if got := post(t, url, request("tools/call", `{"name":"fate","arguments":{"name":"crash"},`+withProgress+`}`), "Accept", "application/json, text/event-stream"); !resultOf(t, got.Body).IsError {
		t.Errorf("%s", got.Body)
	}
}

// Events reach the client while the call is still running.
func TestProgressIsNotHeldBack(t *testing.T) {
	t.Parallel()
	set := mcpserver.NewToolset(nil)
	seen := make(chan struct{})
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "hold"}, func(ctx context.Context, c *mcpserver.Call, _ struct{}) (named, error) {
		c.Progress(ctx, 0.5, 0, "")
		select {
		case <-seen:
			return named{"two\nlines"}, nil
		case <-ctx.Done():
			return named{}, ctx.Err()
		}
	})
	opts := quiet()
	opts.Tools = set
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, serve(t, newShop(), opts), strings.NewReader(request("tools/call", `{"name":"hold","arguments":{},"_meta":{"progressToken":7}}`)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + tokenOne}, "Accept": {"application/json, text/event-stream"}}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "data: ") {
	}
	if want := `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":0.5}}`; lines.Text() != want {
		t.Error(lines.Text())
	}
	close(seen)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "data: ") {
	}
	if data, ok := strings.CutPrefix(lines.Text(), "data: "); !ok || resultOf(t, data).Structured != `{"name":"two\nlines"}` {
		t.Error(lines.Text())
	}
}

// The SDK's client is told over both transports.
func TestProgressForClients(t *testing.T) {
	t.Parallel()
	s := newServer(t, newShop(), staffed(newWorkshop(nil), quiet()))
	for _, over := range []string{"HTTP", "stdio", "session"} {
		var mu sync.Mutex
		var got []float64
		all := make(chan struct{})
		session := dial(t, s, over, tokenOne, &mcp.ClientOptions{
			ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
				mu.Lock()
				defer mu.Unlock()
				if got = append(got, req.Params.Progress); len(got) == 3 {
					close(all)
				}
			},
		})
		params := &mcp.CallToolParams{Name: "count"}
		params.SetProgressToken("p")
		if res, err := session.CallTool(t.Context(), params); structured(t, res, err) != `{"name":"done"}` {
			t.Errorf("%s: %+v", over, res)
		}
		<-all
		if diff := cmp.Diff([]float64{1, 2, 3}, got); diff != "" {
			t.Errorf("%s: %s", over, diff)
		}
	}
}

// A handler learns that its client is gone, or has cancelled the call.
func TestHandlerIsCancelled(t *testing.T) {
	t.Parallel()
	wait := toolCall("fate", `{"name":"wait"}`)
	t.Run("HTTP", func(t *testing.T) {
		t.Parallel()
		w, j := newWorkshop(nil), &journal{}
		url := serve(t, newShop(), staffed(w, j.options()))
		ctx, cancel := context.WithCancel(t.Context())
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(wait))
		if err != nil {
			t.Fatal(err)
		}
		req.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + tokenOne}}
		go func() {
			<-w.shop.started
			cancel()
		}()
		if res, err := http.DefaultClient.Do(req); err == nil {
			_ = res.Body.Close()
		}
		if cause := <-w.shop.ended; !errors.Is(cause, context.Canceled) {
			t.Errorf("ended with %v", cause)
		}
	})
	t.Run("stdio", func(t *testing.T) {
		t.Parallel()
		w, j := newWorkshop(nil), &journal{}
		s := newServer(t, newShop(), staffed(w, j.options()))
		session := connect(t, s, "stdio", tokenOne, nil)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-w.shop.started
			cancel()
		}()
		if _, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "fate", Arguments: map[string]any{"name": "wait"}}); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		if cause := <-w.shop.ended; !errors.Is(cause, context.Canceled) {
			t.Errorf("ended with %v", cause)
		}
	})
}

// What is answered on stdio and over HTTP is the same, result for result.
func TestHostedFrontAnswersAsTheSDK(t *testing.T) {
	t.Parallel()
	for _, content := range []mcpserver.Content{mcpserver.ContentBoth, mcpserver.ContentText, mcpserver.ContentStructured} {
		opts := staffed(newWorkshop(nil), quiet())
		opts.Content = content
		s := newServer(t, newShop(), opts)
		for _, params := range []string{
			`"name":"peek","arguments":{"id":9007199254740993}`, `"name":"peek","arguments":{"id":0,"x":1}`, `"name":"peek"`,
			`"name":"fate","arguments":{"name":"a \"quoted\" <b>\u2028"}`, `"name":"fate","arguments":{"name":"several"}`,
		} {
			p, err := principal(t, tokenMany).Activate("2")
			if err != nil {
				t.Fatal(err)
			}
			for version, meta := range map[string]string{stable: "", newest: "," + modernMeta} {
				body := []byte(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{` + params + meta + `}}`)
				viaSDK, err := s.ViaSDK(t.Context(), p, body, version)
				if err != nil {
					t.Fatal(err)
				}
				direct := s.Direct(t.Context(), p, body, version)
				if diff := cmp.Diff(decoded(t, viaSDK), decoded(t, direct)); diff != "" || !json.Valid(direct) {
					t.Errorf("%s %s: %s", content, params, diff)
				}
				if strings.Contains(params, "9007199254740993") && !strings.Contains(string(direct), "9007199254740993") {
					t.Errorf("rounded: %s", direct)
				}
			}
		}
	}
}
