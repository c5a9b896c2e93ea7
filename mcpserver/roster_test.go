package mcpserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/mcpserver"
)

// lending is what a host allows of two tools, and may change its mind about at any time.
type lending struct {
	tool, field atomic.Bool
	more        int // tools beside the two
}

type rosterIn struct {
	Note *string `json:"note" gate:"granted(field)"`
}

func (g *lending) server(t *testing.T) *mcpserver.Server {
	t.Helper()
	policy := mcpserver.NewPolicy()
	err := policy.Register("granted", func(_ context.Context, _ *auth.Principal, arg string) (bool, error) {
		if arg == "tool" {
			return g.tool.Load(), nil
		}
		return g.field.Load(), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	set := mcpserver.NewToolset(policy)
	run := func(context.Context, *mcpserver.Call, rosterIn) (named, error) { return named{}, nil }
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "kept", AnyTenant: true}, run)
	mcpserver.AddTool(set, mcpserver.ToolSpec{Name: "lent", AnyTenant: true, Gate: "granted(tool)"}, run)
	for i := range g.more {
		mcpserver.AddTool(set, mcpserver.ToolSpec{Name: fmt.Sprintf("more%d", i), AnyTenant: true}, run)
	}
	opts := quiet()
	opts.Tools = set
	return newServer(t, newShop(), opts)
}

// What changes for a caller while its session lasts is told with the call that shows it, once for each list.
func TestListChanged(t *testing.T) {
	t.Parallel()
	const list, kept, lent = "tools/list", `tools/call {"name":"kept"}`, `tools/call {"name":"lent"}`
	const list2 = `tools/list {"_meta":{"tenantry/tenant":2}}`
	const of2 = `tools/call {"name":"kept","_meta":{"tenantry/tenant":2}}`
	for name, tt := range map[string]struct {
		token string
		steps []string // a step with = sets a grant
		want  []string // the answers that had a notification before them
	}{
		"nothing changed":       {tokenOne, []string{list, kept, "field=true", list, kept}, nil},
		"no list":               {tokenOne, []string{kept, "field=true", kept}, nil},
		"a field is given":      {tokenOne, []string{list, "field=true", kept, kept}, []string{"2 " + kept}},
		"a field is taken":      {tokenOne, []string{"field=true", list, "field=false", kept}, []string{"3 " + kept}},
		"a tool is given":       {tokenOne, []string{list, "tool=true", lent, lent}, []string{"2 " + lent}},
		"a tool is taken":       {tokenOne, []string{"tool=true", list, lent, "tool=false", lent, lent}, []string{"4 " + lent}},
		"a tool that never was": {tokenOne, []string{list, lent}, nil},
		"back and forth":        {tokenOne, []string{list, "tool=true", "tool=false", lent}, nil},
		"again after a list":    {tokenOne, []string{list, "field=true", kept, list, "field=false", kept}, []string{"2 " + kept, "5 " + kept}},
		"lists of two tenants":  {tokenMany, []string{list, list2, "field=true", kept, of2, of2}, []string{"3 " + kept, "4 " + of2}},
		"another tenant":        {tokenMany, []string{list, "field=true", of2, kept}, []string{"3 " + kept}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := &lending{}
			var got []string
			at := -1
			next := func() string {
				for at++; at < len(tt.steps); at++ {
					if what, value, ok := strings.Cut(tt.steps[at], "="); ok {
						map[string]*atomic.Bool{"tool": &g.tool, "field": &g.field}[what].Store(value == "true")
						continue
					}
					method, params, _ := strings.Cut(tt.steps[at], " ")
					if params == "" {
						params = "{}"
					}
					return fmt.Sprintf(`{"jsonrpc":"2.0","id":"step","method":%q,"params":%s}`+"\n", method, params)
				}
				return request("ping", "{}") + "\n"
			}
			answers := stdioConversation(t, g.server(t), tt.token, handshake, func(line string) string {
				switch {
				case line == `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`:
					got = append(got, fmt.Sprint(at, " ", tt.steps[at]))
					return ""
				case strings.Contains(line, `"list_changed"`):
					t.Error(line)
				}
				return next()
			})
			if diff := cmp.Diff(tt.want, got); diff != "" || !strings.Contains(answers[0], `"tools":{"listChanged":true}`) {
				t.Errorf("%s\n%.400s", diff, strings.Join(answers, "\n"))
			}
		})
	}
}

// What changes between two pages of a list is told with the second, since the client has them side by side.
func TestListChangesWhileItIsPaged(t *testing.T) {
	t.Parallel()
	for _, changes := range []bool{true, false} {
		g, step, told := &lending{more: 300}, 0, 0
		page := func(id, params string) string {
			return strings.Replace(request("tools/list", params), `"id":1`, `"id":`+id, 1) + "\n"
		}
		stdioConversation(t, g.server(t), tokenOne, handshake, func(line string) string {
			if strings.Contains(line, `"method"`) && strings.Contains(line, "list_changed") {
				told = step
				return ""
			}
			switch step++; step {
			case 1:
				return page("2", "{}")
			case 2:
				g.field.Store(changes)
				return page("3", `{"cursor":"200"}`)
			default:
				return toolCall("kept", "{}") + "\n"
			}
		})
		if told != map[bool]int{true: 2, false: 0}[changes] {
			t.Errorf("changes %t: told after %d", changes, told)
		}
	}
}

// The sessionless revisions are told nothing that they did not ask for: their lists say that they do not last.
func TestListChangedWithoutSession(t *testing.T) {
	t.Parallel()
	g := &lending{}
	kept := strings.Replace(request("tools/call", `{"name":"kept",`+modernMeta+`}`), `"id":1`, `"id":2`, 1) + "\n"
	answers := stdioConversation(t, g.server(t), tokenOne, strings.Replace(request("tools/list", "{"+modernMeta+"}"), `"id":1`, `"id":3`, 1)+"\n", func(line string) string {
		if !strings.Contains(line, `"id":3`) {
			return request("ping", "{}") + "\n"
		}
		g.field.Store(true)
		return kept
	})
	if len(answers) != 3 || !strings.Contains(answers[0], `"ttlMs":0`) || !strings.Contains(answers[1], `"id":2,"result"`) {
		t.Error(strings.Join(answers, "\n"))
	}
}

// A promise to tell of changes is made only where it is kept, and the SDK's client hears of them.
func TestListChangedIsPromised(t *testing.T) {
	t.Parallel()
	g := &lending{}
	s := g.server(t)
	for over, want := range map[string]bool{"HTTP": false, "stdio": false, "session": true} {
		heard := make(chan struct{}, 1)
		session := dial(t, s, over, tokenOne, &mcp.ClientOptions{
			ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { heard <- struct{}{} },
		})
		said, err := json.Marshal(session.InitializeResult())
		if err != nil || strings.Contains(string(said), `"listChanged":true`) != want {
			t.Errorf("%s: %s %v", over, said, err)
		}
		if !want {
			continue
		}
		if _, err := session.ListTools(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		g.field.Store(true)
		if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "kept"}); err != nil {
			t.Error(err)
		}
		<-heard
	}
	plain := stdioConversation(t, newServer(t, newShop(), quiet()), tokenOne, handshake, func(string) string { return request("ping", "{}") + "\n" })
	if strings.Contains(plain[0], "listChanged") {
		t.Error(plain[0])
	}
}
