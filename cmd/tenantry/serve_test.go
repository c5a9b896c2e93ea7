package main

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/descriptor"
)

const getTwo = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"shop_get","arguments":{"resource":"orders","id":2,"fields":["id"]}}}`

// ready waits for the line that says where a server listens, and drains what follows it.
func (r *running) ready(t *testing.T) (url string) {
	t.Helper()
	lines := bufio.NewScanner(r.err)
	for lines.Scan() {
		if url, ok := strings.CutPrefix(lines.Text(), "listening on "); ok {
			go func() { _, _ = io.Copy(io.Discard, r.err) }()
			return url
		}
	}
	t.Fatal("the server never said that it listens")
	return ""
}

func post(t *testing.T, url string, body io.Reader) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer acme-hunter2")
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

func content(t *testing.T, resp *http.Response) string {
	t.Helper()
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestServe(t *testing.T) {
	t.Parallel()
	r := start(t, shop(t), "serve", "--config", shopFile)
	url := r.ready(t)
	origin, ok := strings.CutSuffix(url, "/mcp")
	if !ok || !strings.HasPrefix(url, "http://127.0.0.1:") {
		t.Fatalf("listening on %q", url)
	}
	for path, want := range map[string]string{"/livez": "200 OK ok\n", "/readyz": "200 OK ok\n", "/other": "404 Not Found 404 page not found\n"} {
		resp, err := http.Get(origin + path)
		if err != nil {
			t.Fatal(err)
		}
		same(t, want, resp.Status+" "+content(t, resp))
	}
	resp := post(t, url, strings.NewReader(getTwo))
	if body := content(t, resp); resp.StatusCode != http.StatusOK || !strings.Contains(body, `"structuredContent":{"resource":"orders","row":{"id":2}}`) {
		t.Errorf("%s %s", resp.Status, body)
	}
	r.end()
	out, _ := io.ReadAll(r.out)
	if status := <-r.status; status != 0 || len(out) > 0 {
		t.Errorf("ended with %d after printing %q", status, out)
	}
}

// TestServeFinishesCalls tells a server to end while half of a call is on its way.
func TestServeFinishesCalls(t *testing.T) {
	t.Parallel()
	r := start(t, shop(t), "serve", "--config", shopFile)
	url := r.ready(t)
	address := strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/mcp")
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	half := len(getTwo) / 2
	printf(conn, "POST /mcp HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer acme-hunter2\r\nContent-Type: application/json\r\n"+
		"Accept: application/json, text/event-stream\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n", address, len(getTwo))
	in := bufio.NewReader(conn)
	// The server asks for the body once the handler reads it, so that the call is known to be in flight.
	if line, err := in.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("%q, %v", line, err)
	}
	if _, err := in.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	printf(conn, "%s", getTwo[:half])
	r.end()
	for refused := false; !refused; { // no more calls are taken
		c, err := net.Dial("tcp", address)
		if refused = err != nil; !refused {
			_ = c.Close()
		}
	}
	printf(conn, "%s", getTwo[half:])
	resp, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if body := content(t, resp); !strings.Contains(body, `"row":{"id":2}`) {
		t.Errorf("%s %s", resp.Status, body)
	}
	if status := <-r.status; status != 0 {
		t.Errorf("ended with %d", status)
	}
}

func TestNotReady(t *testing.T) {
	t.Parallel()
	file, err := descriptor.Load(shopFile, lookup(shop(t)))
	if err != nil {
		t.Fatal(err)
	}
	a, err := open(t.Context(), file, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	l, err := newListener(a)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	a.close()
	for path, want := range map[string]string{"/livez": "200 ok\n", "/readyz": "503 not ready\n"} {
		w := httptest.NewRecorder()
		l.server.Handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		same(t, want, fmt.Sprintf("%d %s", w.Code, w.Body))
	}
}

func TestServeAddressInUse(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	got := tenantry(t, shop(t), "serve", "--config", shopFile, "--log-level", "error", "--listen", l.Addr().String())
	want := "tenantry serve: cannot listen: listen tcp " + l.Addr().String() + ": bind: address already in use: choose another address with --listen\n"
	same(t, outcome{statusFailed, "", want}, got)
}

func TestServeStdio(t *testing.T) {
	t.Parallel()
	env := shop(t)
	env[tokenVariable] = "acme-hunter2"
	r := start(t, env, "serve", "--config", shopFile, "--stdio")
	log := make(chan string, 1)
	go func() {
		all, _ := io.ReadAll(r.err)
		log <- string(all)
	}()
	out := bufio.NewReader(r.out)
	for _, tc := range []struct{ send, want string }{
		{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`, `"serverInfo":{"name":"tenantry"`},
		{`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" + getTwo, `"id":7`},
	} {
		printf(r.in, "%s\n", tc.send)
		line, err := out.ReadString('\n')
		if err != nil || !strings.Contains(line, tc.want) {
			t.Fatalf("%q, %v", line, err)
		}
	}
	r.end() // stdin stays open, as it does when a process is told to end
	if rest, err := out.ReadString('\n'); err != io.EOF || rest != "" {
		t.Errorf("%q, %v", rest, err)
	}
	if status := <-r.status; status != 0 {
		t.Errorf("ended with %d", status)
	}
	if text := <-log; strings.Contains(text, cutShort) {
		t.Error(text)
	}
}

func TestServeStdioEnds(t *testing.T) {
	t.Parallel()
	env := shop(t)
	env[tokenVariable] = "acme-hunter2"
	same(t, outcome{}, tenantry(t, env, "serve", "--config", shopFile, "--stdio", "--log-level", "error"))
	env[tokenVariable] = "hunter2"
	want := "tenantry serve: TENANTRY_TOKEN is no token of auth.static in testdata/shop.yaml: set it to one\n"
	same(t, outcome{statusUsage, "", want}, tenantry(t, env, "serve", "--config", shopFile, "--stdio", "--log-level", "error"))
}
