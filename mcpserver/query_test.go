package mcpserver_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/mcpserver"
)

// A row read by its URI is the answer of get, byte for byte.
func TestReadRow(t *testing.T) {
	t.Parallel()
	shop := newLibrary()
	url := serve(t, shop, quiet())
	want := resultOf(t, post(t, url, toolCall("get", `{"resource":"orders","id":"7"}`)).Body).Text
	body, headers := modern("resources/read", `"uri":"tenantry://orders/7"`, "tenantry://orders/7")
	for _, res := range []response{post(t, url, readCall("tenantry://orders/7")), post(t, url, body, headers...)} {
		got := rpcOf(t, res.Body).Result
		if res.Status != 200 || len(got.Contents) != 1 || got.CacheScope != "private" {
			t.Fatalf("%d %s", res.Status, res.Body)
		}
		if c := got.Contents[0]; c.Text != want || c.URI != "tenantry://orders/7" || c.MimeType != "application/json" {
			t.Errorf("%+v, want %s", c, want)
		}
		if diff := cmp.Diff(executors.GetRequest{Resource: "orders", ID: json.RawMessage(`"7"`)}, shop.last(t)); diff != "" {
			t.Errorf("the reader was asked %s", diff)
		}
	}
}

func TestReadSchema(t *testing.T) {
	t.Parallel()
	opts := quiet()
	opts.Prefix = "acme_"
	url := serve(t, newLibrary(), opts)
	got := rpcOf(t, post(t, url, readCall("tenantry://order%2Flines")).Body).Result.Contents
	if len(got) != 1 || got[0].MimeType != "text/markdown" || got[0].URI != "tenantry://order%2Flines" ||
		!strings.HasPrefix(got[0].Text, "# order/lines\n\nA \"<b>\" of lines") || !strings.Contains(got[0].Text, "acme_list {\"resource\"") {
		t.Errorf("%+v", got)
	}
}

// A mistake is a JSON-RPC error that says what to send instead, the same over every revision but for one code.
func TestReadMistakes(t *testing.T) {
	t.Parallel()
	url := serve(t, newLibrary(), quiet())
	for _, tt := range []struct {
		uri      string
		old, new int64
		code     string
		message  string
	}{
		{"tenantry://orders/8", -32002, -32602, "not_found", `orders has no row with the id "8"`},
		{"tenantry://order/7", -32002, -32602, "unknown_resource", `there is no resource "order"`},
		{"tenantry://order", -32002, -32602, "unknown_resource", `there is no resource "order"`},
		{"https://example.com/7", -32002, -32602, "not_found", `there is nothing at "https://example.com/7": read a URI of the form`},
		{"tenantry://orders/x7", -32602, -32602, "invalid_argument", `"x7" is not a bigint: send a whole number`},
		{"tenantry://orders/7/8", -32602, -32602, "invalid_argument", "percent-encode the key"},
		{"tenantry://orders/", -32602, -32602, "invalid_argument", "put the key of a row behind the last /"},
		{"tenantry://away/7", -32603, -32603, "unavailable", "the database cannot be reached now"},
		{"tenantry://" + strings.Repeat("é", 500), -32002, -32602, "unknown_resource", "there is no resource"},
	} {
		body, headers := modern("resources/read", fmt.Sprintf(`"uri":%q`, tt.uri), "=?base64?"+base64.StdEncoding.EncodeToString([]byte(tt.uri))+"?=")
		for i, res := range []response{post(t, url, readCall(tt.uri)), post(t, url, body, headers...)} {
			code, status := tt.old, 200
			if i == 1 {
				if code = tt.new; code == -32602 {
					status = 400
				}
			}
			got := rpcOf(t, res.Body).Error
			if got == nil {
				t.Fatalf("%s: %s", tt.uri, res.Body)
			}
			if res.Status != status || got.Code != code || got.Data.Code != tt.code || !strings.Contains(got.Message, tt.message) || strings.Contains(got.Message, "\n") {
				t.Errorf("%s: %d %s", tt.uri, res.Status, res.Body)
			}
			if given, whole := strings.CutSuffix(got.Data.URI, "…"); !strings.HasPrefix(tt.uri, given) || (len(tt.uri) < 256) == whole || len([]rune(given)) > 256 {
				t.Errorf("%s: the data holds %s", tt.uri, got.Data.URI)
			}
		}
	}
	near := rpcOf(t, post(t, url, readCall("tenantry://ordres/7")).Body).Error
	if diff := cmp.Diff([]string{"orders"}, near.Data.Suggestions); diff != "" || len(near.Data.Allowed) == 0 {
		t.Errorf("%+v", near)
	}
	if typed := rpcOf(t, post(t, url, readCall("tenantry://orders/x")).Body).Error; typed.Data.Example != 7.0 {
		t.Errorf("%+v", typed)
	}
}

