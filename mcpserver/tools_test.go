package mcpserver_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/mcpserver"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with a file of testdata, or rewrites it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (run with -update to rewrite it):\n%s", path, diff)
	}
}

func indented(t *testing.T, body string) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(body), "", "  "); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return b.String() + "\n"
}

// The bytes of tools/list are the same for every caller.
func TestToolsList(t *testing.T) {
	t.Parallel()
	opts := quiet()
	opts.Prefix = "acme_"
	url := serve(t, newShop(), opts)
	body := post(t, url, request("tools/list", "{}")).Body
	golden(t, "tools_list.json", indented(t, body))
	for _, token := range []string{tokenTwo, tokenMany} {
		if got := post(t, url, request("tools/list", "{}"), "Authorization", "Bearer "+token).Body; got != body {
			t.Errorf("%s is told something else:\n%s", token, cmp.Diff(body, got))
		}
	}
}

type listedTool struct {
	Name         string
	Title        string
	Description  string
	Annotations  map[string]any
	InputSchema  map[string]any
	OutputSchema map[string]any
}

// listedTools returns the tools that a client is told, with their size in bytes.
func listedTools(t *testing.T, opts *mcpserver.Options) (tools []listedTool, sizes []int) {
	t.Helper()
	var wire struct {
		Result struct{ Tools []json.RawMessage }
	}
	body := post(t, serve(t, newShop(), opts), request("tools/list", "{}")).Body
	if err := json.Unmarshal([]byte(body), &wire); err != nil {
		t.Fatal(err)
	}
	for _, raw := range wire.Result.Tools {
		var tool listedTool
		if err := json.Unmarshal(raw, &tool); err != nil {
			t.Fatal(err)
		}
		tools, sizes = append(tools, tool), append(sizes, len(raw))
	}
	return tools, sizes
}

// What clients refuse in a tool, sought in what a client is told.
func TestPortableTools(t *testing.T) {
	t.Parallel()
	opts := quiet()
	opts.Prefix = strings.Repeat("p", 25)
	tools, sizes := listedTools(t, opts)
	if len(tools) != 5 {
		t.Fatalf("%d tools", len(tools))
	}
	total := 0
	for _, size := range sizes {
		total += size
	}
	if total > 24_000 {
		t.Errorf("the tools have %d bytes together", total)
	}
	toolName := regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)
	for i, tool := range tools {
		if !toolName.MatchString(tool.Name) {
			t.Errorf("the name %q", tool.Name)
		}
		if sizes[i] >= 6000 {
			t.Errorf("%s has %d bytes", tool.Name, sizes[i])
		}
		want := map[string]any{"title": tool.Title, "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false}
		if diff := cmp.Diff(want, tool.Annotations); diff != "" || tool.Title == "" {
			t.Errorf("%s: annotations: %s", tool.Name, diff)
		}
		if tool.InputSchema["additionalProperties"] != false {
			t.Errorf("%s: the input takes additional properties", tool.Name)
		}
		delete(tool.InputSchema, "additionalProperties")
		walkRoot(t, tool.Name+" input", tool.InputSchema)
		walkRoot(t, tool.Name+" output", tool.OutputSchema)
		if _, ok := tool.OutputSchema["required"]; ok {
			t.Errorf("%s: the output requires something that an error does not have", tool.Name)
		}
		properties, _ := tool.OutputSchema["properties"].(map[string]any)
		if properties["error"] == nil || properties["errors"] == nil {
			t.Errorf("%s: the output has no error", tool.Name)
		}
	}
}

func walkRoot(t *testing.T, at string, schema map[string]any) {
	t.Helper()
	if schema["type"] != "object" {
		t.Errorf("%s: the root is no object", at)
	}
	walk(t, at, schema)
}

var (
	propertyName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)
	keywords     = map[string]bool{"type": true, "properties": true, "items": true, "required": true, "description": true, "enum": true}
)

func walk(t *testing.T, at string, schema map[string]any) {
	t.Helper()
	for keyword := range schema {
		if !keywords[keyword] {
			t.Errorf("%s: the keyword %s", at, keyword)
		}
	}
	kind, given := schema["type"]
	if _, ok := kind.(string); given && !ok {
		t.Errorf("%s: the type is %v", at, kind)
	}
	if labels, ok := schema["enum"].([]any); schema["enum"] != nil && (!ok || kind != "string" || len(labels) == 0 || len(labels) > 20) {
		t.Errorf("%s: the enum %v", at, schema["enum"])
	}
	if _, ok := schema["items"].(map[string]any); kind == "array" && !ok {
		t.Errorf("%s: an array without items", at)
	}
	properties, ok := schema["properties"].(map[string]any)
	if kind == "object" && !ok {
		t.Errorf("%s: an object without properties", at)
	}
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if text, _ := name.(string); properties[text] == nil {
			t.Errorf("%s: requires %v, which is no property", at, name)
		}
	}
	for name, sub := range properties {
		if !propertyName.MatchString(name) {
			t.Errorf("%s: the property %q", at, name)
		}
		walkSub(t, at+"."+name, sub)
	}
	if items, ok := schema["items"]; ok {
		walkSub(t, at+"[]", items)
	}
}

