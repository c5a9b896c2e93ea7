package mcpserver_test

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/tenant"
)

// capable is a handshake of a client that shows forms.
var capable = strings.Replace(handshake, `"capabilities":{}`, `"capabilities":{"elicitation":{"form":{}}}`, 1)

// What a caller was granted may end while it is asked which tenant is meant.
func TestExpiresWhileAsked(t *testing.T) {
	t.Parallel()
	for _, call := range []string{toolCall("list", `{"resource":"orders"}`), toolCall("peek", `{"id":1}`)} {
		asked, last := false, ""
		for life := 500 * time.Millisecond; !asked && life < time.Hour; life *= 4 { // a busy machine may come too late to ask
			p, err := auth.NewPrincipal(auth.Grant{
				Subject: "eve", Tenants: []tenant.ID{intTenant(t, 1), intTenant(t, 2)}, Expires: time.Now().Add(life), Scopes: []string{"orders:read"},
			})
			if err != nil {
				t.Fatal(err)
			}
			answers := stdioConversationOf(t, newServer(t, newShop(), staffed(newWorkshop(nil), quiet())), p, capable+call+"\n", func(line string) string {
				if !strings.Contains(line, `"elicitation/create"`) {
					return ""
				}
				asked = true
				time.Sleep(time.Until(p.Expires()))
				return `{"jsonrpc":"2.0","id":"ask-1","result":{"action":"accept","content":{"tenant":"1"}}}` + "\n"
			})
			last = answers[len(answers)-1]
		}
		if !asked || !strings.Contains(last, "unauthenticated") {
			t.Errorf("asked: %t, %s", asked, last)
		}
	}
}

// A handshake that comes again, or too late, is refused and breaks nothing.
func TestHandshakeTwice(t *testing.T) {
	t.Parallel()
	again := strings.Replace(strings.Split(handshake, "\n")[0], `"init"`, `1`, 1) + "\n"
	s := newServer(t, newShop(), staffed(newWorkshop(nil), quiet()))
	for name, first := range map[string]string{"twice": handshake, "late": strings.Replace(request("server/discover", "{"+modernMeta+"}"), `"id":1`, `"id":2`, 1) + "\n"} {
		answers := stdioConversation(t, s, tokenOne, first, func(string) string { return again })
		if len(answers) != 2 || !strings.HasPrefix(answers[1], `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,`) {
			t.Errorf("%s: %v", name, answers)
		}
	}
}

// A session speaks what was agreed on, whatever the client asked for.
func TestSessionSpeaksWhatWasAgreed(t *testing.T) {
	t.Parallel()
	for _, wanted := range []string{"2026-07-28", "2099-01-01", "2025-01-01"} {
		for _, opts := range []*mcpserver.Options{quiet(), staffed(newWorkshop(nil), quiet())} {
			asked := false
			answers := stdioConversation(t, newServer(t, newShop(), opts), tokenMany, strings.Replace(capable, stable, wanted, 1)+toolCall("list", `{"resource":"orders"}`)+"\n", func(line string) string {
				if !strings.Contains(line, `"elicitation/create"`) {
					return ""
				}
				asked = true
				return `{"jsonrpc":"2.0","id":"ask-1","result":{"action":"accept","content":{"tenant":"1"}}}` + "\n"
			})
			if got := answers[len(answers)-1]; !asked || !strings.Contains(got, `"tenant":"1"`) {
				t.Errorf("%s: %v", wanted, answers)
			}
		}
	}
}