// Params that are none are refused alike on every way in.
func TestQueryParams(t *testing.T) {
	t.Parallel()
	s := newServer(t, newLibrary(), quiet())
	url := serve(t, newLibrary(), quiet())
	ref := `"ref":{"type":"ref/resource","uri":"tenantry://{resource}/{id}"}`
	for _, tt := range []struct{ method, params string }{
		{"resources/read", `{}`},
		{"resources/read", `{"uri":7}`},
		{"resources/read", `{"URI":"tenantry://orders/7"}`},
		{"resources/read", `{"uri":"a","uri":"tenantry://orders/7"}`},
		{"resources/list", `{"cursor":5}`},
		{"resources/list", `{"cursor":"AAAA"}`},
		{"resources/list", `{"cursor":"200"}`},
		{"resources/list", `{"cursor":"-1"}`},
		{"resources/templates/list", `{"cursor":"200"}`},
		{"completion/complete", `{}`},
		{"completion/complete", `{` + ref + `}`},
		{"completion/complete", `{` + ref + `,"argument":{"name":"resource"}}`},
		{"completion/complete", `{` + ref + `,"argument":{"name":"tenant","value":""}}`},
		{"completion/complete", `{` + ref + `,"argument":{"name":"resource","name":"id","value":""}}`},
		{"completion/complete", `{"ref":{"type":"ref/prompt","name":"resource"},"argument":{"name":"resource","value":""}}`},
		{"completion/complete", `{"ref":{"type":"ref/resource","uri":"tenantry://{resource}"},"argument":{"name":"resource","value":""}}`},
		{"completion/complete", `{"ref":{"type":"ref/tool","uri":"tenantry://{resource}/{id}"},"argument":{"name":"resource","value":""}}`},
	} {
		res := post(t, url, request(tt.method, tt.params))
		if got := faultOf(t, res.Body); res.Status != 200 || got.Code != -32602 {
			t.Errorf("%s %s: %s", tt.method, tt.params, res.Body)
		}
		lines := pipe(t, s, handshake+request(tt.method, tt.params)+"\n")
		if len(lines) != 1 || lines[0] != res.Body {
			t.Errorf("%s %s: stdio answers %v, HTTP %s", tt.method, tt.params, lines, res.Body)
		}
	}
}

// The name in the header is the URI of the body, encoded where a header cannot hold it.
func TestReadHeader(t *testing.T) {
	t.Parallel()
	url := serve(t, newLibrary(), quiet())
	uri := "tenantry://größe <1>"
	for name, status := range map[string]int{
		"=?base64?" + base64.StdEncoding.EncodeToString([]byte(uri)) + "?=": 200,
		"":                          400,
		"tenantry://orders":         400,
		"=?base64?AAAA?=":           400,
		"=?base64?not base64 !!!?=": 400,
	} {
		body, headers := modern("resources/read", fmt.Sprintf(`"uri":%q`, uri), name)
		if res := post(t, url, body, headers...); res.Status != status || (status == 400 && faultOf(t, res.Body).Code != -32020) {
			t.Errorf("%q: %d %s", name, res.Status, res.Body)
		}
	}
}

// A resource that only others see is, on each of these methods, one that never was.
func TestHiddenIsUnknown(t *testing.T) {
	t.Parallel()
	url := serve(t, newLibrary(), quiet())
	as := func(token, body string) string {
		return post(t, url, body, "Authorization", "Bearer "+token).Body
	}
	for _, uri := range []string{"tenantry://%s", "tenantry://%s/7", "tenantry://%s/x", "tenantry://%s/7/8", "tenantry://%s/%%"} {
		secret := as(tokenOne, readCall(fmt.Sprintf(uri, hidden)))
		never := as(tokenOne, readCall(fmt.Sprintf(uri, "notthere")))
		if diff := cmp.Diff(strings.ReplaceAll(never, "notthere", hidden), secret); diff != "" {
			t.Errorf("%s: %s", uri, diff)
		}
	}
	for _, uri := range []string{"tenantry://" + hidden, "tenantry://" + hidden + "/7"} {
		if got := as(tokenTwo, readCall(uri)); rpcOf(t, got).Error != nil {
			t.Errorf("Bob does not read %s: %s", uri, got)
		}
	}
	complete := `{"ref":{"type":"ref/resource","uri":"tenantry://{resource}/{id}"},"argument":{"name":"resource","value":"pay"}}`
	for method, params := range map[string]string{"resources/list": "{}", "resources/templates/list": "{}", "completion/complete": complete} {
		if got := as(tokenOne, request(method, params)); strings.Contains(got, hidden) {
			t.Errorf("%s tells Alice of it: %s", method, got)
		}
		if got := as(tokenTwo, request(method, params)); strings.Contains(got, hidden) != (method != "resources/templates/list") {
			t.Errorf("%s for Bob: %s", method, got)
		}
	}
}

