package mcpserver_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/resource"
)

// run calls a tool and returns its answer.
func run(t *testing.T, s *mcpserver.Server, tool, args string) (body string, isError bool) {
	t.Helper()
	var raw json.RawMessage
	if args != "" {
		raw = json.RawMessage(args)
	}
	out, isError, err := s.Call(t.Context(), principal(t, tokenOne), tool, raw)
	if err != nil {
		t.Fatal(err)
	}
	return string(out), isError
}

// The lenience table of the contract, section 5: what is accepted and what it means.
func TestListArguments(t *testing.T) {
	t.Parallel()
	orders := func(change func(*executors.ListRequest)) executors.ListRequest {
		req := executors.ListRequest{Resource: "orders"}
		change(&req)
		return req
	}
	none := func(*executors.ListRequest) {}
	tests := []struct {
		name, args string
		want       executors.ListRequest
	}{
		{"alone", `{"resource":"orders"}`, orders(none)},
		{"arguments as text", `" {\"resource\":\"orders\",\"limit\":\"5\"}"`, orders(func(r *executors.ListRequest) { r.Limit = new(5) })},
		{"nulls", `{"resource":"orders","filter":null,"ids":null,"updated_since":null,"sort":null,"limit":null,"cursor":null,"offset":null,"fields":null,"include":null,"count":null}`, orders(none)},
		{"blanks", `{"resource":"orders","filter":"","ids":"","updated_since":"","sort":"","limit":"","cursor":"","offset":"","fields":"","include":"","count":""}`, orders(none)},
		{"empty arrays", `{"resource":"orders","sort":[],"fields":"[]","include":" , "}`, orders(none)},
		{"limit text", `{"resource":"orders","limit":"10"}`, orders(func(r *executors.ListRequest) { r.Limit = new(10) })},
		{"limit 10.0", `{"resource":"orders","limit":10.0,"offset":1e1}`, orders(func(r *executors.ListRequest) { r.Limit, r.Offset = new(10), 10 })},
		{"limit 0", `{"resource":"orders","limit":0,"offset":0.0}`, orders(func(r *executors.ListRequest) { r.Limit = new(0) })},
		{"limit -0", `{"resource":"orders","limit":-0}`, orders(func(r *executors.ListRequest) { r.Limit = new(0) })},
		{"limit huge", `{"resource":"orders","limit":123456789012345678901234567890,"offset":"99999999999"}`, orders(func(r *executors.ListRequest) {
			r.Limit, r.Offset = new(1<<31-1), 1<<31-1
		})},
		{"names as text", `{"resource":"orders","fields":" id, total,","sort":"-placed_at","include":"customer"}`, orders(func(r *executors.ListRequest) {
			r.Fields, r.Sort, r.Include = []string{"id", "total"}, []string{"-placed_at"}, []string{"customer"}
		})},
		{"names as JSON text", `{"resource":"orders","fields":"[\"id\",\"total\"]","sort":" [\"-placed_at\"] "}`, orders(func(r *executors.ListRequest) {
			r.Fields, r.Sort = []string{"id", "total"}, []string{"-placed_at"}
		})},
		{"names", `{"resource":"orders","fields":["id","a,b"],"sort":["-placed_at"]}`, orders(func(r *executors.ListRequest) {
			r.Fields, r.Sort = []string{"id", "a,b"}, []string{"-placed_at"}
		})},
		{"the word null", `{"resource":"orders","cursor":"null","fields":["null"]}`, orders(func(r *executors.ListRequest) {
			r.Cursor, r.Fields = "null", []string{"null"}
		})},
		{"filter", `{"resource":"orders","filter":{"state":"paid","state":"void"}}`, orders(func(r *executors.ListRequest) {
			r.Filter = json.RawMessage(`{"state":"paid","state":"void"}`)
		})},
		{"filter as text", `{"resource":"orders","filter":" {\"state\":\"paid\"} "}`, orders(func(r *executors.ListRequest) {
			r.Filter = json.RawMessage(`{"state":"paid"}`)
		})},
		{"empty filter", `{"resource":"orders","filter":{}}`, orders(func(r *executors.ListRequest) { r.Filter = json.RawMessage(`{}`) })},
		{"ids", `{"resource":"orders","ids":[1, "2",9007199254740993]}`, orders(func(r *executors.ListRequest) {
			r.IDs = json.RawMessage(`[1, "2",9007199254740993]`)
		})},
		{"ids as JSON text", `{"resource":"orders","ids":" [1,\"2\"]"}`, orders(func(r *executors.ListRequest) { r.IDs = json.RawMessage(`[1,"2"]`) })},
		{"ids as text", `{"resource":"orders","ids":"1,2"}`, orders(func(r *executors.ListRequest) { r.IDs = json.RawMessage(`"1,2"`) })},
		{"ids empty", `{"resource":"orders","ids":[]}`, orders(func(r *executors.ListRequest) { r.IDs = json.RawMessage(`[]`) })},
		{"the rest", `{"resource":"orders","cursor":"abc","updated_since":"2026-07-01","count":"capped"}`, orders(func(r *executors.ListRequest) {
			r.Cursor, r.UpdatedSince, r.Count = "abc", "2026-07-01", executors.CountCapped
		})},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			shop := newShop()
			if body, isError := run(t, newServer(t, shop, quiet()), "list", tt.args); isError {
				t.Fatalf("refused: %s", body)
			}
			if diff := cmp.Diff(tt.want, shop.last(t), cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// mistake is what the tests compare of a mistake.
type mistake struct {
	Code resource.Code
	Path string
}

func mistakesIn(t *testing.T, body string) (out []mistake) {
	t.Helper()
	for _, e := range mistakesOf(t, body) {
		if e.Message == "" || strings.ContainsAny(e.Message, "\n\r") {
			t.Errorf("the message %q is not one line", e.Message)
		}
		out = append(out, mistake{e.Code, e.Path})
	}
	return out
}

func TestRefusedArguments(t *testing.T) {
	t.Parallel()
	const invalid, unknown = resource.InvalidArgument, resource.UnknownArgument
	tests := []struct {
		name, tool, args string
		want             []mistake
	}{
		{"no arguments", "list", "", []mistake{{invalid, "/resource"}}},
		{"resource null", "list", `{"resource":null}`, []mistake{{invalid, "/resource"}}},
		{"resource blank", "get", `{"resource":"","id":null}`, []mistake{{invalid, "/resource"}, {invalid, "/id"}}},
		{"resource a number", "resource_schema", `{"resource":5}`, []mistake{{invalid, "/resource"}}},
		{"an array", "list", `[]`, []mistake{{invalid, ""}}},
		{"an array for no arguments", "resources", `[]`, []mistake{{invalid, ""}}},
		{"a number", "list", `5`, []mistake{{invalid, ""}}},
		{"text that is no JSON", "list", `"orders"`, []mistake{{invalid, ""}}},
		{"text of text", "list", `"\"{}\""`, []mistake{{invalid, ""}}},
		{"unknown", "resources", `{"limit":1}`, []mistake{{unknown, "/limit"}}},
		{"case 5a", "list", `{"resource":"orders","tenant_id":2}`, []mistake{{unknown, "/tenant_id"}}},
		{"case 5b", "list", `{"resource":"orders","context":{"tenant":2},"account_id":2}`, []mistake{{unknown, "/context"}, {unknown, "/account_id"}}},
		{"case 5c", "list", `{"resource":"orders","Resource":"customers"}`, []mistake{{unknown, "/Resource"}}},
		{"case 5d", "list", `{"resource":"orders","resource":"customers"}`, []mistake{{invalid, "/resource"}}},
		{"twice, the first blank", "list", `{"resource":"orders","limit":null,"limit":5}`, []mistake{{invalid, "/limit"}}},
		{"twice in text", "list", `"{\"resource\":\"orders\",\"resource\":\"orders\"}"`, []mistake{{invalid, "/resource"}}},
		{"pointer", "list", `{"resource":"orders","a/b~c":1}`, []mistake{{unknown, "/a~1b~0c"}}},
		{"limit negative", "list", `{"resource":"orders","limit":-1}`, []mistake{{invalid, "/limit"}}},
		{"limit fraction", "list", `{"resource":"orders","limit":10.5}`, []mistake{{invalid, "/limit"}}},
		{"limit small", "list", `{"resource":"orders","limit":1e-400}`, []mistake{{invalid, "/limit"}}},
		{"limit beyond all", "list", `{"resource":"orders","limit":1e99999}`, []mistake{{invalid, "/limit"}}},
		{"limit words", "list", `{"resource":"orders","limit":"ten"}`, []mistake{{invalid, "/limit"}}},
		{"limit text fraction", "list", `{"resource":"orders","limit":"10.0"}`, []mistake{{invalid, "/limit"}}},
		{"limit text padded", "list", `{"resource":"orders","limit":"010"}`, []mistake{{invalid, "/limit"}}},
		{"limit text blank", "list", `{"resource":"orders","limit":" 10"}`, []mistake{{invalid, "/limit"}}},
		{"limit null word", "list", `{"resource":"orders","limit":"null"}`, []mistake{{invalid, "/limit"}}},
		{"limit true", "list", `{"resource":"orders","limit":true,"offset":[]}`, []mistake{{invalid, "/limit"}, {invalid, "/offset"}}},
		{"cursor number", "list", `{"resource":"orders","cursor":5}`, []mistake{{invalid, "/cursor"}}},
		{"since number", "list", `{"resource":"orders","updated_since":5}`, []mistake{{invalid, "/updated_since"}}},
		{"fields object", "list", `{"resource":"orders","fields":{},"sort":1,"include":true}`, []mistake{{invalid, "/sort"}, {invalid, "/fields"}, {invalid, "/include"}}},
		{"fields with null", "list", `{"resource":"orders","fields":["id",null]}`, []mistake{{invalid, "/fields"}}},
		{"fields with blank", "get", `{"resource":"orders","id":7,"fields":["id",""]}`, []mistake{{invalid, "/fields"}}},
		{"fields half JSON", "list", `{"resource":"orders","fields":"[\"id\""}`, []mistake{{invalid, "/fields"}}},
		{"many fields", "list", `{"resource":"orders","fields":"` + strings.Repeat("a,", 501) + `"}`, []mistake{{resource.LimitExceeded, "/fields"}}},
		{"filter array", "list", `{"resource":"orders","filter":[]}`, []mistake{{resource.InvalidFilter, "/filter"}}},
		{"filter text", "list", `{"resource":"orders","filter":"state=paid"}`, []mistake{{resource.InvalidFilter, "/filter"}}},
		{"filter text of an array", "list", `{"resource":"orders","filter":"[]"}`, []mistake{{resource.InvalidFilter, "/filter"}}},
		{"ids object", "list", `{"resource":"orders","ids":{}}`, []mistake{{invalid, "/ids"}}},
		{"ids half JSON", "list", `{"resource":"orders","ids":"[1"}`, []mistake{{invalid, "/ids"}}},
		{"ids true", "list", `{"resource":"orders","ids":true}`, []mistake{{invalid, "/ids"}}},
		{"id array", "get", `{"resource":"orders","id":[7]}`, []mistake{{invalid, "/id"}}},
		{"count", "list", `{"resource":"orders","count":"Exact"}`, []mistake{{invalid, "/count"}}},
		{"count true", "list", `{"resource":"orders","count":true}`, []mistake{{invalid, "/count"}}},
		{"all at once", "list", `{"resource":"nowhere","limit":"x","count":"y","colour":1}`, []mistake{
			{unknown, "/colour"}, {invalid, "/limit"}, {invalid, "/count"}, {resource.UnknownResource, "/resource"},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			body, isError := run(t, newServer(t, newShop(), quiet()), tt.tool, tt.args)
			if !isError {
				t.Fatalf("accepted: %s", body)
			}
			if diff := cmp.Diff(tt.want, mistakesIn(t, body)); diff != "" {
				t.Errorf("%s\n%s", diff, body)
			}
		})
	}
}

func TestUnknownArgument(t *testing.T) {
	t.Parallel()
	body, _ := run(t, newServer(t, newShop(), quiet()), "list", `{"resource":"orders","filters":{}}`)
	want := []resource.Error{{
		Code: resource.UnknownArgument, Path: "/filters",
		Message:     `there is no argument "filters": send what it means by one of the allowed names`,
		Allowed:     []string{"resource", "filter", "ids", "updated_since", "sort", "limit", "cursor", "offset", "fields", "include", "count"},
		Suggestions: []string{"filter"},
	}}
	if diff := cmp.Diff(want, mistakesOf(t, body), cmpopts.IgnoreUnexported(resource.Error{})); diff != "" {
		t.Error(diff)
	}
}

// A call without a resource is told which there are.
func TestMissingResource(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"list", "get", "resource_schema", "aggregate"} {
		body, _ := run(t, newServer(t, newShop(), quiet()), tool, `{}`)
		if got := mistakesOf(t, body)[0]; got.Path != "/resource" || cmp.Diff(visible, got.Allowed) != "" {
			t.Errorf("%s: %s", tool, body)
		}
	}
}

// At most ten mistakes are reported, the first of them twice.
func TestManyMistakes(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(`{"resource":"orders"`)
	for c := 'a'; c <= 'z'; c++ {
		b.WriteString(`,"` + string(c) + `":1`)
	}
	b.WriteString("}")
	body, _ := run(t, newServer(t, newShop(), quiet()), "list", b.String())
	var wire struct {
		Error  resource.Error
		Errors []resource.Error
	}
	if err := json.Unmarshal([]byte(body), &wire); err != nil {
		t.Fatal(err)
	}
	if len(wire.Errors) != 10 || wire.Error.Path != "/a" || wire.Errors[0].Path != "/a" {
		t.Errorf("%d mistakes, the first at %s: %s", len(wire.Errors), wire.Error.Path, body)
	}
}

func TestGetArguments(t *testing.T) {
	t.Parallel()
	for _, id := range []string{`7`, `"7"`, `9007199254740993`, `"a:b%3A"`, `7.0`} {
		shop := newShop()
		run(t, newServer(t, shop, quiet()), "get", `{"resource":"orders","id":`+id+`,"fields":"id"}`)
		want := executors.GetRequest{Resource: "orders", ID: json.RawMessage(id), Fields: []string{"id"}}
		if diff := cmp.Diff(want, shop.last(t), cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
	}
}

// No arguments at all, in every way a client says so.
func TestAbsentArguments(t *testing.T) {
	t.Parallel()
	url := serve(t, newShop(), quiet())
	for _, params := range []string{
		`{"name":"resources"}`, `{"name":"resources","arguments":null}`, `{"name":"resources","arguments":{}}`,
		`{"name":"resources","arguments":""}`, `{"name":"resources","arguments":"{}"}`,
	} {
		if res := resultOf(t, post(t, url, request("tools/call", params)).Body); res.IsError {
			t.Errorf("%s: %s", params, res.Text)
		}
	}
}

// Whatever the arguments are, a call is answered: with its rows, or with a mistake that has a code.
func FuzzArguments(f *testing.F) {
	for _, args := range []string{
		`{"resource":"orders","limit":"10","fields":"id,total","filter":"{}"}`, `"{\"resource\":\"orders\"}"`, `[]`, `null`, `{"resource":["x"]}`,
		`{"resource":"orders","limit":1e9999,"ids":"[1","sort":"[[]]","offset":-0.0}`, `{"":1,"\u0000":2}`, `{"resource":"\ud800"}`,
	} {
		f.Add([]byte(args))
	}
	s := newServer(f, newShop(), quiet())
	p := principal(f, tokenOne)
	f.Fuzz(func(t *testing.T, args []byte) {
		if !mcpserver.WellFormed(args) || strings.Contains(string(args), "slow") {
			return
		}
		for _, tool := range []string{"list", "get", "resource_schema", "resources", "aggregate"} {
			body, isError, err := s.Call(t.Context(), p, tool, args)
			if err != nil || !json.Valid(body) {
				t.Fatalf("%s: %v: %s", tool, err, body)
			}
			for _, e := range mistakesOf(t, string(body)) {
				if e.Code == "" || e.Message == "" || strings.ContainsAny(e.Message, "\n\r") {
					t.Fatalf("%s: %+v", tool, e)
				}
			}
			if isError != strings.HasPrefix(string(body), `{"error":`) {
				t.Fatalf("%s: isError is %v of %s", tool, isError, body)
			}
		}
	})
}
