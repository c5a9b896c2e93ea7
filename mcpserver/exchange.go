package mcpserver

import (
	"context"
	"errors"
	"io"
	"strconv"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An exchange is the SDK's connection for one HTTP request: it reads the one message that our front has
// checked, and keeps what is written until the answer is there. The SDK's own HTTP handler would parse
// the body several times more, answer faults in plain text and round the id.
type exchange struct {
	request *jsonrpc.Request
	gone    <-chan struct{} // the client's end of the request

	mu       sync.Mutex
	read     bool
	messages []*jsonrpc.Request // notifications before the answer
	answer   *jsonrpc.Response
	answered chan struct{}
	closed   chan struct{}
}

// sdkID is the client's id for the SDK, which knows only integers and strings, and 1 for any other. What
// the client reads is the id as it wrote it.
func sdkID(raw []byte) jsonrpc.ID {
	var v any = float64(1)
	if text, ok := textOf(raw); ok {
		v = text
	} else if n, err := strconv.ParseInt(string(raw), 10, 54); err == nil {
		v = float64(n)
	}
	id, _ := jsonrpc.MakeID(v) // strings and numbers are ids
	return id
}

// ask has the SDK answer one message of a revision, for the caller in extra.
func (s *Server) ask(ctx context.Context, m *message, v string, extra *mcp.RequestExtra) (*exchange, error) {
	method, params := m.inside()
	x := &exchange{
		request:  &jsonrpc.Request{ID: sdkID(m.id), Method: method, Params: params, Extra: extra},
		gone:     ctx.Done(),
		answered: make(chan struct{}),
		closed:   make(chan struct{}),
	}
	session, err := s.sdk.Connect(ctx, x, &mcp.ServerSessionOptions{State: stateFor(m, v)})
	if err != nil {
		return nil, err
	}
	select {
	case <-x.answered:
	case <-x.gone:
	}
	err = session.Close()
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.answer == nil {
		return nil, errors.Join(errors.New("the SDK gave no answer"), context.Cause(ctx), err)
	}
	return x, nil
}

// stateFor is the session that a request without sessions pretends to continue. Handshakes begin one,
// and the sessionless revisions have none.
func stateFor(m *message, v string) *mcp.ServerSessionState {
	state := &mcp.ServerSessionState{}
	if m.method == methodInit || v >= sessionless {
		return state
	}
	if v == "" {
		v = assumedVersion
	}
	state.InitializeParams = &mcp.InitializeParams{ProtocolVersion: v}
	state.InitializedParams = &mcp.InitializedParams{}
	return state
}

// Connect returns x itself.
func (x *exchange) Connect(context.Context) (mcp.Connection, error) { return x, nil }

// Read returns the one message, and then waits for the end. When the client goes away first, the error
// cancels what runs for it, whatever the revision.
func (x *exchange) Read(context.Context) (jsonrpc.Message, error) {
	x.mu.Lock()
	first := !x.read
	x.read = true
	x.mu.Unlock()
	if first {
		return x.request, nil
	}
	select {
	case <-x.gone:
		return nil, context.Canceled
	case <-x.closed:
		return nil, io.EOF
	}
}

// Write keeps a message for the client.
func (x *exchange) Write(_ context.Context, msg jsonrpc.Message) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch msg := msg.(type) {
	case *jsonrpc.Request:
		if x.answer == nil && !msg.IsCall() {
			x.messages = append(x.messages, msg)
		}
	case *jsonrpc.Response:
		if x.answer == nil {
			x.answer = msg
			close(x.answered)
		}
	}
	return nil
}

// Close ends the exchange.
func (x *exchange) Close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	select {
	case <-x.closed:
	default:
		close(x.closed)
	}
	return nil
}

// SessionID returns "": there are no sessions.
func (x *exchange) SessionID() string { return "" }