func walkSub(t *testing.T, at string, sub any) {
	t.Helper()
	if schema, ok := sub.(map[string]any); ok {
		walk(t, at, schema)
	} else {
		t.Errorf("%s: the schema is %v", at, sub)
	}
}

// The schema advertises exactly the arguments that unknown_argument allows.
func TestAdvertisedArguments(t *testing.T) {
	t.Parallel()
	s := newServer(t, newShop(), quiet())
	tools, _ := listedTools(t, quiet())
	for _, tool := range tools {
		body, _ := run(t, s, tool.Name, `{"no such thing":1}`)
		allowed := map[string]bool{}
		for _, name := range mistakesOf(t, body)[0].Allowed {
			allowed[name] = true
		}
		advertised := map[string]bool{}
		properties, _ := tool.InputSchema["properties"].(map[string]any)
		for name := range properties {
			advertised[name] = true
		}
		if diff := cmp.Diff(advertised, allowed); diff != "" {
			t.Errorf("%s: %s", tool.Name, diff)
		}
	}
}

func TestPrefix(t *testing.T) {
	t.Parallel()
	opts := quiet()
	opts.Prefix = "acme_"
	s := newServer(t, newShop(), opts)
	for _, tool := range s.Tools() {
		schemas := string(tool.InputSchema) + string(tool.OutputSchema)
		if !strings.HasPrefix(tool.Name, "acme_") || strings.Contains(tool.Description+schemas, "{{") || strings.Contains(schemas, "\n") {
			t.Errorf("%s: %s", tool.Name, tool.Description)
		}
	}
	url := serve(t, newShop(), opts)
	if got := faultOf(t, post(t, url, toolCall("list", `{"resource":"orders"}`)).Body).Code; got != -32602 {
		t.Errorf("without the prefix: %d", got)
	}
	if res := resultOf(t, post(t, url, toolCall("acme_list", `{"resource":"orders"}`)).Body); res.IsError {
		t.Errorf("with the prefix: %s", res.Text)
	}
	for _, name := range []string{"list", "acme_list"} {
		if body, isError := run(t, s, name, `{"resource":"orders"}`); isError {
			t.Errorf("Call of %s: %s", name, body)
		}
	}
	if _, _, err := s.Call(t.Context(), principal(t, tokenOne), "drop", nil); err == nil {
		t.Error("Call of no tool: no error")
	}
	if _, _, err := s.Call(t.Context(), principal(t, tokenOne), "list", []byte("{")); err == nil {
		t.Error("Call with half JSON: no error")
	}
}

func TestContent(t *testing.T) {
	t.Parallel()
	for content, want := range map[mcpserver.Content]string{
		mcpserver.ContentBoth: "text and structured and schema", mcpserver.ContentText: "text", mcpserver.ContentStructured: "structured and schema",
	} {
		opts := quiet()
		opts.Content = content
		url := serve(t, newShop(), opts)
		var got []string
		res := resultOf(t, post(t, url, toolCall("list", `{"resource":"orders"}`)).Body)
		if res.Text != "" {
			got = append(got, "text")
		}
		if res.Structured != "" {
			got = append(got, "structured")
		}
		if strings.Contains(post(t, url, request("tools/list", "{}")).Body, `"outputSchema"`) {
			got = append(got, "schema")
		}
		if strings.Join(got, " and ") != want {
			t.Errorf("%s: %v", content, got)
		}
		if content == mcpserver.ContentBoth && res.Text != res.Structured {
			t.Errorf("the halves differ:\n%s\n%s", res.Text, res.Structured)
		}
	}
}

