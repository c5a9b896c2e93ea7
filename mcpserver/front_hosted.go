package mcpserver

import "net/http"

// hosted answers the call of a name that is no tool of ours: one of the host's, or none.
func (v *visit) hosted(revision string) {
	m := v.message
	c := &call{
		tool: v.hosts.tool(m.name), principal: v.principal, selection: selectionOf(v.r.Header, m), arguments: m.arguments,
		client: client{message: m, revision: revision},
	}
	if c.client.progressToken() != nil && streams(v.r.Header) {
		c.client.stream = &stream{w: v.w}
	}
	r := v.run(v.r.Context(), c)
	if c.client.stream == nil || !c.client.stream.end(func() []byte { return v.appendReply(nil, m.id, r, revision) }) {
		v.answer(r, revision)
	}
}

// answer writes what a call came to. Its faults are events already.
func (v *visit) answer(r reply, revision string) {
	if r.fault != nil {
		v.fail(r.fault)
		return
	}
	v.writeResult(v.w, v.message.id, r, revision)
}

// list answers tools/list as this caller sees it.
func (v *visit) list() {
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	body, f := v.listTools(v.r.Context(), (*buf)[:0], &query{message: v.message, principal: v.principal, selection: selectionOf(v.r.Header, v.message)})
	if f != nil {
		v.fail(f)
		return
	}
	writeJSON(v.w, http.StatusOK, body)
	if cap(body) <= maxPooled {
		*buf = body
	}
}