// A caller of several tenants chooses one for a row, by the same means as for a tool.
func TestReadTenant(t *testing.T) {
	t.Parallel()
	url := serve(t, newLibrary(), quiet())
	row := func(meta string, headers ...string) rpc {
		headers = append(headers, "Authorization", "Bearer "+tokenMany)
		return rpcOf(t, post(t, url, request("resources/read", `{"uri":"tenantry://orders/7"`+meta+`}`), headers...).Body)
	}
	for name, got := range map[string]rpc{
		"header": row("", "Tenantry-Tenant", "2"), "meta": row(`,"_meta":{"tenantry/tenant":2}`), "both": row(`,"_meta":{"tenantry/tenant":"2"}`, "Tenantry-Tenant", "2"),
	} {
		if got.Error != nil || !strings.Contains(got.Result.Contents[0].Text, `"tenant":"2"`) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	for name, got := range map[string]rpc{
		"none": row(""), "foreign": row("", "Tenantry-Tenant", "3"), "two": row(`,"_meta":{"tenantry/tenant":1}`, "Tenantry-Tenant", "2"),
	} {
		if got.Error == nil || got.Error.Code != -32602 || got.Error.Data.Code != "forbidden" || cmp.Diff([]string{"1", "2"}, got.Error.Data.Allowed) != "" {
			t.Errorf("%s: %+v", name, got)
		}
	}
	// A schema and a list read no rows: like resource_schema, they leave the tenant open, but not to a foreign one.
	for _, body := range []string{readCall("tenantry://orders"), request("resources/list", "{}")} {
		if got := rpcOf(t, post(t, url, body, "Authorization", "Bearer "+tokenMany).Body); got.Error != nil {
			t.Errorf("%s: %+v", body, got.Error)
		}
		if got := rpcOf(t, post(t, url, body, "Authorization", "Bearer "+tokenMany, "Tenantry-Tenant", "3").Body); got.Error == nil || got.Error.Data.Code != "forbidden" {
			t.Errorf("%s for a foreign tenant: %+v", body, got)
		}
	}
}

// The front answers queries itself. This test holds it to what the SDK makes of them.
func TestQueriesAnswerAsTheSDK(t *testing.T) {
	t.Parallel()
	s := newServer(t, newLibrary(), quiet())
	p, err := principal(t, tokenMany).Activate("2")
	if err != nil {
		t.Fatal(err)
	}
	ref := `"ref":{"type":"ref/resource","uri":"tenantry://{resource}/{id}","name":"no matter"},"context":{"arguments":{"id":7}}`
	for name, call := range map[string][2]string{
		"row":          {"resources/read", `"uri":"tenantry://orders/7"`},
		"composite":    {"resources/read", `"uri":"tenantry://order%2Flines/A%2F1:3"`},
		"schema":       {"resources/read", `"uri":"tenantry://gr%C3%B6%C3%9Fe%20%3C1%3E"`},
		"not found":    {"resources/read", `"uri":"tenantry://orders/8<>"`},
		"unknown":      {"resources/read", `"uri":"tenantry://ordres/8"`},
		"mistake":      {"resources/read", `"uri":"tenantry://orders/x"`},
		"elsewhere":    {"resources/read", `"uri":"tenantry:read"`},
		"away":         {"resources/read", `"uri":"tenantry://away/7"`},
		"no URI":       {"resources/read", `"url":"tenantry://orders/7"`},
		"foreign":      {"resources/read", `"uri":"tenantry://orders/7","_meta":{"tenantry/tenant":3}`},
		"more params":  {"resources/read", `"uri":"tenantry://orders/7","inputResponses":5,"requestState":[]`},
		"list":         {"resources/list", ``},
		"bad cursor":   {"resources/list", `"cursor":"7"`},
		"templates":    {"resources/templates/list", ``},
		"complete":     {"completion/complete", ref + `,"argument":{"name":"resource","value":"order"}`},
		"complete all": {"completion/complete", ref + `,"argument":{"name":"resource","value":""}`},
		"no match":     {"completion/complete", ref + `,"argument":{"name":"resource","value":"zzz"}`},
		"complete id":  {"completion/complete", ref + `,"argument":{"name":"id","value":"7"}`},
		"other ref":    {"completion/complete", `"ref":{"type":"ref/prompt","name":"x"},"argument":{"name":"id","value":""}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compareQuery(t, s, p, [2]string{request(call[0], "{"+call[1]+"}"), stable})
			if name == "foreign" {
				return
			}
			body, _ := modern(call[0], call[1], "")
			compareQuery(t, s, p, [2]string{body, newest})
		})
	}
}

func compareQuery(t *testing.T, s *mcpserver.Server, p *auth.Principal, message [2]string) {
	t.Helper()
	body, version := message[0], message[1]
	viaSDK, err := s.QueryViaSDK(t.Context(), p, []byte(body), version)
	if err != nil {
		t.Fatal(err)
	}
	direct := s.QueryDirect(t.Context(), p, []byte(body))
	if diff := cmp.Diff(decoded(t, viaSDK), decoded(t, direct)); diff != "" {
		t.Errorf("%s: the front differs from the SDK (-SDK +front):\n%s", version, diff)
	}
}
