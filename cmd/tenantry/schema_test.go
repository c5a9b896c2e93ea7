package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestPrintDescription(t *testing.T) {
	t.Parallel()
	const answer = `{"name":"orders","description":"Orders.","note":"All of them.","key":{"fields":["number","line"],"type":"composite"},
		"attributes":[
			{"name":"number","type":"text","nullable":false,"description":"Year and number.","filterable":true,"sortable":true,"operators":["eq"]},
			{"name":"state","type":"enum","nullable":true,"enum":["open","void"],"filterable":false,"sortable":false,"operators":[]}],
		"relationships":[
			{"name":"customer","kind":"to_one","target":"customers","polymorphic":false,"filter_keys":[],"includable":true},
			{"name":"subject","kind":"to_one","polymorphic":true,"filter_keys":[],"includable":false}],
		"filters":[{"key":"number","type":"text","operators":["eq","in"],"description":"The number.","requires":"state"},{"key":"state","type":"enum","operators":["eq"]}],
		"sortable":["number"],"limits":{"default_limit":25,"max_limit":100,"max_bytes":65536},
		"grammar":"An object.","examples":[{"resource":"orders","limit":5}],
		"aggregates":{"group_by":[{"field":"state"},{"field":"placed_at","units":["day","week"]}],"measures":[{"field":"total","functions":["sum","avg"]}],
			"grammar":"In groups.","example":{"resource":"orders","group_by":["state"]}}}`
	const want = `orders: Orders.
Note: All of them.
Key: number, line (composite)

Fields
  number  text  filterable, sortable  Year and number.
  state   enum  nullable              One of open, void

Relations
  customer  to one  customers  can be included
  subject   to one  any type   link only

Filter keys
  number  text  eq in  The number. Needs state beside it.
  state   enum  eq

Sort by: number, the key
A page: 25 rows, at most 100, and 65536 bytes

Filter grammar
  An object.

Examples
  list {"resource":"orders","limit":5}

Group by
  state
  placed_at  day week

Measures
  count  the number of rows
  total  sum avg

Grouping
  In groups.
  aggregate {"resource":"orders","group_by":["state"]}
`
	var d description
	if err := json.Unmarshal([]byte(answer), &d); err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := d.print(&got); err != nil {
		t.Fatal(err)
	}
	same(t, want, got.String())
}

func TestSchema(t *testing.T) {
	t.Parallel()
	env := shop(t)
	got := tenantry(t, env, "schema", "--config", shopFile, "--token", "acme-hunter2", "orders")
	for _, want := range []string{
		"orders: Orders.\nNote: All of them.\nKey: id (bigint)\n", "\n  number       text    sortable  Year and number.\n",
		"  Needs state beside it.\n", "\nA page: 2 rows, at most 10, ", "\nExamples\n  list {",
	} {
		if !strings.Contains(got.Out, want) {
			t.Errorf("%q is missing", want)
		}
	}
	same(t, outcome{Out: got.Out}, got)
}

func TestSchemaOfAll(t *testing.T) {
	t.Parallel()
	env := shop(t)
	for _, tc := range []struct {
		name string
		args []string
		want outcome
	}{
		{"some", []string{"--token", "acme-hunter2"}, outcome{0, "orders  Orders. All of them.\n", ""}},
		{"none", []string{"--token", "none-hunter2"}, outcome{0, "This token may read no resource.\n", ""}},
		{"misspelt", []string{"--token", "acme-hunter2", "order"}, outcome{statusUsage, "", "tenantry schema: there is no resource \"order\": send a name from the list of resources (near: orders)\n"}},
		{"internal", []string{"--token", "acme-hunter2", "customers"}, outcome{statusUsage, "", "tenantry schema: there is no resource \"customers\": send a name from the list of resources\n"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			same(t, tc.want, tenantry(t, env, append([]string{"schema", "--config", shopFile}, tc.args...)...))
		})
	}
}
