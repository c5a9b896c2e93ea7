package mcpserver

import (
	"maps"

	"github.com/tenantry/tenantry/auth"
)

// A roster is what the client of a session was last told of the tools of the host. What a caller may use can
// change while a session lasts, and every call decides anew: one that decides otherwise than the list did
// lets the client know that its list is old.
type roster struct {
	seen   map[*hostTool]views
	listed int // how many lists were begun when it was told
}

func rosterOf(offers []offer) *roster {
	r := &roster{seen: make(map[*hostTool]views, len(offers))}
	for _, o := range offers {
		if o.host != nil {
			r.seen[o.host] = o.seen
		}
	}
	return r
}

// listing begins a list, and returns its number.
func (l *lines) listing() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lists++
	return l.lists
}

// told keeps what the page of a list tells the client. It reports whether that is old already: what the client
// has of other pages, or of another list at the same time, is not what this one decided.
func (l *lines) told(number int, page *listedPage) (old bool) {
	if page.caller == nil {
		return false
	}
	now, whose := rosterOf(page.all), page.caller.Tenant()
	l.mu.Lock()
	defer l.mu.Unlock()
	before := l.rosters[whose]
	old = before != nil && (!page.first || number <= before.listed) && !maps.Equal(before.seen, now.seen)
	now.listed = l.lists
	switch {
	case old:
		delete(l.rosters, whose)
	case page.first:
		l.rosters[whose] = now
	}
	return old
}

// differs reports whether a call sees another tool than the list for its tenant told, or none. It is said once
// for each list.
func (l *lines) differs(p *auth.Principal, h *hostTool, now views) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p == nil {
		return false
	}
	told := l.rosters[p.Tenant()]
	if told == nil || told.seen[h] == now {
		return false
	}
	delete(l.rosters, p.Tenant())
	return true
}

// noticed tells the client of a session that its list is old, where a call shows that.
func (c *client) noticed(p *auth.Principal, h *hostTool, now views) {
	if c.lines != nil && c.lines.differs(p, h, now) {
		c.lines.listChanged()
	}
}

// listChanged tells the client that it should list the tools again. The sessionless revisions tell by the list
// itself that it does not last.
func (l *lines) listChanged() {
	if v := l.agreed(); v != "" {
		_ = l.answer([]byte(`{"jsonrpc":"2.0","method":"` + notificationTools + `"}`)) // a client that is gone learns nothing
	}
}
