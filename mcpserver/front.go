package mcpserver

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/resource"
)

// front is the HTTP endpoint.
type front struct {
	*Server
	verifier    auth.Verifier
	development bool // the verifier is for loopback listeners only
}

// visit is one request on its way through the front, with what is known of it so far.
type visit struct {
	*front
	w         http.ResponseWriter
	r         *http.Request
	start     time.Time
	principal *auth.Principal
	message   *message
}

// ServeHTTP answers one request. Cheap checks come first, and nothing of a request from a foreign page is
// looked at, not even its token.
func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v := &visit{front: f, w: w, r: r, start: time.Now()}
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	if fault := f.checkPeer(r); fault != nil {
		v.refuse(fault)
		return
	}
	if cors(w, r) {
		return
	}
	if fault := v.admit(); fault != nil {
		v.refuse(fault)
		return
	}
	v.serve()
}

func (f *front) checkPeer(r *http.Request) *fault {
	if fault := f.peers.check(r); fault != nil {
		return fault
	}
	if f.development && !loopbackListener(r) {
		return refusal(http.StatusForbidden, resource.Forbidden, "static tokens are for development: this server answers on a loopback address only")
	}
	if f.opts.Path != "" && r.URL.Path != f.opts.Path {
		return refusal(http.StatusNotFound, "", "there is nothing here: the MCP endpoint is "+f.opts.Path)
	}
	return nil
}

// admit reads the message of a caller with a good token.
func (v *visit) admit() (f *fault) {
	if f = v.checkForm(v.r); f != nil {
		return f
	}
	if v.principal, f = v.authenticate(v.r); f != nil {
		return f
	}
	body, f := v.body()
	if f != nil {
		return f
	}
	v.message, f = parse(body)
	return f
}

func (v *visit) body() ([]byte, *fault) {
	reader := http.MaxBytesReader(v.w, v.r.Body, v.opts.MaxBody)
	var body []byte
	var err error
	if v.r.ContentLength >= 0 {
		body = make([]byte, v.r.ContentLength)
		_, err = io.ReadFull(reader, body)
	} else {
		body, err = io.ReadAll(reader)
	}
	if err == nil {
		return body, nil
	}
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return nil, v.tooLarge()
	}
	return nil, parseFault("the body ended early: send all of it")
}

// serve answers a well-formed message.
func (v *visit) serve() {
	m := v.message
	revision, f := version(v.r.Header, m)
	modern := revision >= sessionless
	switch {
	case f != nil:
		v.refuse(f)
	case !m.call():
		// Notifications and answers have nobody to tell in a server without sessions.
		v.w.WriteHeader(http.StatusAccepted)
	case m.method == methodListen && !accepts(v.r.Header.Values("Accept"), mediaStream):
		v.refuse(notAcceptable(mediaStream))
	case m.method == methodCall && v.tool(m.name) != nil && (!modern || m.complete()):
		r := v.run(v.r.Context(), &call{
			tool: v.tool(m.name), principal: v.principal, selection: selectionOf(v.r.Header, m), arguments: m.arguments,
			client: client{message: m, revision: revision},
		})
		v.answer(r, revision)
	case m.method == methodCall && v.hosts != nil && v.tool(m.name) == nil && (!modern || m.complete()):
		v.hosted(revision)
	case m.method == methodTools && v.hosts != nil && (!modern || m.complete()):
		v.list()
	case isQuery(m.method) && (!modern || m.complete()):
		v.query()
	default:
		v.forward(revision)
	}
}

// query answers what shows resources beside the tools. Its faults are events already, where they are any.
func (v *visit) query() {
	body, f := v.respond(v.r.Context(), &query{message: v.message, principal: v.principal, selection: selectionOf(v.r.Header, v.message)})
	if f != nil {
		v.fail(f)
		return
	}
	writeJSON(v.w, http.StatusOK, body)
}

// forward has the SDK answer.
func (v *visit) forward(revision string) {
	m, ctx := v.message, v.r.Context()
	x, err := v.ask(ctx, m, revision, extraOf(v.principal, selectionOf(v.r.Header, m), m))
	switch {
	case err != nil:
		reference := newReference()
		if ctx.Err() == nil {
			v.opts.Logger.LogAttrs(ctx, slog.LevelError, "a method failed", slog.String("reference", reference), slog.String("cause", err.Error()))
		}
		v.refuse(&fault{status: http.StatusInternalServerError, code: jsonrpc.CodeInternalError, message: internalMessage + reference})
	case x.answer.Error != nil:
		v.refuse(v.faultOf(m, x.answer.Error))
	case m.method == methodListen:
		x.writeStream(v.w, m.id)
	default:
		writeJSON(v.w, http.StatusOK, appendResult(nil, m.id, x.answer.Result))
	}
}

// refuse answers with a fault. One that stands in for a call becomes an event.
func (v *visit) refuse(f *fault) {
	if e, ok := v.refusedCall(f); ok {
		v.opts.Events(v.r.Context(), e)
	}
	v.fail(f)
}

// fail answers with a fault.
func (v *visit) fail(f *fault) {
	if f.status == http.StatusOK && v.r.Header.Get(headerVersion) >= sessionless {
		f.status = modernStatus(f.code)
	}
	var id []byte
	if v.message != nil {
		id = v.message.id
	}
	f.write(v.w, id)
}

// refusedCall is the event of a refusal, unless the client is known to have asked for something other
// than a call or a reading.
func (v *visit) refusedCall(f *fault) (Event, bool) {
	e := Event{Code: f.reason, Outcome: OutcomeInvalid, Duration: time.Since(v.start)}
	if f.reason != "" {
		e.Outcome = outcomeOf(f.reason)
	}
	if v.message == nil || v.message.method == "" {
		return e, true
	}
	if v.message.method == methodRead {
		e.Tool = methodRead
		return e, true
	}
	e.Tool = other
	if t := v.tool(v.message.name); t != nil {
		e.Tool = t.plain
	}
	return e, v.message.method == methodCall
}
