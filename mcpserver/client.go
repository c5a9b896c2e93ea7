package mcpserver

import (
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tenantry/tenantry/schema/elicit"
)

// A client is who sent a call, as far as the call can turn to it while it runs. The zero client is none.
type client struct {
	message  *message // as it came in
	revision string   // of the protocol

	lines   *lines             // over stdio
	session *mcp.ServerSession // over stdio

	stream *stream // over HTTP, where the client takes one
}

// way says how the person behind a client can be asked.
type way string

const (
	unreachable way = "unreachable"
	byResult    way = "result"  // the call ends with the question, and comes again with the answer
	bySession   way = "session" // elicitation/create, while the call waits
)

// way is how this client can be asked, by what it declared of itself.
func (c *client) way() way {
	switch {
	case c.message == nil:
		return unreachable
	case c.revision >= sessionless:
		capabilities := objectIn(c.message.meta, mcp.MetaKeyClientCapabilities)
		if showsForms(find(capabilities, "elicitation")) {
			return byResult
		}
	case c.lines != nil && c.revision >= elicit.FirstRevision:
		params := c.session.InitializeParams()
		if params == nil || params.Capabilities == nil || params.Capabilities.Elicitation == nil {
			return unreachable
		}
		if e := params.Capabilities.Elicitation; e.Form != nil || e.URL == nil {
			return bySession
		}
	}
	return unreachable
}

// showsForms reads the capability of elicitation: an object that names forms, or neither of both modes.
func showsForms(raw []byte) bool {
	if kindOf(raw) != kindObject {
		return false
	}
	modes, err := strictMembers(raw, maxParams)
	return err == nil && (kindOf(find(modes, "form")) == kindObject || find(modes, "url") == nil)
}

// progressToken is the token by which the client wants to be told of progress, or nil.
func (c *client) progressToken() []byte {
	if c.message == nil {
		return nil
	}
	token := find(c.message.meta, "progressToken")
	if k := kindOf(token); (k != kindString && k != kindNumber) || len(token) > maxID {
		return nil
	}
	return token
}

// notifies reports whether notifications reach the client before the answer does.
func (c *client) notifies() bool { return c.lines != nil || c.stream != nil }

// notify sends a notification. It is lost when the client is gone, which its call learns by its context.
func (c *client) notify(data []byte) {
	switch {
	case c.lines != nil:
		_ = c.lines.answer(data)
	case c.stream != nil:
		c.stream.send(data)
	}
}

// answers reports whether the call comes again, with what the client keeps of it.
func (c *client) answers() bool {
	return c.message != nil && c.message.state != nil && c.revision >= sessionless
}

// streams reports whether the client of an HTTP request says that it takes a stream.
func streams(h http.Header) bool {
	accept := h.Values("Accept")
	return len(accept) > 0 && accepts(accept, mediaStream)
}

// speaks is the revision of a call that came by the SDK: the one that the session agreed on, or its own.
func (c *client) speaks() string {
	if c.lines != nil {
		if v := c.lines.agreed(); v != "" {
			return v
		}
	} else if params := c.session.InitializeParams(); params != nil && params.ProtocolVersion != "" {
		return strings.Clone(params.ProtocolVersion)
	}
	v, _ := textOf(find(c.message.meta, mcp.MetaKeyProtocolVersion))
	return v
}
