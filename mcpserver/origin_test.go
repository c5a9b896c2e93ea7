package mcpserver_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tenantry/tenantry/mcpserver"
)

// A web page talks to the server.
func TestOrigins(t *testing.T) {
	t.Parallel()
	opts := quiet()
	opts.AllowedOrigins = []string{"https://app.example.com"}
	opts.AllowedHosts = []string{"db.internal"}
	url := serve(t, newShop(), opts)
	host := strings.TrimPrefix(url, "http://")
	_, port, err := net.SplitHostPort(host)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		headers []string
		status  int
	}{
		{"no origin", nil, 200},
		{"own", []string{"Origin", url}, 200},
		{"own name", []string{"Host", "localhost:" + port, "Origin", "http://localhost:" + port}, 200},
		{"configured", []string{"Origin", "https://app.example.com"}, 200},
		{"configured with its port", []string{"Origin", "https://APP.example.com:443"}, 200},
		{"allowed host", []string{"Host", "db.internal:99"}, 200},
		{"IPv6 loopback", []string{"Host", "[::1]:" + port}, 200},
		{"evil", []string{"Origin", "https://evil.example"}, 403},
		{"null", []string{"Origin", "null"}, 403},
		{"empty scheme", []string{"Origin", "//" + host}, 403},
		{"sub-domain of evil", []string{"Origin", "http://127.0.0.1.evil.example:" + port}, 403},
		{"own as user", []string{"Origin", "http://" + host + "@evil.example"}, 403},
		{"other port", []string{"Origin", "http://127.0.0.1:1"}, 403},
		{"other scheme", []string{"Origin", "https://" + host}, 403},
		{"configured as another scheme", []string{"Origin", "http://app.example.com"}, 403},
		{"suffix of configured", []string{"Origin", "https://app.example.com.evil.example"}, 403},
		{"rebound host", []string{"Host", "evil.example"}, 403},
		{"rebound host and origin", []string{"Host", "evil.example", "Origin", "http://evil.example"}, 403},
		{"loopback look-alike", []string{"Host", "localhost.evil.example"}, 403},
		{"evil without a key", []string{"Origin", "https://evil.example", "Authorization", ""}, 403},
		{"evil and broken", []string{"Origin", "https://evil.example", "Content-Type", "text/plain"}, 403},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			res := post(t, url, request("ping", "{}"), tt.headers...)
			if res.Status != tt.status {
				t.Fatalf("status %d, want %d: %s", res.Status, tt.status, res.Body)
			}
			if tt.status == 403 && faultOf(t, res.Body).Code != -32000 {
				t.Error(res.Body)
			}
			if res.Header.Get("WWW-Authenticate") != "" {
				t.Error("the token was looked at")
			}
		})
	}
}

func TestPreflight(t *testing.T) {
	t.Parallel()
	opts := quiet()
	opts.AllowedOrigins = []string{"https://app.example.com"}
	url := serve(t, newShop(), opts)
	for origin, status := range map[string]int{
		url: 204, "https://app.example.com": 204, "https://evil.example": 403, "null": 403,
	} {
		res := send(t, http.MethodOptions, url, nil, "Authorization", "", "Origin", origin, "Access-Control-Request-Method", "POST")
		if res.Status != status {
			t.Errorf("%s: status %d, want %d", origin, res.Status, status)
		}
		want := map[int]string{204: origin}[status]
		if got := res.Header.Get("Access-Control-Allow-Origin"); got != want {
			t.Errorf("%s: allows %q", origin, got)
		}
		if res.Header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: allows credentials", origin)
		}
	}
	res := post(t, url, request("ping", "{}"), "Origin", "https://app.example.com")
	if res.Header.Get("Access-Control-Allow-Origin") != "https://app.example.com" || res.Header.Get("Vary") != "Origin" {
		t.Errorf("answer to a page: %v", res.Header)
	}
}

// listening returns a request as it comes in on a listener of that address.
func listening(address, host string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(request("ping", "{}")))
	r.Host = host
	r.Header.Set("Authorization", "Bearer "+tokenOne)
	r.Header.Set("Content-Type", "application/json")
	if address == "" {
		return r
	}
	return r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(&net.TCPAddr{IP: net.ParseIP(address), Port: 80})))
}