// The default instructions stay short, name the prefixed tools, and may be replaced.
func TestInstructions(t *testing.T) {
	t.Parallel()
	opts := quiet()
	opts.Prefix = "acme_"
	initialize := request("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
	var wire struct {
		Result struct {
			Instructions    string
			ProtocolVersion string
			Capabilities    map[string]any
			ServerInfo      map[string]any
		}
	}
	if err := json.Unmarshal([]byte(post(t, serve(t, newShop(), opts), initialize).Body), &wire); err != nil {
		t.Fatal(err)
	}
	got := wire.Result
	if words := len(strings.Fields(got.Instructions)); words == 0 || words >= 120 {
		t.Errorf("%d words: %s", words, got.Instructions)
	}
	rest := got.Instructions
	for _, taught := range []string{
		"acme_resources", "acme_resource_schema", "filter keys", "acme_list", "filter", "fields", "count", "meta.next_cursor as cursor", "acme_get", "numbers are text", "what to send instead",
	} {
		_, after, found := strings.Cut(rest, taught)
		if !found {
			t.Fatalf("%q is not said, or not in its place: %s", taught, got.Instructions)
		}
		rest = after
	}
	capabilities := map[string]any{"tools": map[string]any{}, "resources": map[string]any{}, "completions": map[string]any{}}
	if diff := cmp.Diff(capabilities, got.Capabilities); diff != "" {
		t.Errorf("capabilities: %s", diff)
	}
	if diff := cmp.Diff(map[string]any{"name": "acme", "version": "1.2.3"}, got.ServerInfo); diff != "" {
		t.Errorf("server: %s", diff)
	}
	future := strings.Replace(initialize, "2025-11-25", "2099-01-01", 1)
	if body := post(t, serve(t, newShop(), opts), future).Body; !strings.Contains(body, `"protocolVersion":"2025-11-25"`) {
		t.Errorf("a future revision: %s", body)
	}
	opts.Instructions = "Ask {{list}}."
	if body := post(t, serve(t, newShop(), opts), initialize).Body; !strings.Contains(body, fmt.Sprintf("%q", "Ask acme_list.")) {
		t.Errorf("own instructions: %s", body)
	}
}

// Nothing a caller is told may be kept by a shared cache.
func TestCacheScope(t *testing.T) {
	t.Parallel()
	url := serve(t, newShop(), quiet())
	for _, method := range []string{"server/discover", "tools/list", "resources/list", "resources/templates/list"} {
		res := post(t, url, request(method, "{"+modernMeta+"}"), "Mcp-Protocol-Version", newest, "Mcp-Method", method)
		if res.Status != 200 || !strings.Contains(res.Body, `"ttlMs":0,"cacheScope":"private"`) || strings.Contains(res.Body, "public") {
			t.Errorf("%s: %d %s", method, res.Status, res.Body)
		}
		if !strings.Contains(res.Body, `"resultType":"complete"`) {
			t.Errorf("%s has no resultType: %s", method, res.Body)
		}
	}
	call := request("tools/call", `{"name":"list","arguments":{"resource":"orders"},`+modernMeta+`}`)
	res := post(t, url, call, "Mcp-Protocol-Version", newest, "Mcp-Method", "tools/call", "Mcp-Name", "list")
	if !strings.Contains(res.Body, `"resultType":"complete"`) || strings.Contains(res.Body, "public") {
		t.Errorf("tools/call: %s", res.Body)
	}
}

// A subscription is acknowledged as a stream, with nothing in it, and ends.
func TestListen(t *testing.T) {
	t.Parallel()
	url := serve(t, newShop(), quiet())
	body := strings.Replace(request("subscriptions/listen", `{"notifications":{"toolsListChanged":true},`+modernMeta+`}`), `"id":1`, `"id":"sub"`, 1)
	headers := []string{"Mcp-Protocol-Version", newest, "Mcp-Method", "subscriptions/listen"}
	res := post(t, url, body, append(headers, "Accept", "application/json, text/event-stream")...)
	if res.Status != 200 || res.Header.Get("Content-Type") != "text/event-stream" || strings.Count(res.Body, "event: message\ndata: {") != 2 ||
		strings.Count(res.Body, `"io.modelcontextprotocol/subscriptionId":"sub"`) != 2 {
		t.Errorf("%d %s", res.Status, res.Body)
	}
	if res := post(t, url, body, append(headers, "Accept", "application/json")...); res.Status != 406 {
		t.Errorf("without a stream: %d", res.Status)
	}
}

// The names in tools/list are the contract's own, whatever the resources of the host are called.
func TestToolsNameNoResource(t *testing.T) {
	t.Parallel()
	list := func(r mcpserver.Source) string {
		return post(t, serve(t, r, quiet()), request("tools/list", "{}")).Body
	}
	odd := newLibrary("order lines", "$price", "größe", strings.Repeat("n", 63))
	if diff := cmp.Diff(list(newShop()), list(odd)); diff != "" {
		t.Error(diff)
	}
}
