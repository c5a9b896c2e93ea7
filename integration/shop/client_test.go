package shop_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/integration/told"
)

// server is the address of a running one, and what it has asked of its database.
type server struct {
	url    string
	spy    *spy
	exec   *executors.Executor
	tokens *auth.Static
}

// spy is a database that keeps the last call.
type spy struct {
	executors.DB

	mu   sync.Mutex
	last *executors.Call
}

func (s *spy) Run(ctx context.Context, call *executors.Call) error {
	s.mu.Lock()
	s.last = call
	s.mu.Unlock()
	return s.DB.Run(ctx, call)
}

// answer is the structured content of a tool's reply.
type answer struct {
	isError bool
	body    json.RawMessage
}

// call runs one tool over HTTP as a client would.
func (s *server) call(t *testing.T, token, tool string, arguments map[string]any) answer {
	t.Helper()
	body := encoded(t, map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": arguments},
	})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = http.Header{
		"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	reply, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	var rpc struct {
		Result struct {
			IsError    bool            `json:"isError"`
			Structured json.RawMessage `json:"structuredContent"`
		} `json:"result"`
	}
	if err := json.Unmarshal(reply, &rpc); err != nil || rpc.Result.Structured == nil {
		t.Fatalf("%s: HTTP %d %s (%v)", body, res.StatusCode, reply, err)
	}
	if !rpc.Result.IsError && (tool == "list" || tool == "get") {
		s.told(t, token, arguments, rpc.Result.Structured)
	}
	return answer{rpc.Result.IsError, rpc.Result.Structured}
}

// told holds every row of an answer against what its caller is told of such rows.
func (s *server) told(t *testing.T, token string, arguments map[string]any, body []byte) {
	t.Helper()
	p, err := s.tokens.Verify(t.Context(), token, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := told.Check(s.exec, p, []byte(encoded(t, arguments)), body); err != nil {
		t.Errorf("%v: a row is not as it is told: %v", arguments, err)
	}
}

// encoded is a value as JSON that keeps every character.
func encoded(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// row is a row of an answer: the JSON of its members.
type row map[string]json.RawMessage

// page is a list answer.
type page struct {
	Rows []row `json:"rows"`
	Meta struct {
		HasMore    bool   `json:"has_more"`
		NextCursor string `json:"next_cursor"`
		TotalCount *int   `json:"total_count"`
	} `json:"meta"`
}

func (a answer) page(t *testing.T) page {
	t.Helper()
	var p page
	if err := json.Unmarshal(a.body, &p); err != nil || a.isError {
		t.Fatalf("want a page, got %s (%v)", a.body, err)
	}
	return p
}

func (a answer) row(t *testing.T) row {
	t.Helper()
	var doc struct {
		Row row `json:"row"`
	}
	if err := json.Unmarshal(a.body, &doc); err != nil || a.isError || doc.Row == nil {
		t.Fatalf("want a row, got %s (%v)", a.body, err)
	}
	return doc.Row
}

// code is the code of an error, empty for an answer that is none.
func (a answer) code(t *testing.T) string {
	t.Helper()
	var doc struct {
		Error struct {
			Code string `json:"code"`
		} `json:"error"`
	}
	if err := json.Unmarshal(a.body, &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Error.Code
}

// listing is a list call without its page: what stays the same on every page of a walk.
type listing struct {
	token, resource string
	sort            []string
	fields          []string
	filter          map[string]any
	limit           int // 0 for the default
}

func (l listing) arguments(cursor string) map[string]any {
	args := map[string]any{"resource": l.resource, "sort": l.sort, "fields": l.fields, "cursor": cursor, "filter": l.filter}
	if l.limit > 0 {
		args["limit"] = l.limit
	}
	return args
}

// walk follows a listing to its end, with a hard stop, and does something between two pages.
func (s *server) walk(t *testing.T, l listing, most int, between func(page)) []row {
	t.Helper()
	limit := l.limit
	if limit == 0 {
		limit = 25
	}
	var rows []row
	cursor := ""
	for range most/limit + 3 {
		p := s.call(t, l.token, "list", l.arguments(cursor)).page(t)
		rows = append(rows, p.Rows...)
		if !p.Meta.HasMore {
			return rows
		}
		cursor = p.Meta.NextCursor
		between(p)
	}
	t.Fatalf("%+v: the walk does not end", l)
	return nil
}

func decode(t *testing.T, raw json.RawMessage, into any) {
	t.Helper()
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
}
