package descriptor

import (
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

const (
	defaultListen = "127.0.0.1:8377"
	defaultPath   = "/mcp"
	defaultName   = "tenantry"
)

// goodPrefix leaves room for the longest tool name within the 40 characters that clients accept.
var goodPrefix = regexp.MustCompile(`^[A-Za-z0-9_-]{0,25}$`)

var goodPath = regexp.MustCompile(`^(/[A-Za-z0-9._~-]+)+$`)

// server also returns the place of the listen address, which other parts of the file may forbid.
func server(p place) (Server, place) {
	o := p.object("name", "listen", "path", "prefix", "public_url", "allowed_origins", "content")
	s := Server{Name: defaultName, Listen: defaultListen, Path: defaultPath, Content: ContentBoth}
	if name, ok := o.get("name").filled(); ok {
		s.Name = name
	}
	if listen, ok := o.get("listen").filled(); ok {
		s.Listen = listen
	}
	if path, ok := urlPath(o.get("path")); ok {
		s.Path = path
	}
	prefix := o.get("prefix")
	s.Prefix = prefix.str()
	if !goodPrefix.MatchString(s.Prefix) {
		prefix.fail("a prefix has at most 25 letters, digits, _ or -")
	}
	if public := o.get("public_url"); public.str() != "" {
		s.PublicURL = origin(public)
		if inTheClear(s.PublicURL) {
			public.fail("an origin that other machines use begins with https://")
		}
	}
	for _, item := range o.get("allowed_origins").items() {
		s.AllowedOrigins = append(s.AllowedOrigins, origin(item))
	}
	s.Content = content(o.get("content"), s.Content)
	return s, o.get("listen")
}

func urlPath(p place) (string, bool) {
	path, ok := p.filled()
	switch {
	case !ok:
		return "", false
	case path == "/livez" || path == "/readyz":
		p.fail("%s answers health checks: write another path, such as %s", path, defaultPath)
	case !goodPath.MatchString(path):
		p.fail("write a path such as %s: / and letters, digits, dots, _ ~ or - after it", defaultPath)
	default:
		return path, true
	}
	return "", false
}

func content(p place, absent Content) Content {
	known := []string{string(ContentBoth), string(ContentText), string(ContentStructured)}
	s, ok := p.text()
	switch {
	case !ok:
		return absent
	case !slices.Contains(known, s):
		p.fail("%s is not a form of content: %s", p.shown(), nearest(s, known))
	}
	return Content(s)
}

var defaultPort = map[string]string{"http": ":80", "https": ":443"}

// origin reads a scheme, a host and perhaps a port, and returns them as a browser writes them (RFC 6454,
// section 6.1): in lower case, without the scheme's own port.
func origin(p place) string {
	s, ok := p.filled()
	if !ok {
		return ""
	}
	u, err := url.Parse(s)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Host == "", s != u.Scheme+"://"+u.Host:
		p.fail("write an origin: https://HOST or http://HOST:PORT, with nothing after it")
		return ""
	}
	return strings.ToLower(strings.TrimSuffix(s, defaultPort[u.Scheme]))
}

// inTheClear reports whether tokens sent to the origin would cross a network unencrypted.
func inTheClear(origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && u.Scheme == "http" && !loopbackHost(u.Hostname())
}

func loopbackHost(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}
