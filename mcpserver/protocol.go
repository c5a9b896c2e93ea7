package mcpserver

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tenantry/tenantry/resource"
)

// Headers of MCP over HTTP, in the spelling that net/http keeps them in, and ours.
const (
	headerVersion = "Mcp-Protocol-Version"
	headerMethod  = "Mcp-Method"
	headerName    = "Mcp-Name"
	headerTenant  = "Tenantry-Tenant"
)

// sessionless is the first revision without sessions: each request carries its version in _meta and
// repeats method and name in headers, which must agree with the body (SEP-2575, SEP-2243).
const sessionless = "2026-07-28"

// assumedVersion is what a request without the header speaks, says the revision of 2025-03-26.
const assumedVersion = "2025-03-26"

var versions = mcp.SupportedProtocolVersions()

// ProtocolVersions returns the revisions of the protocol that a Server speaks, newest first.
func ProtocolVersions() []string { return slices.Clone(versions) }

// version returns the revision the request speaks, or "" when it does not say. The fault is what the
// revisions themselves prescribe for headers that are unknown or disagree with the body.
func version(h http.Header, m *message) (string, *fault) {
	given := h.Values(headerVersion)
	v := h.Get(headerVersion)
	switch {
	case len(given) > 1:
		return "", headerFault(headerVersion + " is given twice: send it once")
	case len(given) == 1 && !slices.Contains(versions, v):
		return "", unsupported(v)
	case m.reply:
		return v, nil
	}
	if f := sameVersion(v, m); f != nil {
		return v, f
	}
	if v >= sessionless {
		return v, sameNames(h, m)
	}
	return v, nil
}

func unsupported(version string) *fault {
	data := appendText([]byte(`{"supported":[`), versions[0])
	for _, v := range versions[1:] {
		data = appendText(append(data, ','), v)
	}
	data = appendText(append(data, `],"requested":`...), resource.Clip(version))
	return &fault{
		status: http.StatusBadRequest, code: mcp.CodeUnsupportedProtocolVersion,
		message: "this protocol version is not supported: send one of those listed", data: append(data, '}'),
	}
}

// sameVersion compares the header with the version in _meta, which calls of the sessionless revisions
// must carry.
func sameVersion(v string, m *message) *fault {
	inBody, _ := textOf(find(m.meta, mcp.MetaKeyProtocolVersion))
	switch {
	case inBody == "" && (v < sessionless || !m.call()):
		return nil
	case v == "":
		return headerFault(headerVersion + " is required beside " + mcp.MetaKeyProtocolVersion + " in _meta")
	case inBody == "":
		return &fault{
			status: http.StatusBadRequest, code: jsonrpc.CodeInvalidParams,
			message: "_meta must hold " + mcp.MetaKeyProtocolVersion,
		}
	case v != inBody:
		return headerFault(headerVersion + " does not match " + mcp.MetaKeyProtocolVersion + " in _meta")
	}
	return nil
}

func sameNames(h http.Header, m *message) *fault {
	if given := h.Values(headerMethod); len(given) != 1 || given[0] != m.method {
		return headerFault(headerMethod + " must be given once and be the method of the body")
	}
	switch given := h.Values(headerName); {
	case m.method == methodCall && (len(given) != 1 || given[0] != m.name):
		return headerFault(headerName + " must be given once and be the name of the tool")
	case m.method == methodRead && (len(given) != 1 || headerText(given[0]) != m.uri):
		return headerFault(headerName + " must be given once and be the URI to read")
	}
	return nil
}

// headerText decodes the value of a header that may not stand in one as it is (SEP-2243).
func headerText(value string) string {
	encoded, begins := strings.CutPrefix(value, "=?base64?")
	encoded, ends := strings.CutSuffix(encoded, "?=")
	if text, err := base64.StdEncoding.DecodeString(encoded); begins && ends && err == nil {
		return string(text)
	}
	return value
}

// complete reports whether the message carries what a sessionless call must. One that does not is left
// to the SDK, whose validation says what is missing.
func (m *message) complete() bool {
	info := kindOf(find(m.meta, mcp.MetaKeyClientInfo))
	return kindOf(find(m.meta, mcp.MetaKeyClientCapabilities)) == kindObject && (info == kindAbsent || info == kindObject)
}

// modernStatus is the HTTP status that the sessionless revisions prescribe for an error; older ones
// answer such errors with 200.
func modernStatus(code int64) int {
	switch code {
	case jsonrpc.CodeMethodNotFound:
		return http.StatusNotFound
	case jsonrpc.CodeInvalidParams, mcp.CodeUnsupportedProtocolVersion, mcp.CodeMissingRequiredClientCapabilities:
		return http.StatusBadRequest
	default:
		return http.StatusOK
	}
}
