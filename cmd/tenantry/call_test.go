package main

import "testing"

func TestCall(t *testing.T) {
	t.Parallel()
	env := shop(t)
	const (
		form     = ": write tenantry call --config FILE --token T [--tenant KEY] TOOL [JSON]\n"
		second   = `{"resource":"orders","row":{"id":2,"number":"2026-0002"}}` + "\n"
		notFound = `{"error":{"code":"not_found","message":"orders has no row with the id \"1\": send an id that a listing of it shows","path":"/id"}}` + "\n"
	)
	for _, tc := range []struct {
		name string
		args []string
		want outcome
	}{
		{"get", []string{"--token", "acme-hunter2", "get", `{"resource":"orders","id":2,"fields":["id","number"]}`}, outcome{0, second, ""}},
		{"with the prefix", []string{"shop_get", `{"resource":"orders","id":2,"fields":["id","number"]}`, "--token=acme-hunter2"}, outcome{0, second, ""}},
		{"one of two tenants", []string{"--token", "both-hunter2", "--tenant", "1", "get", `{"resource":"orders","id":2,"fields":["id","number"]}`}, outcome{0, second, ""}},
		{"nothing to read", []string{"--token", "none-hunter2", "resources"}, outcome{0, `{"resources":[]}` + "\n", ""}},
		{"another tenant's row", []string{"--token", "acme-hunter2", "get", `{"resource":"orders","id":1}`}, outcome{statusRefused, notFound, ""}},
		{"no such tool", []string{"--token", "acme-hunter2", "lst"}, outcome{statusUsage, "", "tenantry call: mcpserver: there is no tool \"lst\": use resources, resource_schema, get or list" + form}},
		{"bad JSON", []string{"--token", "acme-hunter2", "list", "{"}, outcome{statusUsage, "", "tenantry call: mcpserver: the arguments are not one JSON document in UTF-8" + form}},
		{"no such token", []string{"--token", "hunter2", "resources"}, outcome{statusUsage, "", "tenantry call: --token: testdata/shop.yaml has no such token under auth.static: write one that it has\n"}},
		{"a foreign tenant", []string{"--token", "both-hunter2", "--tenant", "3", "resources"}, outcome{statusUsage, "", "tenantry call: --tenant: the token does not grant that tenant: write one that it names\n"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			same(t, tc.want, tenantry(t, env, append([]string{"call", "--config", shopFile}, tc.args...)...))
		})
	}
}
