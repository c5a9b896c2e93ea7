package mcpserver_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/resource"
	"github.com/tenantry/tenantry/tenant"
)

// Which tenant a call reads: the contract, section 8.
func TestTenantSelection(t *testing.T) {
	t.Parallel()
	url := serve(t, newShop(), quiet())
	const list, schema, none = "list", "resource_schema", "resources"
	tests := []struct {
		name, token, tool string
		header            []string
		meta              string
		want              string // the tenant read, "" for no rows, or forbidden
	}{
		{"one", tokenOne, list, nil, "", "1"},
		{"one, named", tokenOne, list, []string{"1"}, `"1"`, "1"},
		{"one, blank header", tokenOne, list, []string{""}, `""`, "1"},
		{"one, meta null", tokenOne, list, nil, `null`, "1"},
		{"one, foreign", tokenOne, list, []string{"2"}, "", "forbidden"},
		{"one, foreign in meta", tokenOne, list, nil, `2`, "forbidden"},
		{"one, foreign for the schema", tokenOne, schema, []string{"2"}, "", "forbidden"},
		{"one, foreign for the names", tokenOne, none, []string{"2"}, "", "forbidden"},
		{"one, meta an object", tokenOne, list, nil, `{"id":1}`, "forbidden"},
		{"many, none", tokenMany, list, nil, "", "forbidden"},
		{"many, none for get", tokenMany, "get", nil, "", "forbidden"},
		{"many, none for the schema", tokenMany, schema, nil, "", ""},
		{"many, none for the names", tokenMany, none, nil, "", ""},
		{"many, header", tokenMany, list, []string{"2"}, "", "2"},
		{"many, meta text", tokenMany, list, nil, `"1"`, "1"},
		{"many, meta number", tokenMany, list, nil, `2`, "2"},
		{"many, both", tokenMany, list, []string{"2"}, `2`, "2"},
		{"many, disagreeing", tokenMany, list, []string{"2"}, `1`, "forbidden"},
		{"many, disagreeing for the names", tokenMany, none, []string{"2"}, `1`, "forbidden"},
		{"many, two headers", tokenMany, list, []string{"2", "2"}, "", "forbidden"},
		{"many, foreign", tokenMany, list, []string{"3"}, "", "forbidden"},
		{"many, padded", tokenMany, list, []string{"02"}, "", "forbidden"},
		{"many, fraction", tokenMany, list, nil, `2.0`, "forbidden"},
		{"many, meta an object", tokenMany, list, nil, `{"id":2}`, "forbidden"},
		{"many, meta true", tokenMany, list, nil, `true`, "forbidden"},
		{"large", tokenMany, list, nil, `9007199254740993`, "forbidden"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			params := `{"name":"` + tt.tool + `","arguments":{"resource":"orders","id":7}`
			switch tt.tool {
			case list, schema:
				params = strings.Replace(params, `,"id":7`, "", 1)
			case none:
				params = strings.Replace(params, `"resource":"orders","id":7`, "", 1)
			}
			if tt.meta != "" {
				params += `,"_meta":{"tenantry/tenant":` + tt.meta + `,"tenant":2}`
			}
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(request("tools/call", params+"}")))
			if err != nil {
				t.Fatal(err)
			}
			req.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + tt.token}, "Tenantry-Tenant": tt.header}
			checkTenant(t, req, tt.want)
		})
	}
}

func checkTenant(t *testing.T, req *http.Request, want string) {
	t.Helper()
	res := do(t, req)
	got := resultOf(t, res.Body)
	switch {
	case want == "forbidden":
		if m := mistakesOf(t, got.Structured); !got.IsError || len(m) != 1 || m[0].Code != resource.Forbidden {
			t.Errorf("not refused: %s", res.Body)
		}
	case got.IsError:
		t.Errorf("refused: %s", res.Body)
	case want != "" && !strings.Contains(got.Structured, `"tenant":"`+want+`"`):
		t.Errorf("want tenant %s: %s", want, got.Structured)
	}
}

// The refusal names the granted tenants and no other.
func TestForbidden(t *testing.T) {
	t.Parallel()
	s := newServer(t, newShop(), quiet())
	body, _, err := s.Call(t.Context(), principal(t, tokenMany), "list", []byte(`{"resource":"orders"}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []resource.Error{{
		Code:    resource.Forbidden,
		Message: `this token is for several tenants: name one of them in the Tenantry-Tenant header or in _meta["tenantry/tenant"]`,
		Allowed: []string{"1", "2"},
	}}
	if diff := cmp.Diff(want, mistakesOf(t, string(body)), cmpopts.IgnoreUnexported(resource.Error{})); diff != "" {
		t.Error(diff)
	}
}

// textShop is a shop whose tenants have text keys.
type textShop struct{ *shop }

func (textShop) TenantKind() tenant.Kind { return tenant.KindText }

// A number is no name of a tenant with a text key, even if the digits are the same.
func TestTextTenants(t *testing.T) {
	t.Parallel()
	var ids []tenant.ID
	for _, key := range []string{"7", "acme, inc"} {
		id, err := tenant.Text(key)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	p, err := auth.NewPrincipal(auth.Grant{Subject: "carol", Tenants: ids})
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t, textShop{newShop()}, quiet())
	for meta, want := range map[string]string{`"7"`: `"tenant":"7"`, `"acme, inc"`: `"tenant":"acme, inc"`, `7`: "forbidden", `"8"`: "forbidden"} {
		body := request("tools/call", `{"name":"list","arguments":{"resource":"orders"},"_meta":{"tenantry/tenant":`+meta+`}}`)
		if got := string(s.Direct(t.Context(), p, []byte(body), stable)); !strings.Contains(got, want) {
			t.Errorf("%s: %s", meta, got)
		}
	}
}

// A token for a great many tenants does not make a great answer.
func TestManyTenants(t *testing.T) {
	t.Parallel()
	var ids []tenant.ID
	for n := range 1000 {
		ids = append(ids, intTenant(t, int64(n+1)))
	}
	p, err := auth.NewPrincipal(auth.Grant{Subject: "root", Tenants: ids})
	if err != nil {
		t.Fatal(err)
	}
	body, _, err := newServer(t, newShop(), quiet()).Call(t.Context(), p, "list", []byte(`{"resource":"orders"}`))
	if err != nil || len(body) > 1000 || mistakesOf(t, string(body))[0].Code != resource.Forbidden {
		t.Errorf("%v %d bytes: %s", err, len(body), body)
	}
}
