package mcpserver

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/tenantry/tenantry/resource"
)

// peers decides which Host and Origin may talk to the server, so that a web page cannot drive it by
// rebinding a name to its address.
type peers struct {
	hosts   map[string]bool // host:port, or a host alone for any port
	origins map[string]bool // scheme://host[:port]
}

func newPeers(o *Options) (*peers, error) {
	p := &peers{hosts: map[string]bool{}, origins: map[string]bool{}}
	if o.PublicURL != "" {
		u, err := url.Parse(o.PublicURL)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil {
			return nil, errors.New("mcpserver: PublicURL must be an http or https URL, such as https://mcp.example.com")
		}
		p.hosts[withPort(u.Host, u.Scheme)] = true
		p.origins[normalOrigin(u)] = true
	}
	for _, h := range o.AllowedHosts {
		if h == "" || strings.ContainsAny(h, "/*@ ") {
			return nil, fmt.Errorf("mcpserver: AllowedHosts: %q is not a host or host:port", h)
		}
		p.hosts[strings.ToLower(h)] = true
	}
	for _, origin := range o.AllowedOrigins {
		u, err := url.Parse(origin)
		if err != nil || u.Scheme == "" || u.Host == "" || strings.Contains(origin, "*") || strings.Trim(u.Path, "/") != "" {
			return nil, fmt.Errorf("mcpserver: AllowedOrigins: %q is not an origin such as https://app.example.com", origin)
		}
		p.origins[normalOrigin(u)] = true
	}
	return p, nil
}

func normalOrigin(u *url.URL) string {
	return strings.ToLower(u.Scheme) + "://" + withPort(u.Host, u.Scheme)
}

// withPort lower-cases a host and gives it the port its scheme implies.
func withPort(host, scheme string) string {
	host = strings.ToLower(host)
	if _, _, err := net.SplitHostPort(host); err == nil {
		return host
	}
	switch strings.ToLower(scheme) {
	case "http":
		return host + ":80"
	case "https":
		return host + ":443"
	default:
		return host
	}
}

// check refuses a Host or Origin that is not ours. On a loopback listener the names of this machine are
// ours; on any other, and where the listener is unknown, only what is configured.
func (p *peers) check(r *http.Request) *fault {
	local := loopbackListener(r)
	if !p.knownHost(r, local) {
		return refusal(http.StatusForbidden, resource.Forbidden,
			"this Host is not served: the operator lists hosts in the public URL or the allowed hosts")
	}
	origins := r.Header.Values("Origin")
	if len(origins) == 0 || (len(origins) == 1 && p.knownOrigin(r, origins[0], local)) {
		return nil
	}
	return refusal(http.StatusForbidden, resource.Forbidden,
		"this Origin is not allowed: the operator lists origins in the allowed origins")
}

func (p *peers) knownHost(r *http.Request, local bool) bool {
	name, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		name = r.Host
	}
	name = strings.ToLower(name)
	if local && loopbackName(name) {
		return true
	}
	host := strings.ToLower(r.Host)
	// Behind a proxy that ends TLS the scheme is unknown here: either default port may be the implied one.
	return p.hosts[host] || p.hosts[name] || p.hosts[withPort(host, "https")] || p.hosts[withPort(host, "http")]
}

func (p *peers) knownOrigin(r *http.Request, origin string, local bool) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" || u.Path != "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return false // "null" has no host
	}
	given := normalOrigin(u)
	if p.origins[given] {
		return true
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	// Its own origin counts on loopback only, where check has just seen that Host names this machine.
	return local && given == scheme+"://"+withPort(r.Host, scheme)
}

// loopbackListener reports whether the request came in on a loopback address. An unknown address is
// not one.
func loopbackListener(r *http.Request) bool {
	addr, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return ok && addr != nil && loopbackAddress(addr.String())
}

// loopbackAddress reports whether host:port, or a host alone, is on the loopback interface.
func loopbackAddress(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = address
	}
	return loopbackName(strings.ToLower(host))
}

func loopbackName(host string) bool {
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && ip.Unmap().IsLoopback()
}

// corsHeaders are what a browser may send across origins.
const corsHeaders = "Authorization, Content-Type, Accept, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Tenantry-Tenant"

// cors answers a browser that check has admitted: with its own origin, never a wildcard, and without
// credentials. It reports whether the request was a preflight and is done.
func cors(w http.ResponseWriter, r *http.Request) (done bool) {
	h := w.Header()
	h.Add("Vary", "Origin")
	origin := r.Header.Get("Origin")
	if origin == "" {
		return false
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", "WWW-Authenticate, Retry-After")
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	h.Set("Access-Control-Allow-Methods", http.MethodPost)
	h.Set("Access-Control-Allow-Headers", corsHeaders)
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return true
}