// The context ends the serving, also of a client that does not read and of a handler that waits for a person.
func TestStdioIsLeft(t *testing.T) {
	t.Parallel()
	waiting := make(chan struct{}, 1)
	set := mcpserver.NewToolset(nil)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "stubborn"}, func(ctx context.Context, c *mcpserver.Call, _ struct{}) (named, error) {
		waiting <- struct{}{}
		_, err := mcpserver.Ask[struct{}](context.WithoutCancel(ctx), c, "sure", "Sure?")
		return named{}, err
	})
	opts := quiet()
	opts.Tools = set
	for name, out := range map[string]io.Writer{"asks": io.Discard, "does not read": blocked{t.Context()}} {
		ctx, cancel := context.WithCancel(t.Context())
		stdin, feed := io.Pipe()
		s := newServer(t, newShop(), quiet())
		call := request("ping", "{}") + "\n"
		if name == "asks" {
			s, call = newServer(t, newShop(), opts), toolCall("stubborn", "{}")+"\n"
		}
		go func() {
			_, _ = io.WriteString(feed, capable+call)
			if name == "asks" {
				<-waiting
			}
			cancel()
		}()
		if err := s.ServeStdio(ctx, principal(t, tokenOne), stdin, out); err != context.Canceled {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// blocked is a stream that nobody reads.
type blocked struct{ ctx context.Context }

func (b blocked) Write([]byte) (int, error) {
	<-b.ctx.Done()
	return 0, b.ctx.Err()
}

// A client that goes away is no failure of a predicate, and changes no list.
func TestCancelledDecisions(t *testing.T) {
	t.Parallel()
	var armed atomic.Bool // the predicate waits for its caller to go away
	asked := make(chan struct{}, 1)
	policy := mcpserver.NewPolicy()
	err := policy.Register("slow", func(ctx context.Context, _ *auth.Principal, _ string) (bool, error) {
		if armed.CompareAndSwap(true, false) {
			asked <- struct{}{}
			<-ctx.Done()
			return false, ctx.Err()
		}
		return true, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	set := mcpserver.NewToolset(policy)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "slow", Description: "Slow.", Gate: "slow(x)"}, func(context.Context, *mcpserver.Call, struct{}) (named, error) { return named{}, nil })
	j := &journal{}
	opts := logged(j)
	opts.Tools = set
	stdin, feed := io.Pipe()
	stdout, out := io.Pipe()
	done, p := make(chan error, 1), principal(t, tokenOne)
	go func() { done <- newServer(t, newShop(), opts).ServeStdio(t.Context(), p, stdin, out) }()
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 1<<20)
	exchange := func(say string) string {
		cancels := armed.Load()
		go func() {
			_, _ = io.WriteString(feed, say)
			if cancels {
				<-asked
				_, _ = io.WriteString(feed, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`+"\n")
			}
		}()
		lines.Scan()
		return lines.Text()
	}
	list, call := request("tools/list", "{}")+"\n", toolCall("slow", "{}")+"\n"
	exchange(handshake)
	exchange(list)
	for _, cancelled := range []string{call, list} {
		armed.Store(true)
		if got := exchange(cancelled); strings.Contains(got, "list_changed") || strings.Contains(got, "no tool") {
			t.Error(got)
		}
		if got := exchange(call); !strings.Contains(got, `"structuredContent":{"name":""}`) {
			t.Error(got)
		}
	}
	_ = feed.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
	events, log := j.read()
	var outcomes []mcpserver.Outcome
	for _, e := range events {
		outcomes = append(outcomes, e.Outcome)
	}
	if diff := cmp.Diff([]mcpserver.Outcome{"canceled", "ok", "ok"}, outcomes); diff != "" || log != "" {
		t.Errorf("%s%s", diff, log)
	}
}

// A log that cannot be written ends one call and not the process.
func TestCrashingLog(t *testing.T) {
	t.Parallel()
	policy := mcpserver.NewPolicy()
	if err := policy.Register("fails", func(context.Context, *auth.Principal, string) (bool, error) { panic("x") }); err != nil {
		t.Fatal(err)
	}
	set := mcpserver.NewToolset(policy)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "one", Description: "One.", Gate: "fails(a)"}, func(context.Context, *mcpserver.Call, struct{}) (named, error) { return named{}, nil })
	opts := quiet()
	log := &crashingLog{Handler: slog.DiscardHandler}
	opts.Tools, opts.Logger = set, slog.New(log)
	s := newServer(t, newShop(), opts)
	for _, name := range []string{"one", "none"} {
		log.crashes = 1
		lines := pipe(t, s, handshake+toolCall(name, "{}")+"\n")
		if len(lines) != 1 || !strings.Contains(lines[0], "internal error") {
			t.Error(lines)
		}
	}
}

// crashingLog crashes for so many records.
type crashingLog struct {
	slog.Handler
	crashes int
}

func (*crashingLog) Enabled(context.Context, slog.Level) bool { return true }

func (l *crashingLog) Handle(context.Context, slog.Record) error {
	if l.crashes--; l.crashes >= 0 {
		panic("the disk is full")
	}
	return nil
}
