package mcpserver

import (
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tenantry/tenantry/auth"
)

// Methods that show resources beside the tools.
const (
	methodRead      = "resources/read"
	methodResources = "resources/list"
	methodTemplates = "resources/templates/list"
	methodComplete  = "completion/complete"
	methodTools     = "tools/list"
)

// A query is one request of these methods, whatever it came in by.
type query struct {
	message   *message
	principal *auth.Principal
	selection selection
}

// modern reports whether the request is of a sessionless revision.
func (q *query) modern() bool {
	v, _ := textOf(find(q.message.meta, mcp.MetaKeyProtocolVersion))
	return v >= sessionless
}

func isQuery(method string) bool {
	switch method {
	case methodRead, methodResources, methodTemplates, methodComplete:
		return true
	default:
		return false
	}
}

// readQuery reads the params of a query.
func (m *message) readQuery(params []member) *fault {
	var ok bool
	switch m.method {
	case methodRead:
		if m.uri, ok = textOf(find(params, "uri")); !ok {
			return paramsFault(`resources/read takes params with "uri": send one of resources/list, or one of the form ` + rowTemplate)
		}
	case methodResources, methodTemplates:
		cursor := find(params, "cursor")
		if m.cursor, ok = textOf(cursor); !ok && kindOf(cursor) != kindAbsent && kindOf(cursor) != kindNull {
			return badCursor()
		}
	case methodComplete:
		return m.readCompletion(params)
	}
	return nil
}

// readCompletion reads what is to be completed: an argument of the one template, and nothing else.
func (m *message) readCompletion(params []member) *fault {
	ref, argument := objectIn(params, "ref"), objectIn(params, "argument")
	kind, _ := textOf(find(ref, "type"))
	if uri, _ := textOf(find(ref, "uri")); kind != "ref/resource" || uri != rowTemplate {
		return paramsFault("there is no such prompt or template: complete the arguments of " + rowTemplate)
	}
	var named, valued bool
	m.argument, named = textOf(find(argument, "name"))
	m.typed, valued = textOf(find(argument, "value"))
	if !named || !valued || (m.argument != "resource" && m.argument != "id") {
		return paramsFault(`"argument" must hold "name", which is resource or id, and "value", a string`)
	}
	return nil
}

// objectIn returns the members of an object among params, or none.
func objectIn(params []member, name string) []member {
	raw := find(params, name)
	if kindOf(raw) != kindObject {
		return nil
	}
	found, err := strictMembers(raw, maxParams)
	if err != nil {
		return nil
	}
	return found
}

func badCursor() *fault {
	return paramsFault("the cursor is not of this listing: send the request again without it")
}

// undeclared is what the SDK is told of every method that the server does not declare. It would answer
// some of them all the same.
const undeclared = "undeclared"

// inside is the request for the SDK. Queries go there in a form that it accepts, since what they ask for
// has been read already and must not be read twice.
func (m *message) inside() (method string, params []byte) {
	var rest string
	switch m.method {
	case methodInit, "ping", "server/discover", methodTools, methodListen:
		return m.method, m.params
	case methodCall:
		return m.method, m.unanswered()
	case methodRead:
		rest = `"uri":"` + anywhere + `"`
	case methodComplete:
		rest = `"ref":{"type":"ref/resource","uri":"-"},"argument":{"name":"-","value":""}`
	case methodResources, methodTemplates:
	default:
		if strings.HasPrefix(m.method, "notifications/") {
			return m.method, m.params
		}
		return undeclared, m.params
	}
	return m.method, withMeta(m.params, rest)
}

// unanswered are the params of a call without what it says of an earlier round: that has been read already.
func (m *message) unanswered() []byte {
	if m.state == nil && m.responses == nil {
		return m.params
	}
	out := []byte{'{'}
	for name, value := range members(m.params) {
		if name != "requestState" && name != "inputResponses" {
			out = append(append(appendText(separated(out, len(out)-1), name), ':'), value...)
		}
	}
	return append(out, '}')
}

// withMeta is an object of the _meta in params and of other members.
func withMeta(params []byte, rest string) []byte {
	out := []byte{'{'}
	for name, value := range members(params) {
		if name == "_meta" && kindOf(value) == kindObject {
			out = append(append(out, `"_meta":`...), value...)
		}
	}
	if len(out) > 1 && rest != "" {
		out = append(out, ',')
	}
	return append(append(out, rest...), '}')
}
