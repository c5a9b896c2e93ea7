package mcpserver

import (
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/tenantry/tenantry/resource"
)

// scheme begins every URI of ours: scheme + resource + "/" + id is a row, scheme + resource the
// description of a resource. A row always has the slash, so that neither is ever the other.
const scheme = "tenantry://"

// rowTemplate is the form of a row's URI (RFC 6570). Expanding it percent-encodes both parts once, and
// addressOf decodes both once.
const rowTemplate = scheme + "{resource}/{id}"

// An address is what a URI of ours names.
type address struct {
	resource string
	row      bool
	id       string // what get takes as id; of a row only
}

// addressOf takes a URI apart. What it refuses, it refuses for its form alone, without a look at what
// there is.
func addressOf(uri string) (address, error) {
	if len(uri) < len(scheme) || !strings.EqualFold(uri[:len(scheme)], scheme) {
		return address{}, nowhere(uri)
	}
	name, id, row := strings.Cut(uri[len(scheme):], "/")
	if strings.ContainsAny(name, "?#") || strings.ContainsAny(id, "/?#") {
		return address{}, misspelt(uri, "percent-encode the key, with / ? # as %2F %3F %23")
	}
	if row && twofold(id) {
		return address{}, misspelt(uri, "percent-encode the whole key, with : as %3A too")
	}
	name, nameOK := unescape(name)
	id, idOK := unescape(id)
	switch {
	case !nameOK || !idOK:
		return address{}, misspelt(uri, "percent-encode the key in UTF-8, with % as %25")
	case name == "":
		return address{}, nowhere(uri)
	case row && id == "":
		return address{}, misspelt(uri, "put the key of a row behind the last /, or leave the / away to read the schema")
	}
	return address{resource: name, row: row, id: id}, nil
}

// twofold reports whether an id may be the text form of a composite key, which has escapes of its own, as
// well as one that is percent-encoded: a bare ":" stands in both. Where the two could name two rows, it is
// better to name none.
func twofold(id string) bool {
	return strings.Contains(id, ":") && (strings.Contains(id, "%25") || strings.Contains(strings.ToUpper(id), "%3A"))
}

func unescape(s string) (string, bool) {
	s, err := url.PathUnescape(s)
	return s, err == nil && utf8.ValidString(s)
}

// resourceURI is where a resource is described.
func resourceURI(name string) string { return scheme + escape(name) }

// escape percent-encodes everything but the unreserved characters of RFC 3986, as the expansion of
// rowTemplate does.
func escape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '.', c == '_', c == '~':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func nowhere(uri string) error {
	return resource.Errorf(resource.NotFound, "",
		"there is nothing at %s: read a URI of the form %s, or one of resources/list", resource.Echo(uri), rowTemplate)
}

func misspelt(uri, instead string) error {
	return resource.Errorf(resource.InvalidArgument, "", "%s is not a URI of the form %s: %s", resource.Echo(uri), rowTemplate, instead)
}
