package mcpserver_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// discard is a ResponseWriter without a network behind it.
type discard struct{ h http.Header }

func (d discard) Header() http.Header         { return d.h }
func (d discard) Write(p []byte) (int, error) { return len(p), nil }
func (d discard) WriteHeader(int)             {}

func BenchmarkCall(b *testing.B) {
	body := toolCall("list", `{"resource":"orders","limit":25,"filter":{"state":"paid"},"sort":["-placed_at"]}`)
	b.Run("front", func(b *testing.B) {
		opts := quiet()
		opts.PublicURL = "http://example.com"
		h, err := newServer(b, newShop(), opts).HTTP(live{verifier(b)})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body))
			r.Header.Set("Authorization", "Bearer "+tokenOne)
			r.Header.Set("Content-Type", "application/json")
			h.ServeHTTP(discard{http.Header{}}, r)
		}
	})
	s, p := newServer(b, newShop(), quiet()), principal(b, tokenOne)
	b.Run("direct", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s.Direct(b.Context(), p, []byte(body), stable)
		}
	})
	b.Run("SDK", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := s.ViaSDK(b.Context(), p, []byte(body), stable); err != nil {
				b.Fatal(err)
			}
		}
	})
}
