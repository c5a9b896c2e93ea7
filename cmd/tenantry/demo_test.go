package main

import (
	"bufio"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/descriptor"
)

// cursor is what differs from one run of the demo to the next.
var cursor = regexp.MustCompile(`"next_cursor":"[^"]+"`)

func TestDemoOnce(t *testing.T) {
	t.Parallel()
	got := tenantry(t, nil, "demo", "--once")
	if got.Status != 0 || got.Err != "" {
		t.Fatalf("%d: %s", got.Status, got.Err)
	}
	for _, want := range []string{
		"== Acme, with the token demo-acme-token\n", "== Globex, with the token demo-globex-token\n",
		`get {"resource":"orders","id":"1"}`, `get {"resource":"orders","id":"2"}`,
	} {
		if strings.Count(got.Out, want) != 1 {
			t.Errorf("%q is not there once", want)
		}
	}
	if n := strings.Count(got.Out, `{"error":{"code":"not_found"`); n != 2 {
		t.Errorf("%d calls of the other's order are refused", n)
	}
	acme, globex, _ := strings.Cut(got.Out, "== Globex")
	if !strings.Contains(acme, `"margin":`) || strings.Contains(globex, "margin") {
		t.Error("the margin is Alice's alone to see")
	}
	again := tenantry(t, nil, "demo", "--once")
	same(t, cursor.ReplaceAllString(got.Out, ""), cursor.ReplaceAllString(again.Out, ""))
}

func TestDemoServes(t *testing.T) {
	t.Parallel()
	r := start(t, nil, "demo")
	out := make(chan string, 1)
	go func() {
		all, _ := io.ReadAll(r.out)
		out <- string(all)
	}()
	url := r.ready(t)
	r.end()
	if status := <-r.status; status != 0 {
		t.Errorf("ended with %d", status)
	}
	text := <-out
	for _, want := range []string{"address  " + url, "Bearer " + acmeToken, "Bearer " + globexToken, "claude mcp add", `{"mcpServers":`, "curl -s " + url} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not printed", want)
		}
	}
}

// TestDemoFile holds that the embedded file is one that serve takes, but for its variables.
func TestDemoFile(t *testing.T) {
	t.Parallel()
	_, err := descriptor.Parse("demo.yaml", demoFile, func(name string) (string, bool) {
		if name == "DEMO_LISTEN" {
			return demoListen, true
		}
		return name + "-that-is-long-enough", true
	})
	if err != nil {
		t.Error(err)
	}
	lines := bufio.NewScanner(strings.NewReader(string(demoFile)))
	for lines.Scan() {
		if len(lines.Text()) > 120 {
			t.Errorf("a long line: %s", lines.Text())
		}
	}
}
