package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

const mediaMarkdown = "text/markdown"

// A document is what resources/read answers with.
type document struct {
	media string
	text  []byte
}

// read answers resources/read: a row by the rules of get, or the description of a resource. It runs as a
// call of a tool does, events and crashes included.
func (s *Server) read(ctx context.Context, q *query) (document, *fault) {
	at, malformed := addressOf(q.message.uri)
	run := func(ctx context.Context, r reader, p *auth.Principal, a *arguments) (*executors.Answer, error) {
		if malformed != nil {
			return nil, malformed
		}
		a.resource = at.resource
		if at.row {
			return r.Get(ctx, p, executors.GetRequest{Resource: at.resource, ID: appendText(nil, at.id)})
		}
		return s.describe(ctx, r, p, at.resource)
	}
	out := s.run(ctx, &call{
		tool: &tool{plain: methodRead, tenant: at.row, run: run}, principal: q.principal, selection: q.selection,
	})
	switch {
	case out.isError:
		return document{}, q.fault(out.mistakes[0])
	case at.row:
		return document{mediaJSON, out.body}, nil
	default:
		return document{mediaMarkdown, out.body}, nil
	}
}

// describe answers what resource_schema does, as a text to read.
func (s *Server) describe(ctx context.Context, r reader, p *auth.Principal, name string) (*executors.Answer, error) {
	answer, err := r.Schema(ctx, p, name, nil)
	if err != nil {
		return nil, err
	}
	text, err := markdown(answer.JSON, s.opts.Prefix)
	return &executors.Answer{JSON: text, Rows: answer.Rows}, err
}

// respond answers a query with the JSON-RPC response, member by member as the SDK writes it.
func (s *Server) respond(ctx context.Context, q *query) ([]byte, *fault) {
	dst := append(appendID(nil, q.message.id), `"result":{`...)
	if q.modern() {
		dst = append(dst, s.about...)
	}
	if q.message.method == methodRead {
		d, f := s.read(ctx, q)
		if f != nil {
			return nil, f
		}
		dst = d.append(dst, q.message.uri)
	} else {
		res, f := s.listing(ctx, q)
		if f != nil {
			return nil, f
		}
		object := encode(res)
		dst = append(dst, object[1:len(object)-1]...)
	}
	if q.modern() {
		dst = append(dst, `,"resultType":"complete"`...)
	}
	return append(dst, "}}"...), nil
}

// append appends the members of a result.
func (d document) append(dst []byte, uri string) []byte {
	dst = append(appendText(append(dst, `"contents":[{"uri":`...), uri), `,"mimeType":"`...)
	dst = append(append(dst, d.media...), `","text":`...)
	if d.media == mediaJSON {
		dst = appendQuoted(dst, d.text)
	} else {
		dst = appendText(dst, string(d.text))
	}
	return append(dst, `}],"ttlMs":0,"cacheScope":"private"`...)
}

// codeNotFound is for a resource that is not there, up to the revision that made it one of the invalid
// params (SEP-2164).
const codeNotFound = -32002

// maxURI is how much of a caller's URI an error repeats beside its message.
const maxURI = 256

// fault is a mistake as a JSON-RPC error: these methods have no other way to tell of one.
func (q *query) fault(e *resource.Error) *fault {
	f := paramsFault(e.Message)
	switch e.Code {
	case resource.UnknownResource, resource.NotFound:
		if !q.modern() {
			f.code = codeNotFound
		}
	case resource.Unauthenticated:
		f.code = jsonrpc.CodeInvalidRequest
	case resource.Timeout, resource.Unavailable, resource.RateLimited:
		f.code = jsonrpc.CodeInternalError
	case resource.CodeInternal:
		f.code = jsonrpc.CodeInternalError
		return f // says nothing but its reference
	default:
	}
	f.data = encode(struct {
		Code        resource.Code `json:"code"`
		URI         string        `json:"uri,omitempty"`
		Allowed     []string      `json:"allowed,omitempty"`
		Suggestions []string      `json:"suggestions,omitempty"`
		Example     any           `json:"example,omitempty"`
	}{e.Code, clip(q.message.uri, maxURI), e.Allowed, e.Suggestions, e.Example})
	return f
}

// clip cuts a text at a number of characters.
func clip(s string, most int) string {
	n := 0
	for i := range s {
		if n == most {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

// encode is encoding/json without the escapes that only HTML needs; nil for what does not marshal.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
