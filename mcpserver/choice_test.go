package mcpserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/tenant"
)

// person answers forms, and keeps what it was shown.
type person struct {
	action  string
	content map[string]any
	shown   []*mcp.ElicitParams
}

func (p *person) answer(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	p.shown = append(p.shown, req.Params)
	return &mcp.ElicitResult{Action: p.action, Content: p.content}, nil
}

// transportTo is the client's end of a transport to the server, for the caller of a token.
func transportTo(t *testing.T, s *mcpserver.Server, over, token string) mcp.Transport {
	t.Helper()
	if over == "HTTP" {
		return &mcp.StreamableClientTransport{Endpoint: served(t, s), HTTPClient: &http.Client{Transport: withToken{token}}}
	}
	in, clientOut := io.Pipe()
	clientIn, out := io.Pipe()
	caller := principal(t, token)
	go func() { _ = s.ServeStdio(context.WithoutCancel(t.Context()), caller, in, out) }()
	return &mcp.IOTransport{Reader: clientIn, Writer: clientOut}
}

// connect is a session of the SDK's own client with a person behind it; see dial.
func connect(t *testing.T, s *mcpserver.Server, over, token string, p *person) *mcp.ClientSession {
	t.Helper()
	opts := &mcp.ClientOptions{}
	if p != nil {
		opts.ElicitationHandler = p.answer
	}
	return dial(t, s, over, token, opts)
}

// dial connects the SDK's own client over HTTP and over stdio by the newest revision, and over a stdio "session" by the
// last one that has sessions.
func dial(t *testing.T, s *mcpserver.Server, over, token string, opts *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	var pinned *mcp.ClientSessionOptions
	if over == "session" {
		pinned = &mcp.ClientSessionOptions{ProtocolVersion: stable}
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, opts).Connect(t.Context(), transportTo(t, s, over, token), pinned)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

func structured(t *testing.T, res *mcp.CallToolResult, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(res.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// titled are options whose tenants have titles.
func titled() *mcpserver.Options {
	opts := quiet()
	opts.TenantTitle = func(_ context.Context, id tenant.ID) string {
		return map[string]string{"1": "Acme", "2": "Bolt"}[id.Key()]
	}
	return opts
}

// Whoever has several tenants and names none is asked which one is meant, where the client can ask.
func TestTenantIsAsked(t *testing.T) {
	t.Parallel()
	for _, over := range []string{"HTTP", "stdio", "session"} {
		t.Run(over, func(t *testing.T) {
			t.Parallel()
			p := &person{action: "accept", content: map[string]any{"tenant": "2"}}
			session := connect(t, newServer(t, newShop(), titled()), over, tokenMany, p)
			for range 2 { // the choice is not remembered
				res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "list", Arguments: map[string]any{"resource": "orders"}})
				if got := structured(t, res, err); res.IsError || !strings.Contains(got, `"tenant":"2"`) {
					t.Error(got)
				}
			}
			if len(p.shown) != 2 {
				t.Fatalf("asked %d times", len(p.shown))
			}
			form, _ := json.Marshal(p.shown[0].RequestedSchema)
			want := `{"properties":{"tenant":{"oneOf":[{"const":"1","title":"Acme"},{"const":"2","title":"Bolt"}],"title":"Account","type":"string"}},"required":["tenant"],"type":"object"}`
			if diff := cmp.Diff(want, string(form)); diff != "" {
				t.Error(diff)
			}
			if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "resources"}); err != nil || len(p.shown) != 2 {
				t.Errorf("asked for a call that reads no rows: %v", err)
			}
		})
	}
}

