package isolation_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/tenantry/tenantry/isolationtest"
)

// overHTTP runs calls of many clients at once, all of which use the same ids for their requests.
func (s *subject) overHTTP(t *testing.T, c tier, seed uint64) {
	t.Helper()
	if c.http == 0 {
		return
	}
	srv := httptest.NewServer(s.handler(t))
	defer srv.Close()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: c.clients}}
	defer client.CloseIdleConnections()
	var group sync.WaitGroup
	for i := range c.clients {
		g := newGenerator(s.world, seed, uint64(1000+i))
		group.Go(func() {
			for range max(1, c.http/c.clients) {
				s.visit(t.Context(), g, client, srv.URL)
			}
		})
	}
	group.Wait()
}

// busy says that the pool is too small for so many clients, which is an answer like another.
func busy(body []byte) bool { return bytes.Contains(body, []byte("the server is busy")) }

// visit is one call over HTTP.
func (s *subject) visit(ctx context.Context, g *generator, client *http.Client, url string) {
	c := g.call()
	modern := g.IntN(2) == 0
	s.http.Add(1)
	if g.IntN(50) == 0 {
		s.stranger(ctx, c, client, url)
		return
	}
	body := map[string]any{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": s.params(c, modern)}
	header := http.Header{"Authorization": {"Bearer " + s.bearer(c.tenant, c.token)}}
	if c.token == both {
		header.Set("Tenantry-Tenant", s.id(c.tenant).Key())
	}
	if modern {
		header.Set("Mcp-Protocol-Version", modernVersion)
		header.Set("Mcp-Method", "tools/call")
		header.Set("Mcp-Name", c.tool)
	}
	asked := ctx
	if c.cancel > 0 {
		var stop context.CancelFunc
		asked, stop = context.WithTimeout(ctx, c.cancel)
		defer stop()
	}
	status, got, err := post(expecting(asked, s.id(c.tenant).Key()), client, url, header, encoded(body))
	switch {
	case err != nil && c.cancel > 0:
		return
	case err != nil || status != http.StatusOK:
		s.bad("%v: HTTP %d %s (%v)", c, status, got, err)
		return
	}
	s.replied(c, got)
}

const modernVersion = "2026-07-28"

func (s *subject) params(c *call, modern bool) map[string]any {
	params := map[string]any{"name": c.tool, "arguments": c.arguments()}
	if modern {
		params["_meta"] = map[string]any{
			"io.modelcontextprotocol/protocolVersion":    modernVersion,
			"io.modelcontextprotocol/clientCapabilities": map[string]any{},
		}
	}
	return params
}

// replied judges the reply to a call.
func (s *subject) replied(c *call, got []byte) {
	var rpc struct {
		Result struct {
			IsError    bool
			Structured json.RawMessage `json:"structuredContent"`
		}
	}
	if err := json.Unmarshal(got, &rpc); err != nil || rpc.Result.Structured == nil {
		s.bad("%v: %s", c, got)
		return
	}
	if mark := s.oracle.Foreign(got, encoded(c.arguments()), isolationtest.MarkOf(c.tenant)); mark != "" {
		s.leak("O1: %s over HTTP in the answer of %v", mark, c)
	}
	if busy(got) {
		return
	}
	s.judge(c, rpc.Result.Structured, rpc.Result.IsError)
}

// stranger has no good token, or one for two tenants of which it names none, or another's.
func (s *subject) stranger(ctx context.Context, c *call, client *http.Client, url string) {
	c = &call{tool: "list", resource: "orders", tenant: c.tenant, token: c.token, limit: -1}
	body := encoded(map[string]any{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": s.params(c, false)})
	third := s.id(s.secondOf(s.secondOf(c.tenant))).Key()
	for _, try := range []struct {
		bearer, tenant string
		status         int
		says           string
	}{
		{"token-of-nobody", "", http.StatusUnauthorized, "unauthenticated"},
		{s.bearer(c.tenant, full), third, http.StatusOK, "forbidden"},
		{s.bearer(c.tenant, both), third, http.StatusOK, "forbidden"},
		{s.bearer(c.tenant, both), "", http.StatusOK, "forbidden"},
	} {
		header := http.Header{"Authorization": {"Bearer " + try.bearer}}
		if try.tenant != "" {
			header.Set("Tenantry-Tenant", try.tenant)
		}
		status, got, err := post(ctx, client, url, header, body)
		if err != nil || status != try.status || !strings.Contains(string(got), try.says) {
			s.leak("O4: a caller without a right to the tenant got HTTP %d: %v: %v", status, c, err)
		}
		if mark := s.oracle.Foreign(got, body); mark != "" {
			s.leak("O1: %s for a caller without a right to it: %v", mark, c)
		}
	}
}

func post(ctx context.Context, client *http.Client, url string, header http.Header, body []byte) (int, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header = header
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	res, err := client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	got, err := io.ReadAll(res.Body)
	if closing := res.Body.Close(); err == nil {
		err = closing
	}
	return res.StatusCode, got, err
}
