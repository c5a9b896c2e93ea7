package mcpserver_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/mcpserver"
)

// wide is an input of twenty fields, some of them gated.
type wide struct {
	A string   `json:"a" mcp:"min=1;max=40" desc:"What it is called."`
	B string   `json:"b" mcp:"optional;format=date" desc:"The first day."`
	C *int     `json:"c" mcp:"min=1;max=100"`
	D *bool    `json:"d"`
	E string   `json:"e" mcp:"enum=open|paid|void;default=open"`
	F []string `json:"f" mcp:"optional;max=20"`
	G *string  `json:"g" gate:"requires(admin)" desc:"For the staff."`
	H *string  `json:"h" gate:"requires(tools)"`
	I *string  `json:"i" desc:"A further note, of which there are many."`
	J *string  `json:"j" desc:"A further note, of which there are many."`
	K *string  `json:"k" desc:"A further note, of which there are many."`
	L *string  `json:"l" desc:"A further note, of which there are many."`
	M *string  `json:"m" desc:"A further note, of which there are many."`
	N *string  `json:"n" desc:"A further note, of which there are many."`
	O *string  `json:"o" desc:"A further note, of which there are many."`
	P *string  `json:"p" desc:"A further note, of which there are many."`
	Q *string  `json:"q" desc:"A further note, of which there are many."`
	R *string  `json:"r" desc:"A further note, of which there are many."`
	S *string  `json:"s" desc:"A further note, of which there are many."`
	T *string  `json:"t" desc:"A further note, of which there are many."`
}

// The list of a hundred tools, for a caller whose views are there already; and a call of one of them.
func BenchmarkHosted(b *testing.B) {
	set := mcpserver.NewToolset(nil)
	for i := range 100 {
		spec := mcpserver.ToolSpec{Name: fmt.Sprintf("tool_%d", i), Title: "A tool", Description: strings.Repeat("It does this and that. ", 10)}
		if i%10 == 0 {
			spec.Gate = "requires(admin)"
		}
		mcpserver.AddTool(set, spec, func(_ context.Context, _ *mcpserver.Call, in wide) (wide, error) { return in, nil })
	}
	opts := quiet()
	opts.PublicURL, opts.Tools = "http://example.com", set
	h, err := newServer(b, newShop(), opts).HTTP(live{verifier(b)})
	if err != nil {
		b.Fatal(err)
	}
	for name, body := range map[string]string{"list": request("tools/list", "{}"), "call": toolCall("tool_1", `{"a":"x","c":7,"e":"paid","f":["a","b"],"i":"note"}`)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body))
				r.Header.Set("Authorization", "Bearer "+tokenOne)
				r.Header.Set("Content-Type", "application/json")
				h.ServeHTTP(discard{http.Header{}}, r)
			}
		})
	}
}
