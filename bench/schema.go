package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/mcpserver"
	"github.com/tenantry/tenantry/schema"
)

// address and order are an input of 20 fields, as an action of a host has them.
type address struct {
	Street  string  `json:"street" mcp:"min=1;max=200"`
	City    string  `json:"city" mcp:"min=1;max=100"`
	Zip     string  `json:"zip" mcp:"min=3;max=12"`
	Country string  `json:"country" mcp:"len=2"`
	Note    *string `json:"note"`
}

type order struct {
	Number   string   `json:"number" mcp:"min=1;max=40"`
	Customer int64    `json:"customer" mcp:"min=1"`
	Total    float64  `json:"total" mcp:"min=0"`
	Currency string   `json:"currency" mcp:"enum=EUR|USD|GBP"`
	Paid     bool     `json:"paid"`
	Tags     []string `json:"tags" mcp:"max=20;items.max=30"`
	Priority int      `json:"priority" mcp:"min=0;max=9"`
	Channel  string   `json:"channel" mcp:"enum=web|shop|phone"`
	Discount *float64 `json:"discount" mcp:"min=0;max=1"`
	Gift     bool     `json:"gift" mcp:"optional"`
	Weights  []int    `json:"weights" mcp:"max=10"`
	Note     *string  `json:"note" mcp:"max=1000"`
	Source   string   `json:"source" mcp:"max=100"`
	Parcel   string   `json:"parcel" mcp:"max=40"`
	Home     address  `json:"home"`
}

const orderJSON = `{"number":"2026-0001","customer":4711,"total":199.5,"currency":"EUR","paid":true,
"tags":["new","express","fragile"],"priority":3,"channel":"web","discount":0.05,"gift":false,"weights":[120,340,90],
"note":"Ring twice.","source":"newsletter","parcel":"1Z999AA10123456784",
"home":{"street":"Main Street 1","city":"Springfield","zip":"12345","country":"US","note":"back door"}}`

// wide is an input of 40 fields.
func wide() reflect.Type {
	fields := make([]reflect.StructField, 40)
	for i := range fields {
		fields[i] = reflect.StructField{
			Name: fmt.Sprintf("F%d", i), Type: reflect.TypeFor[string](),
			Tag: reflect.StructTag(fmt.Sprintf(`json:"field_%d" mcp:"min=1;max=100" desc:"What the field of number %d is for."`, i, i)),
		}
	}
	fields[7].Type, fields[7].Tag = reflect.TypeFor[*string](), `json:"field_7" gate:"requires(admin)"`
	return reflect.StructOf(fields)
}

// schemas measures the schemas of typed tools. Times are those of a benchmark, and the comparison is made in turns.
func (b *bench) schemas(ctx context.Context, r *report) error {
	plan, err := schema.ForType(wide(), schema.Input)
	if err != nil {
		return err
	}
	allowed := schema.AllowGates(plan.Gates()...)
	emit := func() error {
		v, ok := plan.View(allowed)
		if !ok {
			return errors.New("bench: there is no view")
		}
		_, err := v.JSON(ctx, schema.Full, nil)
		return err
	}
	cost, err := timed(emit)
	if err != nil {
		return err
	}
	r.atMost("schema-emission-of-40-fields-microseconds", float64(cost.NsPerOp())/1e3, 5)
	if err := b.listing(r); err != nil {
		return err
	}
	return b.decoding(ctx, r)
}

// listing measures what a caller is answered who asks for a hundred typed tools, once it has been there before:
// everything that the server does, without a network.
func (b *bench) listing(r *report) error {
	tools := mcpserver.NewToolset(nil)
	for i := range 100 {
		spec := mcpserver.ToolSpec{Name: fmt.Sprintf("tool_%d", i), Title: "A tool", Description: "It takes an order and returns where it goes."}
		if i%10 == 0 {
			spec.Gate = "requires(admin)"
		}
		mcpserver.AddTool(tools, spec, func(_ context.Context, _ *mcpserver.Call, in order) (address, error) { return in.Home, nil })
	}
	handler, err := mcpserver.Handler(b.exec, auth.VerifierFunc(b.verify), &mcpserver.Options{
		Tools: tools, PublicURL: "http://example.com", Logger: slog.New(slog.DiscardHandler), Events: func(context.Context, mcpserver.Event) {},
	})
	if err != nil {
		return err
	}
	size := 0
	cost, err := timed(func() error {
		req := httptest.NewRequest(http.MethodPost, "http://example.com/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`))
		req.Header = http.Header{"Authorization": {"Bearer 0"}, "Content-Type": {"application/json"}}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, req)
		if size = w.Body.Len(); w.Code != http.StatusOK {
			return fmt.Errorf("bench: tools/list was answered with %d %s", w.Code, w.Body)
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.figure("list-of-100-tools-bytes", float64(size), "bytes")
	r.atMost("list-of-100-tools-milliseconds", float64(cost.NsPerOp())/1e6, 1)
	return nil
}

// decoding measures a decoding against validation by another library and encoding/json.
func (b *bench) decoding(ctx context.Context, r *report) error {
	ours, err := decodes(ctx)
	if err != nil {
		return err
	}
	theirs, err := validates()
	if err != nil {
		return err
	}
	s, err := b.measure(ctx, r, []way{
		{"schema-decode", func(context.Context, *rand.Rand) error { return hundredfold(ours) }},
		{"validate-and-unmarshal", func(context.Context, *rand.Rand) error { return hundredfold(theirs) }},
	})
	if err != nil {
		return err
	}
	r.atMost("schema-decode-cpu", ratio(s["schema-decode"], s["validate-and-unmarshal"], appCPU), 0.5)
	mine, err := timed(ours)
	if err != nil {
		return err
	}
	others, err := timed(theirs)
	if err != nil {
		return err
	}
	r.figure("schema-decode-allocations", float64(mine.AllocsPerOp()), "a document")
	r.atMost("schema-decode-allocations-ratio", float64(mine.AllocsPerOp())/float64(others.AllocsPerOp()), 0.25)
	return nil
}

// hundredfold makes a call of something that takes less than the clock of a process can tell.
func hundredfold(f func() error) error {
	for range 100 {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

func timed(f func() error) (testing.BenchmarkResult, error) {
	var failed error
	res := testing.Benchmark(func(t *testing.B) {
		t.ReportAllocs()
		for t.Loop() {
			if err := f(); err != nil {
				failed = err
				return
			}
		}
	})
	return res, failed
}

func decodes(ctx context.Context) (func() error, error) {
	plan, err := schema.For[order](schema.Input)
	if err != nil {
		return nil, err
	}
	view, _ := plan.View(schema.Decision{})
	raw := []byte(orderJSON)
	return func() error {
		var o order
		return view.Decode(ctx, raw, &o, nil)
	}, nil
}

// validates is the way of the protocol's own library: the document is validated as a map, then decoded.
func validates() (func() error, error) {
	plan, err := schema.For[order](schema.Input)
	if err != nil {
		return nil, err
	}
	view, _ := plan.View(schema.Decision{})
	text, err := view.JSON(context.Background(), schema.Full, nil)
	if err != nil {
		return nil, err
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return nil, err
	}
	raw := []byte(orderJSON)
	return func() error {
		var loose map[string]any
		if err := json.Unmarshal(raw, &loose); err != nil {
			return err
		}
		if err := resolved.Validate(loose); err != nil {
			return err
		}
		var o order
		d := json.NewDecoder(strings.NewReader(orderJSON))
		return d.Decode(&o)
	}, nil
}
