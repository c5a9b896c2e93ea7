package mcpserver_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/mcpserver"
)

const handshake = `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// pipe serves what in holds and returns the lines of the answer, without the one of the handshake.
func pipe(t *testing.T, s *mcpserver.Server, in string) []string {
	t.Helper()
	var out strings.Builder
	if err := s.ServeStdio(t.Context(), principal(t, tokenOne), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	return slices.DeleteFunc(lines, func(l string) bool { return strings.Contains(l, `"id":"init"`) })
}

// Each line passes the same checks as an HTTP body, and a bad one ends nothing.
func TestStdioLines(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, line string
		want       []rpcError
	}{
		{"blank", "  ", nil},
		{"bad JSON", `{"id":1`, []rpcError{{"null", -32700}}},
		{"two on a line", request("ping", "{}") + request("ping", "{}"), []rpcError{{"null", -32700}}},
		{"batch", "[" + request("ping", "{}") + "]", []rpcError{{"null", -32600}}},
		{"name twice", `{"jsonrpc":"2.0","id":5,"method":"ping","method":"ping"}`, []rpcError{{"5", -32600}}},
		{"id null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, []rpcError{{"null", -32600}}},
		{"unknown method", `{"jsonrpc":"2.0","id":1.5,"method":"rows/list"}`, []rpcError{{"1.5", -32601}}},
		{"unknown tool", strings.Replace(toolCall("drop", "{}"), `"id":1`, `"id":""`, 1), []rpcError{{`""`, -32602}}},
		{"no name", request("tools/call", `{}`), []rpcError{{"1", -32602}}},
		{"too long", strings.Repeat("x", 5<<20), []rpcError{{"null", -32600}}},
		{"a reply", `{"jsonrpc":"2.0","id":1,"result":{}}`, nil},
		{"unheard notification", `{"jsonrpc":"2.0","method":"notifications/unheard"}`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			lines := pipe(t, newServer(t, newShop(), quiet()), handshake+tt.line+"\n"+`{"jsonrpc":"2.0","id":"last","method":"ping"}`)
			var got []rpcError
			for _, line := range lines {
				if line == `{"jsonrpc":"2.0","id":"last","result":{}}` {
					continue
				}
				got = append(got, faultOf(t, line))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s\n%v", diff, lines)
			}
			if len(lines) != len(tt.want)+1 {
				t.Errorf("the server stopped: %v", lines)
			}
		})
	}
}

// A client that pipes its requests in and closes gets every answer.
func TestStdioCalls(t *testing.T) {
	t.Parallel()
	s := newServer(t, newShop(), quiet())
	var in strings.Builder
	in.WriteString(handshake)
	for range 20 {
		in.WriteString(toolCall("list", `{"resource":"orders"}`) + "\r\n")
	}
	lines := pipe(t, s, in.String())
	if len(lines) != 20 {
		t.Fatalf("%d answers", len(lines))
	}
	for _, line := range lines {
		if res := resultOf(t, line); res.IsError || decodedText(t, res.Text) != decodedText(t, res.Structured) || !strings.HasPrefix(line, `{"jsonrpc":"2.0","id":1,`) {
			t.Error(line)
		}
	}
}

// A call before the handshake is refused without a word of the SDK.
func TestStdioBeforeHandshake(t *testing.T) {
	t.Parallel()
	lines := pipe(t, newServer(t, newShop(), quiet()), toolCall("list", `{"resource":"orders"}`)+"\n")
	if len(lines) != 1 || faultOf(t, lines[0]).Code != -32600 {
		t.Errorf("%v", lines)
	}
}

// The sessionless revision needs no handshake.
func TestStdioSessionless(t *testing.T) {
	t.Parallel()
	lines := pipe(t, newServer(t, newShop(), quiet()), request("tools/call", `{"name":"list","arguments":{"resource":"orders"},`+modernMeta+`}`)+"\n")
	if len(lines) != 1 || resultOf(t, lines[0]).IsError || !strings.Contains(lines[0], `"resultType":"complete"`) {
		t.Errorf("%v", lines)
	}
}

func TestStdioTenant(t *testing.T) {
	t.Parallel()
	s := newServer(t, newShop(), quiet())
	call := func(meta string) string {
		return request("tools/call", `{"name":"list","arguments":{"resource":"orders"}`+meta+`}`) + "\n"
	}
	var out strings.Builder
	in := handshake + call(`,"_meta":{"tenantry/tenant":2}`) + call("")
	if err := s.ServeStdio(t.Context(), principal(t, tokenMany), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); strings.Count(got, `"tenant":"2"`) != 1 || strings.Count(got, `"code":"forbidden"`) != 1 {
		t.Error(got)
	}
}

// notifications/cancelled names the id that the client chose.
func TestStdioCancel(t *testing.T) {
	t.Parallel()
	shop, j := newShop(), &journal{}
	s := newServer(t, shop, j.options())
	in, feed := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- s.ServeStdio(t.Context(), principal(t, tokenOne), in, out) }()
	go func() {
		_, _ = io.WriteString(feed, handshake+strings.Replace(toolCall("list", `{"resource":"slow"}`), `"id":1`, `"id":"mine"`, 1)+"\n")
		<-shop.started
		_, _ = io.WriteString(feed, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"other"}}`+"\n")
		_, _ = io.WriteString(feed, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"mine"}}`+"\n")
	}()
	lines := bufio.NewScanner(answers)
	for range 2 {
		if !lines.Scan() {
			t.Fatal(lines.Err())
		}
	}
	if cause := <-shop.ended; !errors.Is(cause, context.Canceled) {
		t.Errorf("the call ended with %v", cause)
	}
	if !strings.HasPrefix(lines.Text(), `{"jsonrpc":"2.0","id":"mine",`) {
		t.Error(lines.Text())
	}
	_ = feed.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if events, log := j.read(); len(events) != 1 || events[0].Outcome != mcpserver.OutcomeCanceled || log != "" {
		t.Errorf("%+v %s", events, log)
	}
}

// When the server is told to stop, it stops, although its input is still open.
func TestStdioStop(t *testing.T) {
	t.Parallel()
	shop := newShop()
	in, feed := io.Pipe()
	defer func() { _ = feed.Close() }()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- newServer(t, shop, quiet()).ServeStdio(ctx, principal(t, tokenOne), in, io.Discard)
	}()
	_, _ = io.WriteString(feed, handshake+toolCall("list", `{"resource":"slow"}`)+"\n")
	<-shop.started
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("stopped with %v", err)
	}
	if cause := <-shop.ended; cause == nil {
		t.Error("the call was not cancelled")
	}
	if err := newServer(t, shop, quiet()).ServeStdio(t.Context(), nil, strings.NewReader(""), io.Discard); err == nil {
		t.Error("served nobody")
	}
}

// stdioConversation serves what in holds and then what reply makes of each line of the answer, until there has been
// an answer to the call 1, or reply says EOF. It returns the lines.
func stdioConversation(t *testing.T, s *mcpserver.Server, token, in string, reply func(line string) string) (answers []string) {
	t.Helper()
	return stdioConversationOf(t, s, principal(t, token), in, reply)
}

func stdioConversationOf(t *testing.T, s *mcpserver.Server, p *auth.Principal, in string, reply func(line string) string) (answers []string) {
	t.Helper()
	stdin, feed := io.Pipe()
	stdout, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- s.ServeStdio(t.Context(), p, stdin, out)
		_ = out.Close()
	}()
	go func() { _, _ = io.WriteString(feed, in) }()
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		answers = append(answers, lines.Text())
		answer := reply(lines.Text())
		switch {
		case answer == "EOF", strings.HasPrefix(lines.Text(), `{"jsonrpc":"2.0","id":1,`):
			_ = feed.Close()
		case answer != "":
			go func() { _, _ = io.WriteString(feed, answer) }()
		}
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	return answers
}
