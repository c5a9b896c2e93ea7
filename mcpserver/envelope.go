package mcpserver

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A message is one JSON-RPC message as the front read it. It is read once, here: a second parser with
// other ideas about repeated names or letter case would be a way past every check. Its parts alias the
// body.
type message struct {
	id     []byte // as the client wrote it; nil when there is none
	method string
	params []byte // an object, or nil
	meta   []member

	reply  bool   // a client's answer to a request of ours
	result []byte // of a reply; nil when it is an error

	name      string // of tools/call
	arguments []byte // of tools/call; nil when absent
	state     []byte // requestState of tools/call, as the client sent it; nil when absent
	responses []byte // inputResponses of tools/call; nil when absent

	uri             string // of resources/read
	cursor          string // of the lists of resources; "" when absent
	argument, typed string // of completion/complete: which one, and what of it is there already
}

// call reports whether the message waits for an answer.
func (m *message) call() bool { return m.id != nil && !m.reply }

type member struct {
	name  string
	value []byte
}

const (
	methodCall      = "tools/call"
	methodInit      = "initialize"
	methodListen    = "subscriptions/listen"
	methodCancelled = "notifications/cancelled"

	notificationTools = "notifications/tools/list_changed"
)

// Bounds of what a message may carry before anybody looks at it.
const (
	maxEnvelope = 16
	maxParams   = 32
	maxMeta     = 64
	maxID       = 256
)

// parse reads one message. The returned message has an id even beside a fault, if one could be read.
func parse(body []byte) (*message, *fault) {
	m := &message{}
	body = trim(body)
	switch {
	case len(body) == 0:
		return m, parseFault("the body is empty: send one JSON-RPC request")
	case !wellFormed(body):
		return m, parseFault("the body is not one JSON document in UTF-8, nested at most 100 deep: send one that is")
	case kindOf(body) == kindArray:
		return m, requestFault("batches are not accepted: send one request at a time")
	case kindOf(body) != kindObject:
		return m, requestFault("the body must be one JSON-RPC request object")
	}
	envelope, err := strictMembers(body, maxEnvelope)
	id, idOK := messageID(envelope)
	m.id = id
	if err != nil {
		return m, requestFault(err.Error())
	}
	if v, _ := textOf(find(envelope, "jsonrpc")); v != "2.0" {
		return m, requestFault(`"jsonrpc" must be "2.0"`)
	}
	if !idOK {
		return m, requestFault(`"id" must be a string or a number of at most 256 bytes`)
	}
	return m, m.read(envelope)
}

func (m *message) read(envelope []member) *fault {
	raw := find(envelope, "method")
	if raw == nil {
		m.result = find(envelope, "result")
		failure := kindOf(find(envelope, "error"))
		failed := failure != kindAbsent && failure != kindNull
		if m.reply = m.result != nil || failed; m.reply && m.id != nil {
			if failed {
				m.result = nil
			}
			return nil
		}
		return requestFault(`a request has a "method"`)
	}
	var ok bool
	if m.method, ok = textOf(raw); !ok {
		return requestFault(`"method" must be a string`)
	}
	switch raw = find(envelope, "params"); kindOf(raw) {
	case kindAbsent, kindNull:
		return m.readCall(nil)
	case kindObject:
	default:
		return paramsFault(`"params" must be an object`)
	}
	m.params = raw
	params, err := strictMembers(raw, maxParams)
	if err != nil {
		return paramsFault(err.Error())
	}
	if f := m.readMeta(find(params, "_meta")); f != nil {
		return f
	}
	return m.readCall(params)
}

func (m *message) readMeta(raw []byte) *fault {
	switch kindOf(raw) {
	case kindAbsent, kindNull:
		return nil
	case kindObject:
	default:
		return paramsFault(`"_meta" must be an object`)
	}
	var err error
	if m.meta, err = strictMembers(raw, maxMeta); err != nil {
		return paramsFault(err.Error())
	}
	return nil
}

func (m *message) readCall(params []member) *fault {
	if m.method != methodCall {
		return m.readQuery(params)
	}
	var ok bool
	if m.name, ok = textOf(find(params, "name")); !ok {
		return paramsFault(`tools/call takes params with "name", the name of a tool from tools/list`)
	}
	m.arguments = find(params, "arguments")
	m.responses = find(params, "inputResponses")
	if m.state = find(params, "requestState"); kindOf(m.state) == kindNull {
		m.state = nil
	}
	return nil
}

// messageID returns the id to answer with, and false when it is none that JSON-RPC 2.0 and MCP allow:
// null is not, since MCP forbids it.
func messageID(envelope []member) ([]byte, bool) {
	var found []byte
	for _, m := range envelope {
		if m.name != "id" {
			continue
		}
		if found != nil {
			return nil, false
		}
		found = m.value
	}
	switch kindOf(found) {
	case kindAbsent:
		return nil, true
	case kindString, kindNumber:
		if len(found) <= maxID {
			return found, true
		}
		return nil, false
	default:
		return nil, false
	}
}

var errRepeated = errors.New("a name is given twice in one object: send it once")

// strictMembers returns the members of a well-formed object, at most limit of them. A repeated name and
// a NUL in a name are errors, beside the members read so far. Names are compared exactly.
func strictMembers(object []byte, limit int) ([]member, error) {
	out := make([]member, 0, 8)
	for name, value := range members(object) {
		switch {
		case len(out) == limit:
			return out, fmt.Errorf("an object has more than %d members", limit)
		case slices.ContainsFunc(out, func(m member) bool { return m.name == name }):
			return append(out, member{name, value}), errRepeated
		case strings.ContainsRune(name, 0):
			return out, errors.New("a name contains NUL")
		}
		out = append(out, member{name, value})
	}
	return out, nil
}

func find(ms []member, name string) []byte {
	for _, m := range ms {
		if m.name == name {
			return m.value
		}
	}
	return nil
}