func TestPublicListener(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, public, address, host, origin string
		allowed                             []string
		status                              int
	}{
		{name: "public host", public: "https://mcp.example.com", address: "10.0.0.1", host: "mcp.example.com", status: 200},
		{name: "its port spelt out", public: "https://mcp.example.com", address: "10.0.0.1", host: "MCP.example.com:443", status: 200},
		{name: "its origin", public: "https://mcp.example.com/mcp", address: "10.0.0.1", host: "mcp.example.com", origin: "https://mcp.example.com", status: 200},
		{name: "origin as Host says", public: "https://mcp.example.com", address: "10.0.0.1", host: "mcp.example.com", origin: "http://mcp.example.com", status: 403},
		{name: "other host", public: "https://mcp.example.com", address: "10.0.0.1", host: "evil.example", status: 403},
		{name: "other port", public: "https://mcp.example.com", address: "10.0.0.1", host: "mcp.example.com:99", status: 403},
		{name: "loopback name", public: "https://mcp.example.com", address: "10.0.0.1", host: "localhost", status: 403},
		{name: "allowed", allowed: []string{"mcp.internal:8080"}, address: "10.0.0.1", host: "mcp.internal:8080", status: 200},
		{name: "allowed, other port", allowed: []string{"mcp.internal:8080"}, address: "10.0.0.1", host: "mcp.internal:1", status: 403},
		{name: "nothing configured", address: "10.0.0.1", host: "10.0.0.1", status: 403},
		{name: "listener unknown", host: "localhost", status: 403},
		{name: "listener unknown, public host", public: "http://mcp.example.com:81", host: "mcp.example.com:81", status: 200},
		{name: "IPv4 in IPv6", address: "::ffff:127.0.0.1", host: "localhost", status: 200},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			opts := quiet()
			opts.PublicURL, opts.AllowedHosts = tt.public, tt.allowed
			h, err := newServer(t, newShop(), opts).HTTP(live{verifier(t)})
			if err != nil {
				t.Fatal(err)
			}
			r := listening(tt.address, tt.host)
			if tt.origin != "" {
				r.Header.Set("Origin", tt.origin)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != tt.status {
				t.Errorf("status %d, want %d: %s", w.Code, tt.status, w.Body)
			}
		})
	}
}

// Static tokens never leave the machine.
func TestStaticTokens(t *testing.T) {
	t.Parallel()
	for listen, ok := range map[string]bool{
		"": true, "127.0.0.1:8377": true, "localhost:1": true, "[::1]:1": true, ":8377": false, "0.0.0.0:8377": false, "10.0.0.1:80": false,
	} {
		opts := quiet()
		opts.Listen = listen
		if _, err := newServer(t, newShop(), opts).HTTP(verifier(t)); (err == nil) != ok {
			t.Errorf("listen %q: %v", listen, err)
		}
		if _, err := newServer(t, newShop(), opts).HTTP(live{verifier(t)}); err != nil {
			t.Errorf("listen %q with real tokens: %v", listen, err)
		}
	}
	opts := quiet()
	opts.AllowedHosts = []string{"mcp.internal"}
	h, err := newServer(t, newShop(), opts).HTTP(verifier(t))
	if err != nil {
		t.Fatal(err)
	}
	for address, status := range map[string]int{"127.0.0.1": 200, "10.0.0.1": 403, "": 403} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, listening(address, "mcp.internal"))
		if w.Code != status {
			t.Errorf("listening on %q: status %d, want %d", address, w.Code, status)
		}
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*mcpserver.Options){
		"prefix form":     func(o *mcpserver.Options) { o.Prefix = "acme." },
		"prefix length":   func(o *mcpserver.Options) { o.Prefix = strings.Repeat("a", 26) },
		"content":         func(o *mcpserver.Options) { o.Content = "all" },
		"path":            func(o *mcpserver.Options) { o.Path = "mcp" },
		"public URL":      func(o *mcpserver.Options) { o.PublicURL = "mcp.example.com" },
		"any origin":      func(o *mcpserver.Options) { o.AllowedOrigins = []string{"*"} },
		"null origin":     func(o *mcpserver.Options) { o.AllowedOrigins = []string{"null"} },
		"origin and path": func(o *mcpserver.Options) { o.AllowedOrigins = []string{"https://a.example/b"} },
		"host as URL":     func(o *mcpserver.Options) { o.AllowedHosts = []string{"https://a.example"} },
		"metadata":        func(o *mcpserver.Options) { o.ResourceMetadata = `https://a.example/"` },
	} {
		opts := quiet()
		change(opts)
		if _, err := mcpserver.NewServer(newShop(), opts); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, err := newServer(t, newShop(), nil).HTTP(nil); err == nil {
		t.Error("no verifier: accepted")
	}
}
