package mcpserver_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/mcpserver"
)

// Arguments are the same whatever their spelling, and other arguments never are.
func TestCanonical(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, class := range [][]string{
		{`{"a":1,"b":[1,{"c":null,"d":"é"}]}`, ` { "b" : [ 1 , {"d":"\u00e9","c":null}] ,"\u0061":1 } `},
		{`{"a":1,"b":[{"c":null,"d":"é"},1]}`},
		{`{"a":1.0,"b":2}`, `{"b":2,"a":1.0}`},
		{`{"a":1,"b":2}`},
		{`{"a":"1","b":2}`},
		{`{"a":1,"a":2}`},
		{`{"a":2,"a":1}`},
		{`{"a":2}`},
		{`{"a":{"b":1}}`},
		{`{"a":[1,2]}`},
		{`{"a":[12]}`},
		{`{"a":["1","2"]}`},
		{`{"a":["1,2"]}`},
		{`{"a":"\ud800"}`},
		{`{"a":"\ud801"}`},
		{`{"a":"\ufffd"}`, `{"a":"�"}`},
		{`{}`},
		{`[]`},
		{`null`},
		{`""`},
		{`"null"`},
	} {
		form := mcpserver.Canonical([]byte(class[0]))
		if seen[form] {
			t.Errorf("%s is the same as another", class[0])
		}
		seen[form] = true
		for _, spelling := range class {
			if got := mcpserver.Canonical([]byte(spelling)); got != form {
				t.Errorf("%s is %s", spelling, got)
			}
		}
	}
}

func FuzzCanonical(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":"\ud83d\ude00"}],"a":null}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !mcpserver.WellFormed(raw) {
			return
		}
		var b bytes.Buffer
		if err := json.Compact(&b, raw); err != nil {
			t.Fatal(err)
		}
		if mcpserver.Canonical(raw) != mcpserver.Canonical(b.Bytes()) {
			t.Errorf("%q differs without blanks", raw)
		}
	})
}

// Whatever comes as a requestState, no call crashes, and none but ours opens.
func FuzzRequestState(f *testing.F) {
	s := newServer(f, newShop(), titled())
	p := principal(f, tokenMany)
	body := func(state, responses string) []byte {
		return []byte(request("tools/call", `{"name":"list","arguments":{"resource":"orders"},"requestState":`+state+`,"inputResponses":`+responses+`,`+capableMeta+`}`))
	}
	good := askedOf(f, string(s.Direct(f.Context(), p, body("null", "null"), newest))).Result.RequestState
	f.Add(`"AQ"`, `{}`)
	f.Add(`7`, `[]`)
	f.Add(`"`+good+`"`, `{"tenantry/tenant":{"action":"accept","content":{"tenant":"1"}}}`)
	f.Fuzz(func(t *testing.T, state, responses string) {
		raw := body(state, responses)
		if _, code := mcpserver.Parse(raw); code != 0 {
			return
		}
		got := string(s.Direct(t.Context(), p, raw, newest))
		if !json.Valid([]byte(got)) {
			t.Errorf("%s", got)
		}
		if strings.Contains(got, `"error":{"code":-32602,"message":"the requestState is not valid`) {
			return
		}
		if res := resultOf(t, got); res.Structured != "" && !res.IsError && state != `"`+good+`"` {
			t.Errorf("%s opens", state)
		}
	})
}