// What is no choice of a granted tenant is refused as if nobody could have been asked.
func TestTenantIsNotChosen(t *testing.T) {
	t.Parallel()
	unasked := ""
	for name, p := range map[string]*person{
		"nobody":  nil,
		"decline": {action: "decline"},
		"cancel":  {action: "cancel", content: map[string]any{"tenant": "1"}},
	} {
		for _, over := range []string{"HTTP", "stdio", "session"} {
			session := connect(t, newServer(t, newShop(), titled()), over, tokenMany, p)
			res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "list", Arguments: map[string]any{"resource": "orders"}})
			got := structured(t, res, err)
			if unasked == "" {
				unasked = got
			}
			if !res.IsError || got != unasked || !strings.Contains(got, `"code":"forbidden"`) || !strings.Contains(got, `"allowed":["1","2"]`) {
				t.Errorf("%s over %s: %s", name, over, got)
			}
		}
	}
}

// asked is the result of a call that asks.
type asked struct {
	Result struct {
		ResultType    string
		RequestState  string
		Content       any
		IsError       bool
		InputRequests map[string]struct {
			Method string
			Params struct {
				Mode, Message   string
				RequestedSchema json.RawMessage
			}
		}
	}
}

func askedOf(t testing.TB, body string) asked {
	t.Helper()
	var out asked
	if err := json.Unmarshal([]byte(body), &out); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return out
}

const capableMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`

// round posts one round of a call in the newest revision, by a client that shows forms.
func round(t testing.TB, url, token, tool, arguments, rest string) string {
	t.Helper()
	if rest != "" {
		rest = "," + rest
	}
	return post(t, url, request("tools/call", `{"name":"`+tool+`","arguments":`+arguments+rest+`,`+capableMeta+`}`),
		"Authorization", "Bearer "+token, "Mcp-Protocol-Version", newest, "Mcp-Method", "tools/call", "Mcp-Name", tool).Body
}

// repeated are the members of params with an answer to the question of a tenant.
func repeated(state, key string) string {
	return fmt.Sprintf(`"requestState":%q,"inputResponses":{"tenantry/tenant":{"action":"accept","content":{"tenant":%q}}}`, state, key)
}

// The state that a client keeps is good for one call of one caller, for ten minutes, and is refused in one
// and the same way whatever is wrong with it.
func TestRequestState(t *testing.T) {
	t.Parallel()
	now := time.Now()
	opts := titled()
	opts.StateKeys = [][]byte{[]byte("a key of this test, long enough")}
	s := newServer(t, newShop(), opts)
	s.SetNow(func() time.Time { return now })
	url := served(t, s)
	const orders = `{"resource":"orders","limit":5}`
	first := round(t, url, tokenMany, "list", orders, "")
	question := askedOf(t, first).Result
	state := question.RequestState
	if question.ResultType != "input_required" || state == "" || question.InputRequests["tenantry/tenant"].Method != "elicitation/create" ||
		question.InputRequests["tenantry/tenant"].Params.Mode != "form" || question.IsError || strings.Contains(first, `"content"`) {
		t.Fatal(first)
	}
	good := func(name, url, arguments, rest string) {
		t.Helper()
		if res := resultOf(t, round(t, url, tokenMany, "list", arguments, rest)); res.IsError || !strings.Contains(res.Structured, `"tenant":"2"`) {
			t.Errorf("%s: %+v", name, res)
		}
	}
	good("the same", url, orders, repeated(state, "2"))
	good("other spelling", url, `{ "limit":5, "res\u006furce":"orders" }`, repeated(state, "2"))
	replica := served(t, newServer(t, newShop(), opts))
	good("another replica", replica, orders, repeated(state, "2"))

	refused := ""
	bad := func(name, body string) {
		t.Helper()
		if refused == "" {
			refused = body
		}
		if faultOf(t, body).Code != -32602 || body != refused || !strings.Contains(body, "call again without requestState") {
			t.Errorf("%s: %s", name, body)
		}
	}
	bad("damaged", round(t, url, tokenMany, "list", orders, repeated(state[:len(state)-2]+"AA", "2")))
	bad("cut", round(t, url, tokenMany, "list", orders, repeated(state[:20], "2")))
	bad("empty", round(t, url, tokenMany, "list", orders, repeated("", "2")))
	bad("no string", round(t, url, tokenMany, "list", orders, `"requestState":7`))
	bad("other arguments", round(t, url, tokenMany, "list", `{"resource":"orders","limit":6}`, repeated(state, "2")))
	bad("repeated argument", round(t, url, tokenMany, "list", `{"resource":"orders","limit":5,"limit":5}`, repeated(state, "2")))
	bad("other tool", round(t, url, tokenMany, "get", orders, repeated(state, "2")))
	bad("other caller", round(t, url, tokenDave, "list", orders, repeated(state, "2")))
	bad("other key", round(t, served(t, newServer(t, newShop(), titled())), tokenMany, "list", orders, repeated(state, "2")))
	s.SetNow(func() time.Time { return now.Add(10*time.Minute - time.Second) })
	good("just in time", url, orders, repeated(state, "2"))
	s.SetNow(func() time.Time { return now.Add(10 * time.Minute) })
	bad("old", round(t, url, tokenMany, "list", orders, repeated(state, "2")))
}

// An answer that is none of the choices chooses nothing, and no answer asks again.
func TestTenantAnswers(t *testing.T) {
	t.Parallel()
	url := serve(t, newShop(), titled())
	const orders = `{"resource":"orders"}`
	state := askedOf(t, round(t, url, tokenMany, "list", orders, "")).Result.RequestState
	for name, response := range map[string]string{
		"foreign tenant": `{"action":"accept","content":{"tenant":"3"}}`,
		"a number":       `{"action":"accept","content":{"tenant":2}}`,
		"one more":       `{"action":"accept","content":{"tenant":"2","x":1}}`,
		"no content":     `{"action":"accept"}`,
		"odd action":     `{"action":"ok","content":{"tenant":"2"}}`,
		"no action":      `{"content":{"tenant":"2"}}`,
		"twice":          `{"action":"accept","content":{"tenant":"2","tenant":"1"}}`,
		"a list":         `[]`,
		"decline":        `{"action":"decline","content":{"tenant":"2"}}`,
	} {
		body := round(t, url, tokenMany, "list", orders, fmt.Sprintf(`"requestState":%q,"inputResponses":{"tenantry/tenant":%s}`, state, response))
		if m := mistakesOf(t, resultOf(t, body).Structured); len(m) != 1 || m[0].Code != "forbidden" {
			t.Errorf("%s: %s", name, body)
		}
	}
	for name, rest := range map[string]string{
		"null":              `"requestState":null,"inputResponses":null`,
		"no responses":      fmt.Sprintf(`"requestState":%q`, state),
		"another's":         fmt.Sprintf(`"requestState":%q,"inputResponses":{"other":{"action":"accept","content":{"tenant":"2"}}}`, state),
		"without the state": `"inputResponses":{"tenantry/tenant":{"action":"accept","content":{"tenant":"2"}}}`,
	} {
		if got := askedOf(t, round(t, url, tokenMany, "list", orders, rest)).Result; got.ResultType != "input_required" {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// Who can be asked: by revision and by what the client says of itself.
func TestWhoIsAsked(t *testing.T) {
	t.Parallel()
	url := serve(t, newShop(), titled())
	for capabilities, want := range map[string]bool{
		`{"elicitation":{}}`: true, `{"elicitation":{"form":{}}}`: true, `{"elicitation":{"form":{},"url":{}}}`: true,
		`{"elicitation":{"url":{}}}`: false, `{}`: false, `{"elicitation":true}`: false, `{"elicitation":null}`: false,
	} {
		meta := strings.Replace(capableMeta, `{"elicitation":{}}`, capabilities, 1)
		body := post(t, url, request("tools/call", `{"name":"list","arguments":{"resource":"orders"},`+meta+`}`), "Authorization", "Bearer "+tokenMany,
			"Mcp-Protocol-Version", newest, "Mcp-Method", "tools/call", "Mcp-Name", "list").Body
		if got := askedOf(t, body).Result.ResultType == "input_required"; got != want {
			t.Errorf("%s: %s", capabilities, body)
		}
	}
	old := post(t, url, request("tools/call", `{"name":"list","arguments":{"resource":"orders"}}`), "Authorization", "Bearer "+tokenMany, "Mcp-Protocol-Version", stable).Body
	if !resultOf(t, old).IsError {
		t.Error(old)
	}
	many := &mcpserver.Options{}
	*many = *titled()
	s := newServer(t, newShop(), many)
	var ids []tenant.ID
	for i := range int64(101) {
		ids = append(ids, intTenant(t, i+1))
	}
	for n, want := range map[int]bool{100: true, 101: false} {
		p, err := auth.NewPrincipal(auth.Grant{Subject: "eve", Tenants: ids[:n]})
		if err != nil {
			t.Fatal(err)
		}
		body := string(s.Direct(t.Context(), p, []byte(request("tools/call", `{"name":"list","arguments":{"resource":"orders"},`+capableMeta+`}`)), newest))
		if got := askedOf(t, body).Result.ResultType == "input_required"; got != want {
			t.Errorf("%d tenants: %s", n, body)
		}
	}
}

// The form of the revision that has no titled choices.
func TestTenantFormOf20250618(t *testing.T) {
	t.Parallel()
	s := newServer(t, newShop(), titled())
	in := strings.Replace(handshake, stable, "2025-06-18", 1)
	in = strings.Replace(in, `"capabilities":{}`, `"capabilities":{"elicitation":{}}`, 1)
	answers := stdioConversation(t, s, tokenMany, in+toolCall("list", `{"resource":"orders"}`)+"\n", func(line string) string {
		if !strings.Contains(line, `"elicitation/create"`) {
			return ""
		}
		if !strings.Contains(line, `{"type":"string","title":"Account","enum":["1","2"],"enumNames":["Acme","Bolt"]}`) || strings.Contains(line, `"mode"`) {
			t.Error(line)
		}
		return `{"jsonrpc":"2.0","id":"ask-1","result":{"action":"accept","content":{"tenant":"1"}}}` + "\n"
	})
	if got := answers[len(answers)-1]; !strings.Contains(got, `"tenant":"1"`) {
		t.Error(answers)
	}
}

// A reply that is late, twice, or of nobody's question changes nothing; the end of the input ends the wait.
func TestStdioReplies(t *testing.T) {
	t.Parallel()
	capable := strings.Replace(handshake, `"capabilities":{}`, `"capabilities":{"elicitation":{"form":{}}}`, 1)
	list := toolCall("list", `{"resource":"orders"}`) + "\n"
	for name, reply := range map[string]string{
		"an error": `{"jsonrpc":"2.0","id":"ask-1","error":{"code":-1,"message":"x"}}` + "\n",
		"no form":  `{"jsonrpc":"2.0","id":"ask-1","result":[]}` + "\n",
		"the end":  "",
	} {
		answers := stdioConversation(t, newServer(t, newShop(), titled()), tokenMany, capable+list, func(line string) string {
			if strings.Contains(line, `"elicitation/create"`) {
				if reply == "" {
					return "EOF"
				}
				return `{"jsonrpc":"2.0","id":"ask-9","result":{}}` + "\n" + `{"jsonrpc":"2.0","id":1,"result":{}}` + "\n" + reply + reply
			}
			return ""
		})
		if got := answers[len(answers)-1]; !strings.Contains(got, `"code":"forbidden"`) {
			t.Errorf("%s: %v", name, answers)
		}
	}
}

// What a client says of earlier rounds is read by us alone: over stdio, odd answers are as good as none.
func TestOddAnswersOverStdio(t *testing.T) {
	t.Parallel()
	for _, responses := range []string{`{"x":7}`, `[]`, `{"x":{"action":"accept","content":[]}}`, `null`} {
		in := request("tools/call", `{"inputResponses":`+responses+`,"name":"list","arguments":{"resource":"orders"},"requestState":null,`+capableMeta+`}`)
		if lines := pipe(t, newServer(t, newShop(), quiet()), in+"\n"); len(lines) != 1 || resultOf(t, lines[0]).Structured == "" {
			t.Errorf("%s: %v", responses, lines)
		}
	}
}
