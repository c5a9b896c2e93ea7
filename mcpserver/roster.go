package mcpserver

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/tenant"
)

// A roster is what the client of a session was last told of the tools of the host. What a caller may use can
// change while a session lasts, and every call decides anew: one that decides otherwise than the list did
// lets the client know that its list is old.
type roster struct {
	tenant tenant.ID // the active one when it was told, if any
	seen   map[*hostTool]views
}

// told keeps what a list tells the client: all pages of it.
func (l *lines) told(p *auth.Principal, offers []offer) {
	if p == nil {
		return
	}
	r := &roster{tenant: p.Tenant(), seen: make(map[*hostTool]views, len(offers))}
	for _, o := range offers {
		if o.host != nil {
			r.seen[o.host] = o.seen
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.roster = r
}

// differs reports whether a call sees another tool than the list told, or none. It is said once for each
// list. A call for another tenant than the list's says nothing of it.
func (l *lines) differs(p *auth.Principal, h *hostTool, now views) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.roster == nil || p == nil || p.Tenant() != l.roster.tenant || l.roster.seen[h] == now {
		return false
	}
	l.roster = nil
	return true
}

// noticed tells the client of a session that its list is old, where a call shows that. The sessionless
// revisions tell by the list itself that it is to be asked for again.
func (c *client) noticed(p *auth.Principal, h *hostTool, now views) {
	if c.lines != nil && c.revision < sessionless && c.lines.differs(p, h, now) {
		c.notify([]byte(`{"jsonrpc":"2.0","method":"` + notificationTools + `"}`))
	}
}

// notifying is what a handshake over a stream says of the server: it alone promises to tell of changes.
func notifying(res *mcp.InitializeResult) *mcp.InitializeResult {
	out, said := *res, *res.Capabilities
	said.Tools = &mcp.ToolCapabilities{ListChanged: true}
	out.Capabilities = &said
	return &out
}
