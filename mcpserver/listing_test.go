package mcpserver_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is listed can be read, and is described as the resources tool does.
func TestListResources(t *testing.T) {
	t.Parallel()
	shop := newLibrary()
	url := serve(t, shop, quiet())
	got := rpcOf(t, post(t, url, request("resources/list", "{}")).Body).Result
	if got.NextCursor != nil || got.CacheScope != "private" {
		t.Errorf("%+v", got)
	}
	var names []string
	for i, r := range got.Resources {
		names = append(names, r.Name)
		want := "All of <" + r.Name + ">."
		if i == 0 {
			want += " Ask for few."
		}
		if r.MimeType != "text/markdown" || r.Title == "" || r.Description != want {
			t.Errorf("%+v", r)
		}
		if read := rpcOf(t, post(t, url, readCall(r.URI)).Body); read.Error != nil || !strings.HasPrefix(read.Result.Contents[0].Text, "# "+r.Name+"\n") {
			t.Errorf("%s: %+v", r.URI, read)
		}
	}
	if diff := cmp.Diff(shop.names, names); diff != "" {
		t.Errorf("in another order than registered: %s", diff)
	}
	templates := rpcOf(t, post(t, url, request("resources/templates/list", "{}")).Body).Result
	if tt := templates.ResourceTemplates; len(tt) != 1 || tt[0].URITemplate != "tenantry://{resource}/{id}" || tt[0].MimeType != "application/json" || templates.CacheScope != "private" {
		t.Errorf("%+v", templates)
	}
}

// Hundreds of resources come by pages, each once and in order.
func TestListResourcesByPages(t *testing.T) {
	t.Parallel()
	var names []string
	for i := range 500 {
		names = append(names, fmt.Sprintf("r%d", 499-i))
	}
	url := serve(t, newLibrary(names...), quiet())
	var got []string
	cursor, pages := "", 0
	for ; pages < 10; pages++ {
		res := rpcOf(t, post(t, url, request("resources/list", `{"cursor":"`+cursor+`"}`)).Body).Result
		for _, r := range res.Resources {
			got = append(got, r.Name)
		}
		if len(res.Resources) > 200 {
			t.Errorf("a page of %d", len(res.Resources))
		}
		if res.NextCursor == nil {
			break
		}
		cursor = *res.NextCursor
	}
	if diff := cmp.Diff(names, got); diff != "" || pages != 2 {
		t.Errorf("%d pages: %s", pages+1, diff)
	}
	for _, cursor := range []string{"0", "600", "500", "100", "+200", "0200", " 200", "200.0", "2e2", "9999999999999999999999"} {
		if got := faultOf(t, post(t, url, request("resources/list", `{"cursor":"`+cursor+`"}`)).Body); got.Code != -32602 {
			t.Errorf("cursor %q: %+v", cursor, got)
		}
	}
}

func TestNoResources(t *testing.T) {
	t.Parallel()
	url := serve(t, newLibrary([]string{}...), quiet())
	if body := post(t, url, request("resources/list", "{}")).Body; !strings.Contains(body, `"resources":[]`) {
		t.Error(body)
	}
}

// Completion knows the names that the caller sees, and no keys.
func TestComplete(t *testing.T) {
	t.Parallel()
	names := []string{"zebra", "Orders", "orders", "order_lines"}
	for i := range 150 {
		names = append(names, fmt.Sprintf("many_%d", i))
	}
	shop := newLibrary(names...)
	url := serve(t, shop, quiet())
	for _, tt := range []struct {
		argument, value string
		want            []string // the first of them
		total           int
		more            bool
	}{
		{"resource", "order", []string{"orders", "order_lines"}, 2, false},
		{"resource", "O", []string{"Orders"}, 1, false},
		{"resource", "orders", []string{"orders"}, 1, false},
		{"resource", "rders", nil, 0, false},
		{"resource", strings.Repeat("m", 100_000), nil, 0, false},
		{"resource", "", []string{"zebra", "Orders"}, 154, true},
		{"resource", "many_", []string{"many_0", "many_1"}, 150, true},
		{"id", "7", nil, 0, false},
	} {
		params := fmt.Sprintf(`{"ref":{"type":"ref/resource","uri":"tenantry://{resource}/{id}"},"argument":{"name":%q,"value":%q}}`, tt.argument, tt.value)
		body := post(t, url, request("completion/complete", params)).Body
		got := rpcOf(t, body).Result.Completion
		if !strings.Contains(body, `"values":[`) || got.Total != tt.total || got.HasMore != tt.more || len(got.Values) != min(tt.total, 100) {
			t.Errorf("%.20q: %s", tt.value, body)
		}
		if len(got.Values) >= len(tt.want) && cmp.Diff(tt.want, got.Values[:len(tt.want)]) != "" && len(tt.want) > 0 {
			t.Errorf("%.20q: %v", tt.value, got.Values)
		}
	}
}

// Whatever the server does not declare is no method of it, on every revision and way in.
func TestUndeclared(t *testing.T) {
	t.Parallel()
	url := serve(t, newLibrary(), quiet())
	s := newServer(t, newLibrary(), quiet())
	for method, params := range map[string]string{
		"prompts/list": "", "prompts/get": `"name":"x"`, "logging/setLevel": `"level":"info"`,
		"resources/subscribe": `"uri":"tenantry://orders"`, "resources/unsubscribe": `"uri":"tenantry://orders"`, "undeclared": "",
	} {
		old := request(method, "{"+params+"}")
		res := post(t, url, old, "Mcp-Protocol-Version", stable)
		if got := faultOf(t, res.Body); res.Status != 200 || got.Code != -32601 {
			t.Errorf("%s: %d %s", method, res.Status, res.Body)
		}
		if lines := pipe(t, s, handshake+old+"\n"); len(lines) != 1 || lines[0] != res.Body {
			t.Errorf("%s on stdio: %v", method, lines)
		}
		if got := post(t, url, `{"jsonrpc":"2.0","id":1,"method":"`+method+`"}`); faultOf(t, got.Body).Code != -32601 {
			t.Errorf("%s without params: %s", method, got.Body)
		}
		body, headers := modern(method, params, "x")
		if res := post(t, url, body, headers...); res.Status != 404 || faultOf(t, res.Body).Code != -32601 {
			t.Errorf("%s, new revision: %d %s", method, res.Status, res.Body)
		}
	}
	// A subscription to resources is acknowledged without them.
	body, headers := modern("subscriptions/listen", `"notifications":{"resourcesListChanged":true,"resourceSubscriptions":["tenantry://orders"]}`, "")
	if res := post(t, url, body, append(headers, "Accept", "text/event-stream, application/json")...); res.Status != 200 || strings.Contains(res.Body, "tenantry://") {
		t.Errorf("%d %s", res.Status, res.Body)
	}
}
