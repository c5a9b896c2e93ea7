package mcpserver_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

// What is taken beside the strict form, for every argument of aggregate.
func TestAggregateArguments(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, args string
		want       executors.AggregateRequest
	}{
		{"alone", `{"resource":"orders"}`, executors.AggregateRequest{}},
		{"nulls", `{"resource":"orders","filter":null,"group_by":null,"measures":null,"sort":null,"limit":null}`, executors.AggregateRequest{}},
		{"blanks", `{"resource":"orders","filter":"","group_by":"","measures":"","sort":"","limit":""}`, executors.AggregateRequest{}},
		{"empty arrays", `{"resource":"orders","group_by":[],"measures":"[]","sort":" , "}`, executors.AggregateRequest{}},
		{"everything", `{"resource":"orders","filter":{"a":1},"group_by":["state","placed_at:month"],"measures":["count","sum:total"],"sort":["-sum:total"],"limit":5}`, executors.AggregateRequest{
			Filter: json.RawMessage(`{"a":1}`), GroupBy: []string{"state", "placed_at:month"}, Measures: []string{"count", "sum:total"},
			Sort: []string{"-sum:total"}, Limit: new(5),
		}},
		{"names as text", `{"resource":"orders","group_by":"state, placed_at:month","measures":"count,sum:total","sort":"-count"}`, executors.AggregateRequest{
			GroupBy: []string{"state", "placed_at:month"}, Measures: []string{"count", "sum:total"}, Sort: []string{"-count"},
		}},
		{"names as JSON text", `{"resource":"orders","group_by":"[\"state\"]","measures":"[\"avg:total\"]"}`, executors.AggregateRequest{
			GroupBy: []string{"state"}, Measures: []string{"avg:total"},
		}},
		{"numbers and objects as text", `{"resource":"orders","limit":"7","filter":"{\"a\":1}"}`, executors.AggregateRequest{Filter: json.RawMessage(`{"a":1}`), Limit: new(7)}},
		{"arguments as text", `"{\"resource\":\"orders\",\"group_by\":\"state\"}"`, executors.AggregateRequest{GroupBy: []string{"state"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			shop := newShop()
			if body, isError := run(t, newServer(t, shop, quiet()), "aggregate", tt.args); isError {
				t.Fatalf("refused: %s", body)
			}
			tt.want.Resource = "orders"
			if diff := cmp.Diff(tt.want, shop.last(t), cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRefusedAggregateArguments(t *testing.T) {
	t.Parallel()
	const invalid, unknown = resource.InvalidArgument, resource.UnknownArgument
	for args, want := range map[string][]mistake{
		`{"resource":"orders","groupBy":["state"],"count":"exact"}`:                         {{unknown, "/groupBy"}, {unknown, "/count"}},
		`{"resource":"orders","group_by":{"field":"state"}}`:                                {{invalid, "/group_by"}},
		`{"resource":"orders","measures":[{"op":"sum"}],"sort":5,"limit":-1}`:               {{invalid, "/measures"}, {invalid, "/sort"}, {invalid, "/limit"}},
		`{"resource":"orders","measures":["count",""],"filter":[]}`:                         {{resource.InvalidFilter, "/filter"}, {invalid, "/measures"}},
		`{"resource":"orders","group_by":"a","group_by":"b"}`:                               {{invalid, "/group_by"}},
		`{"resource":"orders","group_by":"` + strings.Repeat("a,", 501) + `"}`:              {{resource.LimitExceeded, "/group_by"}},
		`{"resource":"orders","measures":true,"limit":"ten"}`:                               {{invalid, "/measures"}, {invalid, "/limit"}},
		`{"resource":"nowhere","fields":["id"],"measures":"[\"count\""}`:                    {{unknown, "/fields"}, {invalid, "/measures"}, {resource.UnknownResource, "/resource"}},
		`{"resource":"orders","updated_since":"2026-07-01","cursor":"a","ids":[1],"a/b":1}`: {{unknown, "/updated_since"}, {unknown, "/cursor"}, {unknown, "/ids"}, {unknown, "/a~1b"}},
	} {
		body, isError := run(t, newServer(t, newShop(), quiet()), "aggregate", args)
		if !isError {
			t.Errorf("%s is accepted: %s", args, body)
			continue
		}
		if diff := cmp.Diff(want, mistakesIn(t, body)); diff != "" {
			t.Errorf("%s: %s\n%s", args, diff, body)
		}
	}
}

// Where no resource takes part in it, there is no such tool, in any word of the server.
func TestWithoutAggregate(t *testing.T) {
	t.Parallel()
	shop := newShop()
	shop.plain = true
	url := serve(t, shop, quiet())
	absent, never := post(t, url, toolCall("aggregate", `{"resource":"orders"}`)).Body, post(t, url, toolCall("agglomerate", `{"resource":"orders"}`)).Body
	if faultOf(t, absent).Code != -32602 || strings.ReplaceAll(absent, "aggregate", "agglomerate") != never {
		t.Errorf("%s\n%s", absent, never)
	}
	for _, body := range []string{
		post(t, url, request("tools/list", "{}")).Body,
		post(t, url, request("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)).Body,
	} {
		if strings.Contains(body, `"aggregate"`) || strings.Contains(body, "aggregate counts") {
			t.Errorf("it is told of: %s", body)
		}
	}
	if _, _, err := newServer(t, shop, quiet()).Call(t.Context(), principal(t, tokenOne), "aggregate", nil); err == nil || strings.Contains(err.Error(), "or aggregate") {
		t.Errorf("Call: %v", err)
	}
}
