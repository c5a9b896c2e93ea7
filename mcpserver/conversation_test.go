package mcpserver_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/mcpserver"
)

// Whole conversations over HTTP, in the form of txtar: a section "-- NAME --" per message, the client's
// as "send NAME [Header: value]…" and the server's answer to it as "receive NAME". With -update the
// answers are rewritten. Those in hosted are with a server that has tools of its host.
func TestConversations(t *testing.T) {
	t.Parallel()
	conversations(t, "testdata/*.txtar", quiet)
	conversations(t, "testdata/hosted/*.txtar", func() *mcpserver.Options { return staffed(newWorkshop(nil), quiet()) })
}

func conversations(t *testing.T, pattern string, options func() *mcpserver.Options) {
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no conversations: %v", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			opts := options()
			opts.Prefix = "acme_"
			url := serve(t, newShop(), opts)
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			comment, sections := archive(string(data))
			var got strings.Builder
			got.WriteString(comment)
			for _, s := range sections {
				if name, ok := strings.CutPrefix(s.name, "send "); ok {
					converse(t, &got, url, name, s.body)
				}
			}
			if *update {
				if err := os.WriteFile(path, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(data), got.String()); diff != "" {
				t.Errorf("run with -update to rewrite it:\n%s", diff)
			}
		})
	}
}

// converse sends one message and writes both halves of the exchange.
func converse(t *testing.T, out *strings.Builder, url, name, body string) {
	t.Helper()
	title, rest, _ := strings.Cut(name, " [")
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = http.Header{
		"Authorization": {"Bearer " + tokenOne}, "Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
	}
	for h := range strings.SplitSeq(strings.TrimSuffix(rest, "]"), "] [") {
		if header, value, ok := strings.Cut(h, ": "); ok {
			req.Header.Set(header, value)
		}
	}
	res := do(t, req)
	fmt.Fprintf(out, "-- send %s --\n%s-- receive %s: %d --\n", name, body, title, res.Status)
	if res.Body != "" {
		out.WriteString(strings.TrimSuffix(res.Body, "\n") + "\n")
	}
}

type section struct{ name, body string }

// archive reads the txtar format: a comment, then sections that begin with "-- NAME --".
func archive(text string) (comment string, sections []section) {
	for line := range strings.Lines(text) {
		name, isTitle := strings.CutPrefix(strings.TrimSpace(line), "-- ")
		name, isEnd := strings.CutSuffix(name, " --")
		switch {
		case isTitle && isEnd:
			sections = append(sections, section{name: name})
		case len(sections) == 0:
			comment += line
		default:
			sections[len(sections)-1].body += line
		}
	}
	return comment, sections
}
