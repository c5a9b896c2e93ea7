package mcpserver

import (
	"context"

	"github.com/tenantry/tenantry/auth"
)

// Address takes a URI apart as resources/read does.
func Address(uri string) (resource, id string, row bool, err error) {
	at, err := addressOf(uri)
	return at.resource, at.id, at.row, err
}

// RowURI is the expansion of the advertised template.
func RowURI(resource, id string) string { return resourceURI(resource) + "/" + escape(id) }

// Markdown turns an answer of resource_schema into a text.
func Markdown(schema []byte, prefix string) (string, error) {
	text, err := markdown(schema, prefix)
	return string(text), err
}

// QueryViaSDK answers a message that shows resources as the SDK carries it, errors included, and
// QueryDirect as our front does.
func (s *Server) QueryViaSDK(ctx context.Context, p *auth.Principal, body []byte, version string) ([]byte, error) {
	m, f := parse(body)
	if f != nil {
		return f.append(nil, m.id), nil
	}
	x, err := s.ask(ctx, m, version, extraOf(p, selection{meta: find(m.meta, metaTenant)}, m))
	if err != nil {
		return nil, err
	}
	if x.answer.Error != nil {
		return s.faultOf(m, x.answer.Error).append(nil, m.id), nil
	}
	return appendResult(nil, m.id, x.answer.Result), nil
}

// QueryDirect answers a message as the front does.
func (s *Server) QueryDirect(ctx context.Context, p *auth.Principal, body []byte) []byte {
	m, f := parse(body)
	if f != nil {
		return f.append(nil, m.id)
	}
	out, f := s.respond(ctx, &query{message: m, principal: p, selection: selection{meta: find(m.meta, metaTenant)}})
	if f != nil {
		return f.append(nil, m.id)
	}
	return out
}
