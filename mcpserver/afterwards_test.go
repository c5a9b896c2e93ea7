package mcpserver_test

import (
	"bufio"
	"context"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/schema"
)

// spoken is a stdio session that a test speaks by hand, line by line.
type spoken struct {
	feed  io.WriteCloser
	lines chan string
}

// speak opens a session with these lines, for the caller of a token.
func speak(t *testing.T, s *mcpserver.Server, token, in string) *spoken {
	t.Helper()
	stdin, feed := io.Pipe()
	stdout, out := io.Pipe()
	done, p := make(chan error, 1), principal(t, token)
	go func() {
		done <- s.ServeStdio(context.WithoutCancel(t.Context()), p, stdin, out)
		_ = out.Close()
	}()
	session := &spoken{feed, make(chan string, 64)}
	go func() {
		defer close(session.lines)
		for scanner := bufio.NewScanner(stdout); scanner.Scan(); {
			session.lines <- scanner.Text()
		}
	}()
	t.Cleanup(func() {
		_ = feed.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	session.say(t, in)
	return session
}

func (s *spoken) say(t *testing.T, in string) {
	t.Helper()
	if _, err := io.WriteString(s.feed, in); err != nil {
		t.Fatal(err)
	}
}

// until returns the lines up to the first with this text.
func (s *spoken) until(t *testing.T, text string) (out []string) {
	t.Helper()
	for {
		select {
		case line, ok := <-s.lines:
			if !ok {
				t.Fatalf("the session ended without %s: %q", text, out)
			}
			if out = append(out, line); strings.Contains(line, text) {
				return out
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("nothing with %s: %q", text, out)
		}
	}
}

// A call that a handler keeps is of no use afterwards: nothing is allowed by it, and nothing sent.
func TestKeptCalls(t *testing.T) {
	t.Parallel()
	admin := schema.Gate{Pred: "requires", Arg: "admin"}
	var kept *mcpserver.Call
	during := false
	set := mcpserver.NewToolset(nil)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "keep", Gate: "requires(admin)"}, func(ctx context.Context, c *mcpserver.Call, _ struct{}) (named, error) {
		kept, during = c, c.Allows(admin)
		c.Progress(ctx, 1, 3, "during")
		return named{"kept"}, nil
	})
	opts := quiet()
	opts.Tools = set
	session := speak(t, newServer(t, newShop(), opts), tokenAdmin, handshake+request("tools/call", `{"name":"keep","arguments":{},`+withProgress+`}`)+"\n")
	if got := strings.Join(session.until(t, `"id":1,`), "\n"); !strings.Contains(got, `"message":"during"`) || !strings.Contains(got, `{"name":"kept"}`) {
		t.Fatal(got)
	}
	if !during || kept.Allows(admin) {
		t.Errorf("allowed during the call: %t, and afterwards: %t", during, kept.Allows(admin))
	}
	kept.Progress(t.Context(), 2, 3, "afterwards")
	session.say(t, strings.Replace(request("ping", `{}`), `"id":1`, `"id":2`, 1)+"\n")
	if got := session.until(t, `"id":2,`); len(got) != 1 {
		t.Errorf("sent after the end: %q", got)
	}
}

// Two goroutines of one handler ask one question after the other.
func TestOneQuestionAtATime(t *testing.T) {
	t.Parallel()
	set := mcpserver.NewToolset(nil)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "both"}, func(ctx context.Context, c *mcpserver.Call, _ struct{}) (named, error) {
		answers := make(chan string, 2)
		for _, name := range []string{"left", "right"} {
			go func() {
				answer, err := mcpserver.Ask[struct{}](ctx, c, name, "Turn "+name+"?")
				if err != nil {
					answers <- err.Error()
				} else {
					answers <- string(answer.Action)
				}
			}()
		}
		return named{<-answers + " " + <-answers}, nil
	})
	capable := strings.Replace(handshake, `"capabilities":{}`, `"capabilities":{"elicitation":{"form":{}}}`, 1)
	session := speak(t, newServer(t, newShop(), askingOptions(set)), tokenOne, capable+toolCall("both", `{}`)+"\n")
	session.until(t, `"id":"ask-1"`)
	select {
	case line := <-session.lines:
		t.Fatalf("asked while the first question is open: %s", line)
	case <-time.After(200 * time.Millisecond):
	}
	session.say(t, `{"jsonrpc":"2.0","id":"ask-1","result":{"action":"accept","content":{}}}`+"\n")
	session.until(t, `"id":"ask-2"`)
	session.say(t, `{"jsonrpc":"2.0","id":"ask-2","result":{"action":"accept","content":{}}}`+"\n")
	if got := session.until(t, `"id":1,`); resultOf(t, got[len(got)-1]).Structured != `{"name":"accept accept"}` {
		t.Error(got)
	}
}

// A question ends with its call, whatever context it was put with, and the client is told.
func TestQuestionEndsWithItsCall(t *testing.T) {
	t.Parallel()
	shown, ended := make(chan struct{}), make(chan error, 1)
	set := mcpserver.NewToolset(nil)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "leaves"}, func(_ context.Context, c *mcpserver.Call, _ struct{}) (named, error) {
		go func() {
			_, err := mcpserver.Ask[struct{}](context.Background(), c, "sure", "Sure?")
			ended <- err
		}()
		<-shown
		return named{"done"}, nil
	})
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "exits"}, func(context.Context, *mcpserver.Call, struct{}) (named, error) {
		runtime.Goexit()
		return named{}, nil
	})
	opts := quiet()
	opts.Tools = set
	session := speak(t, newServer(t, newShop(), opts), tokenOne, capable+toolCall("leaves", "{}")+"\n")
	session.until(t, "elicitation/create")
	close(shown)
	if got := session.until(t, "notifications/cancelled"); !strings.Contains(got[len(got)-1], `"requestId":"ask-1"`) {
		t.Error(got)
	}
	if err := <-ended; err == nil {
		t.Error("an answer after the call")
	}
	session.say(t, strings.Replace(toolCall("exits", "{}"), `"id":1`, `"id":2`, 1)+"\n")
	if got := session.until(t, `"id":2`); !strings.Contains(got[len(got)-1], "internal error") {
		t.Error(got)
	}
}
