package mcpserver

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"time"

	"github.com/tenantry/tenantry/internal/seal"
	"github.com/tenantry/tenantry/resource"
)

// stateLife is how long a call may wait for its answer.
const stateLife = 10 * time.Minute

// A talk is what one call asks the person behind its client, over all its rounds. Between two rounds the
// client keeps it, sealed.
type talk struct {
	server  *Server
	client  client
	way     way
	binding []byte // what the sealed state is good for

	expires   int64     // of the state that came in; 0: none did
	answer    bool      // this round has brought an answer
	settled   []settled // the answers so far, each checked
	pending   settled   // the question that this round answers, without its result
	responses []byte    // the client's answers of this round, or nil
}

// settled is a question with its result.
type settled struct {
	Name     string          `json:"n"`
	Question []byte          `json:"q"`
	Result   json.RawMessage `json:"r,omitempty"`
}

// talkState is what is sealed.
type talkState struct {
	Expires int64     `json:"e"`
	Settled []settled `json:"s,omitempty"`
	Pending settled   `json:"p"`
}

// badState is the one refusal of a requestState, whatever is wrong with it: a fault of the protocol, since what
// is broken is no argument of the tool.
func badState() error {
	return carried(paramsFault("the requestState is not valid for this call: call again without requestState and inputResponses, and answer within ten minutes"))
}

// talk begins or continues the talk of a call, and keeps nothing of the call itself, which most of the time is
// on the stack. A state that came in is opened whether or not anything is going to be asked.
func (s *Server) talk(c *call) (*talk, error) {
	if c.talk != nil {
		return c.talk, nil
	}
	t := &talk{server: s, client: c.client, way: c.client.way()}
	t.binding = bindingOf(c)
	if c.client.answers() {
		if err := t.open(c.client.message); err != nil {
			return nil, err
		}
	}
	c.talk = t
	return t, nil
}

// bindingOf is what a state is bound to beside its key: the caller as the token and the selector have it,
// the tool and the arguments.
func bindingOf(c *call) []byte {
	arguments := c.arguments
	if k := kindOf(trim(arguments)); k == kindAbsent || k == kindNull {
		arguments = []byte("{}")
	}
	sum := sha256.Sum256(canonical(nil, arguments))
	b := append(make([]byte, seal.HeadRoom), "tools/call"...)
	for _, part := range []string{callerOf(c.principal), c.tool.name} {
		b = append(binary.AppendUvarint(b, uint64(len(part))), part...)
	}
	return append(b, sum[:]...)
}

// open reads the state that the client sent back.
func (t *talk) open(m *message) error {
	text, ok := textOf(m.state)
	if !ok {
		return badState()
	}
	plain, err := t.server.seal.Open(text, t.binding)
	if err != nil {
		return badState()
	}
	var state talkState
	if json.Unmarshal(plain, &state) != nil || t.server.now().Unix() >= state.Expires {
		return badState()
	}
	t.settled, t.pending, t.expires = state.Settled, state.Pending, state.Expires
	t.responses = m.responses
	return nil
}

// sealed is the state of a call that waits for the answer to q.
func (t *talk) sealed(q *question) (string, error) {
	digest := q.digest()
	expires := t.server.now().Add(stateLife).Unix()
	if t.expires != 0 && !t.answer {
		expires = t.expires // or else an old consent could be kept alive by asking for its question again
	}
	plain, err := json.Marshal(talkState{
		Expires: expires, Settled: t.settled,
		Pending: settled{Name: q.name, Question: digest[:]},
	})
	if err != nil {
		return "", err
	}
	if t.server.seal.Size(len(plain)) > seal.Max {
		return "", resource.Errorf(resource.LimitExceeded, "", "the answers of this call are too long together: call again and give shorter ones")
	}
	return string(t.server.seal.Append(nil, plain, t.binding)), nil
}

// known is the result of an earlier answer to the very same question, or nil.
func (t *talk) known(q *question) []byte {
	digest := q.digest()
	for _, s := range t.settled {
		if s.Name == q.name && bytes.Equal(s.Question, digest[:]) {
			return s.Result
		}
	}
	return nil
}

// answered is the result that this round brings for q, or nil. Only the question that was asked is
// answered: what else the client sends is of no use.
func (t *talk) answered(q *question) []byte {
	digest := q.digest()
	if t.pending.Name != q.name || !bytes.Equal(t.pending.Question, digest[:]) || kindOf(t.responses) != kindObject {
		return nil
	}
	responses, err := strictMembers(t.responses, maxParams)
	if err != nil {
		return nil
	}
	return find(responses, q.name)
}
